"""The count of a table's box."""

from datetime import UTC, date, datetime, timedelta
from itertools import count
from typing import Any

import pytest

from casino.commands.order import Order
from casino.commands.tables import close_table, load_table, open_table, set_up_table
from casino.eventstore.follower import catch_up
from casino.refusal import Refused
from ledger.commands.count import count_drop
from ledger.models import Box
from ledger.queries.days import drop_and_hold
from tests.counts import counted
from tests.played import SECOND

serial = count(1)


def order() -> Order:
    return Order("ben", f"key-{next(serial)}", datetime.now(UTC))


@pytest.fixture
def day(database: Any) -> date:
    """Table R-01, opened and closed; its gaming date."""
    set_up_table(order(), "R-01", game="54-card-roulette")
    open_table(order(), "R-01", counted(1_000), "Ana Ortiz")
    session = load_table("R-01").session
    assert session is not None
    close_table(order(), "R-01", counted(1_000))
    return session.gaming_date


def refusal(table: str, day: date, cents: int = 500) -> str:
    with pytest.raises(Refused) as refused:
        count_drop(order(), table, day, cents)
    return refused.value.code


def test_a_box_is_counted_once(day: date) -> None:
    count_drop(order(), "R-01", day, 500, ["B. Adler", "C. Moss"])
    assert refusal("R-01", day) == "already_counted"
    catch_up()
    assert Box.objects.get(pk=(day, "R-01")).counted_cents == 500


def test_an_empty_box_is_a_count_of_nothing_and_not_an_unknown(day: date) -> None:
    count_drop(order(), "R-01", day, 0)
    catch_up()
    assert Box.objects.get(pk=(day, "R-01")).counted_cents == 0


def test_a_count_that_can_not_be_is_refused(day: date) -> None:
    assert refusal("R-01", day, -1) == "amount_not_positive"
    assert refusal("R-01", day, 10**13) == "amount_too_large"
    assert refusal("R-02", day) == "unknown_table"
    assert refusal("r 1", day) == "bad_table_code"
    assert refusal("R-01", day - timedelta(days=1)) == "no_session"


def test_the_box_of_an_open_table_is_not_counted(day: date) -> None:
    open_table(order(), "R-01", counted(1_000))
    assert refusal("R-01", day) == "table_still_open"


def test_stakes_that_were_settled_before_their_round_was_voided_are_handle(database: Any) -> None:
    from casino.commands import rounds, settlement
    from casino.commands.tables import gaming_date
    from casino.eventstore import store
    from casino.games.game import CardEntry
    from casino.keys import round_of
    from casino.models import RoundBoard
    from casino.round.betting import Asked

    set_up_table(order(), "R-01", game="54-card-roulette")
    open_table(order(), "R-01", counted(1_000), "Ana Ortiz")
    round_id = round_of(store.key_at(rounds.open_round(order(), "R-01").position))
    rounds.place_wagers(order(), round_id, [Asked(1, "colour:red", 700), Asked(1, "flush", 300)])
    rounds.close_bets(order(), round_id)
    rounds.record_cards(order(), round_id, [CardEntry("As"), CardEntry("Ks")])
    settlement.settle_due()
    rounds.void_round(order(), round_id, "Deck fouled", SECOND)
    catch_up()
    assert drop_and_hold(gaming_date(order())).total.handle_cents == 700
    assert RoundBoard.objects.get().handle_cents == 700
