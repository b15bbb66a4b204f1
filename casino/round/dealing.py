"""A round opened, and its cards: dealt, turned, drawn, until the hand is complete."""

from collections.abc import Iterable, Sequence
from typing import Literal

from casino import events as e
from casino.eventstore.registry import Event
from casino.games.game import CardEntry, Dealt, Fact, Felt, Turned
from casino.games.game import PositionDrawn as Drawn
from casino.refusal import Refused
from casino.round.state import PROGRESSIVE, Round, decided, evolve, not_over, side_bet_terms
from casino.table import Session, Table


def open_round(
    table: Table,
    session: Session,
    session_key: str,
    latest: Round | None,
    recorded_by: Literal["terminal", "feed"] = "terminal",
) -> e.RoundOpened:
    """Open the table's next round with everything it pins; the one before must be over.

    A session has one source of rounds: where a terminal records, a feed is refused, and the other way round.
    """
    set_up = table.set_up
    assert set_up is not None
    if latest is not None and not latest.is_over:
        raise Refused("round_open", f"Round {latest.id} is still open; finish or void it first.", round=str(latest.id))
    if latest is not None and latest.opened.session == session_key and latest.opened.recorded_by != recorded_by:
        raise Refused(
            "other_source",
            f"The rounds of this session of {table.code} come from a {latest.opened.recorded_by}; "
            f"a {recorded_by} may record the next session.",
        )
    return e.RoundOpened(
        table=table.code,
        session=session_key,
        game=set_up.game,
        paytable=set_up.paytable,
        layout=set_up.layout,
        method=set_up.method,
        seats=set_up.seats,
        limits=set_up.limits,
        round_payout_max_cents=set_up.round_payout_max_cents,
        off_limits=set_up.off_limits,
        side_bets=table.offered(),
        recorded_by=recorded_by,
    )


def draw_position(round_: Round, position: int) -> list[Event]:
    """Record the position that the wheel or RNG named."""
    _ready_for_cards(round_)
    return _with_consequences(round_, round_.game.draw(round_.felt, round_.setup, position))


def record_cards(round_: Round, entries: Sequence[CardEntry]) -> list[Event]:
    """Record cards dealt or turned, and the hand once it is complete."""
    if not entries:
        raise Refused("no_cards", "Name at least one card.")
    _ready_for_cards(round_)
    return _with_consequences(round_, round_.game.record_cards(round_.felt, round_.setup, entries))


def _ready_for_cards(round_: Round) -> None:
    not_over(round_)
    if not round_.bets_closed:
        raise Refused("bets_open", f"Round {round_.id} still takes bets; say no more bets before dealing.")
    if round_.of_phase(PROGRESSIVE) and not round_.collected:
        raise Refused(
            "progressive_not_collected",
            f"The progressive wagers of round {round_.id} are not collected; count them before a card is dealt.",
        )


def _with_consequences(round_: Round, facts: Sequence[Fact]) -> list[Event]:
    events = [_event(fact) for fact in facts]
    felt = round_.felt
    for fact in facts:
        felt = felt.after(fact)
    reading = round_.game.reading(felt, round_.setup)
    if reading is not None and round_.hand is None:
        events.append(e.HandCompleted(rank=reading.rank, shown=dict(reading.shown), wins=_wins(round_, felt)))
    return events


def _wins(round_: Round, felt: Felt) -> list[e.WonTier]:
    if round_.collected is None:
        return []
    terms = side_bet_terms(round_, round_.collected.bet)
    won = round_.game.side_bet_wins(round_.collected.bet, round_.collected.seats, felt, round_.setup)
    return [
        e.WonTier(
            bet=round_.collected.bet,
            link=terms.link,
            rank=win.rank,
            fraction=terms.tiers[win.rank],
            odd_cents=terms.odd_cents,
            seats=list(win.seats),
        )
        for win in won
        if win.rank in terms.tiers
    ]


def _event(fact: Fact) -> Event:
    match fact:
        case Drawn():
            return e.PositionDrawn(drawn_position=fact.position)
        case Dealt():
            return e.CardDealt(card_position=fact.position, face="up" if fact.face == "up" else "down", card=fact.card)
        case Turned():
            return e.CardTurned(card_position=fact.position, card=fact.card)


def newly_due(before: Round, events: Iterable[Event]) -> bool:
    """Whether these events decide a phase that was not decided before, so that it is to be settled."""
    after = before
    for event in events:
        after = evolve(after, event)
    return len(decided(after)) > len(decided(before))


def check_complete(round_: Round) -> None:
    """Refuse to take a round for finished while its hand is not complete."""
    if round_.hand is None:
        raise Refused("hand_not_complete", "A finished round needs every card of its hand, and a card is missing.")
