"""The figures of drop and hold: their words, their parts and their arithmetic say the same."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.eventstore.registry import names
from ledger.figures import FIGURES, LEAVES, counts_under, facts_from, leaves_under
from ledger.reconcile import Facts, reconcile

amounts = st.integers(0, 10**9)


def facts_of(cents: dict[str, int]) -> Facts:
    return facts_from(
        cents,
        opener=cents["first-opener"],
        between=cents["later-openers"] - cents["earlier-closers"],
        closer=cents["last-closer"],
        counted_drop=cents["counts"] + cents["count-corrections"],
    )


@given(st.fixed_dictionaries(dict.fromkeys(LEAVES, amounts)))
def test_every_figure_is_what_its_events_add_up_to(cents: dict[str, int]) -> None:
    result = reconcile(facts_of(cents))
    for code, figure in FIGURES.items():
        if figure.is_share or code == "handle":
            continue
        added = sum(-cents[leaf.code] if sign == "−" else cents[leaf.code] for sign, leaf in leaves_under(code))
        assert figure.value(result) == added, code


@given(st.fixed_dictionaries(dict.fromkeys(LEAVES, amounts)))
def test_a_share_is_its_first_part_over_its_second(cents: dict[str, int]) -> None:
    result = reconcile(facts_of(cents))
    for figure in (one for one in FIGURES.values() if one.is_share):
        over, under = (FIGURES[part].value(result) for _, part in figure.parts)
        assert figure.value(result) == (Fraction(over, under) if under else None)


def test_every_part_is_a_figure_or_a_kind_of_event_and_never_both() -> None:
    assert not set(FIGURES) & set(LEAVES)
    for figure in FIGURES.values():
        assert {part for _, part in figure.parts} <= set(FIGURES) | set(LEAVES)
    assert {leaf.type for leaf in LEAVES.values()} <= set(names())


@pytest.mark.parametrize(
    ("code", "counts"),
    [
        ("handle", []),
        ("expected-tray", []),
        ("box-difference", ["counted_drop"]),
        ("tray-difference", ["closer"]),
        ("win", ["closer", "counted_drop"]),
        ("hold", ["closer", "counted_drop"]),
    ],
)
def test_a_figure_names_the_counts_it_waits_for(code: str, counts: list[str]) -> None:
    assert counts_under(code) == counts
