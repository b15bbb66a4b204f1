"""What goes back by itself while its round plays on, what lets a whole round go back, and what puts one right."""

from casino.events import SettledLine
from casino.eventstore.registry import Event, event


@event("late_bet_voided")
class LateBetVoided(Event):
    """A wager that came after "no more bets" goes back alone (games, section 3). out = its stake, given back.

    No chip of the tray moves: the stake was on the layout and nobody had collected it. `requested_by` asked, a person
    or the table's device; `approved_by` is the other person who approved.
    """

    number: int
    seat: int
    wager: str
    stake_cents: int
    reason: str
    requested_by: str
    approved_by: str

    @property
    def out_cents(self) -> int:
        return self.stake_cents


@event("win_denied")
class WinDenied(Event):
    """Seats that won the progressive in this round win nothing: their shares were denied or void, and went back.

    Told to the round by the hit's case, so that a round whose hit is wholly denied can be voided (books, 5.8). `reason`
    is denied or void; or refilled, where the share was paid for no hit and the house has refilled the meter. No money
    moves by it: that was `jackpot_returned` or `jackpot_refilled`, in the same append.
    """

    link: str
    rank: str
    seats: tuple[int, ...]
    reason: str
    by: str
    approved_by: str


@event("win_found")
class WinFound(Event):
    """Seats that won the progressive in this round, and nobody had recorded it: a correction at the link owes them it.

    Told to the round by the correction, so that its cards can be put right without a winner who has no share. No money
    moves by it: that was `jackpot_missed` or `player_missed`, in the same append.
    """

    link: str
    rank: str
    seats: tuple[int, ...]
    reason: str
    by: str
    approved_by: str


@event("round_resettled")
class RoundResettled(Event):
    """A settled round was wrong, and this is right: every line, by phase. The events after it say by how much.

    `cards` are those that were recorded wrong, by position, as they lay; none where all wagers go back after all. No
    chip moves by this event.
    """

    cards: dict[str, str]
    phases: dict[str, list[SettledLine]]
    reason: str
    requested_by: str
    approved_by: str
