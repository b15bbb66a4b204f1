"""Luck on the floor: the verdict of every table's tile, and the alert that a result beyond the band raises."""

import pytest
from django.test import Client

from casino.commands import rounds
from casino.commands.settlement import settle_due
from casino.eventstore.follower import catch_up
from casino.queries import alerts, floor
from casino.round.betting import Asked
from casino.watch import watch
from ledger.luck import HOUSE, LOOK_HERE
from ledger.tasks import deal_again
from tests.casino.test_views import text_of
from tests.played import Played

KINGS = ["As", "Kd", "9c", "4h", "2s"]
"""The Roulette Card is the king of diamonds, the second one."""


@pytest.fixture
def unlucky(played: Played) -> Played:
    """A table at which the colour has come every time, for as many rounds as a verdict needs."""
    played.set_up("R-77")
    played.open("R-77", 10_000_000)
    for _ in range(HOUSE.rounds_least):
        rounds.record_finished_round(played.order(), "R-77", [Asked(1, "colour:red", 10_000)], KINGS)
        settle_due()
    catch_up()
    deal_again()
    catch_up()
    return played


def test_a_result_beyond_the_band_shows_on_its_tile_and_is_raised_with_its_numbers(
    unlucky: Played, ana: Client
) -> None:
    tile = floor.tile("R-77")
    assert tile.figures["luck"].verdict == LOOK_HERE
    watch()
    catch_up()
    (alert,) = [one for one in alerts.waiting() if one.rule == "unusual_result"]
    assert alert.sentence.startswith(f"R-77: after {HOUSE.rounds_least} rounds the result is −3,000.00")
    assert "the chance of one as far out is 1 in" in alert.sentence
    shown = text_of(ana.get("/"))
    assert "Luck look here" in shown
    assert "1 look here" in shown


def test_a_tile_whose_wagers_were_dealt_again_is_sent_though_its_table_has_not_moved(unlucky: Played) -> None:
    whole = floor.floor()
    assert [tile.code for tile in whole.moved_since(whole.read_up_to, 0)] == [
        tile.code for tile in whole.tiles if tile.replayed_position
    ]
    assert whole.moved_since(whole.read_up_to, whole.replayed_up_to) == []


def test_an_alert_that_is_seen_to_moves_its_tile(unlucky: Played, ana: Client) -> None:
    watch()
    catch_up()
    before = floor.floor()
    alert = next(one for one in alerts.waiting() if one.rule == "unusual_result")
    ana.post("/alerts/see-to/", {"alert": alert.key, "key": "seen", "note": "dealt by the book"})
    catch_up()
    assert [t.code for t in floor.floor().moved_since(before.read_up_to, before.replayed_up_to)] == ["R-77"]
