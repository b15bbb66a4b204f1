"""What happens on the floor, as facts: one event for every wager and every card dealt.

Names on disk are the words in the decorators. `in_cents` and `out_cents` are the house's view and feed the books
as typed columns: what each means stands in the event's docstring.
"""

from typing import Any, Literal

import msgspec

from casino.eventstore.registry import Event, event
from casino.side_bet_terms import LevelRates
from casino.side_bet_terms import SideBetTerms as SideBetTerms
from casino.side_bet_terms import WonTier as WonTier


class Limits(msgspec.Struct, frozen=True):
    """Least and most that one wager of a bet may stake, in cents."""

    min_cents: int
    max_cents: int


class SettledLine(msgspec.Struct, frozen=True):
    """One wager settled; `returned_cents` is all that goes back to the player, stake included on a win."""

    number: int
    seat: int
    wager: str
    stake_cents: int
    result: Literal["win", "lose", "push"]
    returned_cents: int


@event("table_set_up")
class TableSetUp(Event, omit_defaults=True, repr_omit_defaults=True):
    """How a table offers its game from now on; rounds opened later pin it.

    `payout_rounding_cents` is the smallest amount it pays; left out where it is one cent. `pit` is where it stands,
    `par_cents` what its tray should hold, `fill_line_cents` below which it asks for a fill; left out where not set.
    """

    table: str
    game: str
    paytable: str
    layout: str
    method: str
    seats: int
    currency: str
    limits: dict[str, Limits]
    round_payout_max_cents: int
    off_limits: Literal["warn", "refuse"]
    payout_rounding_cents: int = 1
    pit: str = ""
    par_cents: int = 0
    fill_line_cents: int = 0


@event("advantage_acknowledged")
class AdvantageAcknowledged(Event):
    """A named person knows that these wagers of the paytable give the player the advantage."""

    table: str
    paytable: str
    wagers: list[str]
    name: str


@event("side_bet_offered")
class SideBetOffered(Event):
    """The table offers a progressive bet on a link under these terms."""

    table: str
    bet: str
    terms: SideBetTerms


@event("side_bet_suspended")
class SideBetSuspended(Event):
    """The bet is not taken until further notice; rounds that are open keep what they pinned."""

    table: str
    bet: str
    reason: str


@event("table_opened")
class TableOpened(Event, omit_defaults=True):
    """A session begins with its opener counted into the tray. in = the opener: a count, no money has moved.

    A round belongs to the last session whose `first_round` is at or below its number. `carried_cents` is the last
    closer, if any. `rolled`: one count was closer of the session before and opener of this one.
    """

    table: str
    session: int
    opener_cents: int
    denominations: dict[str, int] | None
    counted_by: list[str]
    first_round: int = 1
    carried_cents: int | None = None
    rolled: bool = False

    @property
    def in_cents(self) -> int:
        return self.opener_cents


@event("cash_bought_in")
class CashBoughtIn(Event, omit_defaults=True):
    """Cash into the box, the same in chips out of the tray. in = cash, out = chips.

    `patron_id` is the rated patron who sat at the seat; left out for everybody else.
    """

    table: str
    seat: int | None
    amount_cents: int
    patron_id: int | None = None

    @property
    def in_cents(self) -> int:
        return self.amount_cents

    @property
    def out_cents(self) -> int:
        return self.amount_cents


@event("table_closed")
class TableClosed(Event, omit_defaults=True):
    """The session ends with its closer counted out of the tray; names the last round so none can follow.

    out = the closer: a count, no money has moved. `rolled`: the next session opens with the same count.
    """

    table: str
    session: int
    closer_cents: int
    denominations: dict[str, int] | None
    counted_by: list[str]
    last_round: int
    rolled: bool = False

    @property
    def out_cents(self) -> int:
        return self.closer_cents


# ------------------------------------------------------------------------------------------------- the round


@event("round_opened")
class RoundOpened(Event, omit_defaults=True):
    """A round and everything that is fixed for it: game, paytable, layout, method, limits, rounding, side bets.

    `recorded_by` says whether a terminal or a feed records the session's rounds; it is one or the other.
    `patrons` are the rated ones by seat (keys of JSON are texts); a `round_seat_changed` may follow. `suspended` is why
    a side bet of the table is not taken in this round. `early_s` marks a feed's round that its own clock has so many
    seconds before the opening of its session; left out elsewhere.
    """

    table: str
    session: str
    game: str
    paytable: str
    layout: str
    method: str
    seats: int
    limits: dict[str, Limits]
    round_payout_max_cents: int
    off_limits: Literal["warn", "refuse"]
    side_bets: dict[str, SideBetTerms]
    recorded_by: Literal["terminal", "feed"]
    payout_rounding_cents: int = 1
    patrons: dict[str, int] = {}
    suspended: dict[str, str] = {}
    early_s: int = 0


@event("side_bet_closed")
class SideBetClosed(Event):
    """A side bet is suspended while this round takes bets: no more of it, and what stands of it plays on."""

    bet: str
    reason: str


