"""Corrections of jackpots, asked for by one person and made by another; rounds in between, and the person who looks.

What may be corrected is decided on the streams of link, round and case; only what a hit won, which is fixed by its
record, is read where the fold has put it.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from casino.commands.order import Done, Order, Plan, carry_out, property_code
from casino.events import HandCompleted
from casino.eventstore import store
from casino.eventstore.store import Addition
from casino.keys import RoundId, round_key
from casino.keys import round_of as round_id_of
from casino.money import cut_to_cent, split_equally
from casino.refusal import Refused, in_quotes
from casino.round.state import Round, round_of
from casino.side_bet_terms import LevelTerms, SideBetTerms
from casino.void_events import WinDenied, WinFound
from jackpot import control as controls
from jackpot import terms as rules
from jackpot.case_state import PAID
from jackpot.commands.cases import CaseId, load_case
from jackpot.commands.links import Linked, link_addition, load_link
from jackpot.control_events import RequestMade
from jackpot.correction_events import HitInBetween, InBetweenSettled, JackpotMissed, JackpotRefilled, PlayerMissed
from jackpot.instants import meter_below
from jackpot.models import Between, Hit

Correction = JackpotMissed | PlayerMissed | JackpotRefilled
FIRST, SOMEBODY = 0, "another person"
RECORDER = "jackpot"


class Winners(NamedTuple):
    """Whose jackpot is put right: a round as text, a rank, and seats."""

    round: str
    rank: str
    seats: Sequence[int]


class Played(NamedTuple):
    """A round whose hand is complete, the position of that, and what it pinned of the link."""

    round: Round
    position: int
    terms: SideBetTerms | LevelTerms


def ask_correction(order: Order, code: str, kind: str, winners: Winners, reason: str, evidence: str) -> Done:
    """Ask that a jackpot be put right: a `missed_hit`, a `missed_player`, or a `refill` of what was paid for no hit."""

    def plan() -> Plan:
        linked = load_link(code)
        wanted = RequestMade(
            number=FIRST, kind=kind, reason=reason, evidence=evidence, by=order.by, round=winners.round,  # type: ignore[arg-type]
            rank=winners.rank, seats=tuple(sorted(winners.seats)),
        )  # fmt: skip
        asked = controls.request(linked.control, wanted)
        corrected(linked, asked, SOMEBODY)
        return Plan([link_addition(order, linked.stream.key, linked.stream.version, asked)])

    content = {"link": code, "kind": kind, **winners._asdict(), "reason": reason, "evidence": evidence}
    return carry_out(order, "ask_correction", content, plan)


def corrected(linked: Linked, asked: RequestMade, by: str) -> Correction:
    """The correction that a request asks for, checked anew; refuses what cannot be put right by it."""
    if not asked.seats or len(set(asked.seats)) != len(asked.seats):
        raise Refused("no_seats", "Name the seats of the correction, each once.")
    match asked.kind:
        case "missed_hit":
            return _missed_hit(linked, asked, by)
        case "missed_player":
            return _missed_player(linked, asked, by)
    return _refill(linked, asked, by)


def made(order: Order, linked: Linked, correction: Correction) -> list[Addition]:
    """A correction on its link's stream, and what the round learns of it: who won after all, or who did not."""
    round_id = _round_id(correction.round)
    is_refill = isinstance(correction, JackpotRefilled)
    told = (WinDenied if is_refill else WinFound)(
        link=correction.link, rank=correction.rank, seats=correction.seats,
        reason="refilled" if is_refill else correction.reason, by=correction.by, approved_by=correction.approved_by,
    )  # fmt: skip
    key = round_key(property_code(), round_id)
    version = store.version_of(key)
    on_round = Addition(key, version, round_id.gaming_date, [told], order.at, table=round_id.table, round_no=round_id.n)
    return [link_addition(order, linked.stream.key, linked.stream.version, correction, round_id.table), on_round]


