"""What happens to drop boxes between the table and the cage: collected, counted twice, recounted blind, accepted.

A box is named `R-01/1` within its gaming day: the table, and 1 for the day's box or more for an emergency box. A count
is named `2026-11-29/1`: the gaming day of its boxes, and its number. Denominations map a note's cents, as text, to the
cents of all such notes. No money moves for the house but by `drop_counted` (`ledger.events`) and what says so here.
"""

from casino.eventstore.registry import Event, event


def box_key(property_code: str, table: str, gaming_date: str, number: int = 1) -> str:
    """The stream of a drop box: its emergency marks, its count, and what was corrected in that."""
    own = f"{property_code}/box/{table}/{gaming_date}"
    return own if number == 1 else f"{own}/{number:02d}"


def drop_key(property_code: str, gaming_date: str) -> str:
    """The stream of the rounds in which a gaming day's boxes are collected."""
    return f"{property_code}/drop/{gaming_date}"


def count_key(property_code: str, gaming_date: str, number: int) -> str:
    """The stream of one count, from its opening to the cage's acceptance."""
    return f"{property_code}/count/{gaming_date}/{number:02d}"


class Contents(Event, frozen=True, omit_defaults=True):
    """What somebody found in a box. The drop is currency, counter checks issued and promotional instruments."""

    currency: dict[str, int] = {}
    checks_cents: int = 0
    promo_cents: int = 0
    foreign: dict[str, int] = {}

    @property
    def currency_cents(self) -> int:
        """All notes."""
        return sum(self.currency.values())

    @property
    def total_cents(self) -> int:
        """The drop of the box; foreign items are no part of it."""
        return self.currency_cents + self.checks_cents + self.promo_cents


@event("emergency_box_placed")
class EmergencyBoxPlaced(Event):
    """On the new box's stream: an emergency box takes the place of the one before it, whose content is then complete.

    `mark` is the temporary mark on the box.
    """

    table: str
    number: int
    mark: str
    reason: str
    by: str


@event("boxes_collected")
class BoxesCollected(Event):
    """On the day's drop stream: a round of the drop team. `scheduled` are the boxes that were due, `collected` those
    that were carried to the count room; what is missing has an explanation. `team` are those who carried them.
    """

    scheduled: list[str]
    collected: list[str]
    explanation: str
    team: list[str]
    by: str


@event("count_opened")
class CountOpened(Event):
    """A count begins with these collected boxes. `team` are log-ins of the count team, each proven by password."""

    count: str
    boxes: list[str]
    team: list[str]
    by: str


@event("box_counted")
class BoxCounted(Event):
    """The first count of a box. The box is in progress until a second count agrees or the difference is recorded."""

    count: str
    box: str
    contents: Contents
    counted_by: str
    by: str


@event("box_recounted")
class BoxRecounted(Event):
    """The second count of the same box, by another of the team."""

    count: str
    box: str
    contents: Contents
    counted_by: str
    by: str


@event("count_difference_recorded")
class CountDifferenceRecorded(Event):
    """The two counts of a box differ: both are kept, and this is what the team accepted, and why they differed.

    `difference_cents` is the second count less the first.
    """

    count: str
    box: str
    difference_cents: int
    accepted: Contents
    explanation: str
    by: str


@event("count_closed")
class CountClosed(Event):
    """Every box of the count is counted: what all of it makes, by instrument, signed by the team.

    No money moves: each box's `drop_counted` said it.
    """

    count: str
    boxes: int
    currency: dict[str, int]
    checks_cents: int
    promo_cents: int
    team: list[str]
    by: str

    @property
    def total_cents(self) -> int:
        """The drop of all its boxes."""
        return sum(self.currency.values()) + self.checks_cents + self.promo_cents


@event("drop_recounted")
class DropRecounted(Event):
    """The cage's bulk count of a closed count's currency, made before the cashier was shown any figure of it.

    The first of a count is the blind one; a further one is a recount after the difference was shown (`is_blind` false).
    """

    count: str
    currency: dict[str, int]
    is_blind: bool
    by: str


@event("drop_accepted")
class DropAccepted(Event):
    """The cage takes the currency of a count over, as the cage counted it.

    `counted_cents` is the currency of the count, `accepted` what the cage counted at last. in = accepted less counted:
    the cash itself came to the house at the tables. The two who sign are of the cage and of the count team.
    """

    count: str
    counted_cents: int
    accepted: dict[str, int]
    note: str
    cashier: str
    counter: str

    @property
    def accepted_cents(self) -> int:
        """The currency that the cage took."""
        return sum(self.accepted.values())

    @property
    def variance_cents(self) -> int:
        """Accepted less counted: below zero, the cage found less than the count room."""
        return self.accepted_cents - self.counted_cents

    @property
    def in_cents(self) -> int:
        return self.variance_cents


@event("count_corrected")
class CountCorrected(Event):
    """On the box's stream: its count was wrong, and this is right instead. in = the drop after less the drop before.

    Of the box's gaming day, however late. Two people: who asked, and who approved.
    """

    table: str
    number: int
    before: Contents
    after: Contents
    reason: str
    requested_by: str
    approved_by: str

    @property
    def in_cents(self) -> int:
        return self.after.total_cents - self.before.total_cents

    @property
    def currency_difference_cents(self) -> int:
        """What of the difference is cash."""
        return self.after.currency_cents - self.before.currency_cents
