"""Heartbeats on a real floor: silence stops the bet with its reason, and the next word takes it again as it was."""

import itertools
from datetime import UTC, datetime, timedelta

import pytest
from rest_framework.test import APIClient

from casino.approval import Approval
from casino.celery import app
from casino.commands import rounds
from casino.commands.order import Order
from casino.commands.tables import load_round, load_table
from casino.eventstore.follower import catch_up
from casino.models import Device, TableBoard
from casino.refusal import Refused
from casino.round.betting import Asked
from jackpot import tasks, today
from jackpot.commands import heartbeats, links, readings, stops
from jackpot.control_events import LinkResumed, LinkStopped
from jackpot.models import Heartbeat
from jackpot.statements import day_page
from tests.jackpot.test_api import assert_problem
from tests.jackpot.test_cases import by

SILENT = timedelta(seconds=40)
numbers = itertools.count(1)


@pytest.fixture
def watched(floor):
    """`fed` hears the feeds of R-04 and R-05, `one` the controller at R-06, both within 30 seconds."""
    floor.open("R-04", "R-05", "R-06")
    floor.link("fed", tables=["R-04", "R-05"], heartbeat_of="tables", silence_seconds=30)
    floor.link("one", tables=["R-06"], heartbeat_of="controller", silence_seconds=30)
    catch_up()
    return floor


def heard(table: str, code: str = "fed", shown_cents: int | None = None, key: str = "") -> heartbeats.Heard:
    order = Order(f"device:{table}", key or f"beat-{next(numbers)}", datetime.now(UTC), source="feed")
    catch_up()
    return heartbeats.hear(order, code, table, shown_cents)


def let_pass(code: str, *sources: str) -> None:
    """As if these sources had last been heard 40 seconds ago."""
    rows = Heartbeat.objects.filter(link=code, source__in=sources)
    assert rows.update(heard_at=datetime.now(UTC) - SILENT) == len(sources)


def watch() -> int:
    catch_up()
    stopped = tasks.watch_feeds()
    catch_up()
    return stopped


def refusal(function, *arguments, **named) -> Refused:
    with pytest.raises(Refused) as refused:
        function(*arguments, **named)
    return refused.value


def offers(table: str) -> bool:
    return "progressive" in load_table(table).table.offered()


def test_a_silent_feed_stops_the_bet_at_its_own_table_and_its_next_word_takes_it_again(watched):
    assert watch() == 0  # from here on they are expected
    before = load_table("R-04").table.offered()
    let_pass("fed", "table R-04")
    assert (watch(), watch()) == (1, 0)
    assert (offers("R-04"), offers("R-05")) == (False, True)
    stopped = watched.events("fed")[-1].event
    assert isinstance(stopped, LinkStopped)
    assert (stopped.source, stopped.by) == ("table R-04", "heartbeat-watch")
    assert datetime.fromisoformat(stopped.last_heard_at) < datetime.now(UTC) - timedelta(seconds=30)
    assert heard("R-04").is_taken
    assert isinstance(watched.events("fed")[-1].event, LinkResumed)
    assert load_table("R-04").table.offered() == before
    assert watch() == 0


def test_a_wager_on_a_silent_link_is_refused_with_the_reason_in_the_open_round_and_in_the_next(watched):
    rounds.open_round(watched.order(), "R-04")
    open_round = watched.last_round("R-04")
    watch()
    let_pass("fed", "table R-04")
    watch()
    wager = [Asked(1, "progressive", 100)]
    refused = refusal(rounds.place_wagers, watched.order(), open_round, wager)
    assert (refused.code, "the feed of table R-04 is silent" in refused.message) == ("side_bet_disabled", True)
    assert TableBoard.objects.get(table_code="R-04").side_bet_off == "the feed of table R-04 is silent"
    assert load_round(open_round).closed_bets == {"progressive": "the feed of table R-04 is silent"}
    rounds.void_round(watched.order(), open_round, "Nobody stayed.", Approval("ana", "eve"))
    rounds.open_round(watched.order(), "R-04")
    assert refusal(rounds.place_wagers, watched.order(), watched.last_round("R-04"), wager).code == "side_bet_disabled"
    heard("R-04")
    catch_up()
    assert TableBoard.objects.get(table_code="R-04").side_bet_off == ""


def test_a_controller_is_heard_again_with_a_reading_that_is_the_meters(watched):
    watched.play("R-06")
    watch()
    let_pass("one", "controller")
    assert watch() == 1
    first = heard("R-06", "one")
    assert (first.is_taken, "give what it shows" in first.waits_for) == (False, True)
    assert "shows 5,000.00 and its meter stands at 5,000.65" in heard("R-06", "one", 500_000).waits_for
    assert not offers("R-06")
    assert heard("R-06", "one", 500_065).is_taken
    assert offers("R-06")
    watched.play("R-06")
    assert watched.state("one").meter.main_micros == 5_001_300_000


