"""Paid jackpots put right on a real log (books, 5.9), rounds in between (5.10), a void once its hit is denied (5.8).

A straight flush wins a tenth, a royal flush all. Each chance feeds main 0.65 and the reserve 0.10.
"""

import json
from datetime import UTC, datetime, timedelta

import pytest

from casino.approval import Approval
from casino.commands import imports, rounds
from casino.eventstore.follower import catch_up
from casino.eventstore.rebuild import rebuild
from casino.refusal import Refused
from casino.statuses import status_of
from jackpot import models, queries, tasks
from jackpot.commands import cases, corrections, links, requests
from jackpot.commands.cases import CaseId
from jackpot.commands.corrections import Winners
from jackpot.correction_events import HitInBetween, JackpotMissed, JackpotRefilled, PlayerMissed
from jackpot.instants import meter_below
from jackpot.payables import payables
from jackpot.projections import METERS
from jackpot.shares import SHARES
from jackpot.today import gaming_date_now
from tests.jackpot.test_cases import ROYAL_FLUSH, STRAIGHT_FLUSH, a_hit, approved, by, refusal, states

NOTHING = "As Kd 9c 4h 2s"


def asked(kind: str, round_id, rank: str, *seats: int, who: str = "max") -> int:
    """The number of the request."""
    catch_up()
    winners = Winners(str(round_id), rank, seats)
    done = corrections.ask_correction(by(who), "grand", kind, winners, "Seen on the recording.", "CCTV 4711")
    catch_up()
    return done.events[0].number


def made(kind: str, round_id, rank: str, *seats: int):
    """The correction's event, after two people."""
    event, _ = requests.approve_request(by("mia"), "grand", asked(kind, round_id, rank, *seats)).events
    catch_up()
    return event


def paid(case_id: CaseId, *seats: int) -> None:
    for seat in seats:
        approved(case_id, seat)
        cases.pay(by("dan"), case_id, seat)
    catch_up()


def is_sound() -> None:
    """Rebuilding changes nothing, and every micro-unit is accounted for."""
    for follower in (METERS, SHARES):
        assert rebuild(follower, "owner", check=True, progress=lambda _: None) == []
    explained = queries.explain("grand")
    assert explained.put_in_micros == explained.held_micros


def lines(line: str) -> dict[str, int]:
    rows = models.DayLine.objects.filter(link="grand", line=line)
    return {row.account: row.micros for row in rows}


# ------------------------------------------------------------------------------------------------- not a hit


def test_the_house_refills_what_was_paid_and_was_no_hit_after_all(floor):
    case_id = a_hit(floor)  # 250.06 each; main falls to 4,501.18
    paid(case_id, 1)
    before = floor.state().meter
    event = made("refill", case_id.round, case_id.rank, 1)
    after = floor.state().meter
    assert isinstance(event, JackpotRefilled)
    assert (event.amount_cents, event.by, event.approved_by) == (25_006, "max", "mia")
    assert after.main_micros == before.main_micros + 250_060_000
    assert after.house_share_micros == before.house_share_micros - 250_060_000
    assert (after.reserve_micros, after.payable_micros) == (before.reserve_micros, before.payable_micros)
    assert lines("corrections") == {"main": 250_060_000, "house_share": -250_060_000}
    assert models.Share.objects.get(seat=1).state == "refilled"
    assert [one.share.seat for one in payables(gaming_date_now(), 365).open] == [2]
    is_sound()


def test_a_share_is_refilled_once_and_only_where_it_was_paid(floor):
    case_id = a_hit(floor)
    paid(case_id, 1)
    number = asked("refill", case_id.round, case_id.rank, 1)
    assert refusal(requests.approve_request, by("max"), "grand", number) == "same_person"
    second = asked("refill", case_id.round, case_id.rank, 1)
    requests.approve_request(by("mia"), "grand", number)
    assert refusal(requests.approve_request, by("mia"), "grand", second) == "already_refilled"
    assert refusal(asked, "refill", case_id.round, case_id.rank, 2) == "share_not_paid"
    assert refusal(asked, "refill", case_id.round, "royal_flush", 1) == "unknown_hit"


