"""Parameters changed under control on a real floor: two people, never in play, pinned by the rounds opened after."""

from datetime import UTC, datetime, timedelta

import pytest

from casino.approval import Approval
from casino.commands import rounds
from casino.commands.tables import load_round, load_table
from casino.eventstore.follower import catch_up
from casino.eventstore.rebuild import rebuild
from casino.refusal import Refused
from casino.round.betting import Asked
from jackpot import models, queries, tasks
from jackpot.commands import changes, links, stops
from jackpot.control_events import Change, ChangeDropped, ChangeMade
from jackpot.projections import METERS
from tests.jackpot.test_cases import by

ROYAL_FLUSH, STRAIGHT_FLUSH = "As Ks Qs Js Ts", "9s 8s 7s 6s 5s"
NOW = datetime.now(UTC)
SECOND = Approval("ana", "eve")


def approved(change: Change, effective_at: datetime | None = None, link: str = "grand") -> int:
    """The number of a change that two people want."""
    done = changes.propose_change(by("max"), link, change, effective_at, "For the test.")
    number = done.events[0].number
    changes.approve_change(by("mia"), link, number)
    catch_up()
    return number


def refusal(function, *arguments, **named) -> str:
    with pytest.raises(Refused) as refused:
        function(*arguments, **named)
    return refused.value.code


def offered(table: str):
    return load_table(table).table.side_bets["progressive"]


def test_a_change_is_made_for_the_link_and_all_its_tables_at_once(floor):
    catch_up()
    floor.play("R-01")
    approved(Change(increment_bp=6000, hidden_bp=1500, reset_cents=400_000))
    assert changes.make_due_changes() == 1
    catch_up()
    assert [offered(table).increment_bp for table in ("R-01", "R-02", "R-03")] == [6000] * 3
    floor.play("R-02")
    link = floor.state()
    assert link.meter.main_micros == 5_000_000_000 + 650_000 + 600_000
    assert link.meter.reset_micros == 4_000_000_000
    assert changes.make_due_changes() == 0
    assert rebuild(METERS, "owner", check=True, progress=lambda _: None) == []


def test_a_hit_after_the_change_resets_the_meter_to_the_new_amount(floor):
    catch_up()
    approved(Change(reset_cents=400_000))
    changes.make_due_changes()
    floor.play("R-01", ROYAL_FLUSH)
    assert floor.state().meter.main_micros == 4_000_000_000


def test_a_change_waits_while_a_round_that_pinned_the_link_is_open(floor):
    catch_up()
    rounds.open_round(floor.order(), "R-02")
    number = approved(Change(increment_bp=6000))
    assert changes.make_due_changes() == 0
    assert "R-02" in changes.why_waiting("grand", number, NOW + timedelta(seconds=60))
    assert refusal(changes.make_change, by("max"), "grand", number) == "link_in_play"
    rounds.void_round(floor.order(), floor.last_round("R-02"), "Nobody stayed.", SECOND)
    catch_up()
    assert changes.why_waiting("grand", number, datetime.now(UTC)) == ""
    assert changes.make_due_changes() == 1


def test_a_round_of_a_table_that_left_holds_the_change_too(floor):
    catch_up()
    rounds.open_round(floor.order(), "R-02")
    links.leave_table(by("ana"), "grand", "R-02", "The sign is dark.")
    number = approved(Change(increment_bp=6000))
    assert refusal(changes.make_change, by("max"), "grand", number) == "link_in_play"


def test_a_change_waits_for_its_time_and_the_task_makes_it(floor):
    catch_up()
    number = approved(Change(increment_bp=6000), NOW + timedelta(hours=1))
    assert changes.make_due_changes() == 0
    assert refusal(changes.make_change, by("max"), "grand", number) == "not_due"
    other = approved(Change(hidden_bp=1500))
    tasks.fold_links()
    catch_up()
    assert [one.event.number for one in floor.events() if isinstance(one.event, ChangeMade)] == [other]


def test_a_limit_that_the_meter_has_reached_by_then_is_dropped_with_the_reason(floor):
    floor.play("R-01")
    catch_up()
    number = approved(Change(limit_cents=500_066))  # the meter shows 5,000.65
    floor.play("R-01")
    catch_up()
    assert changes.make_due_changes() == 0
    (dropped,) = [one.event for one in floor.events() if isinstance(one.event, ChangeDropped)]
    assert (dropped.number, dropped.by) == (number, "jackpot")
    assert "a new limit has to be above that" in dropped.reason
    catch_up()
    assert floor.state().control.changes == ()


