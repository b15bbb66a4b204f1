"""Adjustments, transfers and retirement: asked for by one person with evidence, decided by another.

A meter goes down only for a win, a voided round, and the reasons listed in `meter.LOWERS` (books, section 5).
"""

from collections.abc import Sequence
from fractions import Fraction

from casino.commands.order import Done, Order, Plan, carry_out, house_profile
from casino.commands.tables import gaming_date
from casino.eventstore.registry import Event
from casino.eventstore.store import Addition
from casino.games import game as load_game
from casino.refusal import Refused
from jackpot import control as controls
from jackpot import meter as meters
from jackpot.commands import corrections
from jackpot.commands.changes import at_rest
from jackpot.commands.links import Linked, link_addition, load_bank, load_link, meter_of
from jackpot.control_events import LinkRetired, NoticePosted, RequestMade
from jackpot.events import MAIN, LinkSetUp, MeterAdjusted
from jackpot.models import Hit

FIRST = 0
"""The number of a request before it has one."""


def ask_adjustment(order: Order, code: str, pool: str, micros: int, reason: str, evidence: str) -> Done:
    """Ask that a pool be put right, for a reason of the list."""

    def plan() -> Plan:
        linked = load_link(code)
        wanted = RequestMade(
            number=FIRST, kind="adjustment", reason=reason, evidence=evidence, by=order.by, pool=pool, micros=micros
        )
        asked = controls.request(linked.control, wanted)
        meters.check_adjustment(meter_of(code), _adjustment(asked, "another person"))
        return Plan([_addition(order, linked, [asked])])

    content = {"link": code, "pool": pool, "micros": micros, "reason": reason, "evidence": evidence}
    return carry_out(order, "ask_adjustment", content, plan)


def ask_transfer(order: Order, code: str, to_link: str, reason: str, evidence: str) -> Done:
    """Ask that all that a link holds go to another link, the same or better for the patrons."""

    def plan() -> Plan:
        linked = load_link(code)
        check_same_or_better(linked, load_link(to_link))
        wanted = RequestMade(
            number=FIRST, kind="transfer", reason=reason, evidence=evidence, by=order.by, to_link=to_link
        )
        return Plan([_addition(order, linked, [controls.request(linked.control, wanted)])])

    content = {"link": code, "to_link": to_link, "reason": reason, "evidence": evidence}
    return carry_out(order, "ask_transfer", content, plan)


def ask_retirement(order: Order, code: str, reason: str, evidence: str) -> Done:
    """Ask that a link be over."""

    def plan() -> Plan:
        linked = load_link(code)
        wanted = RequestMade(number=FIRST, kind="retirement", reason=reason, evidence=evidence, by=order.by)
        return Plan([_addition(order, linked, [controls.request(linked.control, wanted)])])

    return carry_out(order, "ask_retirement", {"link": code, "reason": reason, "evidence": evidence}, plan)


def decline_request(order: Order, code: str, number: int, because: str) -> Done:
    """Let things stand though a request was made."""

    def plan() -> Plan:
        linked = load_link(code)
        return Plan([_addition(order, linked, [controls.decline(linked.control, number, because, order.by)])])

    return carry_out(order, "decline_request", {"link": code, "number": number, "because": because}, plan)


def approve_request(order: Order, code: str, number: int, read_micros: int | None = None) -> Done:
    """Do what a request asks for. An opening reading is approved by reading the meter oneself: `read_micros`."""

    def plan() -> Plan:
        linked = load_link(code)
        asked = controls.open_request(linked.control, number, order.by)
        match asked.kind:
            case "adjustment":
                return Plan([_addition(order, linked, [_adjusted(linked, asked, order.by, read_micros)])])
            case "transfer":
                return Plan(_transferred(order, linked, asked))
            case "retirement":
                return Plan([_addition(order, linked, [_retired(order, linked, asked)])])
            case _:
                return Plan(corrections.made(order, linked, corrections.corrected(linked, asked, order.by)))

    content = {"link": code, "number": number, "read_micros": read_micros}
    return carry_out(order, "approve_request", content, plan)


def post_notice(order: Order, code: str, what: str, table: str = "") -> Done:
    """Record that patrons are told of a transfer, a retirement or a table's removal."""
    if what not in ("transfer", "retirement", "removal"):
        raise Refused("unknown_notice", "A notice is of a transfer, a retirement or a removal.")

    def plan() -> Plan:
        linked = load_link(code)
        controls.alive(linked.control)
        if (what == "removal") != (table in linked.tables):
            raise Refused("not_joined", f"A removal names a table of link {code}, and nothing else does.")
        posted_on = gaming_date(order).isoformat()
        notice = NoticePosted(posted_on=posted_on, what=what, table=table, by=order.by)  # type: ignore[arg-type]
        return Plan([_addition(order, linked, [notice])])

    return carry_out(order, "post_notice", {"link": code, "what": what, "table": table}, plan)