def test_a_refill_above_the_posted_limit_overflows(floor):
    floor.open("R-04")
    floor.link("low", tables=["R-04"], limit_cents=500_100)
    round_id = floor.play("R-04", ROYAL_FLUSH, [1])  # 5,000.65
    floor.record()
    case_id = CaseId("low", round_id, "royal_flush")
    paid(case_id, 1)
    catch_up()
    winners = Winners(str(round_id), "royal_flush", [1])
    corrections.ask_correction(by("max"), "low", "refill", winners, "Cards misread.", "CCTV 1")
    requests.approve_request(by("mia"), "low", 1)
    meter = floor.state("low").meter
    assert (meter.main_micros, meter.overflow_micros) == (5_001_000_000, 4_999_650_000)
    assert rebuild(METERS, "owner", check=True, progress=lambda _: None) == []


# ------------------------------------------------------------------------------------------------- a missed hit


def test_a_missed_hit_is_paid_from_the_meter_at_its_place_down_to_the_reset_and_the_rest_by_the_house(floor):
    for _ in range(3):
        floor.play("R-01", NOTHING, [1, 2])
    missed = floor.play("R-02", NOTHING, [4, 5])  # 8 chances: 5,005.20
    floor.play("R-03", NOTHING, [1])  # 5,005.85
    event = made("missed_hit", missed, "straight_flush", 4, 5)
    assert isinstance(event, JackpotMissed)
    assert (event.before_micros, event.amount_cents, event.shares_cents) == (5_005_200_000, 50_052, (25_026, 25_026))
    meter = floor.state().meter
    assert meter.main_micros == 5_000_000_000  # 5.85 was above the reset
    assert lines("corrections") == {"main": -5_850_000, "payable": 500_520_000, "house_share": -494_670_000}
    hit = models.Hit.objects.get()
    assert (hit.kind, hit.from_house_micros, hit.states) == ("missed_hit", 494_670_000, ["open", "open"])
    case_id = CaseId("grand", missed, "straight_flush")
    paid(case_id, 4, 5)
    assert states(case_id) == ["paid", "paid"]
    assert floor.state().meter.payable_micros == 0
    is_sound()


def test_a_missed_hit_of_before_a_hit_keeps_that_hits_price(floor):
    missed = floor.play("R-02", NOTHING, [3])  # 5,000.65
    case_id = a_hit(floor, ROYAL_FLUSH, [1])  # 5,001.30, and the meter is reset
    won = floor.hits()[0].amount_cents
    event = made("missed_hit", missed, "royal_flush", 3)
    assert event.amount_cents == 500_065
    assert floor.state().meter.main_micros == 5_000_000_000
    assert (floor.hits()[0].amount_cents, won) == (500_130, 500_130)
    assert lines("corrections")["house_share"] == -5_000_650_000
    paid(case_id, 1)
    is_sound()


def test_a_missed_hit_is_refused_where_it_cannot_have_been(floor):
    case_id = a_hit(floor)
    played = floor.play("R-02", NOTHING, [1])
    assert refusal(asked, "missed_hit", case_id.round, case_id.rank, 1) == "already_a_hit"
    assert refusal(asked, "missed_hit", played, "royal_flush", 2) == "no_chance"
    assert refusal(asked, "missed_hit", played, "full_house", 1) == "no_such_tier"
    assert refusal(asked, "missed_hit", played, "royal_flush") == "no_seats"
    assert refusal(asked, "missed_hit", "R-02/2026-11-29", "royal_flush", 1) == "unknown_round"
    assert refusal(asked, "missed_hit", "R-02/1999-01-01/1", "royal_flush", 1) == "unknown_round"
    rounds.open_round(floor.order(), "R-03")
    assert refusal(asked, "missed_hit", floor.last_round("R-03"), "royal_flush", 1) == "round_not_complete"
    number = asked("missed_hit", played, "royal_flush", 1)
    twin = asked("missed_hit", played, "royal_flush", 1)
    requests.approve_request(by("mia"), "grand", number)
    assert refusal(requests.approve_request, by("mia"), "grand", twin) == "already_a_hit"


