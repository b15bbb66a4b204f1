"""What the people around a simulated table do between two rounds: fills, credits, reliefs, a tray listed by chip.

Each step looks at the record and does what comes next by the house's profile, so a step that somebody else has done
meanwhile, or a floor that was stopped in the middle of a fill, makes no difference.
"""

import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from casino import slips
from casino.commands import dealers, tables
from casino.commands import slips as paper
from casino.commands.order import Order
from casino.keys import TransferId
from casino.refusal import Refused
from casino.roles import CAGE, DEALER, FLOOR
from casino.slips import Person
from casino.table import Count, Session
from casino.transfers import Transfer, open_transfers
from ledger.floor import FILL_LINE_CENTS, PAR_CENTS
from ledger.staff import STAFF, of_role

CREDIT_LINE_CENTS = 2_400_000
"""Above which a simulated tray sends its surplus over par to the cage."""
CHIPS_SHARE = ((50_000, 3), (10_000, 2), (2_500, 2), (500, 2), (100, 1), (50, 1), (1, 1))
"""A plausible tray: of what is left, one part in so many lies in chips of this value."""
ROUNDS_BETWEEN_RELIEFS = 18
VOID_ONE_IN = 12


def in_chips(total_cents: int) -> dict[str, int]:
    """Cents by chip that add up to a total, most of the money in high chips, as in a tray."""
    left, found = total_cents, {}
    for chip, share in CHIPS_SHARE:
        if cents := left // share // chip * chip:
            found[str(chip)] = cents
        left -= cents
    return found


def counted(total_cents: int, by: tuple[str, ...]) -> Count:
    """A tray counted chip by chip."""
    return Count(total_cents, in_chips(total_cents), by)


@dataclass
class Errands:
    """The people around one table. `tray_cents` is what lies in the tray as the table itself has seen it.

    Their chance is a source of its own: it changes nothing of what is played.
    """

    code: str
    chance: random.Random
    dealers: Sequence[str] = ()
    tray_cents: int = 0
    rounds_dealt: int = 0

    def step(self, order: Callable[[str], Order]) -> None:
        """What is done between two rounds; `order` makes the next command's order, in somebody's name."""
        session = tables.load_table(self.code).session
        if session is None or not session.is_open:
            return
        with suppress(Refused):  # somebody of the house was faster: the next step looks again
            self._relieve(order, session)
            if waiting := self._own(session):
                self._go_on(order, session, waiting[0])
            else:
                self._ask(order, session)

    def finish(self, order: Callable[[str], Order]) -> None:
        """Bring every slip of ours to its end, as has to be done before a tray is counted."""
        while (session := tables.load_table(self.code).session) and (waiting := self._own(session)):
            self._go_on(order, session, waiting[0])

    def make_up(self, order: Callable[[str], Order], to_cents: int) -> None:
        """Fill the tray beyond its par for a busy evening, in whole hundreds; if none comes, the surplus goes back."""
        if (cents := (to_cents - self.tray_cents) // 10_000 * 10_000) > 0:
            asks = of_role(FLOOR)
            paper.request_transfer(order(asks.name), self.code, "fill", in_chips(cents), asks)
            self.finish(order)

    def _own(self, session: Session) -> list[Transfer]:
        """What the simulated floor has asked for itself: what a visitor asks for is left to the visitor."""
        return [one for one in open_transfers(session) if one.requested.by in STAFF]

    def _relieve(self, order: Callable[[str], Order], session: Session) -> None:
        self.rounds_dealt += 1
        free = [dealer for dealer in self.dealers if dealer != session.dealer]
        if session.dealer is None and free:
            dealers.put_on(order(of_role(FLOOR).name), self.code, free[0])
        elif session.dealer in self.dealers and free and self.rounds_dealt % ROUNDS_BETWEEN_RELIEFS == 0:
            dealers.relieve(order(of_role(FLOOR).name), self.code, free[0])

    def _ask(self, order: Callable[[str], Order], session: Session) -> None:
        """Not at once: for a few rounds the floor shows that the tray is low."""
        kind, cents = self._wanted()
        if not cents or self.chance.random() > 0.35:
            return
        asks = of_role(FLOOR)
        paper.request_transfer(order(asks.name), self.code, kind, in_chips(cents), asks)

    def _wanted(self) -> tuple[slips.Kind, int]:
        """What brings the tray to its par, in whole hundreds of the currency."""
        if self.tray_cents < FILL_LINE_CENTS:
            return "fill", (PAR_CENTS - self.tray_cents) // 10_000 * 10_000
        if self.tray_cents > CREDIT_LINE_CENTS:
            return "credit", (self.tray_cents - PAR_CENTS) // 10_000 * 10_000
        return "fill", 0

    def _go_on(self, order: Callable[[str], Order], session: Session, transfer: Transfer) -> None:
        slip = TransferId(self.code, session.gaming_date, session.number, transfer.number)
        if transfer.slip is None:
            cashier = of_role(CAGE)
            paper.prepare_slip(order(cashier.name), slip, cashier)
        elif transfer.kind == "fill" and len(transfer.signatures) == 1 and self.chance.randrange(VOID_ONE_IN) == 0:
            self._void(order, slip, transfer)
        else:
            self._sign(order, slip, session, transfer)

    def _sign(self, order: Callable[[str], Order], slip: TransferId, session: Session, transfer: Transfer) -> None:
        rules = paper.rules_of(transfer.kind)
        role = slips.awaited_role(transfer, rules)
        assert role is not None  # the slip is open
        who = self._signer(role, session, transfer)
        paper.sign_slip(order(who.name), slip, who, role)
        if slips.place_of(rules, role) == "tray":
            self.tray_cents += transfer.total_cents if transfer.kind == "fill" else -transfer.total_cents

    def _signer(self, role: str, session: Session, transfer: Transfer) -> Person:
        if role == DEALER:
            return Person(session.dealer or "simulated dealer", frozenset({DEALER}))
        return of_role(role, *(() if role == CAGE else (transfer.requested.by,)))

    def _void(self, order: Callable[[str], Order], slip: TransferId, transfer: Transfer) -> None:
        asks, approves = of_role(FLOOR, transfer.requested.by), of_role(CAGE, "nina")
        paper.void_slip(order(asks.name), slip, asks, approves, "Made out for the wrong table")
