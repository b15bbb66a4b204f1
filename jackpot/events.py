"""What happens to a progressive link, as the log keeps it. Rules: books, section 5.

Stakes, completed hands and voids are facts of the floor and stand on the rounds' streams; here is only what the
link itself knows. Fractions are text ("1", "1/10") so that a payload holds whole numbers and words only.
"""

from collections.abc import Mapping

from casino.eventstore.registry import Event, Payload, event, upcast
from casino.money import ODD_CENTS_STAY_IN_METER

MAIN, RESERVE, OVERFLOW = "main", "reserve", "overflow"
"""The pools of a meter: what is shown to patrons, what funds the next reset, what came above the limit."""

RETURN_REASONS = frozenset({"denied", "void", "unclaimed"})
"""Why a share that was won goes back to the meter."""


OVERFLOW_KEPT, OVERFLOW_TO_RESERVE = "overflow_kept", "overflow_to_reserve"
OVERFLOW_TO_NEXT_METER, OVERFLOW_TO_HOUSE = "overflow_to_next_meter", "overflow_to_house"
OVERFLOW_RULES = (OVERFLOW_KEPT, OVERFLOW_TO_RESERVE, OVERFLOW_TO_NEXT_METER, OVERFLOW_TO_HOUSE)
"""Where it goes what comes above the limit: it stays by itself, funds resets, joins the next meter, is the house's."""


@event("link_set_up", version=2)
class LinkSetUp(Event, frozen=True):
    """A meter opens with its base; New Jersey's names for the parameters (13:69E-1.39A).

    `tiers` maps a rank to the part of the meter it wins. `acknowledged_by` names who knowingly opened a set-up
    that returns more than it takes; it is empty where there was nothing to acknowledge. `level_of` is the link whose
    bet's stake feeds this one besides, "" for a link with a bet of its own. `heartbeat_of` says what has to be heard
    every `silence_seconds`: the link's controller, its tables, or "" for nothing. `taken_over` says that the meter ran
    before: it has no base, and no table joins until two people have read it.
    """

    code: str
    currency: str
    game: str
    bet: str
    base_cents: int
    reset_cents: int
    stake_cents: int
    tiers_name: str
    tiers: Mapping[str, str]
    increment_bp: int = 6500
    hidden_bp: int = 1000
    limit_cents: int | None = None
    odd_cents: str = ODD_CENTS_STAY_IN_METER
    acknowledged_by: str = ""
    level_of: str = ""
    overflow_rule: str = OVERFLOW_KEPT
    heartbeat_of: str = ""
    silence_seconds: int = 0
    taken_over: bool = False


@upcast(LinkSetUp, from_version=1)
def _of_one_level_kept_and_unwatched(payload: Payload) -> Payload:
    """Version 1 knew no further levels, no rule but to keep the overflow, and no heartbeats: the defaults say so."""
    return payload


@event("table_joined")
class TableJoined(Event, frozen=True):
    """A table offers the link's side bet from its next round on."""

    table: str


@event("table_left")
class TableLeft(Event, frozen=True):
    """A table no longer offers the link's side bet; rounds that pinned it play on."""

    table: str


@event("display_switched")
class DisplaySwitched(Event, frozen=True):
    """The link's display for a wall was opened to everybody, without a log-in, or closed again. No money moves."""

    is_open: bool
    by: str


@event("jackpot_hit")
class JackpotHit(Event, frozen=True):
    """A rank won its part of the meter as it stood below `at_position`, where the hand was completed.

    `shares_cents` goes with `seats`, in that order. `share_cents` is what every seat gets at the least, and
    `remainder_cents` the odd cents that stay in the meter. The fold computes all of it and this record must agree.
    """

    link: str
    round: str
    rank: str
    at_position: int
    fraction: str
    before_micros: int
    amount_cents: int
    players: int
    share_cents: int
    remainder_cents: int
    left_micros: int
    from_reserve_micros: int
    from_seed_micros: int
    after_micros: int
    seats: tuple[int, ...]
    shares_cents: tuple[int, ...]

    @property
    def payable_cents(self) -> int:
        """What the seats get together: the amount less the odd cents that stay in the meter."""
        return self.amount_cents - self.remainder_cents

    @property
    def out_cents(self) -> int:
        """The house owes the shares from the hit on; `jackpot_paid` says when they were handed over, and by whom."""
        return self.payable_cents


@event("jackpot_paid")
class JackpotPaid(Event, frozen=True, omit_defaults=True):
    """One seat's share was handed over, on the day of payment: `paid_from` is tray, cage or cheque.

    The event names a table where the chips left its tray; that is the table's J (books, section 2). out = what was
    handed over: the share, and `override_cents` that the house pays above it. Having been owed, the share left the
    house's view before, at the hit.
    """

    round: str
    rank: str
    seat: int
    amount_cents: int
    paid_from: str
    slip: int = 0
    override_cents: int = 0
    cheque: str = ""
    by: str = ""

    @property
    def out_cents(self) -> int:
        return self.amount_cents + self.override_cents


@event("jackpot_returned")
class JackpotReturned(Event, frozen=True):
    """Shares that nobody gets: `reason` is denied, void or unclaimed, and the amount goes back to the meter."""

    round: str
    rank: str
    seats: tuple[int, ...]
    amount_cents: int
    reason: str
    by: str
    approved_by: str

    @property
    def in_cents(self) -> int:
        """The house no longer owes the shares; it owes them to the meter again."""
        return self.amount_cents


@event("meter_adjusted")
class MeterAdjusted(Event, frozen=True, omit_defaults=True):
    """A pool was put right by two different people, with the evidence; `micros` may be negative.

    `request` is the number of the request that was approved, `other_link` where a transfer came from or went to.
    """

    pool: str
    micros: int
    reason: str
    evidence: str
    by: str
    approved_by: str
    request: int = 0
    other_link: str = ""
