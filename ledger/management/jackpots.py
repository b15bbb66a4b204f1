"""What the demo shows of its progressives: a hit that is paid, one whose winners are on their way, a reading explained.

Every step has a key of its own, so that the demo made again changes nothing.
"""

from datetime import UTC, datetime
from typing import NamedTuple

from casino import roles
from casino.commands import rounds
from casino.commands.order import Order
from casino.commands.tables import gaming_date
from casino.eventstore import store
from casino.eventstore.follower import catch_up
from casino.keys import RoundId, round_of
from casino.round.betting import Asked
from jackpot.case import Asked as Payout
from jackpot.commands import cases, readings
from jackpot.commands.cases import CaseId
from jackpot.commands.hits import append_due_hits
from jackpot.commands.links import meter_of

RANK, CARDS = "straight_flush", ("9s", "8s", "7s", "6s", "5s")
LOG = "Log 11/2026, entry 214"
SIGN_LAGS_CENTS = 65
SETTLED_S = 60.0


class Winners(NamedTuple):
    """A hand at a table that wins on a link; `name` is in the keys of all that is done about it."""

    name: str
    link: str
    table: str
    seats: tuple[int, ...]

    def order(self, by: str, step: str) -> Order:
        return Order(by, f"demo:jackpot:{self.name}:{step}", datetime.now(UTC), source="simulation")


def show_jackpots(link: str, table: str) -> None:
    """Two hands that won at an open table of the link, and a reading of its sign, explained by another person."""
    paid, begun = Winners("paid", link, table, (1, 3)), Winners("begun", link, table, (2, 4, 5))
    pay(paid, _hit(paid))
    begin(begun, _hit(begun))
    read(link)


def _hit(winners: Winners) -> CaseId:
    """The hand, and its hit on record."""
    asked = [Asked(seat, "progressive", 100) for seat in winners.seats] + [Asked(winners.seats[0], "colour:red", 500)]
    done = rounds.record_finished_round(winners.order("dan", "round"), winners.table, asked, list(CARDS))
    round_id: RoundId = round_of(store.key_at(done.position))
    _read_on()
    return CaseId(winners.link, round_id, RANK)


def pay(winners: Winners, case: CaseId) -> None:
    """Everybody is verified and paid: one by the cage, the other from the tray."""
    cases.verify(winners.order("sue", "verify"), case, (), LOG)
    for seat, way, payer in zip(winners.seats, ("cage", "tray"), ("cole", "dan"), strict=True):
        cases.prepare_payout(winners.order("cara", f"prepare:{seat}"), case, Payout(seat, way))
        cases.approve_payout(winners.order("pia", f"approve:{seat}"), case, seat, roles.PIT_MANAGER)
        cases.pay(winners.order(payer, f"pay:{seat}"), case, seat)


def begin(winners: Winners, case: CaseId) -> None:
    """One share waits to be paid, one for its slip, and one is disputed."""
    waits, _, disputed = winners.seats
    cases.verify(winners.order("sue", "verify"), case, (), LOG)
    cases.prepare_payout(winners.order("cara", "prepare"), case, Payout(waits, "cage"))
    cases.approve_payout(winners.order("pia", "approve"), case, waits, roles.PIT_MANAGER)
    why = "Two people at the table claim this chip; the recording is being looked at."
    cases.dispute(winners.order("eve", "dispute"), case, [disputed], why)


def read(link: str) -> None:
    """The sign was read a chance behind the meter, and why."""
    _read_on()
    now = datetime.now(UTC)
    order = Order("max", f"demo:reading:{link}", now, source="simulation")
    if store.find_command(order.by, order.key) is not None:
        return
    shown_cents = meter_of(link).display_cents - SIGN_LAGS_CENTS
    (reading,) = readings.record_reading(order, link, shown_cents, now).events
    why = "The sign was read while it was still counting up to the last round."
    explained = Order("ben", f"demo:explained:{link}", now, source="simulation")
    readings.explain_difference(explained, link, gaming_date(order), reading.number, why)  # type: ignore[attr-defined]


def _read_on() -> None:
    catch_up(timeout_s=SETTLED_S)
    append_due_hits()
    catch_up(timeout_s=SETTLED_S)
