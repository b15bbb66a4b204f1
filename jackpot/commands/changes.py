"""Parameters under change control: proposed by one person, approved by another, made when due and nobody plays.

A change is made in one append: on the link's stream, and as a new offer on every table of its bank. That append holds
the tables' streams, whose lock every opening round shares, and guards that no further round exists: so no round of the
old parameters is open under the new ones.
"""

from collections.abc import Sequence
from datetime import UTC, datetime

from casino.commands import side_bets
from casino.commands.order import Done, Order, Plan, carry_out, property_code
from casino.commands.side_bets import Latest
from casino.commands.tables import Loaded, load_table
from casino.eventstore import store
from casino.eventstore.follower import position_of
from casino.games import game as load_game
from casino.keys import round_key
from casino.refusal import Refused
from jackpot import control as controls
from jackpot.commands.links import Bank, Linked, level_of, link_addition, load_bank, load_link, meter_of, written
from jackpot.control_events import Change
from jackpot.events import LinkSetUp
from jackpot.models import Link
from jackpot.projections import METERS

MAKER = "jackpot"
WAITING = ("link_in_play", "meter_behind", "not_due", "not_approved", "busy")
"""Why a change that is due waits; for any other reason it can't be made, and is dropped with it."""


def propose_change(
    order: Order, code: str, change: Change, effective_at: datetime | None, reason: str, acknowledged_by: str = ""
) -> Done:
    """Propose new parameters; what they would make of the link is checked now, and again when they are made."""

    def plan() -> Plan:
        linked = load_link(code)
        wanted = _with_tiers(linked.terms, change)
        event = controls.propose(linked.control, wanted, effective_at, reason, acknowledged_by, order.by)
        _check(linked, controls.proposal_of(event))
        return Plan([link_addition(order, linked.stream.key, linked.stream.version, event)])

    content = {
        "link": code, "change": repr(change), "effective_at": effective_at, "reason": reason,
        "acknowledged_by": acknowledged_by,
    }  # fmt: skip
    return carry_out(order, "propose_change", content, plan)


def _with_tiers(terms: LinkSetUp, change: Change) -> Change:
    """A change that names another set of tiers has its parts written out, so that the record needs no game."""
    if change.tiers_name is None or change.tiers is not None:
        return change
    return controls.with_tiers(change, written(load_game(terms.game).tiers(change.tiers_name)))


def approve_change(order: Order, code: str, number: int) -> Done:
    """Approve a proposal, as another person than who proposed it."""

    def plan() -> Plan:
        linked = load_link(code)
        event = controls.approve(linked.control, number, order.by)
        _check(linked, controls.open_change(linked.control, number))
        return Plan([link_addition(order, linked.stream.key, linked.stream.version, event)])

    return carry_out(order, "approve_change", {"link": code, "number": number}, plan)


def drop_change(order: Order, code: str, number: int, reason: str) -> Done:
    """Withdraw or decline a change before it is made."""

    def plan() -> Plan:
        linked = load_link(code)
        event = controls.drop(linked.control, number, reason, order.by)
        return Plan([link_addition(order, linked.stream.key, linked.stream.version, event)])

    return carry_out(order, "drop_change", {"link": code, "number": number, "reason": reason}, plan)


def make_change(order: Order, code: str, number: int) -> Done:
    """Make an approved change, if it is due and nobody plays for the link: refused `link_in_play` with the round."""

    def plan() -> Plan:
        linked = load_link(code)
        event = controls.make(linked.control, number, order.at)
        proposal = controls.open_change(linked.control, number)
        _check(linked, proposal)
        still = at_rest(load_bank(code))
        terms = controls.changed(linked.terms, proposal.change)
        own = link_addition(order, linked.stream.key, linked.stream.version, event)
        return still.plan(order, [own], offers=terms)

    return carry_out(order, "make_change", {"link": code, "number": number}, plan)


def make_due_changes() -> int:
    """Make every change that is due and can be made now; one that never can is dropped with the reason."""
    now, made = datetime.now(UTC), 0
    for link in Link.objects.filter(change_due_at__lte=now).order_by("code"):
        for proposal in link.folded().control.changes:
            if proposal.approved_by and (proposal.due_at is None or proposal.due_at <= now):
                made += _make_due(str(link.code), proposal.number, now)
    return made


def _make_due(code: str, number: int, now: datetime) -> bool:
    try:
        return not make_change(Order(MAKER, f"change:{code}:{number}", now, source="settlement"), code, number).replayed
    except Refused as refusal:
        if refusal.code in WAITING or refusal.code == "unknown_change":
            return False
        order = Order(MAKER, f"drop:{code}:{number}", now, source="settlement")
        drop_change(order, code, number, f"It could not be made when it was due: {refusal.message}")
        return False


def why_waiting(code: str, number: int, now: datetime) -> str:
    """Why an approved change is not made yet, in a sentence; "" where nothing holds it."""
    linked = load_link(code)
    try:
        controls.make(linked.control, number, now)
        at_rest(load_bank(code))
    except Refused as refusal:
        return refusal.message
    return ""


def _check(linked: Linked, proposal: controls.Proposal) -> None:
    terms = controls.changed(linked.terms, proposal.change)
    others = load_bank(terms.code).others(terms.code)
    controls.check_changed(proposal, level_of(terms), others, meter_of(terms.code))


# ------------------------------------------------------------------------------------------------- at rest


class AtRest:
    """A bank of which no round is open, with every table that offers its bet."""

    def __init__(self, bank: Bank, tables: Sequence[tuple[Loaded, Latest | None]]) -> None:
        self.bank = bank
        self.tables = [one for one in tables if one[0].table.code in bank.first.tables]

    def plan(self, order: Order, additions: Sequence[store.Addition], offers: LinkSetUp) -> Plan:
        """The additions, and `offers` as the link's new terms at every table where the bet is taken."""
        bet, pinned = self.bank.first.terms.bet, self.bank.pinned(offers)
        taken = [(loaded, latest) for loaded, latest in self.tables if bet not in loaded.table.suspended]
        told = [side_bets.offer(order, loaded, bet, pinned) for loaded, _ in taken]
        guards = [guard for loaded, latest in taken for guard in side_bets.no_further_round(loaded, latest)]
        return Plan([*told, *additions], guards)


def at_rest(bank: Bank) -> AtRest:
    """The bank, if nobody plays for it and its meters have been folded up to where the play ended.

    Refuses `link_in_play` naming the round, and `meter_behind`.
    """
    tables = [(loaded, side_bets.latest_of(loaded)) for loaded in map(load_table, bank.first.tables_ever)]
    links = {one.terms.code for one in (bank.first, *bank.levels)}
    for _, latest in tables:
        if latest and not latest.round.is_over and _pinned_links(latest) & links:
            raise Refused(
                "link_in_play",
                f"Round {latest.round.id} is played for link {bank.first.terms.code}; nothing of the link changes "
                "until no such round is open.",
                round=str(latest.round.id),
            )
    keys = [round_key(property_code(), latest.round.id) for _, latest in tables if latest]
    last = max((stream.events[-1].position for stream in store.load_many(keys).values()), default=0)
    own = max(one.stream.events[-1].position for one in (bank.first, *bank.levels))
    if position_of(METERS.name) < max(last, own):
        raise Refused("meter_behind", f"The meters of link {bank.first.terms.code} are still being read; try again.")
    return AtRest(bank, tables)


def _pinned_links(latest: Latest) -> set[str]:
    pinned = latest.round.opened.side_bets.values()
    return {code for terms in pinned for code in (terms.link, *(level.link for level in terms.levels))}
