"""Every event of the floor has a sentence, for every payload that was ever written."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from casino.eventstore.registry import names
from casino.templatetags.sentences import SENTENCES, sentence

GOLDEN = sorted((Path(__file__).parents[2] / "golden").glob("*.json"))


def said(word: str, **content: object) -> str:
    return sentence(SimpleNamespace(type=word, content=content))


def test_every_event_that_the_floor_declares_has_a_sentence() -> None:
    declared = {name for name, cls in names().items() if re.fullmatch(r"casino\.\w*events", cls.__module__)}
    assert declared == set(SENTENCES)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_what_was_ever_written_can_be_said(path: Path) -> None:
    words = said(path.name.partition(".")[0], **json.loads(path.read_text()))
    assert words[0].isupper()
    assert "_" not in words
    assert "None" not in words


def test_a_wager_is_said_with_its_seat_its_stake_and_its_marks() -> None:
    words = said("wager_placed", seat=3, stake_cents=60_000, wager="split:As+Ks", exceptions=["over_maximum"])
    assert words == "Seat 3 placed 600.00 on split A♠ K♠ (over maximum)"


def test_an_unseen_card_is_not_guessed() -> None:
    assert said("card_dealt", card_position=1, face="down", card=None) == "Card 1 dealt face down: an unseen card"


def test_an_event_of_another_app_is_named_by_its_word() -> None:
    assert said("drop_counted", table="R-01") == "Drop counted"
