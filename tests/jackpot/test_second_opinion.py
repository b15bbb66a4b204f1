"""Every meter of a random day rebuilt from the raw log by a second, plain implementation; and what never lowers one."""

import random

import pytest

from casino.approval import Approval
from casino.commands import rounds, settlement
from casino.commands.tables import load_table
from casino.eventstore import store
from casino.eventstore.follower import catch_up
from casino.refusal import Refused
from casino.round.betting import Asked
from jackpot import models
from jackpot.commands import cases, changes, corrections, links, requests
from jackpot.commands.cases import CaseId
from jackpot.commands.corrections import Winners
from jackpot.control_events import Change
from tests.jackpot.naive import CENT, replayed
from tests.jackpot.test_cases import a_hit, approved, by, refusal

RAW = """
    SELECT e.type, e.payload, CASE WHEN e.round_no IS NULL THEN NULL
           ELSE concat_ws('/', e.table_code, e.gaming_date, e.round_no) END, s.key
      FROM log.event e JOIN log.stream s ON s.id = e.stream_id ORDER BY e.position"""
CARDS = ("As Kd 9c 4h 2s", "As Kd 9c 4h 2s", "As Kd 9c 4h 2s", "9s 8s 7s 6s 5s", "As Ks Qs Js Ts")
TABLES = ("R-01", "R-02", "R-03")
SECOND = Approval("ana", "eve")
STEPS = 110


