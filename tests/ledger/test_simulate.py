"""A simulated table of a game with decisions: rounds to their end, and money that adds up."""

from datetime import UTC, datetime
from typing import Any

import pytest

from casino.commands.order import Order
from casino.commands.settlement import settle_due
from casino.commands.tables import load_table, set_up_table
from casino.eventstore import store
from casino.eventstore.follower import catch_up
from ledger.models import TablePeriod
from ledger.queries.days import handle_of
from ledger.simulate import simulated


@pytest.mark.parametrize("method", ["hand", "automatic_shuffler"])
def test_a_simulated_hold_em_table_plays_whole_rounds_and_its_books_agree(
    database: Any, redis_url: str, method: str
) -> None:
    set_up_table(Order("test", "set up", datetime.now(UTC)), "H-01", game="royal-casino", method=method)
    floor = simulated("H-01", 11, lambda: datetime.now(UTC))
    floor.open()
    for _ in floor.play():
        if floor.tally.rounds == 6:
            break
    settle_due()
    catch_up()
    session = load_table("H-01").session
    assert session is not None
    day = TablePeriod.objects.get(table_code="H-01", gaming_date=session.gaming_date)
    assert (day.rounds_settled, day.rounds_voided) == (6, floor.tally.voided)
    assert handle_of([day]) == floor.tally.stakes_cents
    kinds = {row[0] for row in store.run("SELECT DISTINCT type FROM log.event")}
    assert {"decision_made", "card_turned", "round_settled"} <= kinds
