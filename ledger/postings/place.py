"""What a posting needs to know besides its event: where tray, box and meters stand before it. Pure."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from jackpot.events import JackpotHit
from ledger.accounts import METERS, OVERFLOWS, PAYABLES, PROGRESSIVE_COST, RESERVES, SEED_COST
from ledger.entry import Line

MOVED = ("main", "reserve", "overflow", "house_share", "stakes", "seeds", "adjustments", "won", "paid")
"""The fields of a meter that an event may change, without their unit."""


class Move(NamedTuple):
    """What one event changed in a link's meter, in micro-units, and the hits that it made."""

    link: str
    main: int = 0
    reserve: int = 0
    overflow: int = 0
    house_share: int = 0
    stakes: int = 0
    seeds: int = 0
    adjustments: int = 0
    won: int = 0
    paid: int = 0
    hits: tuple[JackpotHit, ...] = ()

    def lines(self, adjusted_against: str) -> Iterator[Line]:
        """The meter's own law as lines (books, 5.12): stakes less the house's part are a cost, seeds are one too.

        `adjusted_against` is the account that pays for an adjustment.
        """
        yield Line(METERS, -self.main, self.link)
        yield Line(RESERVES, -self.reserve, self.link)
        yield Line(OVERFLOWS, -self.overflow, self.link)
        yield Line(PAYABLES, self.paid - self.won, self.link)
        yield Line(PROGRESSIVE_COST, self.stakes - self.house_share, self.link)
        yield Line(SEED_COST, self.seeds, self.link)
        yield Line(adjusted_against, self.adjustments, self.link)


def move(link: str, before: Any, after: Any, hits: Iterable[JackpotHit] = ()) -> Move:
    """The differences between two states of a meter (`jackpot.meter.Meter`); None before it was set up."""
    changes = {name: getattr(after, f"{name}_micros") - getattr(before, f"{name}_micros", 0) for name in MOVED}
    return Move(link, **changes, hits=tuple(hits))


@dataclass(frozen=True)
class Place:
    """Where an event falls.

    `tray_micros` is what the journal has in the table's tray, `box_micros` the currency it has in the table's box of
    the gaming day, `paper_cents` the checks and instruments recorded there; of both, what no count has found yet.
    `is_first_count`: no opener of the table came before. `is_counted`: the closer of the event's session is counted.
    `boxes_left`: how many boxes of the day are to be counted. `moves` are what the event does to meters.
    """

    table: str = ""
    tray_micros: int = 0
    is_first_count: bool = False
    is_counted: bool = False
    box_micros: int = 0
    paper_cents: int = 0
    boxes_left: int = 1
    moves: tuple[Move, ...] = ()

    @property
    def is_box_settled(self) -> bool:
        """Whether the day's last box is counted, and its differences are found."""
        return self.boxes_left <= 0