class Day:
    """A day of whatever may happen to two links, one of them with a further level and the other with a low limit."""

    def __init__(self, floor, seed: int) -> None:
        self.floor, self.chance = floor, random.Random(seed)
        self.done: dict[str, int] = {}

    def run(self) -> None:
        acts = [self.play] * 8 + [
            self.void, self.pay, self.pay, self.give_back, self.adjust, self.change, self.leave_and_join, self.refill,
            self.miss_a_hit, self.miss_a_player,
        ]  # fmt: skip
        for _ in range(STEPS):
            act = self.chance.choice(acts)
            try:
                act()
                self.done[act.__name__] = self.done.get(act.__name__, 0) + 1
            except Refused as refusal:  # what may not be now, the house says
                self.done[refusal.code] = self.done.get(refusal.code, 0) + 1
            self.floor.record()

    def seats(self) -> list[int]:
        return sorted(self.chance.sample(range(1, 8), self.chance.randint(1, 5)))

    def play(self) -> None:
        self.floor.play(self.chance.choice(TABLES), self.chance.choice(CARDS), self.seats())

    def void(self) -> None:
        table = self.chance.choice(TABLES)
        rounds.open_round(self.floor.order(), table)
        round_id, seats = self.floor.last_round(table), self.seats()
        try:
            rounds.place_wagers(self.floor.order(), round_id, [Asked(seat, "progressive", 100) for seat in seats])
            rounds.close_bets(self.floor.order(), round_id)
            rounds.collect_progressive(self.floor.order(), round_id, len(seats))
        finally:
            rounds.void_round(self.floor.order(), round_id, "A fouled deck.", SECOND)

    def hit(self, *states: str) -> tuple[models.Hit, int]:
        found = [
            (hit, seat)
            for hit in models.Hit.objects.order_by("at_position", "nth")
            for seat, state in zip(hit.seats, hit.states, strict=True)
            if state in states
        ]
        if not found:
            raise Refused("nothing_there", "No such share yet.")
        return self.chance.choice(found)

    def case_of(self, hit: models.Hit) -> CaseId:
        table, _, n = str(hit.round).split("/")
        session = load_table(table).session
        assert session is not None
        return CaseId(hit.link_id, self.floor.last_round(table)._replace(n=int(n)), str(hit.rank))

    def pay(self) -> None:
        hit, seat = self.hit("open")
        approved(self.case_of(hit), seat, paid_from="cage" if self.chance.random() < 0.5 else "tray")
        cases.pay(by("dan"), self.case_of(hit), seat)

    def give_back(self) -> None:
        hit, seat = self.hit("open")
        reason = self.chance.choice(["denied", "void"])
        cases.ask_return(by("sue"), self.case_of(hit), [seat], reason, "The cards were misread.")
        cases.approve_return(by("pia"), self.case_of(hit), [seat])

    def adjust(self) -> None:
        pool, code = self.chance.choice(["main", "reserve"]), self.chance.choice(["grand", "low"])
        micros = self.chance.choice([-1, 1]) * self.chance.randint(1, 3_000_000)
        done = requests.ask_adjustment(by("max"), code, pool, micros, "malfunction", "Reading 3.")
        requests.approve_request(by("mia"), code, done.events[0].number)

    def change(self) -> None:
        code = self.chance.choice(["grand", "low"])
        wanted = Change(
            increment_bp=self.chance.randint(3_000, 6_000), hidden_bp=self.chance.randint(100, 1_500),
            reset_cents=self.chance.randint(300_000, 500_000),
        )  # fmt: skip
        number = changes.propose_change(by("max"), code, wanted, None, "A slower meter.").events[0].number
        changes.approve_change(by("mia"), code, number)
        catch_up()
        changes.make_change(by("max"), code, number)

    def leave_and_join(self) -> None:
        """R-01 and R-02 change between the links; R-03 stays."""
        table = self.chance.choice(TABLES[:2])
        code = load_table(table).table.side_bets["progressive"].link
        links.leave_table(by("max"), code, table, "To the other link.")
        links.join_table(by("max"), "low" if code == "grand" else "grand", table)

    def refill(self) -> None:
        hit, seat = self.hit("paid")
        self.correct("refill", hit.link_id, Winners(hit.round, hit.rank, [seat]))

    def miss_a_player(self) -> None:
        hit, _ = self.hit("open", "paid")
        self.correct("missed_player", hit.link_id, Winners(hit.round, hit.rank, [self.chance.randint(1, 7)]))

    def miss_a_hit(self) -> None:
        table = self.chance.choice(TABLES)
        round_id = self.floor.play(table, CARDS[0], [2, 4])
        code = load_table(table).table.side_bets["progressive"].link
        catch_up()
        self.correct("missed_hit", code, Winners(str(round_id), "straight_flush", [2, 4]))

    def correct(self, kind: str, code: str, winners: Winners) -> None:
        done = corrections.ask_correction(by("max"), code, kind, winners, "On the recording.", "CCTV 4")
        requests.approve_request(by("mia"), code, done.events[0].number)


@pytest.fixture
def banks(floor):
    floor.open("R-09")
    floor.link("low", limit_cents=500_200, overflow_rule="overflow_to_next_meter", increment_bp=5_000)
    floor.link("minor", level_of="low", base_cents=50_000, reset_cents=50_000, increment_bp=700, hidden_bp=100)
    links.join_table(by("max"), "low", "R-09")
    catch_up()
    return floor


@pytest.mark.parametrize("seed", [54, 2026])
def test_a_second_implementation_comes_to_the_same_meters_to_the_micro_unit(banks, seed):
    day = Day(banks, seed)
    day.run()
    catch_up()
    settlement.settle_due()
    naive = replayed(store.run(RAW).fetchall())
    for row in models.Link.objects.all():
        meter = row.folded().meter
        ours = {
            "main": meter.main_micros, "reserve": meter.reserve_micros, "overflow": meter.overflow_micros,
            "house": meter.house_share_micros, "payable": meter.payable_micros,
        }  # fmt: skip
        assert naive[row.code].figures == ours, day.done
    owed = sum(share.amount_cents for share in models.Share.objects.filter(state__in=("pending", "disputed")))
    assert owed * CENT <= sum(meter.payable for meter in naive.values())
    happened = {"play", "void", "pay", "give_back", "adjust", "change", "leave_and_join"}
    assert happened <= set(day.done), day.done
    assert {"refill", "miss_a_hit", "miss_a_player"} & set(day.done)


