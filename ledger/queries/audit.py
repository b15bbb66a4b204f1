"""A day's box paper, table by table, and the exceptions among it."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import date

from django.db.models import Max, Min

from ledger.models import BoxPaper

WORDS = {
    "missing": "missing from the box",
    "differs": "differs from what is stored",
    "unmatched": "in the box, not stored",
    "void": "void",
    "sequence": "number out of sequence",
}


@dataclass(frozen=True)
class PaperException:
    """A line of the day's exception list."""

    document: str
    table: str
    what: str
    said: str
    note: str

    @property
    def words(self) -> str:
        return WORDS[self.what]


def papers_of(day: date) -> dict[str, list[BoxPaper]]:
    """The stored documents of each table, those that nobody has ticked first."""
    found: dict[str, list[BoxPaper]] = defaultdict(list)
    for paper in BoxPaper.objects.filter(gaming_date=day).exclude(kind="unmatched").order_by("table_code", "document"):
        found[paper.table_code].append(paper)
    return {table: sorted(papers, key=lambda paper: paper.finding != "") for table, papers in found.items()}


def exceptions_of(day: date) -> list[PaperException]:
    """Missing, differing, unmatched and void papers of the day, and numbers that its books skip."""
    found = []
    for paper in BoxPaper.objects.filter(gaming_date=day).order_by("table_code", "document"):
        what = (
            paper.finding if paper.finding in ("missing", "differs", "unmatched") else "void" if paper.is_void else ""
        )
        if what:
            found.append(PaperException(paper.document, paper.table_code, what, paper.said, paper.note))
    return found + _skipped(day)


def _skipped(day: date) -> list[PaperException]:
    """Numbers between the first and last of the day in a book that no document of any day has."""
    numbered = BoxPaper.objects.filter(serial__isnull=False, gaming_date__year=day.year)
    found = []
    for book in numbered.filter(gaming_date=day).values("kind").annotate(low=Min("serial"), high=Max("serial")):
        known = numbered.filter(kind=book["kind"], serial__range=(book["low"], book["high"]))
        missing = set(range(book["low"], book["high"] + 1)) - set(known.values_list("serial", flat=True))
        found += [
            PaperException(f"{book['kind']}/{day.year}/{serial}", "", "sequence", "", "") for serial in sorted(missing)
        ]
    return found
