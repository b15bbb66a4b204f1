"""Rounds and tables as plain data. An answer is built from the log up to the command's last event, so a repeated
command is answered as it was the first time.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from django.utils import timezone
from msgspec.structs import asdict

from casino.commands.order import Done
from casino.commands.tables import latest_round, load_round_at, load_table
from casino.decks import decks_here
from casino.events import CashBoughtIn, Limits, TableClosed, TableOpened
from casino.eventstore import store
from casino.eventstore.registry import name_of
from casino.games import game as load_game
from casino.keys import RoundId, session_of
from casino.round.betting import warnings_of
from casino.round.state import Round
from casino.seat_events import PatronSeated, RatingEstimated


def round_answer(round_id: RoundId, done: Done | None = None) -> dict[str, Any]:
    """The round as it stands, or as it stood when `done` was carried out."""
    round_, position = load_round_at(round_id, upto=done.position if done else None)
    return {
        "round": str(round_id),
        "table": round_id.table,
        "gaming_date": round_id.gaming_date,
        "n": round_id.n,
        "game": round_.opened.game,
        "paytable": round_.opened.paytable,
        "method": round_.opened.method,
        "status": round_.status,
        "early_s": round_.opened.early_s,
        **_felt(round_),
        "settlements": [{"phase": s.phase, "lines": [_line(line) for line in s.lines]} for s in round_.settlements],
        "payouts": [{"number": number, "paid_cents": cents} for number, cents in sorted(round_.paid.items())],
        "progressive": _progressive(round_),
        "late_bets": [asdict(late) for late in round_.late],
        "voided": _voided(round_),
        "position": position,
        "replayed": done.replayed if done else False,
        "warnings": warnings_of(round_, done.events) if done else [],
    }


def _felt(round_: Round) -> dict[str, Any]:
    spots = sorted(round_.felt.spots.values(), key=lambda spot: spot.position)
    return {
        "wagers": [
            {
                "number": s.placed.number,
                "seat": s.placed.seat,
                "wager": s.placed.code,
                "stake_cents": s.placed.stake_cents,
                "exceptions": list(s.exceptions),
            }
            for s in round_.wagers.values()
        ],
        "drawn_position": round_.felt.drawn,
        "cards": [
            {"position": s.position, "face": s.face, "card": s.card, "name": round_.game.spot_name(s.position)}
            for s in spots
        ],
        "decisions": [
            {"seat": d.seat, "street": d.street, "action": d.action, "stake_cents": d.stake_cents}
            for d in round_.felt.decisions
        ],
        "turn": _turn(round_),
        "hand": {"rank": round_.hand.rank, **round_.hand.shown} if round_.hand else None,
    }


def _turn(round_: Round) -> dict[str, Any] | None:
    turn = None if round_.is_over else round_.game.turn(round_.felt, round_.setup)
    if turn is None:
        return None
    actions = {action: list(stakes) for action, stakes in turn.actions.items()}
    return {"seat": turn.seat, "street": turn.street, "actions": actions}


def _line(line: Any) -> dict[str, Any]:
    return {
        name: getattr(line, name) for name in ("number", "seat", "wager", "stake_cents", "result", "returned_cents")
    }


def _progressive(round_: Round) -> dict[str, Any] | None:
    if round_.collected is None:
        return None
    wins = round_.hand.wins if round_.hand else []
    return {
        "link": round_.collected.link,
        "seats": round_.collected.seats,
        "stake_cents": round_.collected.stake_cents,
        "won": [{"rank": won.rank, "seats": won.seats} for won in wins],
    }


def _voided(round_: Round) -> dict[str, Any] | None:
    voided, misdeal = round_.voided, round_.misdeal
    if voided is None:
        return None
    return {
        "reason": voided.reason,
        "scope": voided.scope,
        "refunds": [{"number": r.number, "seat": r.seat, "stake_cents": r.stake_cents} for r in voided.refunds],
        "requested_by": voided.requested_by or None,
        "approved_by": voided.approved_by or None,
        "misdeal": {"card": misdeal.card, "position": misdeal.card_position} if misdeal else None,
    }


def table_answer(code: str) -> dict[str, Any]:
    """A table as its streams have it now."""
    loaded = load_table(code)
    now = timezone.now()
    set_up, session = loaded.table.at(now).set_up, loaded.session
    assert set_up is not None
    last = latest_round(code, session.gaming_date) if session else None
    return {
        "table": code,
        "game": set_up.game,
        "paytable": set_up.paytable,
        "method": set_up.method,
        "seats": set_up.seats,
        "limits": _pairs(set_up.limits),
        "limits_announced": [
            {"effective_at": one.effective_at, "limits": _pairs(one.limits)} for one in loaded.table.pending(now)
        ],
        "round_payout_max_cents": set_up.round_payout_max_cents,
        "off_limits": set_up.off_limits,
        "payout_rounding_cents": set_up.payout_rounding_cents,
        "pit": set_up.pit,
        "par_cents": set_up.par_cents,
        "fill_line_cents": set_up.fill_line_cents,
        "side_bets": {bet: terms.link for bet, terms in loaded.table.offered().items()},
        "player_advantage": [o.wager for o in load_game(set_up.game).odds(set_up.paytable) if o.player_advantage],
        "is_open": bool(session and session.is_open),
        "gaming_date": session.gaming_date if session else None,
        "session": session.number if session else None,
        "first_round": session.first_round if session else None,
        "dealer": session.dealer if session else None,
        "decks": [
            {"deck": deck, "cards": last.cards} for deck, last in (decks_here(session) if session else {}).items()
        ],
        "open_round": str(last.id) if last and not last.is_over else None,
    }


def _pairs(limits: Mapping[str, Limits]) -> dict[str, list[int]]:
    return {bet: [limit.min_cents, limit.max_cents] for bet, limit in limits.items()}


def session_answer(code: str, done: Done) -> dict[str, Any]:
    """What a command on a session did, read from its own event."""
    gaming_date, number = session_of(store.key_at(done.position))
    return {
        "table": code,
        "gaming_date": gaming_date,
        "session": number,
        **_what(done.events),
        "recorded": [{"event": name_of(event), **msgspec.to_builtins(event)} for event in done.events],
        "position": done.position,
        "replayed": done.replayed,
    }


def seats_answer(code: str) -> list[dict[str, Any]]:
    """The taken seats of a table's open session, in their order."""
    session = load_table(code).session
    return [{"seat": seat, "patron_id": patron} for seat, patron in sorted(session.seats.items())] if session else []