# ------------------------------------------------------------------------------------------------- decreases

ILLEGAL = [
    ("for no reason of the list", ("main", -1, "rounding", "Reading 3."), "unknown_reason"),
    ("because the sign shows less", ("main", -1, "display", "Reading 3."), "unknown_reason"),
    ("for a win that nobody had", ("main", -1, "win", "Reading 3."), "unknown_reason"),
    ("for a void that was none", ("main", -1, "void", "Reading 3."), "unknown_reason"),
    ("by a refill backwards", ("main", -1, "house_refill", "Reading 3."), "unknown_reason"),
    ("by an opening reading", ("main", -1, "opening_reading", "Reading 3."), "not_taken_over"),
    ("by a transfer in", ("main", -1, "transfer_in", "Reading 3."), "unknown_reason"),
    ("by a part of a transfer", ("main", -1, "transfer_out", "Reading 3."), "transfer_not_whole"),
    ("below nothing", ("main", -5_000_000_001, "malfunction", "Reading 3."), "pool_too_small"),
    ("the reserve below nothing", ("reserve", -1, "malfunction", "Reading 3."), "pool_too_small"),
    ("the overflow below nothing", ("overflow", -1, "posted_limit", "Reading 3."), "pool_too_small"),
    ("of a pool that is none", ("payable", -1, "malfunction", "Reading 3."), "unknown_pool"),
    ("by nothing", ("main", 0, "malfunction", "Reading 3."), "adjustment_zero"),
    ("without evidence", ("main", -1, "malfunction", " "), "evidence_missing"),
    ("without a reason", ("main", -1, " ", "Reading 3."), "reason_missing"),
]


@pytest.mark.parametrize(("how", "asked", "code"), ILLEGAL, ids=[how for how, _, _ in ILLEGAL])
def test_a_meter_is_not_lowered(floor, how, asked, code):
    catch_up()
    before = floor.state().meter
    assert refusal(requests.ask_adjustment, by("max"), "grand", *asked) == code
    assert floor.state().meter == before


def test_a_meter_is_not_lowered_by_one_person_nor_by_what_was_declined_nor_by_new_parameters(floor):
    floor.play("R-01")
    catch_up()
    before = floor.state().meter.main_micros
    number = requests.ask_adjustment(by("max"), "grand", "main", -1, "malfunction", "Reading 3.").events[0].number
    assert refusal(requests.approve_request, by("max"), "grand", number) == "same_person"
    assert refusal(requests.approve_request, by("MAX"), "grand", number) == "same_person"
    requests.decline_request(by("mia"), "grand", number, "The reading was of another sign.")
    assert refusal(requests.approve_request, by("mia"), "grand", number) == "unknown_request"
    assert refusal(changes.propose_change, by("max"), "grand", Change(limit_cents=500_000), None, "x") in (
        "limit_too_low", "limit_below_meter",
    )  # fmt: skip
    change = changes.propose_change(by("max"), "grand", Change(reset_cents=100_000), None, "A lower reset.")
    changes.approve_change(by("mia"), "grand", change.events[0].number)
    catch_up()
    changes.make_due_changes()
    assert floor.state().meter.main_micros == before


def test_a_meter_is_not_lowered_by_a_share_that_is_paid_twice_or_returned_after_it_was_paid(floor):
    case_id = a_hit(floor)
    approved(case_id, 1)
    cases.pay(by("dan"), case_id, 1)
    before = floor.state().meter
    assert refusal(cases.pay, by("dan"), case_id, 1) == "share_not_approved"
    assert refusal(cases.ask_return, by("sue"), case_id, [1], "denied", "x") == "share_not_pending"
    assert refusal(rounds.void_round, floor.order(), case_id.round, "x", SECOND) == "round_has_hit"
    assert floor.state().meter == before
