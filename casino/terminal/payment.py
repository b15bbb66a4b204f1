"""A settlement as the dealer pays it: what each seat is paid, which stakes go back, what the house takes. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from casino import events as e
from casino.round import settling
from casino.round.state import Round


@dataclass(frozen=True)
class PaidLine:
    """A settled wager; `went_back_cents` is what went back in fact, stake included, where that was recorded."""

    line: e.SettledLine
    went_back_cents: int | None

    @property
    def pays_cents(self) -> int:
        """The winnings, which the dealer pays out of the tray."""
        return max(self.line.returned_cents - self.line.stake_cents, 0)

    @property
    def back_cents(self) -> int:
        """Of the stake, what is the player's again: all of it on a win or a push."""
        return min(self.line.returned_cents, self.line.stake_cents)

    @property
    def taken_cents(self) -> int:
        """Of the stake, what the dealer takes."""
        return self.line.stake_cents - self.back_cents


@dataclass(frozen=True)
class Paid:
    """Settled wagers together, in the order of payment."""

    lines: Sequence[PaidLine]

    @property
    def pays_cents(self) -> int:
        return sum(one.pays_cents for one in self.lines)

    @property
    def back_cents(self) -> int:
        return sum(one.back_cents for one in self.lines)

    @property
    def taken_cents(self) -> int:
        return sum(one.taken_cents for one in self.lines)


@dataclass(frozen=True)
class PaidSeat(Paid):
    seat: int


@dataclass(frozen=True)
class PaidPhase(Paid):
    phase: str

    @property
    def seats(self) -> list[PaidSeat]:
        return by_seat(self.lines)


class ProgressiveSeat(NamedTuple):
    """A seat with the progressive wager; `rank` is what it hit, "" where it hit nothing."""

    seat: int
    stake_cents: int
    rank: str


def payment_of(round_: Round) -> list[PaidPhase]:
    """What is paid, phase by phase in the sheet's order; reckoned now where it is not recorded yet."""
    coming = [event for event in settling.settle(round_) if isinstance(event, e.WagersSettled)]
    return [_phase(one, round_) for one in (*round_.settlements, *coming)]


def _phase(settled: e.WagersSettled, round_: Round) -> PaidPhase:
    return PaidPhase([PaidLine(line, round_.paid.get(line.number)) for line in settled.lines], settled.phase)


def by_seat(lines: Iterable[PaidLine]) -> list[PaidSeat]:
    """The lines of each seat, the lowest seat first."""
    seats: dict[int, list[PaidLine]] = {}
    for one in lines:
        seats.setdefault(one.line.seat, []).append(one)
    return [PaidSeat(mine, seat) for seat, mine in sorted(seats.items())]


def progressive_of(round_: Round) -> list[ProgressiveSeat]:
    """How the progressive went for each seat that had it, once the hand is complete; none in a round that is voided."""
    if round_.collected is None or round_.hand is None or round_.voided:
        return []
    ranks = {seat: won.rank for won in round_.hand.wins for seat in won.seats}
    stake = round_.collected.stake_cents
    return [ProgressiveSeat(seat, stake, ranks.get(seat, "")) for seat in round_.collected.seats]