def seat_answer(code: str, done: Done) -> dict[str, Any]:
    """What a command did at a seat, read from the session's event."""
    gaming_date, number = session_of(store.key_at(done.position))
    event: Any = done.events[-1]
    word = "seated" if isinstance(event, PatronSeated) else "left"
    estimated = event.average_bet_cents if isinstance(event, RatingEstimated) else None
    return {
        "table": code,
        "gaming_date": gaming_date,
        "session": number,
        "done": word if estimated is None else "estimated",
        "seat": event.seat,
        "patron_id": event.patron_id,
        "average_bet_cents": estimated,
        "position": done.position,
        "replayed": done.replayed,
    }


def _what(events: Sequence[Any]) -> dict[str, Any]:
    """What was done, in a word, and its amount: of the last event that has a word of its own here, else of the last."""
    event = next((event for event in reversed(events) if isinstance(event, TableOpened | TableClosed)), events[-1])
    match event:
        case TableOpened():
            return {"done": "rolled" if event.rolled else "opened", "amount_cents": event.opener_cents}
        case TableClosed():
            return {"done": "closed", "amount_cents": event.closer_cents}
        case CashBoughtIn():
            return {"done": "bought_in", "amount_cents": event.amount_cents}
        case _:
            return {"done": name_of(event), "amount_cents": max(event.in_cents, event.out_cents)}
