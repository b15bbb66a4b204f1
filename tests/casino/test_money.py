"""Amounts as people write them; one reader for every page that takes one."""

import pytest

from casino.money import cents_of, written
from casino.refusal import Refused


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("0", 0),
        ("25", 2_500),
        (" 12.50 ", 1_250),
        ("12400", 1_240_000),
        ("12,400.50", 1_240_050),
        ("1,234,567.89", 123_456_789),
        ("999999999999", 99_999_999_999_900),
    ],
)
def test_an_amount_is_read_to_the_cent(text: str, cents: int) -> None:
    assert cents_of(text) == cents
    assert cents_of(written(cents)) == cents


@pytest.mark.parametrize(
    "text",
    ["", "ten", "-3", "1e3", "1.5", "12,50", "1,23", "1,2345", "12,3456", "1234,567", ",500", "1,,000", "12.500", "٣",
     "1 000", "1" * 13, "1,000,000,000,000"],
)  # fmt: skip
def test_what_could_be_meant_otherwise_is_refused_with_how_to_write_it(text: str) -> None:
    with pytest.raises(Refused) as no:
        cents_of(text)
    assert no.value.code == "odd_amount"
    assert "write it like 12400 or 12,400.50, with a point before the cents" in no.value.message