def test_the_meter_below_a_position_is_what_every_hit_met(floor):
    for table, cards in (("R-01", NOTHING), ("R-02", STRAIGHT_FLUSH), ("R-03", NOTHING), ("R-01", ROYAL_FLUSH)) * 2:
        floor.play(table, cards, [1, 2, 3])
    floor.record()
    hits = floor.hits()
    assert len(hits) == 4
    assert [meter_below("grand", hit.at_position).main_micros for hit in hits] == [hit.before_micros for hit in hits]


# ------------------------------------------------------------------------------------------------- a missed player


def test_a_missed_player_gets_the_same_share_from_the_house(floor):
    case_id = a_hit(floor)  # 250.06 each for seats 1 and 2; seat 6 had put down a chip that was not recorded
    paid(case_id, 1, 2)
    before = floor.state().meter
    event = made("missed_player", case_id.round, case_id.rank, 6)
    after = floor.state().meter
    assert isinstance(event, PlayerMissed)
    assert (event.share_cents, event.out_cents) == (25_006, 25_006)
    assert (after.main_micros, after.payable_micros) == (before.main_micros, 250_060_000)
    assert after.house_share_micros == before.house_share_micros - 250_060_000
    assert states(case_id) == ["paid", "paid", "pending"]
    assert [one.share.seat for one in payables(gaming_date_now(), 365).open] == [6]
    paid(case_id, 6)
    assert floor.state().meter.payable_micros == 0
    is_sound()


def test_a_missed_player_is_somebody_at_the_table_who_has_no_share(floor):
    case_id = a_hit(floor)
    assert refusal(asked, "missed_player", case_id.round, case_id.rank, 2) == "has_a_share"
    assert refusal(asked, "missed_player", case_id.round, case_id.rank, 60) == "no_such_seat"
    assert refusal(asked, "missed_player", case_id.round, "royal_flush", 5) == "unknown_hit"


def test_a_player_missed_in_a_missed_hit_is_paid_by_the_house_beside_the_others(floor):
    round_id = floor.play("R-01", NOTHING, [1, 2, 5])  # 5,001.95
    made("missed_hit", round_id, "royal_flush", 1, 2)  # 2,500.97 each
    before = floor.state().meter
    event = made("missed_player", round_id, "royal_flush", 5)
    after = floor.state().meter
    assert isinstance(event, PlayerMissed)
    assert (event.share_cents, event.out_cents) == (250_097, 250_097)
    assert after.main_micros == before.main_micros
    assert after.payable_micros == before.payable_micros + 2_500_970_000
    assert after.house_share_micros == before.house_share_micros - 2_500_970_000
    case_id = CaseId("grand", round_id, "royal_flush")
    assert states(case_id) == ["pending"] * 3
    paid(case_id, 1, 2, 5)
    assert floor.state().meter.payable_micros == 0
    assert [hit.kind for hit in models.Hit.objects.order_by("nth")] == ["missed_hit", "missed_player"]
    assert refusal(asked, "missed_player", round_id, "royal_flush", 5) == "has_a_share"
    is_sound()


def test_shares_of_several_records_are_returned_together(floor):
    round_id = floor.play("R-01", NOTHING, [1, 2])
    made("missed_hit", round_id, "royal_flush", 1)
    made("missed_player", round_id, "royal_flush", 2)
    case_id = CaseId("grand", round_id, "royal_flush")
    cases.ask_return(by("sue"), case_id, (), "denied", "The recording was of another round.")
    catch_up()
    cases.approve_return(by("pia"), case_id, ())
    meter = floor.state().meter
    assert (meter.payable_micros, meter.main_micros) == (0, 5_000_000_000 + 2 * 5_001_300_000)
    is_sound()


# ------------------------------------------------------------------------------------------------- a void


