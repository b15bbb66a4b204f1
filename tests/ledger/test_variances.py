"""States of a table's day, and which variances may belong together."""

import pytest

from ledger.reconcile import Facts, reconcile
from ledger.variances import BETWEEN, BOX, TRAY, Variance, state_of, suggestions


def result(closer: int | None = 1_000, counted_drop: int | None = 0):
    return reconcile(Facts(1_000, 0, 0, closer=closer, counted_drop=counted_drop))


@pytest.mark.parametrize(
    ("closer", "counted_drop", "unsettled", "is_over", "code", "missing"),
    [
        (1_000, 0, 0, True, "complete", ()),
        (1_000, None, 0, True, "inventory_only", ("the count of the box",)),
        (None, None, 0, False, "open", ("the closer", "the count of the box")),
        (None, None, 0, True, "broken", ("the closer", "the count of the box")),
        (1_000, 0, 2, True, "broken", ("the settlement of 2 rounds",)),
    ],
)
def test_a_days_state_names_what_is_missing(closer, counted_drop, unsettled, is_over, code, missing) -> None:
    assert state_of(result(closer, counted_drop), unsettled, is_over) == (code, missing)


def test_41_over_at_one_box_and_40_short_at_the_next_may_belong_together() -> None:
    [found] = suggestions([Variance("R-03", "A", BOX, 4_100), Variance("R-04", "A", BOX, -4_000)])
    assert (found.over.table, found.short.table, found.left_cents) == ("R-03", "R-04", 100)
    assert found.reasons == [
        "neighbouring tables", "both in pit A", "two boxes of the same drop", "nearly the same amount, 1.00 apart",
        "40.00 is 8 pieces of 5.00",
    ]  # fmt: skip
    assert (found.over.words, found.short.words) == ("+41.00 in the box of R-03", "−40.00 in the box of R-04")


def test_box_and_tray_of_one_table_point_at_an_entry() -> None:
    [found] = suggestions([Variance("R-03", "", BOX, 10_000), Variance("R-03", "", TRAY, -10_000)])
    assert "as if cash for chips had been recorded too little, or not at all" in found.reasons
    [other] = suggestions([Variance("R-03", "", BOX, -10_000), Variance("R-03", "", TRAY, 10_000)])
    assert "as if cash for chips had been recorded too much" in other.reasons


def test_one_table_stands_nearer_than_two() -> None:
    own = [Variance("R-03", "A", BOX, 1_000), Variance("R-03", "A", TRAY, -1_000)]
    [found] = suggestions([*own, Variance("R-04", "A", BOX, -1_000)])
    assert (found.over.table, found.short.place) == ("R-03", TRAY)


def test_a_closer_counted_wrong_shows_at_the_next_opening() -> None:
    [found] = suggestions([Variance("R-03", "", TRAY, -5_000, 1), Variance("R-03", "", BETWEEN, 5_000)])
    assert "as if a closer had been counted wrong and the next opener right" in found.reasons


@pytest.mark.parametrize(
    "variances",
    [
        [Variance("R-03", "A", BOX, 4_100), Variance("R-04", "A", BOX, 4_000)],  # the same way
        [Variance("R-03", "A", BOX, 4_500), Variance("R-04", "A", BOX, -4_000)],  # not the same amount
        [Variance("R-03", "A", BOX, 4_000), Variance("R-09", "B", BOX, -4_000)],  # far from each other
    ],
)
def test_what_is_far_apart_is_not_suggested(variances) -> None:
    assert suggestions(variances) == []


def test_each_variance_stands_in_one_pair_the_nearest() -> None:
    over = Variance("R-03", "A", BOX, 4_000)
    far, near = Variance("R-05", "A", BOX, -4_000), Variance("R-04", "A", BOX, -4_000)
    [found] = suggestions([over, far, near])
    assert found.short == near
