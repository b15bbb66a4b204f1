"""The display on a wall: what it shows, whom it needs no log-in from, and that it names nobody."""

import asyncio
import json
import re

import pytest
import redis as sync_redis
from asgiref.sync import sync_to_async
from django.db import connections
from django.test import AsyncClient, Client

from casino.commands.patrons import make_patron
from casino.commands.seats import seat_patron
from casino.live import CHANNEL
from casino.refusal import Refused
from jackpot import display
from jackpot.commands.displays import switch_display
from jackpot.commands.links import join_table
from jackpot.commands.stops import stop_link
from jackpot.display import display_of
from jackpot.events import JackpotPaid, JackpotReturned
from jackpot.screens import _of_the_meters
from tests.jackpot.conftest import Floor
from tests.jackpot.test_api import assert_problem, post, staff
from tests.jackpot.test_projections import append_record

__all__ = ["staff"]
STRAIGHT_FLUSH, ROYAL_FLUSH = "9s 8s 7s 6s 5s", "As Ks Qs Js Ts"


def opened(floor) -> None:
    switch_display(floor.order(), "grand", is_open=True)


def test_it_shows_the_meter_and_what_wins_what_of_it_now(floor):
    floor.play("R-01", seats=[1, 2, 3])
    floor.state()
    shown = display_of("grand")
    (level,) = shown.levels
    assert (shown.game, shown.currency, shown.price_cents, level.cents) == ("54 Card Roulette", "USD", 100, 500_195)
    assert [(prize.rank, str(prize.part), prize.amount_cents) for prize in level.prizes] == [
        ("five_of_a_kind", "1", 500_195),
        ("royal_flush", "1", 500_195),
        ("straight_flush", "1/10", 50_019),
    ]
    assert "share equally" in shown.in_words
    assert shown.hits == ()


def test_a_hit_is_pending_until_its_last_share_is_paid_or_returned(floor):
    floor.play("R-01", STRAIGHT_FLUSH, seats=[1, 2])
    floor.record()
    (hit,) = floor.hits()
    half = {"round": hit.round, "rank": hit.rank, "amount_cents": hit.share_cents}
    (shown,) = display_of("grand").pending
    assert (shown.amount_cents, shown.pending_cents, shown.players, shown.table) == (50_012, 50_012, 2, "R-01")
    append_record(floor, JackpotPaid(seat=2, paid_from="cage", **half))
    floor.state()
    assert [one.pending_cents for one in display_of("grand").pending] == [25_006]
    append_record(floor, JackpotReturned(seats=(1,), reason="denied", by="ana", approved_by="ben", **half))
    floor.state()
    shown = display_of("grand")
    assert shown.pending == ()
    assert [(one.amount_cents, one.players) for one in shown.last_hits] == [(25_006, 1)]


def test_a_hit_that_nobody_gets_is_no_hit(floor):
    floor.play("R-01", STRAIGHT_FLUSH)
    floor.record()
    (hit,) = floor.hits()
    back = {"round": hit.round, "rank": hit.rank, "amount_cents": hit.share_cents, "reason": "void"}
    append_record(floor, JackpotReturned(seats=(1,), by="ana", approved_by="ben", **back))
    floor.state()
    assert display_of("grand").hits == ()


def test_of_many_hits_the_last_are_shown_and_all_that_are_pending(floor):
    for _ in range(7):
        floor.play("R-01", STRAIGHT_FLUSH)
    floor.record()
    shown = display_of("grand")
    assert (len(shown.pending), len(shown.last_hits)) == (7, 5)
    assert [hit.at for hit in shown.hits] == sorted((hit.at for hit in shown.hits), reverse=True)


# ------------------------------------------------------------------------------------------------- several levels


@pytest.fixture
def bank(database) -> Floor:
    """`maxi` and its levels `midi` and `mini`, fed by one dollar: 50 %, 10 % and 5 % of it."""
    floor = Floor()
    floor.open("R-01")
    floor.link("maxi", increment_bp=5000, hidden_bp=0, tiers={"five_of_a_kind": "1"}, base_cents=2_000_000)
    floor.link("midi", increment_bp=1000, hidden_bp=0, tiers={"royal_flush": "1"}, level_of="maxi")
    terms = {"base_cents": 50_000, "reset_cents": 50_000, "tiers": {"straight_flush": "1"}}
    floor.link("mini", increment_bp=500, hidden_bp=0, level_of="maxi", **terms)
    join_table(floor.order(), "maxi", "R-01")
    return floor


