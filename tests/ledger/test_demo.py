"""The demo property: its dealer has a table."""

from datetime import UTC, datetime
from typing import Any

from casino.commands.dealers import take_off
from casino.commands.order import Order
from casino.commands.tables import load_table
from ledger.floor import prepare_floor
from ledger.management.commands.demo_property import DEALER, DEALERS_TABLE, make_log_ins, put_dealer_on


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