def test_a_proposal_is_checked_when_it_is_made_and_by_two_people(floor):
    catch_up()
    arguments = ("grand", Change(limit_cents=400_000), None, "A lower sign.")
    assert refusal(changes.propose_change, by("max"), *arguments) == "limit_too_low"
    changes.propose_change(by("max"), "grand", Change(increment_bp=6000), None, "Less.")
    assert refusal(changes.approve_change, by("max"), "grand", 1) == "same_person"
    assert refusal(changes.approve_change, by("mia"), "grand", 2) == "unknown_change"
    changes.drop_change(by("max"), "grand", 1, "Thought better of it.")
    assert refusal(changes.approve_change, by("mia"), "grand", 1) == "unknown_change"


def test_another_set_of_tiers_is_written_out(floor):
    catch_up()
    change = Change(tiers_name="literal")
    assert refusal(changes.propose_change, by("max"), "grand", change, None, "The sheet.") == "return_over_100"
    changes.propose_change(by("max"), "grand", change, None, "The sheet.", "Ben Adler")
    changes.approve_change(by("mia"), "grand", 1)
    catch_up()
    changes.make_due_changes()
    assert offered("R-01").tiers == dict.fromkeys(("five_of_a_kind", "royal_flush", "straight_flush"), "1")


@pytest.mark.parametrize("attempt", range(5))
def test_no_round_of_the_old_parameters_is_open_under_the_new_ones(floor, at_once, attempt):
    catch_up()
    number = approved(Change(increment_bp=6000))
    told: list[str] = []

    def make() -> None:
        try:
            changes.make_change(by("max"), "grand", number)
            told.append("made")
        except Refused as refusal:
            told.append(refusal.code)

    at_once(make, *[lambda table=table: rounds.open_round(by("ana"), table) for table in ("R-01", "R-02", "R-03")])
    pinned = {
        load_round(floor.last_round(t)).opened.side_bets["progressive"].increment_bp for t in ("R-01", "R-02", "R-03")
    }
    if told == ["made"]:
        assert pinned == {6000}
    else:
        assert told[0] in ("link_in_play", "busy")
        assert pinned == {6500}


# ------------------------------------------------------------------------------------------------- stops


def test_a_stopped_link_takes_no_wager_anywhere_and_says_why(floor):
    catch_up()
    rounds.open_round(floor.order(), "R-01")
    taking = floor.last_round("R-01")
    rounds.place_wagers(floor.order(), taking, [Asked(1, "progressive", 100)])
    stops.stop_link(by("max"), "grand", "The sign is being changed.")
    with pytest.raises(Refused, match=r"not taken at table R-01 now \(The sign is being changed\)") as refused:
        rounds.place_wagers(floor.order(), taking, [Asked(2, "progressive", 100)])
    assert refused.value.code == "side_bet_disabled"
    assert refusal(floor.play, "R-02") == "side_bet_disabled"
    rounds.close_bets(floor.order(), taking)
    rounds.collect_progressive(floor.order(), taking, 1)  # what stood before plays on
    assert floor.state().meter.stakes_micros == 1_000_000
    assert queries.row_of("grand").stopped == "The sign is being changed."


def test_a_resumed_link_takes_the_bet_in_the_state_in_which_it_stopped(floor):
    floor.play("R-01")
    catch_up()
    before = floor.state().meter
    stops.stop_link(by("max"), "grand", "New sign.")
    catch_up()
    stops.resume_link(by("max"), "grand")
    catch_up()
    assert floor.state().meter == before
    assert offered("R-01").increment_bp == 6500
    floor.play("R-01")
    assert floor.state().meter.stakes_micros == 2_000_000


def test_a_change_is_made_while_the_link_is_stopped_and_taken_up_when_it_resumes(floor):
    rounds.open_round(floor.order(), "R-01")
    stops.stop_link(by("max"), "grand", "New parameters.")
    rounds.void_round(floor.order(), floor.last_round("R-01"), "Nobody stayed.", SECOND)
    rounds.open_round(floor.order(), "R-01")  # it pins nothing of the link
    catch_up()
    approved(Change(increment_bp=6000))
    assert changes.make_due_changes() == 1
    assert offered("R-02").increment_bp == 6500
    catch_up()
    stops.resume_link(by("max"), "grand")
    assert offered("R-02").increment_bp == 6000


@pytest.mark.parametrize("attempt", range(4))
def test_a_round_that_opens_while_the_link_stops_is_told_or_pins_nothing(floor, at_once, attempt):
    catch_up()
    at_once(
        lambda: stops.stop_link(by("max"), "grand", "New sign."),
        *[lambda table=table: rounds.open_round(by("ana"), table) for table in ("R-01", "R-02", "R-03")],
    )
    for table in ("R-01", "R-02", "R-03"):
        bet = [Asked(1, "progressive", 100)]
        assert refusal(rounds.place_wagers, floor.order(), floor.last_round(table), bet) == "side_bet_disabled"


# ------------------------------------------------------------------------------------------------- levels


@pytest.fixture
def empty_bank(floor):
    """A bank that no table has joined yet."""
    links.set_up_link(by("max"), "trio", game="54-card-roulette", increment_bp=5000, hidden_bp=1000)
    links.set_up_link(
        by("max"), "trio-mini", game="54-card-roulette", reset_cents=5_000, increment_bp=1000, hidden_bp=0,
        level_of="trio",
    )  # fmt: skip


