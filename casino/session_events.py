"""What happens at a table besides its rounds, on its session's stream (or, where it says so, the table's own).

A tray moves for nothing but what books, section 1, lists; of the events here these move it: a cash buy-in
(`casino.events`), counter checks, promotional instruments, coupons, redemptions in chips, fills and credits.
in = what the house takes, out = what it gives; where both are set the docstring says which is which.
"""

from datetime import datetime
from typing import Literal

from casino.events import Limits
from casino.eventstore.registry import Event, event

# ------------------------------------------------------------------------------------------------- inventory


@event("opener_variance_found")
class OpenerVarianceFound(Event):
    """The opener counted is not the closer carried: both are kept, and this is the error notification.

    `serial` is its number in the book of notifications; `notified` are the parties the profile names.
    """

    table: str
    serial: int
    carried_cents: int
    counted_cents: int
    explanation: str
    notified: list[str]
    incident_report_hours: int | None
    by: list[str]


@event("closed_table_recorded")
class ClosedTableRecorded(Event):
    """On the table's stream: the form for a table that did not open on a gaming day, with when it last was."""

    table: str
    last_open: str | None
    closer_cents: int | None
    by: str


@event("limits_announced")
class LimitsAnnounced(Event):
    """On the table's stream: these limits hold from `effective_at` (ISO 8601) on; rounds opened before keep theirs.

    `occupied` says whether somebody played when it was announced, which is what asks for the notice.
    """

    table: str
    limits: dict[str, Limits]
    round_payout_max_cents: int
    effective_at: str
    occupied: bool
    by: str

    @property
    def moment(self) -> datetime:
        """When they begin to hold."""
        return datetime.fromisoformat(self.effective_at)


# ------------------------------------------------------------------------------------------------- people, decks


@event("dealer_on")
class DealerOn(Event):
    """A dealer takes the table, from nobody or in relief of another."""

    table: str
    dealer: str
    relieves: str | None
    by: str


@event("dealer_off")
class DealerOff(Event):
    """The dealer leaves the table without relief; the close of a session does this too."""

    table: str
    dealer: str
    by: str


@event("deck_moved")
class DeckMoved(Event):
    """A deck comes to the table (in), is counted there (counted) or leaves it (out); `cards` as they were counted."""

    table: str
    deck: str
    move: Literal["in", "counted", "out"]
    cards: int
    reason: str
    by: str


# ------------------------------------------------------------------------------------------------- chips and paper


@event("counter_check_issued")
class CounterCheckIssued(Event):
    """Chips against a counter check, whose issuance copy goes into the box. in = the check, out = chips."""

    table: str
    serial: int
    seat: int
    patron_id: int
    amount_cents: int
    by: str

    @property
    def in_cents(self) -> int:
        return self.amount_cents

    @property
    def out_cents(self) -> int:
        return self.amount_cents


@event("pit_redemption_taken")
class PitRedemptionTaken(Event):
    """A counter check is redeemed at the table. in = all of it, out = its cash: that goes into the box.

    `redeemed` is the serial of the check and `issued_at_table` where it was issued; what is still owed on it
    afterwards is `owed_cents`.
    """

    table: str
    redeemed: int
    issued_at_table: str
    seat: int
    patron_id: int
    chips_cents: int
    cash_cents: int
    owed_cents: int
    by: str

    @property
    def in_cents(self) -> int:
        return self.chips_cents + self.cash_cents

    @property
    def out_cents(self) -> int:
        return self.cash_cents


@event("promo_taken")
class PromoTaken(Event):
    """Chips against a promotional instrument, which goes into the box at face. in = its face, out = chips."""

    table: str
    serial: str
    seat: int
    face_cents: int
    by: str

    @property
    def in_cents(self) -> int:
        return self.face_cents

    @property
    def out_cents(self) -> int:
        return self.face_cents


@event("coupon_settled")
class CouponSettled(Event):
    """A match-play or direct-bet coupon that won or lost: into the box at face either way. out = winnings in chips.

    in = face, which counts as drop and as collected; a coupon that pushes stays on the layout and is no event.
    """

    table: str
    serial: str
    kind: Literal["match_play", "direct_bet"]
    seat: int
    face_cents: int
    won: bool
    winnings_cents: int
    by: str

    @property
    def in_cents(self) -> int:
        return self.face_cents

    @property
    def out_cents(self) -> int:
        return self.winnings_cents


@event("chips_exchanged")
class ChipsExchanged(Event):
    """Chips for chips of equal value (a colour-up): cents by denomination, given to and taken from the player.

    in = out, so the tray's total stands and only its denominations move.
    """

    table: str
    seat: int | None
    given: dict[str, int]
    taken: dict[str, int]
    by: str

    @property
    def in_cents(self) -> int:
        return sum(self.taken.values())

    @property
    def out_cents(self) -> int:
        return sum(self.given.values())


@event("winnings_paid_elsewhere")
class WinningsPaidElsewhere(Event):
    """Ordinary winnings of a settled round that cage or cheque pays instead of the tray: C of books, section 2.

    out = the amount. The wagers' settlement counts it as winnings due, so the tray keeps these chips.
    """

    table: str
    round: str
    seat: int
    amount_cents: int
    paid_by: Literal["cage", "cheque"]
    by: str

    @property
    def out_cents(self) -> int:
        return self.amount_cents


# ------------------------------------------------------------------------------------------------- corrections


@event("entry_corrected")
class EntryCorrected(Event, frozen=True, omit_defaults=True):
    """A buy-in, check, instrument, coupon, redemption or payment elsewhere that was recorded wrong: what is right.

    On the stream of the entry's own session, closed or not, so that the difference is of the entry's gaming day.
    `corrects` is the entry's position in the log, `entry` its word. `before` and `after` are all its amounts in cents
    by their names, before from what stood until now; an entry that never was has nothing but zeros after. in and out =
    after less before, each as the entry itself has them, below zero where less came or went. `paid_by` is who paid
    winnings elsewhere, where they are the entry.
    """

    table: str
    corrects: int
    entry: str
    seat: int | None
    patron_id: int | None
    before: dict[str, int]
    after: dict[str, int]
    in_difference_cents: int
    out_difference_cents: int
    reason: str
    requested_by: str
    approved_by: str
    paid_by: str = ""

    @property
    def in_cents(self) -> int:
        return self.in_difference_cents

    @property
    def out_cents(self) -> int:
        return self.out_difference_cents