def _missed_hit(linked: Linked, asked: RequestMade, by: str) -> JackpotMissed:
    """What the winners would have had: the meter at Q, split as the round pinned it."""
    code = linked.terms.code
    played = _played(code, asked)
    if _records(code, asked) or any(_is_of(one.event, asked) for one in linked.stream.events):
        raise Refused(
            "already_a_hit", f"{_named(asked)} is on record as a hit of link {code}; correct its players instead."
        )
    collected = played.round.collected
    if without := sorted(set(asked.seats) - set(collected.seats if collected else ())):
        raise Refused("no_chance", f"Seat {without[0]} had no progressive wager in round {asked.round}.")
    if asked.rank not in played.terms.tiers:
        raise Refused("no_such_tier", f"Round {asked.round} pinned no tier {in_quotes(asked.rank)} of link {code}.")
    meter, fraction = meter_below(code, played.position), rules.fraction_of(played.terms.tiers[asked.rank])
    amount = cut_to_cent(meter.main_micros * fraction.numerator // fraction.denominator)
    split = split_equally(amount, len(asked.seats), played.terms.odd_cents)
    return JackpotMissed(
        **_common(code, asked, by), at_position=played.position, fraction=str(fraction),
        before_micros=meter.main_micros, amount_cents=amount, share_cents=amount // len(asked.seats),
        remainder_cents=split.remainder_cents, shares_cents=split.shares,
    )  # fmt: skip


def _missed_player(linked: Linked, asked: RequestMade, by: str) -> PlayerMissed:
    """The share that the others of the hit have; their shares stay as they are.

    Who was missed may have paid for a chance that nobody recorded: two people and their evidence say so.
    """
    code = linked.terms.code
    seats = _played(code, asked).round.opened.seats
    if outside := [seat for seat in asked.seats if not 1 <= seat <= seats]:
        raise Refused("no_such_seat", f"Round {asked.round} had seats 1 to {seats}, and no seat {outside[0]}.")
    records = _records(code, asked)
    if not records:
        raise Refused("unknown_hit", f"{_named(asked)} is not on record as a hit of link {code}.")
    taken = {seat for hit in records for seat in hit.seats}
    taken |= {seat for one in linked.stream.events if _is_of(one.event, asked) for seat in one.event.seats}
    if known := sorted(taken & set(asked.seats)):
        raise Refused("has_a_share", f"Seat {known[0]} has a share in {_named(asked)} already; look at its case.")
    first = records[0]
    return PlayerMissed(
        **_common(code, asked, by), at_position=first.at_position, fraction=first.fraction,
        before_micros=first.before_micros, share_cents=first.share_cents,
    )  # fmt: skip


def _refill(linked: Linked, asked: RequestMade, by: str) -> JackpotRefilled:
    """What was paid to these seats; each seat once."""
    code = linked.terms.code
    case = load_case(CaseId(code, _round_id(asked.round), asked.rank)).case
    refilled = {
        seat for one in linked.stream.events
        if isinstance(one.event, JackpotRefilled) and _is_of(one.event, asked) for seat in one.event.seats
    }  # fmt: skip
    for seat in asked.seats:
        if seat not in case.shares or case.shares[seat].state != PAID:
            raise Refused("share_not_paid", f"Seat {seat} was not paid in {case}; deny or void its share instead.")
        if seat in refilled:
            raise Refused("already_refilled", f"The house has refilled the meter for seat {seat} of {case} already.")
    amount = sum(case.shares[seat].amount_cents for seat in asked.seats)
    return JackpotRefilled(**_common(code, asked, by), amount_cents=amount)


# ------------------------------------------------------------------------------------------------- in between


def append_due_between() -> int:
    """Open a case for every feed's round that turned out to lie before its link's last hit; returns how many."""
    due = Between.objects.filter(recorded_position=None).order_by("position", "key")
    return sum(not _open_case(row).replayed for row in due)


def _open_case(row: Between) -> Done:
    """The record takes the round's date and moment."""
    order = Order(by=RECORDER, key=row.key, at=row.occurred_at, source="settlement")
    event = HitInBetween(
        link=row.link, round=row.round, hit=row.hit, stakes_cents=row.stakes_cents,
        occurred_at=row.occurred_at.isoformat(), hit_at=row.hit_at.isoformat(),
    )  # fmt: skip

    def plan() -> Plan:
        stream = load_link(row.link).stream
        return Plan([link_addition(order, stream.key, stream.version, event, row.table_code, row.gaming_date)])

    return carry_out(order, "open_between", {"event": repr(event)}, plan)


def settle_between(order: Order, code: str, round: str, ruling: str) -> Done:
    """Close the case of a round in between, with what came of it."""

    def plan() -> Plan:
        linked = load_link(code)
        if all(one.round != round for one in linked.control.between):
            raise Refused("unknown_between", f"Round {in_quotes(round)} is no open case of link {code}.")
        if not ruling.strip():
            raise Refused("reason_missing", "Say what came of it; it is kept with the link.")
        event = InBetweenSettled(round=round, ruling=ruling.strip(), by=order.by)
        return Plan([link_addition(order, linked.stream.key, linked.stream.version, event)])

    return carry_out(order, "settle_between", {"link": code, "round": round, "ruling": ruling}, plan)


# ------------------------------------------------------------------------------------------------- common ground


def _played(code: str, asked: RequestMade) -> Played:
    """The round, once its hand is complete, and what it pinned of the link."""
    round_id = _round_id(asked.round)
    stream = store.load(round_key(property_code(), round_id))
    round_ = round_of(round_id, (recorded.event for recorded in stream.events))
    at = next((one.position for one in stream.events if isinstance(one.event, HandCompleted)), None)
    if at is None or round_.voided:
        raise Refused("round_not_complete", f"Round {asked.round} has no completed hand that stands.")
    terms = next((one for one in _pinned(round_) if one.link == code), None)
    if terms is None:
        raise Refused("not_of_link", f"Round {asked.round} was not played for link {code}.")
    return Played(round_, at, terms)


def _pinned(round_: Round) -> list[SideBetTerms | LevelTerms]:
    bets = round_.opened.side_bets.values()
    return [*bets, *(level for terms in bets for level in terms.levels)]


def _round_id(text: str) -> RoundId:
    try:
        round_id = round_id_of(f"{property_code()}/round/{text}")
    except ValueError:
        raise Refused("unknown_round", f"{in_quotes(text)} is no round; write it like R-01/2026-11-29/17.") from None
    if "\0" in text or str(round_id) != text:
        raise Refused("unknown_round", f"{in_quotes(text)} is no round; write it like R-01/2026-11-29/17.")
    return round_id


def _records(code: str, asked: RequestMade) -> list[Hit]:
    """The hit's rows, the hit itself first; what a hit won is fixed by its record."""
    if "\0" in asked.rank:
        return []
    hits = Hit.objects.filter(link=code, round=asked.round, rank=asked.rank).exclude(recorded_position=None)
    return list(hits.order_by("at_position", "nth"))


def _is_of(event: Any, asked: RequestMade) -> bool:
    """Whether an event of the link's stream is a record of the same winners."""
    return isinstance(event, Correction) and (event.round, event.rank) == (asked.round, asked.rank)


def _named(asked: RequestMade) -> str:
    return f"The {in_quotes(asked.rank)} of round {asked.round}"


def _common(code: str, asked: RequestMade, by: str) -> dict[str, Any]:
    return {
        "link": code, "round": asked.round, "rank": asked.rank, "seats": asked.seats, "reason": asked.reason,
        "evidence": asked.evidence, "request": asked.number, "by": asked.by, "approved_by": by,
    }  # fmt: skip
