"""The colours of the one style sheet, by the contrast that WCAG 2.2 AA asks: 4.5 for text, 3 for edges of fields."""

import re
from pathlib import Path

import pytest

SHEET = (Path(__file__).parents[2] / "casino/static/casino/casino.css").read_text()
NAMED = dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", SHEET.split("@media print")[0]))


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * channel for weight, channel in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("ground", ["ground", "panel", "raised"])
@pytest.mark.parametrize("ink", ["ink", "muted", "brass", "gain", "loss", "warn", "info"])
def test_every_ink_can_be_read_on_every_ground(ink: str, ground: str) -> None:
    assert contrast(NAMED[ink], NAMED[ground]) >= 4.5


@pytest.mark.parametrize("ground", ["ground", "panel", "raised"])
def test_edges_of_fields_and_buttons_can_be_seen(ground: str) -> None:
    assert contrast(NAMED["edge"], NAMED[ground]) >= 3


@pytest.mark.parametrize(
    ("ink", "ground"),
    [
        ("#17130a", NAMED["brass"]),  # a button's words
        ("#b3121d", "#f7f4ec"),  # red cards
        ("#16201d", "#f7f4ec"),  # black cards
        ("#5b2a86", "#f7f4ec"),  # jokers
        ("#d5e3dc", "#1b4d3d"),  # words on the felt, at its lightest
        (NAMED["brass"], "#1b4d3d"),  # the Roulette Card's words there
        (NAMED["brass"], "#33290f"),  # a hit's amount
        (NAMED["muted"], "#2a2412"),  # small print of a meter
    ],
)
def test_the_pairs_that_are_used_once_can_be_read_too(ink: str, ground: str) -> None:
    assert ink in SHEET or ink in NAMED.values()
    assert ground in SHEET or ground in NAMED.values()
    assert contrast(ink, ground) >= 4.5
