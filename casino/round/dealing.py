"""A round opened, its cards dealt, turned and drawn, and its seats' decisions, until the hand is complete."""

from collections.abc import Iterable, Sequence
from typing import Literal

from casino import events as e
from casino.decks import check_deck
from casino.eventstore.registry import Event
from casino.games import game as load_game
from casino.games.game import CardEntry, Dealt, Decision, DecisionEntry, Fact, Felt, Turned
from casino.games.game import PositionDrawn as Drawn
from casino.refusal import Refused
from casino.round.state import PROGRESSIVE, Round, decided, evolve, not_over, side_bet_terms
from casino.side_bet_terms import LevelTerms, SideBetTerms, WonTier
from casino.table import Session, Table


def open_round(
    table: Table,
    session: Session,
    session_key: str,
    latest: Round | None,
    recorded_by: Literal["terminal", "feed"] = "terminal",
    early_s: int = 0,
) -> e.RoundOpened:
    """Open the table's next round with everything it pins; the one before must be over, and a deck be here.

    `table` has the limits of the moment at which the round opens (`Table.at`).
    A session has one source of rounds: where a terminal records, a feed is refused, and the other way round.
    """
    set_up = table.set_up
    assert set_up is not None
    check_deck(session, len(load_game(set_up.game).deck))
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
        suspended=dict(table.suspended),
        recorded_by=recorded_by,
        payout_rounding_cents=set_up.payout_rounding_cents,
        patrons={str(seat): patron for seat, patron in session.rated().items()},
        early_s=early_s,
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


def decide(round_: Round, entries: Sequence[DecisionEntry]) -> list[Event]:
    """Record what seats decided, in their order, all of it or nothing; a raise puts its wager down."""
    if not entries:
        raise Refused("no_decision", "Name at least one decision.")
    _ready_for_cards(round_)
    events: list[Event] = []
    for entry in entries:
        made = _with_consequences(round_, round_.game.decide(round_.felt, round_.setup, entry))
        for event in made:
            round_ = evolve(round_, event)
        events.extend(made)
    return events


def play_out(round_: Round, cards: Sequence[CardEntry], decisions: Sequence[DecisionEntry]) -> list[Event]:
    """All cards of a finished round in the order dealt, and all decisions in theirs, each where the game wants it.

    Refuses `decision_missing` and `hand_not_complete` besides what `record_cards` and `decide` refuse.
    """
    events: list[Event] = []
    cards, decisions = list(cards), list(decisions)
    while cards or decisions or not events:
        waits = round_.game.turn(round_.felt, round_.setup) is not None
        if decisions and (waits or not cards):
            made, decisions = decide(round_, decisions[:1]), decisions[1:]
        else:
            # Where nobody ever decides, all cards go in at once.
            number = 1 if round_.game.streets else len(cards)
            made, cards = record_cards(round_, cards[:number]), cards[number:]
        for event in made:
            round_ = evolve(round_, event)
        events.extend(made)
    _check_complete(round_)
    return events


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
    events: list[Event] = []
    felt = round_.felt
    for fact in facts:
        felt = felt.after(fact)
        events.append(_event(fact))
        if isinstance(fact, Decision) and fact.wager is not None:
            events.append(_wager_of(fact, round_.numbers + 1))
    return [*events, *completed(round_, felt)]


def completed(round_: Round, felt: Felt) -> list[Event]:
    """What the game reads in the hand, once the felt has all of it and the round does not know yet."""
    reading = round_.game.reading(felt, round_.setup)
    if reading is None or round_.hand is not None:
        return []
    return [e.HandCompleted(rank=reading.rank, shown=dict(reading.shown), wins=wins_of(round_, felt))]


def wins_of(round_: Round, felt: Felt) -> list[WonTier]:
    """Every tier that was won, level by level of the bank; within one, best rank first."""
    if round_.collected is None:
        return []
    bet = round_.collected.bet
    terms = side_bet_terms(round_, bet)
    levels: list[SideBetTerms | LevelTerms] = [terms, *terms.levels]
    won = round_.game.side_bet_wins(bet, round_.collected.seats, felt, round_.setup)
    return [
        WonTier(bet, level.link, win.rank, level.tiers[win.rank], level.odd_cents, list(win.seats))
        for level in levels
        for win in won
        if win.rank in level.tiers
    ]


def _event(fact: Fact) -> Event:
    match fact:
        case Drawn():
            return e.PositionDrawn(drawn_position=fact.position)
        case Dealt():
            return e.CardDealt(card_position=fact.position, face="up" if fact.face == "up" else "down", card=fact.card)
        case Turned():
            return e.CardTurned(card_position=fact.position, card=fact.card)
        case Decision():
            return e.DecisionMade(
                seat=fact.seat,
                street=fact.street,
                action=fact.action,  # type: ignore[arg-type]
                stake_cents=fact.stake_cents,
            )


def _wager_of(decision: Decision, number: int) -> e.WagerPlaced:
    """What a raise put down; posted limits say nothing of it, for another wager's stake fixes it."""
    assert decision.wager is not None
    return e.WagerPlaced(
        number=number,
        seat=decision.seat,
        wager=decision.wager,
        as_given=decision.wager,
        stake_cents=decision.stake_cents,
        exceptions=[],
    )


def newly_due(before: Round, events: Iterable[Event]) -> bool:
    """Whether these events decide a phase that was not decided before, so that it is to be settled."""
    after = before
    for event in events:
        after = evolve(after, event)
    return len(decided(after)) > len(decided(before))


def _check_complete(round_: Round) -> None:
    """Refuse to take a round for finished while its hand is not complete."""
    turn = round_.game.turn(round_.felt, round_.setup)
    if turn is not None:
        sentence = f"A finished round needs every decision, and seat {turn.seat} has made none on the {turn.street}."
        raise Refused("decision_missing", sentence.replace("_", " "), seat=turn.seat)
    if round_.hand is None:
        raise Refused("hand_not_complete", "A finished round needs every card of its hand, and a card is missing.")
