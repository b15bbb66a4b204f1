"""docs/ledger.md says what the code does: its tables are those of the chart and of the postings."""

import inspect
from pathlib import Path

from casino.eventstore.registry import name_of
from ledger.accounts import CHART
from ledger.postings import POSTINGS

DOCS = Path(__file__).parents[2] / "docs" / "ledger.md"


def chart_rows() -> list[str]:
    return [
        f"| {one.code} | {one.name} | {one.ledger} | {one.side} | {one.kept_by} | {one.meaning} |"
        for one in CHART.values()
    ]


def posting_rows() -> list[str]:
    """A row a type of event: its word, and the first paragraph of its posting's docstring."""
    return [
        f"| `{name_of(cls)}` | {' '.join((inspect.getdoc(posting) or '').partition(chr(10) * 2)[0].split())} |"
        for cls, posting in POSTINGS.items()
    ]


def test_the_tables_of_the_docs_are_those_of_the_code() -> None:
    lines = DOCS.read_text().splitlines()
    for rows in (chart_rows(), posting_rows()):
        missing = [row for row in rows if row not in lines]
        assert missing == [], "docs/ledger.md lacks a row, or says it otherwise"
    accounts = [line for line in lines if line[:2] == "| " and line[2:5].isdecimal()]
    assert accounts == chart_rows(), "docs/ledger.md has an account that the chart has not"


def test_every_posting_says_its_lines() -> None:
    for cls, posting in POSTINGS.items():
        said = inspect.getdoc(posting) or ""
        assert "Dr " in said or "reverse" in said or "difference" in said or "hit" in said, name_of(cls)