def test_a_round_can_be_voided_once_every_share_of_its_hit_is_denied_or_void(floor):
    case_id = a_hit(floor)  # two shares of 250.06; the round is complete and not settled
    second = Approval("ana", "eve")
    before = floor.state().meter
    assert refusal(rounds.void_round, floor.order(), case_id.round, "Cards misread.", second) == "round_has_hit"
    for seat, reason in ((1, "denied"), (2, "void")):
        cases.ask_return(by("sue"), case_id, [seat], reason, "The cards were misread.")
        assert refusal(rounds.void_round, floor.order(), case_id.round, "Misread.", second) == "round_has_hit"
        cases.approve_return(by("pia"), case_id, [seat])
    rounds.void_round(floor.order(), case_id.round, "Cards misread.", second)
    after = floor.state().meter
    assert after.main_micros == before.main_micros + 500_120_000 - 1_300_000
    assert after.stakes_micros == 0
    is_sound()


def test_an_unclaimed_share_was_won_and_its_round_stays(floor, monkeypatch):
    case_id = a_hit(floor)
    cases.ask_return(by("sue"), case_id, [1], "denied", "The cards were misread.")
    cases.approve_return(by("pia"), case_id, [1])
    later = floor.order().at
    monkeypatch.setattr(cases, "gaming_date", lambda order: later.date() + timedelta(days=4_000))
    cases.ask_return(by("sue"), case_id, [2], "unclaimed", "Nobody came.")
    cases.approve_return(by("pia"), case_id, [2])
    monkeypatch.undo()
    catch_up()
    assert states(case_id) == ["denied", "unclaimed"]
    code = refusal(rounds.void_round, floor.order(), case_id.round, "Misread.", Approval("ana", "eve"))
    assert code == "round_has_hit"


# ------------------------------------------------------------------------------------------------- in between


def imported(table: str, number: int, at: datetime, cards: str = NOTHING) -> None:
    line = {
        "source": "shoe-1", "source_round": f"s-{number}", "table": table, "occurred_at": at.isoformat(),
        "wagers": [{"seat": 1, "wager": "progressive", "stake_cents": 100}], "cards": cards.split(),
        "progressive_count": 1,
    }  # fmt: skip
    (outcome,) = imports.import_rounds([imports.read_line(json.dumps(line).encode())])
    assert outcome.word == "new", outcome.refusal


def test_a_feeds_round_of_before_a_hit_opens_a_case_and_reprices_nothing(floor):
    before_the_hit = datetime.now(UTC)
    a_hit(floor, ROYAL_FLUSH, [1])
    won = floor.hits()[0]
    floor.open("R-04")
    links.join_table(by("max"), "grand", "R-04")
    imported("R-04", 1, before_the_hit)
    imported("R-04", 2, datetime.now(UTC))
    catch_up()
    tasks.fold_links()
    catch_up()
    tasks.fold_links()
    catch_up()
    (case,) = [one.event for one in floor.events() if isinstance(one.event, HitInBetween)]
    assert (case.round.split("/")[0], case.hit, case.stakes_cents) == ("R-04", f"{won.round} royal_flush", 100)
    meter = floor.state().meter
    assert meter.main_micros == 5_000_000_000 + 2 * 650_000
    assert floor.hits() == [won]
    assert floor.state().control.between == (case,)
    assert refusal(corrections.settle_between, by("mia"), "grand", "R-04/2026-01-01/1", "x") == "unknown_between"
    corrections.settle_between(by("mia"), "grand", case.round, "The feed was cut off; the hit keeps its price.")
    assert floor.state().control.between == ()
    is_sound()


def test_what_cannot_be_put_right_is_a_conflict(database):
    for code in ("already_a_hit", "has_a_share", "already_refilled", "share_not_paid", "round_not_complete"):
        assert status_of(code) == 409


def test_a_request_for_a_correction_that_no_longer_fits_can_be_declined(floor):
    round_id = floor.play("R-01", NOTHING, [1])
    number = asked("missed_hit", round_id, "royal_flush", 1)
    requests.decline_request(by("mia"), "grand", number, "The recording shows another hand.")
    catch_up()
    assert floor.state().control.requests == ()
    with pytest.raises(Refused, match="no open request"):
        requests.approve_request(by("mia"), "grand", number)
