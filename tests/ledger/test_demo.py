"""The demo property: its dealer has a table, and its progressives have hits on their way."""

from datetime import UTC, datetime
from typing import Any

from casino.commands.dealers import take_off
from casino.commands.order import Order
from casino.commands.tables import load_table
from casino.eventstore.follower import catch_up
from jackpot.models import Share
from jackpot.statements import day_page
from jackpot.today import gaming_date_now
from ledger.floor import prepare_floor
from ledger.management.commands.demo_property import (
    DEALER,
    DEALERS_TABLE,
    make_log_ins,
    put_dealer_on,
    put_jackpots_up,
)


def test_the_demos_dealer_is_on_duty_at_an_open_table_however_often_the_demo_is_made(database: Any) -> None:
    now = datetime.now(UTC)
    make_log_ins()
    prepare_floor([DEALERS_TABLE], now)
    for _ in range(2):
        put_dealer_on(now)
        session = load_table(DEALERS_TABLE).session
        assert session is not None
        assert (session.is_open, session.number, session.dealer) == (True, 1, DEALER)
    take_off(Order("ana", "off", now), DEALERS_TABLE)
    put_dealer_on(now)
    assert load_table(DEALERS_TABLE).session.dealer == DEALER  # type: ignore[union-attr]


def test_the_demo_has_a_paid_hit_and_one_on_its_way_and_a_reading_explained_however_often_it_is_made(
    database: Any, caplog: Any
) -> None:
    now = datetime.now(UTC)
    make_log_ins()
    prepare_floor([DEALERS_TABLE], now)
    put_dealer_on(now)
    for _ in range(2):
        put_jackpots_up()
        catch_up()
        shares = Share.objects.order_by("at_position", "seat").values_list("seat", "state")
        assert list(shares) == [(1, "paid"), (3, "paid"), (2, "approved"), (4, "verified"), (5, "disputed")]
        readings = day_page("main", gaming_date_now(), gaming_date_now()).readings
        assert (len(readings.read), readings.state, set(readings.explained)) == (1, "read", {1})
    assert "are not shown" not in caplog.text