@pytest.fixture
def bank(floor):
    """A level for royal flushes and better, and a mini one that a straight flush wins whole; R-05 takes the bet."""
    floor.open("R-05")
    links.set_up_link(
        by("max"), "duo", game="54-card-roulette", tiers={"five_of_a_kind": "1", "royal_flush": "1"},
        increment_bp=5000, hidden_bp=1000,
    )  # fmt: skip
    links.set_up_link(
        by("max"), "duo-mini", game="54-card-roulette", tiers={"straight_flush": "1"}, base_cents=20_000,
        reset_cents=20_000, increment_bp=1500, hidden_bp=500, level_of="duo",
    )  # fmt: skip
    links.join_table(by("max"), "duo", "R-05")
    return floor


def test_one_stake_feeds_every_level_and_is_counted_once(bank):
    bank.play("R-05", seats=[1, 2])
    duo, mini = bank.state("duo").meter, bank.state("duo-mini").meter
    assert (duo.main_micros, duo.reserve_micros) == (5_000_000_000 + 2 * 500_000, 2 * 100_000)
    assert (mini.main_micros, mini.reserve_micros) == (200_000_000 + 2 * 150_000, 2 * 50_000)
    assert (mini.stakes_micros, mini.house_share_micros) == (2 * 200_000, 0)
    assert duo.house_share_micros == 2 * 200_000
    assert duo.stakes_micros + mini.stakes_micros == 2 * 1_000_000


def test_each_level_is_won_by_its_own_tiers_and_resets_by_its_own_amount(bank):
    bank.play("R-05", STRAIGHT_FLUSH, seats=[1, 2])
    bank.play("R-05", ROYAL_FLUSH, seats=[3])
    assert bank.record() == 2
    mini, duo = models.Hit.objects.order_by("at_position")
    assert (mini.link_id, mini.rank, mini.amount_cents, mini.after_micros) == (
        "duo-mini", "straight_flush", 20_030, 200_000_000 + 300_000 - 300_000,
    )  # fmt: skip
    assert (duo.link_id, duo.rank, duo.amount_cents) == ("duo", "royal_flush", 500_150)
    for code in ("duo", "duo-mini"):
        explained = queries.explain(code)
        assert explained.put_in_micros == explained.held_micros
    assert rebuild(METERS, "owner", check=True, progress=lambda _: None) == []


def test_a_void_takes_back_what_every_level_was_fed(bank):
    before = [bank.state(code).meter for code in ("duo", "duo-mini")]
    rounds.open_round(bank.order(), "R-05")
    round_id = bank.last_round("R-05")
    rounds.place_wagers(bank.order(), round_id, [Asked(1, "progressive", 100)])
    rounds.close_bets(bank.order(), round_id)
    rounds.collect_progressive(bank.order(), round_id, 1)
    rounds.void_round(bank.order(), round_id, "The deck was fouled.", SECOND)
    assert [bank.state(code).meter for code in ("duo", "duo-mini")] == before


def test_a_levels_parameters_change_at_the_banks_tables(bank):
    catch_up()
    approved(Change(increment_bp=1000), link="duo-mini")
    assert changes.make_due_changes() == 1
    assert [level.increment_bp for level in offered("R-05").levels] == [1000]


@pytest.mark.parametrize(
    ("code", "named"),
    [
        ("rates_over_stake", {"increment_bp": 3500}),
        ("unknown_link", {"level_of": "gold"}),
        ("is_a_level", {"level_of": "trio-mini"}),
        ("link_in_use", {"level_of": "grand"}),
        ("different_chance", {"stake_cents": 500}),
    ],
)
def test_a_level_that_does_not_fit_its_bank_is_refused(empty_bank, code, named):
    wanted = {"game": "54-card-roulette", "increment_bp": 100, "hidden_bp": 0, "level_of": "trio"} | named
    wanted |= {"tiers": {"straight_flush": "1"}, "reset_cents": 5_000, "base_cents": 5_000}
    assert refusal(links.set_up_link, by("max"), "trio-third", **wanted) == code


def test_a_table_joins_the_bank_and_no_level_of_it(bank):
    bank.open("R-06")
    assert refusal(links.join_table, by("max"), "duo-mini", "R-06") == "is_a_level"
    assert refusal(stops.stop_link, by("max"), "duo-mini", "No.") == "is_a_level"


def test_a_link_that_is_set_up_twice_at_once_is_set_up_once(floor, at_once):
    told: list[str] = []

    def set_up() -> None:
        try:
            links.set_up_link(by("max"), "silver", game="54-card-roulette")
        except Refused as refusal:
            told.append(refusal.code)

    at_once(set_up, set_up, set_up)
    assert told == ["link_exists"] * 2