@event("wager_placed")
class WagerPlaced(Event):
    """A stake on the layout. `number` counts the round's wagers from 1; in = stake, and no chip has moved yet.

    `exceptions` marks a wager accepted though it is off the posted limits ("over_maximum", "under_minimum",
    "payout_over_maximum"): it is settled in full (COMAR 36.05.03.14C).
    """

    number: int
    seat: int
    wager: str
    as_given: str
    stake_cents: int
    exceptions: list[str]

    @property
    def in_cents(self) -> int:
        return self.stake_cents


@event("wager_changed")
class WagerChanged(Event):
    """Before "no more bets", the stake of a standing wager becomes another one."""

    number: int
    seat: int
    stake_before_cents: int
    stake_cents: int
    exceptions: list[str]


@event("wager_withdrawn")
class WagerWithdrawn(Event):
    """Before "no more bets", a wager is taken back; its number is not used again."""

    number: int
    seat: int
    stake_cents: int


@event("bets_closed")
class BetsClosed(Event):
    """No more bets: what stands now stands. in = all standing stakes, the progressive's included."""

    wagers: int
    stakes_cents: int

    @property
    def in_cents(self) -> int:
        return self.stakes_cents


@event("progressive_collected")
class ProgressiveCollected(Event, omit_defaults=True):
    """The progressive stakes taken off the felt into the tray, counted equal to the wagers: this feeds the meter.

    in = all stakes. Rates are repeated from the round's terms, so that a meter is folded from this event alone;
    `levels` are those of the bank's further levels, left out where there is none.
    """

    bet: str
    link: str
    seats: list[int]
    stake_cents: int
    increment_bp: int
    hidden_bp: int
    levels: list[LevelRates] = []

    @property
    def in_cents(self) -> int:
        return self.stake_cents * len(self.seats)


@event("position_drawn")
class PositionDrawn(Event):
    """A wheel or RNG named the position of the Roulette Card (sheet, paragraph 6b)."""

    drawn_position: int


@event("card_dealt")
class CardDealt(Event):
    """A card laid on a position, face up or down; null while nobody has seen it."""

    card_position: int
    face: Literal["up", "down"]
    card: str | None


@event("card_turned")
class CardTurned(Event):
    """A face-down card turned up."""

    card_position: int
    card: str


@event("decision_made")
class DecisionMade(Event):
    """A seat decided when it was its turn. in = what a raise puts down; no chip has moved yet.

    The `wager_placed` of a raise follows it. `street` is the game's own word for when it was decided.
    """

    seat: int
    street: str
    action: Literal["check", "raise", "fold"]
    stake_cents: int

    @property
    def in_cents(self) -> int:
        return self.stake_cents


@event("hand_completed")
class HandCompleted(Event):
    """The last card is up: what the game reads in the hand, and who won which tier of a progressive."""

    rank: str
    shown: dict[str, Any]
    wins: list[WonTier]


@event("wagers_settled")
class WagersSettled(Event):
    """One phase settled. in = stakes the house collects, out = winnings it owes (stakes returned are neither)."""

    phase: str
    lines: list[SettledLine]

    @property
    def in_cents(self) -> int:
        return sum(line.stake_cents for line in self.lines if line.result == "lose")

    @property
    def out_cents(self) -> int:
        return sum(line.returned_cents - line.stake_cents for line in self.lines if line.result == "win")


@event("round_settled")
class RoundSettled(Event, omit_defaults=True):
    """All phases are settled. in = all stakes that were settled (handle), out = all that was returned.

    `patrons` repeats who was rated at which seat, so that a rating looks at no other rounds.
    """

    stakes_cents: int
    returned_cents: int
    patrons: dict[str, int] = {}

    @property
    def in_cents(self) -> int:
        return self.stakes_cents

    @property
    def out_cents(self) -> int:
        return self.returned_cents


@event("misdeal_declared")
class MisdealDeclared(Event):
    """The deck is fouled: the offending card is kept as evidence, and the deck leaves the table."""

    reason: str
    card: str | None
    card_position: int | None
    deck_taken_out: bool


class Refund(msgspec.Struct, frozen=True):
    """A wager given back by a void."""

    number: int
    seat: int
    stake_cents: int


@event("round_voided")
class RoundVoided(Event, omit_defaults=True):
    """Unsettled wagers go back; a collected progressive stake is refunded and its contribution reversed.

    `scope` is "round", or "poker_and_progressive" once the roulette phase is paid (books, 5.8).
    `progressive` repeats the collection that is reversed. out = progressive stakes refunded from the tray, in = the
    stakes that had been settled before the void: they were wagered, and count as handle (`settled_stakes_cents`).
    `patrons` repeats who was rated at which seat, where a phase had been settled before the void.
    `requested_by` asked, a person or the table's device, and `approved_by` is the other person who approved; early
    voids by a device named nobody.
    """

    reason: str
    scope: Literal["round", "poker_and_progressive"]
    refunds: list[Refund]
    progressive: ProgressiveCollected | None
    patrons: dict[str, int] = {}
    requested_by: str = ""
    approved_by: str = ""
    settled_stakes_cents: int = 0

    @property
    def in_cents(self) -> int:
        return self.settled_stakes_cents

    @property
    def out_cents(self) -> int:
        return self.progressive.in_cents if self.progressive else 0
