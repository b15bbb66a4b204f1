"""A settled round put right by further events: its cards were recorded wrong, or all its wagers go back after all.

Nothing is taken back. `round_resettled` says what is right, an `entry_corrected` for each phase by how much stakes and
winnings differ, so that books and journal count the settlement as it should have been, on the round's own gaming day.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from msgspec.structs import replace as changed

from casino import events as e
from casino.approval import Approval
from casino.eventstore.registry import Event, name_of
from casino.games.game import Dealt, Felt
from casino.refusal import Refused, in_quotes
from casino.round.dealing import wins_of
from casino.round.settling import settled_lines
from casino.round.state import Round, given_reason
from casino.session_events import EntryCorrected
from casino.void_events import RoundResettled


def resettle(
    round_: Round, cards: Mapping[int, str], positions: Sequence[int], reason: str, approval: Approval
) -> list[Event]:
    """Settle a settled round anew with the cards as they lay; without cards, every wager goes back.

    `positions` are those of its settlements in the log, in order. Refuses `round_voided`, `not_settled`,
    `payout_recorded`, `progressive_affected`, `nothing_differs`, `unknown_card` and `reason_missing`.
    """
    reason = given_reason(reason)
    _check(round_)
    felt = _felt(round_, cards)
    if wins_of(round_, felt) != wins_of(round_, round_.felt) or (not cards and round_.hand and round_.hand.wins):
        raise Refused(
            "progressive_affected",
            f"Another card changes who has won the progressive in round {round_.id}; that is put right at its link.",
        )
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
    return [right, *differences]


def _check(round_: Round) -> None:
    if round_.voided:
        raise Refused("round_voided", f"Round {round_.id} was voided ({round_.voided.reason}).")
    if not round_.settled:
        raise Refused("not_settled", f"Round {round_.id} is not settled yet; void it, or turn its cards.")
    if round_.paid:
        numbers = ", ".join(map(str, sorted(round_.paid)))
        sentence = f"What the dealer paid on wager {numbers} of round {round_.id} is on record; correct that first."
        raise Refused("payout_recorded", sentence)


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
