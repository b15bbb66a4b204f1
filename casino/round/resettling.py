"""A settled round put right by further events: its cards were recorded wrong, or all its wagers go back after all.

Nothing is taken back. `round_resettled` says what is right, an `entry_corrected` for each phase by how much stakes and
winnings differ, so that books and journal count the settlement as it should have been, on the round's own gaming day.
What a dealer is known to have paid stays paid: of such a wager a further `payout_recorded` says by how much that is
another error now. Who won the progressive is the link's to put right, and that comes first.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from msgspec.structs import replace as changed

from casino import events as e
from casino.approval import Approval
from casino.eventstore.registry import Event, name_of
from casino.games.game import Dealt, Felt
from casino.payout_events import PayoutRecorded
from casino.refusal import Refused, in_quotes
from casino.round.dealing import wins_of
from casino.round.settling import settled_lines
from casino.round.state import Round, Winner, given_reason, winners_of
from casino.session_events import EntryCorrected
from casino.void_events import RoundResettled


def resettle(
    round_: Round, cards: Mapping[int, str], positions: Sequence[int], reason: str, approval: Approval
) -> list[Event]:
    """Settle a settled round anew with the cards as they lay; without cards, every wager goes back.

    `positions` are those of its settlements in the log, in order. Refuses `round_voided`, `not_settled`,
    `progressive_affected` (with what is to be done first), `nothing_differs`, `unknown_card` and `reason_missing`.
    """
    reason = given_reason(reason)
    _check(round_)
    felt = _felt(round_, cards)
    _check_progressive(round_, felt if cards else None)
    lines = {s.phase: _lines(round_, felt, s, is_undone=not cards) for s in round_.settlements}
    if all(lines[settlement.phase] == settlement.lines for settlement in round_.settlements):
        raise Refused("nothing_differs", f"Round {round_.id} is settled so already; nothing would change.")
    right = RoundResettled(
        cards={str(position): card for position, card in sorted(cards.items())},
        phases={phase: list(found) for phase, found in lines.items()},
        reason=reason,
        requested_by=approval.requested_by,
        approved_by=approval.approved_by,
    )
    differences = [
        _difference(round_, settlement, lines[settlement.phase], position, reason, approval)
        for settlement, position in zip(round_.settlements, positions, strict=True)
        if lines[settlement.phase] != settlement.lines
    ]
    return [right, *differences, *_payouts(round_, lines, approval)]


def _check(round_: Round) -> None:
    if round_.voided:
        raise Refused("round_voided", f"Round {round_.id} was voided ({round_.voided.reason}).")
    if not round_.settled:
        raise Refused("not_settled", f"Round {round_.id} is not settled yet; void it, or turn its cards.")


def _check_progressive(round_: Round, felt: Felt | None) -> None:
    """Refuse `progressive_affected` where those who win by this felt (None: nobody) are not those whose shares stand.

    Whoever has won now must have been found at the link, whoever has not must no longer stand there: only people who
    have seen the evidence decide on that, and the round is told of it (`win_found`, `win_denied`). Of a seat whose
    chance nobody recorded the cards say nothing.
    """
    won = winners_of(wins_of(round_, felt)) if felt else frozenset()
    missing = won - winners_of(wins_of(round_, round_.felt)) - round_.found - round_.denied
    chances = round_.collected.seats if round_.collected else ()
    standing = {one for one in round_.winners - won if felt is None or one[2] in chances}
    if not missing and not standing:
        return
    steps = [_to_find(round_, one) for one in sorted(missing)] + [_to_deny(one) for one in sorted(standing)]
    raise Refused(
        "progressive_affected",
        f"This changes who has won the progressive in round {round_.id}; put that right at its link first, and settle "
        f"the round anew then. {' '.join(steps)}",
        links=sorted({link for link, _, _ in missing | standing}),
    )


def _to_find(round_: Round, winner: Winner) -> str:
    link, rank, seat = winner
    others = any(one[:2] == (link, rank) for one in round_.winners)
    what = "missed player" if others else "missed hit"
    won = f"Seat {seat} has won the {rank.replace('_', ' ')} and has no share"
    return f"{won}: ask at link {link} for the {what}, and have another person make it."


def _to_deny(winner: Winner) -> str:
    link, rank, seat = winner
    lost = f"Seat {seat} has not won the {rank.replace('_', ' ')} and has a share"
    return f"{lost}: have it denied in the hit's case at link {link}, or where it is paid ask there for the refill."


def _payouts(round_: Round, lines: Mapping[str, list[e.SettledLine]], approval: Approval) -> list[PayoutRecorded]:
    """Of wagers whose payout is on record: what was paid stays, against what is due now."""
    due = {line.number: line for of_phase in lines.values() for line in of_phase}
    return [
        PayoutRecorded(
            number=line.number,
            seat=line.seat,
            wager=line.wager,
            due_cents=due[line.number].returned_cents,
            paid_before_cents=round_.paid[line.number] + due[line.number].returned_cents - line.returned_cents,
            paid_cents=round_.paid[line.number],
            by=approval.requested_by,
        )
        for line in round_.lines
        if line.number in round_.paid and due[line.number].returned_cents != line.returned_cents
    ]


def _felt(round_: Round, cards: Mapping[int, str]) -> Felt:
    """The felt with the right cards in place of those recorded; no card may lie twice."""
    spots = dict(round_.felt.spots)
    for position, card in cards.items():
        if position not in spots:
            raise Refused("unknown_card", f"No card lies on spot {position} of round {round_.id}.")
        if card not in round_.game.deck:
            raise Refused("unknown_card", f"{in_quotes(card)} is not a card of {round_.game.name}.")
        spots[position] = Dealt(position, spots[position].face, card)
    seen = [spot.card for spot in spots.values() if spot.card is not None]
    if len(seen) != len(set(seen)):
        raise Refused("unknown_card", f"A card would lie twice in round {round_.id}; give every card that was wrong.")
    return replace(round_.felt, spots=spots)


def _lines(round_: Round, felt: Felt, settlement: e.WagersSettled, *, is_undone: bool) -> list[e.SettledLine]:
    if is_undone:
        return [changed(line, result="push", returned_cents=line.stake_cents) for line in settlement.lines]
    return settled_lines(changed(round_, felt=felt), settlement.phase)


def _difference(
    round_: Round,
    settlement: e.WagersSettled,
    lines: list[e.SettledLine],
    position: int,
    reason: str,
    approval: Approval,
) -> EntryCorrected:
    right = e.WagersSettled(phase=settlement.phase, lines=lines)
    return EntryCorrected(
        table=round_.id.table,
        corrects=position,
        entry=name_of(settlement),
        seat=None,
        patron_id=None,
        before={"collected_cents": settlement.in_cents, "winnings_cents": settlement.out_cents},
        after={"collected_cents": right.in_cents, "winnings_cents": right.out_cents},
        in_difference_cents=right.in_cents - settlement.in_cents,
        out_difference_cents=right.out_cents - settlement.out_cents,
        reason=reason,
        requested_by=approval.requested_by,
        approved_by=approval.approved_by,
    )


def cards_by_position(given: Mapping[str, str]) -> dict[int, str]:
    """Cards by the numbers of their spots, written as text; refuses `unknown_card`."""
    for position in given:
        if not position.isascii() or not position.isdecimal() or len(position) > 3:
            raise Refused("unknown_card", f"{in_quotes(position)} is no spot; write its number.")
    return {int(position): card for position, card in given.items()}
