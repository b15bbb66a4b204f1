"""How pages write figures and words."""

from datetime import date
from fractions import Fraction

import pytest

from casino.templatetags import figures


@pytest.mark.parametrize(
    ("cents", "written", "with_sign"),
    [
        (0, "0.00", "0.00"),
        (5, "0.05", "+0.05"),
        (-5, "−0.05", "−0.05"),
        (123_456_789, "1,234,567.89", "+1,234,567.89"),
        (-100, "−1.00", "−1.00"),
        (None, "—", "—"),
        ("", "—", "—"),
    ],
)
def test_money_has_separators_a_true_minus_and_a_dash_where_it_is_unknown(cents, written, with_sign) -> None:
    assert (figures.money(cents), figures.signed(cents)) == (written, with_sign)


@pytest.mark.parametrize(
    ("seconds", "written"),
    [
        (0, "0 s"),
        (1, "1 s"),
        (90, "1 min 30 s"),
        (3_600, "1 h"),
        (93_600, "1 day 2 h"),
        (200_000_001, "2,314 days 19 h"),
    ],
)
def test_a_stretch_of_time_is_written_in_its_two_greatest_units(seconds: int, written: str) -> None:
    assert figures.span(seconds) == written


@pytest.mark.parametrize(
    ("share", "written"),
    [
        (Fraction(1, 8), "12.5 %"),
        (Fraction(1, 16), "6.3 %"),  # 6.25: the half goes away from zero
        (Fraction(-1, 16), "−6.3 %"),
        (Fraction(-1, 100_000), "0.0 %"),
        (Fraction(12), "1,200.0 %"),
        (None, "—"),
    ],
)
def test_a_share_is_written_in_per_cent_with_one_decimal(share, written) -> None:
    assert figures.percent(share) == written


def test_a_result_has_a_word_for_every_colour() -> None:
    assert [(figures.tone(c), figures.house(c)) for c in (1, 0, -1)] == [
        ("gain", "house ahead"), ("level", "level"), ("loss", "house behind"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("code", "written"),
    [
        ("straight_up:X1", "straight up Joker 1"),
        ("split:Th+9h", "split 10♥ 9♥"),
        ("street:X1+As+Ah", "street Joker 1 A♠ A♥"),
        ("split_rank:T+9", "split rank 10 9"),
        ("suit:d", "suit ♦"),
        ("colour:red", "colour red"),
        ("three_of_a_kind", "three of a kind"),
    ],
)
def test_a_wager_is_written_with_the_signs_of_its_cards(code, written) -> None:
    assert figures.wager(code) == written


def test_cards_are_spoken_for_those_who_hear_the_page() -> None:
    assert [figures.spoken_card(card) for card in ("As", "Td", "X2")] == ["ace of spades", "10 of diamonds", "joker 2"]


def test_a_number_of_things_has_separators() -> None:
    assert (figures.whole(0), figures.whole(12_345)) == ("0", "12,345")


def test_seats_and_days_are_written_as_people_say_them() -> None:
    assert [figures.seats(s) for s in ([3], [1, 4], [1, 4, 6])] == ["seat 3", "seats 1 and 4", "seats 1, 4 and 6"]
    assert figures.day(date(2026, 11, 29)) == "Sun 29 Nov 2026"


@pytest.mark.parametrize(
    ("cents", "written", "with_sign"),
    [
        (Fraction(1, 2), "0.01", "+0.01"),  # the half goes away from zero
        (Fraction(-1, 2), "−0.01", "−0.01"),
        (Fraction(10_000, 3), "33.33", "+33.33"),
        (Fraction(-1, 1_000), "0.00", "0.00"),
        (0, "0.00", "0.00"),
        (None, "—", "—"),
        ("", "—", "—"),
    ],
)
def test_a_fraction_of_cents_is_written_to_the_cent(cents, written, with_sign) -> None:
    assert (figures.to_the_cent(cents), figures.signed_to_the_cent(cents)) == (written, with_sign)


def test_time_is_written_in_hours_and_whole_minutes() -> None:
    times = [figures.duration(s) for s in (0, 59, 60, 3_599, 3_600, 90_000, None)]
    assert times == ["0 min", "0 min", "1 min", "59 min", "1 h 00 min", "25 h 00 min", "—"]
