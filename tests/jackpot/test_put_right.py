"""A settled round whose right cards change who won the progressive: first the link, then the round (books, 5.9)."""

import pytest

from casino.approval import Approval
from casino.commands import rounds, settlement, tables
from casino.eventstore.follower import catch_up
from casino.keys import RoundId
from casino.refusal import Refused
from casino.void_events import WinDenied, WinFound
from jackpot.commands import cases
from jackpot.commands.cases import CaseId
from tests.jackpot.test_cases import ROYAL_FLUSH, a_hit
from tests.jackpot.test_corrections import NOTHING, by, is_sound, made, paid

TWO = Approval("ben", "pia")


def cards(text: str) -> dict[int, str]:
    return dict(enumerate(text.split(), 1))


def put_right(floor, round_id: RoundId, text: str) -> None:
    rounds.resettle_round(floor.order(), round_id, cards(text) if text else {}, "The tape shows it.", TWO)
    catch_up()


def refused(floor, round_id: RoundId, text: str) -> str:
    with pytest.raises(Refused) as refusal:
        put_right(floor, round_id, text)
    assert refusal.value.code == "progressive_affected"
    assert refusal.value.details["links"] == ["grand"]
    return refusal.value.message


def deny(case_id: CaseId, *seats: int) -> None:
    cases.ask_return(by("sue"), case_id, seats, "denied", "The cards were misread.")
    cases.approve_return(by("pia"), case_id, seats)
    catch_up()


def settled(round_id: RoundId) -> RoundId:
    settlement.settle_due()
    catch_up()
    return round_id


def test_whoever_has_won_by_the_right_cards_is_found_at_the_link_first(floor):
    round_id = settled(floor.play("R-01", NOTHING, [1, 2]))
    assert "Seat 1 has won the royal flush and has no share: ask at link grand for the missed hit" in refused(
        floor, round_id, ROYAL_FLUSH
    )
    made("missed_hit", round_id, "royal_flush", 1)
    assert "Seat 2 has won the royal flush and has no share: ask at link grand for the missed player" in refused(
        floor, round_id, ROYAL_FLUSH
    )
    made("missed_player", round_id, "royal_flush", 2)
    put_right(floor, round_id, ROYAL_FLUSH)
    round_ = tables.load_round(round_id)
    assert round_.winners == {("grand", "royal_flush", 1), ("grand", "royal_flush", 2)}
    assert round_.felt.spots[1].card == ROYAL_FLUSH.split()[0]
    is_sound()


def test_whoever_has_not_won_is_denied_first_and_no_share_of_another_moves(floor):
    case_id = a_hit(floor)
    settled(case_id.round)
    assert "Seat 1 has not won the straight flush and has a share: have it denied in the hit's case" in refused(
        floor, case_id.round, NOTHING
    )
    deny(case_id, 1, 2)
    before = floor.state().meter
    put_right(floor, case_id.round, NOTHING)
    assert tables.load_round(case_id.round).winners == frozenset()
    assert floor.state().meter == before
    is_sound()


def test_what_was_paid_for_no_hit_is_refilled_by_the_house_first(floor):
    case_id = a_hit(floor)
    settled(case_id.round)
    paid(case_id, 1)
    deny(case_id, 2)
    assert "where it is paid ask there for the refill" in refused(floor, case_id.round, NOTHING)
    made("refill", case_id.round, case_id.rank, 1)
    put_right(floor, case_id.round, NOTHING)
    assert tables.load_round(case_id.round).winners == frozenset()
    is_sound()


def test_every_wager_goes_back_only_when_no_share_stands(floor):
    case_id = a_hit(floor)
    settled(case_id.round)
    assert "Seat 2 has not won" in refused(floor, case_id.round, "")
    deny(case_id, 1, 2)
    put_right(floor, case_id.round, "")
    assert {line.result for line in tables.load_round(case_id.round).lines} == {"push"}


def test_another_card_of_the_same_winners_needs_nobody_at_the_link(floor):
    """A heart royal flush for one of spades: the tier and its winners are the same, the Roulette Card is not."""
    round_id = settled(floor.play("R-01", ROYAL_FLUSH, [1]))
    floor.record()
    suit = ROYAL_FLUSH.split()[0][1]
    other = "h" if suit != "h" else "s"
    put_right(floor, round_id, " ".join(card[0] + other for card in ROYAL_FLUSH.split()))
    assert tables.load_round(round_id).winners == {("grand", "royal_flush", 1)}
    is_sound()


def test_the_round_keeps_on_its_stream_who_was_found_and_who_was_denied(floor):
    from casino.commands.order import property_code
    from casino.eventstore import store
    from casino.keys import round_key

    round_id = settled(floor.play("R-01", NOTHING, [1, 2]))
    made("missed_hit", round_id, "royal_flush", 1, 2)
    deny(CaseId("grand", round_id, "royal_flush"), 2)
    told = [one.event for one in store.load(round_key(property_code(), round_id)).events][-2:]
    assert [type(one) for one in told] == [WinFound, WinDenied]
    assert (told[0].seats, told[0].by, told[0].approved_by, told[1].seats) == ((1, 2), "max", "mia", (2,))
    assert tables.load_round(round_id).winners == {("grand", "royal_flush", 1)}