@pytest.mark.parametrize("code", ["maxi", "midi", "mini"])
def test_all_levels_of_a_bank_are_shown_together_by_whichever_is_asked_for(bank, code):
    bank.play("R-01", STRAIGHT_FLUSH, seats=[1, 2])
    bank.record()
    shown = display_of(code)
    assert shown.link == "maxi"
    assert [(level.name, level.cents) for level in shown.levels] == [
        ("maxi", 2_000_100),
        ("midi", 500_020),
        ("mini", 50_000),
    ]
    assert [prize.rank for level in shown.levels for prize in level.prizes] == [
        "five_of_a_kind",
        "royal_flush",
        "straight_flush",
    ]
    assert [(hit.amount_cents, hit.pending_cents) for hit in shown.hits] == [(50_010, 50_010)]


def test_a_bank_has_one_display(bank):
    bank.state("maxi")
    switch_display(bank.order(), "maxi", is_open=True)
    assert all(Client().get(f"/display/{code}/").status_code == 200 for code in ("maxi", "midi", "mini"))
    with pytest.raises(Refused) as refused:
        switch_display(bank.order(), "mini", is_open=False)
    assert refused.value.code == "is_a_level"


def test_a_stopped_link_says_that_its_wager_is_not_taken(floor):
    opened(floor)
    assert "The wager is 1.00 a round." in Client().get(f"/display/{floor.state().terms.code}/").content.decode()
    stop_link(floor.order(), "grand", "The controller is silent.")
    floor.state()
    page = Client().get("/display/grand/").content.decode()
    assert "The wager is not taken at the moment." in page
    assert "silent" not in page


# ------------------------------------------------------------------------------------------------- who may look


def test_a_new_links_display_is_closed_and_everybody_else_logs_in(floor, client_of):
    floor.state()
    answer = Client().get("/display/grand/")
    assert (answer.status_code, answer.url) == (302, "/login/?next=/display/grand/")
    assert client_of("ana").get("/display/grand/").status_code == 200
    assert client_of("dan").get("/display/grand/").status_code == 403


@pytest.mark.parametrize("address", ["/display/grand/", "/display/grand/_now/"])
def test_opened_it_needs_no_log_in_and_closed_again_it_does(floor, address):
    floor.state()
    opened(floor)
    answer = Client().get(address)
    assert (answer.status_code, answer.context["shown"].link) == (200, "grand")
    switch_display(floor.order(), "grand", is_open=False)
    assert Client().get(address).status_code == 302


@pytest.mark.parametrize("link", ["silver", "GRAND", "grand\0", "../grand", "a" * 41])
def test_a_display_of_no_link_is_not_found(floor, link):
    floor.state()
    opened(floor)
    assert not display.is_open(link)
    assert Client().get(f"/display/{link}/").status_code in (302, 404)


def test_no_patron_is_named(floor):
    patron = make_patron(floor.order(), "Violet Sheffield").patron.pk
    seat_patron(floor.order(), "R-01", 1, patron)
    floor.play("R-01", ROYAL_FLUSH, seats=[1])
    floor.record()
    opened(floor)
    page = Client().get("/display/grand/").content.decode()
    assert "PENDING" in page
    assert not re.search(r"violet|sheffield|patron|seat", page, re.IGNORECASE)


def test_what_is_so_already_is_said(floor):
    opened(floor)
    for code, is_open, link in (("display_as_it_is", True, "grand"), ("unknown_link", True, "silver")):
        with pytest.raises(Refused) as refused:
            switch_display(floor.order(), link, is_open=is_open)
        assert refused.value.code == code


def test_the_keeper_of_the_meters_opens_it_over_http_and_nobody_else(floor, staff):
    floor.state()
    address, body = "/api/v1/links/grand/display/", {"is_open": True}
    assert_problem(post(staff("floor"), address, body), 403, "permission_denied")
    keeper = staff("progressive_admin")
    assert [post(keeper, address, body, "once").status_code for _ in range(2)] == [201, 200]
    assert_problem(post(keeper, address, body, "again"), 409, "display_as_it_is")
    assert display.is_open("grand")


# ------------------------------------------------------------------------------------------------- its stream


def stream(address: str = "/display/grand/live/"):
    async def ask():
        # Views of all such requests run in one thread, which may still hold the database of another test.
        await sync_to_async(connections.close_all)()
        try:
            return await AsyncClient().get(address)
        finally:
            await sync_to_async(connections.close_all)()

    return asyncio.run(ask())


def test_an_open_display_has_a_stream_and_a_closed_one_has_none(floor, redis_url):
    assert stream().url == "/login/?next=/display/grand/live/"
    opened(floor)
    answer = stream()
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "text/event-stream")


def test_the_stream_says_that_meters_moved_and_not_where(redis_url):
    async def listen() -> str:
        async for text in _of_the_meters():
            if "hello" in text:
                with sync_redis.Redis.from_url(redis_url) as client:
                    for reader in ("board", "meters"):
                        client.publish(CHANNEL, json.dumps({"position": 7, "by": reader, "tables": ["R-01"]}))
            elif text.startswith("event: moved"):
                return text
        return ""

    assert asyncio.run(listen()) == 'event: moved\ndata: {"by": "meters", "tables": []}\n\n'