# ------------------------------------------------------------------------------------------------- decided


def _adjusted(linked: Linked, asked: RequestMade, by: str, read_micros: int | None) -> MeterAdjusted:
    if asked.reason == controls.OPENING_READING and read_micros != asked.micros:
        raise Refused(
            "readings_differ",
            f"The opening reading of {linked.terms.code} is confirmed by reading the meter again, and the two readings "
            "are not the same; read it together and decline this request if it is wrong.",
        )
    return meters.check_adjustment(meter_of(linked.terms.code), _adjustment(asked, by))


def _adjustment(asked: RequestMade, approved_by: str) -> MeterAdjusted:
    return MeterAdjusted(
        pool=asked.pool,
        micros=asked.micros,
        reason=asked.reason,
        evidence=asked.evidence,
        by=asked.by,
        approved_by=approved_by,
        request=asked.number,
    )


def _transferred(order: Order, linked: Linked, asked: RequestMade) -> list[Addition]:
    """Both links in one append: whatever one gives, the other gets, pool by pool."""
    target = load_link(asked.to_link)
    check_same_or_better(linked, target)
    _check_idle(order, linked, "transfer")
    given, taken = [], []
    for pool, micros in meters.pools(meter_of(linked.terms.code)).items():
        if not micros and pool != MAIN:
            continue
        move = MeterAdjusted(
            pool=pool, micros=-micros, reason="transfer_out", evidence=asked.evidence, by=asked.by,
            approved_by=order.by, request=asked.number, other_link=asked.to_link,
        )  # fmt: skip
        given.append(meters.check_adjustment(meter_of(linked.terms.code), move))
        taken.append(_counterpart(move, linked.terms.code))
    return [_addition(order, linked, given), _addition(order, target, taken)]


def _counterpart(move: MeterAdjusted, from_link: str) -> MeterAdjusted:
    return MeterAdjusted(
        pool=move.pool, micros=-move.micros, reason="transfer_in", evidence=move.evidence, by=move.by,
        approved_by=move.approved_by, other_link=from_link,
    )  # fmt: skip


def _retired(order: Order, linked: Linked, asked: RequestMade) -> LinkRetired:
    """What is left in a meter isn't deleted silently: it is transferred or recovered first (domain, 2.10)."""
    _check_idle(order, linked, "retirement")
    code, meter = linked.terms.code, meter_of(linked.terms.code)
    held = {pool: micros for pool, micros in meters.pools(meter).items() if micros}
    if held:
        (pool, micros), *_ = held.items()
        raise Refused(
            "pool_not_empty", f"The {pool} of {code} holds {micros} micro-units; transfer or recover it first."
        )
    if meter.payable_micros or Hit.objects.filter(link=code, recorded_position=None).exists():
        raise Refused("jackpots_payable", f"Jackpots of link {code} are not paid yet; see to those first.")
    for level in linked.control.levels:
        if not load_link(level).control.is_retired:
            raise Refused("link_in_use", f"Level {level} is fed by link {code}; retire it first.")
    return LinkRetired(request=asked.number, reason=asked.reason, by=asked.by, approved_by=order.by)


def _check_idle(order: Order, linked: Linked, what: str) -> None:
    """No table on the bank, no round of it open, and patrons told in time."""
    bank = load_bank(linked.terms.code)
    if bank.first.tables:
        tables = ", ".join(sorted(bank.first.tables))
        raise Refused("link_in_use", f"Tables {tables} are on link {bank.first.terms.code}; let them leave it first.")
    at_rest(bank)
    controls.check_notice(linked.control, what, house_profile().jackpots.notice_days, gaming_date(order))


def check_same_or_better(linked: Linked, target: Linked) -> None:
    """A transfer goes to a meter of the same prize whose odds are no worse and whose price is no higher (30D)."""
    controls.alive(target.control)
    ours, theirs = linked.terms, target.terms
    if ours.code == theirs.code or ours.currency != theirs.currency:
        raise Refused("not_same_or_better", f"Link {ours.code} can't be transferred to {theirs.code}.")
    if theirs.stake_cents > ours.stake_cents:
        raise Refused("not_same_or_better", f"A chance on {theirs.code} costs more than on {ours.code}.")
    if _full_chance(theirs) < _full_chance(ours):
        raise Refused(
            "not_same_or_better", f"All of the meter is won more rarely on {theirs.code} than on {ours.code}."
        )


def _full_chance(terms: LinkSetUp) -> Fraction:
    chances = load_game(terms.game).tier_chances(terms.tiers_name)
    return sum((chances[rank] for rank, part in terms.tiers.items() if part == "1"), Fraction(0))


def _addition(order: Order, linked: Linked, events: Sequence[Event]) -> Addition:
    one = link_addition(order, linked.stream.key, linked.stream.version, events[0])
    return Addition(one.key, one.expected, one.gaming_date, list(events), one.occurred_at)
