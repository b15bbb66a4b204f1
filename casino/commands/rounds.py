"""A round from opening to its last card, or to its void; step by step, or finished in one command."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from casino import table as tables
from casino.approval import Approval
from casino.commands.order import Done, Order, Plan, carry_out, property_code
from casino.commands.tables import at_session, check_after_opening, latest_round, load_table
from casino.decks import after_misdeal
from casino.events import CardDealt, CardTurned, DecisionMade, HandCompleted, WagersSettled
from casino.eventstore import store
from casino.eventstore.registry import Event
from casino.eventstore.store import Addition
from casino.games.game import CardEntry, DecisionEntry
from casino.keys import RoundId, round_key
from casino.payout_events import ProgressiveMiscounted
from casino.round import betting, dealing, resettling, settling, voiding
from casino.round.betting import Asked
from casino.round.state import PROGRESSIVE, Round, evolve, round_of

SETTLE = "settle"
"""The queue of work that `settle_due` takes."""
MAY_DECIDE = (CardDealt, CardTurned, DecisionMade, HandCompleted)
"""The events after which a phase may be due."""


def open_round(order: Order, code: str) -> Done:
    """Open the table's next round; the one before must be over."""

    def plan() -> Plan:
        round_id, event, guards = _opening(order, code)
        return Plan([_addition(order, round_id, 0, [event])], guards)

    return carry_out(order, "open_round", {"table": code}, plan)


def _opening(order: Order, code: str) -> tuple[RoundId, Event, list[tuple[str, int]]]:
    loaded = load_table(code)
    session = tables.opened(loaded.session, code)
    check_after_opening(order, loaded)
    latest = latest_round(code, session.gaming_date)
    event = dealing.open_round(loaded.table.at(order.at), session, loaded.session_key, latest)
    round_id = RoundId(code, session.gaming_date, latest.id.n + 1 if latest else 1)
    return round_id, event, loaded.opening_guards


def place_wagers(order: Order, round_id: RoundId, asked: Sequence[Asked]) -> Done:
    """Place one or many wagers, all or none."""
    return _on_round(order, "place_wagers", round_id, {"wagers": list(asked)}, lambda r: betting.place_wagers(r, asked))


def change_wager(order: Order, round_id: RoundId, number: int, stake_cents: int) -> Done:
    """Give a wager another stake before no more bets."""
    content = {"number": number, "stake_cents": stake_cents}
    return _on_round(order, "change_wager", round_id, content, lambda r: betting.change_wager(r, number, stake_cents))


def withdraw_wager(order: Order, round_id: RoundId, number: int) -> Done:
    """Take a wager back before no more bets."""
    return _on_round(order, "withdraw_wager", round_id, {"number": number}, lambda r: betting.withdraw_wager(r, number))


def close_bets(order: Order, round_id: RoundId) -> Done:
    """No more bets."""
    return _on_round(order, "close_bets", round_id, {}, betting.close_bets)


def take_bets(order: Order, round_id: RoundId, asked: Sequence[Asked], without_wagers: bool = False) -> Done:
    """Place the wagers and say no more bets, in one append or not at all; with no wager only where that is meant."""
    content: dict[str, Any] = {"wagers": list(asked)} | ({"without_wagers": True} if without_wagers else {})
    return _on_round(order, "take_bets", round_id, content, lambda r: betting.take_bets(r, asked, without_wagers))


def collect_progressive(order: Order, round_id: RoundId, count: int) -> Done:
    """Collect the progressive chips, counted; one that is off is recorded and refused, `progressive_count_differs`."""
    done = _on_round(
        order, "collect_progressive", round_id, {"count": count}, lambda r: betting.collect_progressive(r, count)
    )
    _counted(done.events)
    return done


def _counted(events: list[Event]) -> list[Event]:
    """The events, unless one says that the progressive was miscounted: that is refused in its own words."""
    for event in events:
        if isinstance(event, ProgressiveMiscounted):
            raise betting.count_differs(event)
    return events


def draw_position(order: Order, round_id: RoundId, position: int) -> Done:
    """Record the position of the Roulette Card that a wheel or RNG named."""
    return _on_round(
        order, "draw_position", round_id, {"position": position}, lambda r: dealing.draw_position(r, position)
    )


def record_cards(order: Order, round_id: RoundId, entries: Sequence[CardEntry]) -> Done:
    """Record cards, one by one or together."""
    content = {"cards": [asdict(entry) for entry in entries]}
    return _on_round(order, "record_cards", round_id, content, lambda r: dealing.record_cards(r, entries))


def decide(order: Order, round_id: RoundId, entries: Sequence[DecisionEntry]) -> Done:
    """Record the decisions of seats, one by one or together, all or none."""
    content = {"decisions": [asdict(entry) for entry in entries]}
    return _on_round(order, "decide", round_id, content, lambda r: dealing.decide(r, entries))


def void_round(order: Order, round_id: RoundId, reason: str, approval: Approval) -> Done:
    """Void the round: unpaid wagers go back."""
    content = {"reason": reason, **asdict(approval)}
    return _on_round(order, "void_round", round_id, content, lambda r: voiding.void(r, reason, approval))


