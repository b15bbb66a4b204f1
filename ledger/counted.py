"""The demo's drop and cage: chips into service at the opening; a played day's boxes carried, counted and taken over.

Everybody does what they do in a house: security carries, three count, one box's second count is off and recorded, the
cage counts for itself. A day that is begun already is left as it is.
"""

from collections.abc import Mapping
from datetime import UTC, date, datetime

from casino.approval import Approval
from casino.commands.order import Order
from casino.eventstore.follower import catch_up
from casino.roles import CAGE, COUNT_TEAM
from casino.slips import Person
from ledger.boxes import NOTES_CENTS, CountId
from ledger.commands import acceptance, boxes, cage, count
from ledger.count_events import Contents
from ledger.errands import CHIPS_SHARE
from ledger.models import TablePeriod

TEAM = ("tess", "tom", "tia")
CARRIERS = ("Ben Adler", "Tess Moss")
IN_SERVICE_PIECES = 20_000
"""So many chips of each value lie in the demo's cage when it opens: no float falls below zero."""


def put_chips_in_service(at: datetime) -> None:
    """The cage's float before the first table opens, put there by two of the cage."""
    chips = {str(chip): chip * IN_SERVICE_PIECES for chip, _ in CHIPS_SHARE}
    order = Order("cara", "demo:chips-in-service", at, source="simulation")
    cage.put_in_service(order, "in", chips, "Opening of the house.", Approval("cara", "cole"))


def in_notes(cents: int) -> dict[str, int]:
    """An amount in notes, the dearest first; what no note makes lies there in coins of a cent."""
    found, left = {}, cents
    for note in (*NOTES_CENTS, 1):
        if whole := left // note * note:
            found[str(note)] = whole
        left -= whole
    return found


def recorded_contents(day: date) -> dict[str, Contents]:
    """What the record says was put into each table's box of the day."""
    sums: dict[str, list[int]] = {}
    for period in TablePeriod.objects.filter(gaming_date=day):
        cents = period.cents
        cash = cents["cash"] + cents["redemption-cash"]
        found = sums.setdefault(period.table_code, [0, 0, 0])
        for n, more in enumerate((cash, cents["checks"], cents["promo"] + cents["coupons"])):
            found[n] += more
    return {
        table: Contents(currency=in_notes(cash), checks_cents=checks, promo_cents=promo)
        for table, (cash, checks, promo) in sums.items()
    }


def count_boxes(day: date, more_cents: Mapping[str, int]) -> None:
    """The boxes of a day whose tables are closed; a table of `more_cents` has so much more in its box than recorded."""
    catch_up(timeout_s=60)
    found = recorded_contents(day)
    boxes.collect_boxes(_order("sam", day, "collect"), day, [f"{table}/1" for table in found], CARRIERS)
    team = [Person(name, frozenset({COUNT_TEAM})) for name in TEAM]
    count.open_count(_order("tess", day, "open"), day, [], team)
    wanted = CountId(day, 1)
    for table, held in sorted(found.items()):
        more = more_cents.get(table, 0)
        _count_box(day, wanted, f"{table}/1", _with(held, more), is_off=bool(more))
    count.close_count(_order("tess", day, "close"), wanted)
    closed = count.load_count(wanted).soft.closed
    assert closed is not None
    cara, tess = Person("cara", frozenset({CAGE})), team[0]
    acceptance.recount_drop(_order("cara", day, "recount"), wanted, closed.currency, cara)
    acceptance.accept_drop(_order("cara", day, "accept"), wanted, cara, tess)
    catch_up(timeout_s=60)


def _count_box(day: date, wanted: CountId, box: str, held: Contents, is_off: bool) -> None:
    """Both counts of a box; where it `is_off`, the second misses a note and the first is accepted."""
    count.count_box(_order("tess", day, f"first:{box}"), wanted, box, held, "tess")
    second = _with(held, -NOTES_CENTS[0]) if is_off and held.currency_cents > NOTES_CENTS[0] else held
    count.recount_box(_order("tess", day, f"second:{box}"), wanted, box, second, "tom")
    if second != held:
        said = "A note of 100 stuck in the machine; found when all three looked."
        count.record_difference(_order("tess", day, f"difference:{box}"), wanted, box, "first", said)


def _with(held: Contents, more_cents: int) -> Contents:
    notes = in_notes(held.currency_cents + more_cents)
    return Contents(currency=notes, checks_cents=held.checks_cents, promo_cents=held.promo_cents)


def _order(by: str, day: date, what: str) -> Order:
    return Order(by, f"demo:{what}:{day}", datetime.now(UTC), source="count")