def readings_of_one() -> list[tuple[str, int, int]]:
    shown = day_page("one", today.gaming_date_now(), today.gaming_date_now()).readings.read
    return [(reading.by, reading.shown_cents, reading.difference_cents) for reading in shown]


def test_a_sign_that_differs_is_a_difference_of_the_day_and_is_kept_once_however_often_it_is_said(watched):
    watch()
    let_pass("one", "controller")
    watch()
    for shown_cents in (499_900, 499_900, 499_800):
        assert not heard("R-06", "one", shown_cents).is_taken
    assert readings_of_one() == [("device:R-06", 499_900, -100)]
    assert refusal(stops.resume_link, by("max"), "one", "controller", 499_800).code == "reading_differs"
    assert readings_of_one()[1:] == [("max", 499_800, -200)]


def test_a_difference_that_another_person_explained_holds_the_bet_up_no_longer(watched):
    watch()
    let_pass("one", "controller")
    watch()
    heard("R-06", "one", 499_900)
    readings.explain_difference(by("max"), "one", today.gaming_date_now(), 1, "The sign counts up to it for a minute.")
    assert refusal(stops.resume_link, by("max"), "one", "controller", 499_900).code == "reading_differs"
    assert refusal(stops.resume_link, by("mia"), "one", "controller", 499_901).code == "reading_differs"
    stops.resume_link(by("mia"), "one", "controller", 499_900)
    assert offers("R-06")
    assert watched.events("one")[-1].event == LinkResumed(source="controller", shown_cents=499_900, by="mia")
    assert watched.state("one").meter.main_micros == 5_000_000_000


def test_what_a_person_stopped_stays_stopped_whoever_speaks(watched):
    watch()
    let_pass("fed", "table R-04")
    watch()
    stops.stop_link(by("max"), "fed", "New sign.")
    assert heard("R-04").is_taken  # nothing waits for the feed any more
    assert load_table("R-04").table.suspended == {"progressive": "New sign."}
    assert not offers("R-05")
    catch_up()
    stops.resume_link(by("max"), "fed")
    assert offers("R-04")
    assert offers("R-05")


def test_the_same_key_again_is_the_same_heartbeat(watched):
    first = heard("R-04", key="beat")
    again = heard("R-04", key="beat")
    assert (again.replayed, again.heard_at) == (True, first.heard_at)
    assert refusal(heard, "R-04", shown_cents=1, key="beat").code == "key_reused"


def test_only_links_with_heartbeats_are_watched_and_only_their_tables_are_heard(watched):
    watch()
    assert set(Heartbeat.objects.values_list("link", "source")) == {
        ("fed", "table R-04"), ("fed", "table R-05"), ("one", "controller"),
    }  # fmt: skip
    assert refusal(heard, "R-01", "grand").code == "no_heartbeats"
    assert refusal(heard, "R-06", "fed").code == "not_joined"
    assert refusal(heard, "R-01", "gold").code == "unknown_link"


def test_a_table_that_left_is_expected_no_more_and_has_its_seconds_when_it_joins_again(watched):
    watch()
    let_pass("fed", "table R-04")
    links.leave_table(by("max"), "fed", "R-04", "For the night.")
    assert watch() == 0
    links.join_table(by("max"), "fed", "R-04")
    assert watch() == 0
    assert offers("R-04")


def test_many_watches_at_once_stop_a_silent_link_once(watched, at_once):
    watch()
    let_pass("one", "controller")
    at_once(*[tasks.watch_feeds] * 4)
    assert [type(one.event) for one in watched.events("one")].count(LinkStopped) == 1


def test_a_device_speaks_for_its_table_over_http_and_nobody_else_does(watched, client):
    _, token = Device.issue("feed-4", "R-04")
    device = APIClient(headers={"Authorization": f"Token {token}"})
    address = "/api/v1/links/fed/heartbeats/"
    answer = device.post(address, {}, format="json", headers={"Idempotency-Key": "a"})
    assert (answer.status_code, answer.json()["source"], answer.json()["is_taken"]) == (201, "table R-04", True)
    assert device.post(address, {}, format="json", headers={"Idempotency-Key": "a"}).status_code == 200
    assert_problem(device.post(address, {}, format="json"), 400, "key_missing")
    other = device.post("/api/v1/links/one/heartbeats/", {}, format="json", headers={"Idempotency-Key": "b"})
    assert_problem(other, 409, "not_joined")
    assert client.post(address).status_code in (401, 403)


def test_beat_watches_the_feeds(database):
    names = {entry["task"] for entry in app.conf.beat_schedule.values()}
    app.loader.import_default_modules()
    assert tasks.watch_feeds.name in names & set(app.tasks)


def test_in_a_jam_of_the_workers_the_watch_is_let_go_of_no_sooner_than_other_ticks(database):
    lives = {entry["task"]: entry["options"]["expires"] for entry in app.conf.beat_schedule.values()}
    assert lives[tasks.watch_feeds.name] >= lives["casino.settle_due"] == lives["jackpot.fold_links"]