def declare_misdeal(
    order: Order,
    round_id: RoundId,
    reason: str,
    approval: Approval,
    card: str | None = None,
    position: int | None = None,
) -> Done:
    """Void the round for a fouled deck, with the offending card as evidence; the deck in play leaves the table."""
    content = {"round": str(round_id), "reason": reason, "card": card, "position": position, **asdict(approval)}

    def plan() -> Plan:
        stream = store.load(round_key(property_code(), round_id))
        events = voiding.declare_misdeal(
            round_of(round_id, (r.event for r in stream.events)), reason, approval, card, position
        )
        loaded = load_table(round_id.table)
        gone = after_misdeal(loaded.session, reason, order.by) if loaded.session and loaded.session.is_open else []
        # The round's events stay last: an answer is read up to where a command ended.
        decks = [at_session(order, loaded, gone)] if gone else []
        return Plan([*decks, _addition(order, round_id, stream.version, events)])

    return carry_out(order, "declare_misdeal", content, plan)


def void_late_bet(order: Order, round_id: RoundId, number: int, reason: str, approval: Approval) -> Done:
    """Give back one wager that came after no more bets, with what hangs together with it; the round plays on."""
    content = {"number": number, "reason": reason, **asdict(approval)}
    return _on_round(
        order, "void_late_bet", round_id, content, lambda r: voiding.void_late_bet(r, number, reason, approval)
    )


def resettle_round(order: Order, round_id: RoundId, cards: Mapping[int, str], reason: str, approval: Approval) -> Done:
    """Put a settled round right by the cards as they lay; without cards every wager goes back. However late it is."""

    def plan() -> Plan:
        stream = store.load(round_key(property_code(), round_id))
        round_ = round_of(round_id, (r.event for r in stream.events))
        positions = [r.position for r in stream.events if isinstance(r.event, WagersSettled)]
        events = resettling.resettle(round_, cards, positions, reason, approval)
        return Plan([_addition(order, round_id, stream.version, events)])

    content = {"round": str(round_id), "cards": dict(cards), "reason": reason, **asdict(approval)}
    return carry_out(order, "resettle_round", content, plan)


def record_payout(order: Order, round_id: RoundId, number: int, paid_cents: int) -> Done:
    """Record what the dealer did pay on a settled wager, where it differs from what was due."""
    content = {"number": number, "paid_cents": paid_cents}
    return _on_round(
        order,
        "record_payout",
        round_id,
        content,
        lambda r: settling.record_payout(r, number, paid_cents, order.by),
    )


def record_finished_round(
    order: Order,
    code: str,
    asked: Sequence[Asked],
    cards: Sequence[str | None],
    drawn_position: int | None = None,
    progressive_count: int | None = None,
    decisions: Sequence[DecisionEntry] = (),
) -> Done:
    """Record a whole round at once, from opening to the last card.

    A card may be None where nobody saw it (a hand that folded). `progressive_count` is the count of chips collected;
    left out, it is taken to have agreed. The facts are decided one after another by the same rules as step by step,
    and appended together or not at all.
    """

    def plan() -> Plan:
        round_id, opened, guards = _opening(order, code)
        events = finished_round(round_id, opened, asked, cards, drawn_position, progressive_count, decisions)
        return Plan([_addition(order, round_id, 0, events, due=True)], guards)

    content: dict[str, Any] = {
        "table": code,
        "wagers": list(asked),
        "cards": list(cards),
        "drawn_position": drawn_position,
        "progressive_count": progressive_count,
    }
    if decisions:  # a game without any keeps the fingerprint it has always had
        content["decisions"] = [asdict(entry) for entry in decisions]
    return carry_out(order, "record_finished_round", content, plan)


def finished_round(
    round_id: RoundId,
    opened: Event,
    asked: Sequence[Asked],
    cards: Sequence[str | None],
    drawn_position: int | None,
    progressive_count: int | None,
    decisions: Sequence[DecisionEntry] = (),
) -> list[Event]:
    """All events of a finished round, in order. Pure."""
    events: list[Event] = [opened]
    round_ = round_of(round_id, events)

    def then(decision: list[Event]) -> None:
        nonlocal round_
        for event in decision:
            round_ = evolve(round_, event)
        events.extend(decision)

    if asked:
        then(betting.place_wagers(round_, asked))
    then(betting.close_bets(round_))
    progressive = len(round_.of_phase(PROGRESSIVE))
    if progressive or progressive_count:
        counted = progressive if progressive_count is None else progressive_count
        then(_counted(betting.collect_progressive(round_, counted)))
    if drawn_position is not None:
        then(dealing.draw_position(round_, drawn_position))
    then(dealing.play_out(round_, [CardEntry(card) for card in cards], decisions))
    return events


def _on_round(
    order: Order,
    name: str,
    round_id: RoundId,
    content: dict[str, Any],
    decide: Callable[[Round], list[Event]],
) -> Done:
    """Decide on the round's own stream alone."""

    def plan() -> Plan:
        stream = store.load(round_key(property_code(), round_id))
        round_ = round_of(round_id, (r.event for r in stream.events))
        events = decide(round_)
        return Plan([_addition(order, round_id, stream.version, events, due=dealing.newly_due(round_, events))])

    return carry_out(order, name, {"round": str(round_id), **content}, plan)


def _addition(order: Order, round_id: RoundId, version: int, events: Sequence[Event], due: bool = False) -> Addition:
    return Addition(
        key=round_key(property_code(), round_id),
        expected=version,
        gaming_date=round_id.gaming_date,
        events=events,
        occurred_at=order.at,
        table=round_id.table,
        round_no=round_id.n,
        due=SETTLE if due else None,
    )
