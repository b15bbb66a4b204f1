"""Adjustments, transfers, retirement, removals: a decrease that is not on the list is refused, the rest takes two."""

from datetime import UTC, datetime

import pytest

from casino.approval import Approval
from casino.commands import rounds, tables
from casino.eventstore.follower import catch_up
from casino.eventstore.rebuild import rebuild
from casino.refusal import Refused
from jackpot import models, queries
from jackpot.commands import changes, links, requests
from jackpot.control_events import Change
from jackpot.meter import LOWERS, RAISES
from jackpot.projections import METERS
from tests.counts import counted
from tests.jackpot.test_cases import by

ROYAL_FLUSH = "As Ks Qs Js Ts"
GAME = "54-card-roulette"


def refusal(function, *arguments, **named) -> str:
    with pytest.raises(Refused) as refused:
        function(*arguments, **named)
    assert refused.value.message.endswith(".")
    return refused.value.code


def adjust(micros: int, reason: str = "malfunction", pool: str = "main", link: str = "grand") -> None:
    done = requests.ask_adjustment(by("max"), link, pool, micros, reason, "Reading 3, photograph 12.")
    requests.approve_request(by("ben"), link, done.events[0].number)
    catch_up()


@pytest.fixture
def no_notice(settings):
    """A house whose rules ask for no notice."""
    settings.CASINO_PROFILE = "new_jersey"


def test_a_meter_is_put_right_by_two_people_with_evidence(floor):
    floor.play("R-01")
    catch_up()
    adjust(-20_000)
    adjust(70_000)
    meter = floor.state().meter
    assert meter.main_micros == 5_000_650_000 + 50_000
    assert meter.adjustments_micros == 50_000
    assert queries.explain("grand").put_in_micros == queries.explain("grand").held_micros
    assert list(models.DayLine.objects.filter(account="main", line="adjustments").values_list("micros", flat=True)) == [
        50_000
    ]
    assert rebuild(METERS, "owner", check=True, progress=lambda _: None) == []


@pytest.mark.parametrize("reason", sorted((RAISES | {"display", "rounding", ""}) - LOWERS))
def test_a_meter_goes_down_for_no_reason_that_is_not_on_the_list(floor, reason):
    catch_up()
    code = refusal(requests.ask_adjustment, by("max"), "grand", "main", -1, reason, "Reading 3.")
    assert code in ("unknown_reason", "reason_missing", "not_taken_over")


@pytest.mark.parametrize(
    ("code", "asked"),
    [
        ("unknown_pool", {"pool": "jackpot"}),
        ("adjustment_zero", {"micros": 0}),
        ("evidence_missing", {"evidence": " "}),
        ("pool_too_small", {"micros": -5_000_000_001}),
        ("pool_too_small", {"pool": "reserve", "micros": -1}),
        ("transfer_not_whole", {"micros": -1, "reason": "transfer_out"}),
        ("unknown_link", {"code": "gold"}),
    ],
)
def test_an_adjustment_that_may_not_be_is_refused_and_nothing_is_written(floor, code, asked):
    catch_up()
    wanted = {"code": "grand", "pool": "main", "micros": -1, "reason": "malfunction", "evidence": "Reading 3."} | asked
    order = by("max")
    assert refusal(requests.ask_adjustment, order, **wanted) == code
    assert floor.state().meter.adjustments_micros == 0


def test_a_link_that_was_set_up_a_moment_ago_is_asked_for_nothing_until_its_meter_is_read(floor):
    links.set_up_link(by("max"), "fresh", game=GAME)
    asked = ("fresh", "main", 10_000, "malfunction", "Reading 3.")
    assert refusal(requests.ask_adjustment, by("max"), *asked) == "meter_behind"
    wanted = Change(limit_cents=900_000)
    assert refusal(changes.propose_change, by("max"), "fresh", wanted, None, "A sign.") == "meter_behind"
    catch_up()
    assert requests.ask_adjustment(by("max"), *asked).events[0].number == 1


def test_a_request_is_decided_once_by_somebody_else(floor):
    catch_up()
    requests.ask_adjustment(by("max"), "grand", "main", -1, "malfunction", "Reading 3.")
    assert refusal(requests.approve_request, by("MAX"), "grand", 1) == "same_person"
    requests.approve_request(by("ben"), "grand", 1)
    assert refusal(requests.approve_request, by("ben"), "grand", 1) == "unknown_request"
    requests.ask_adjustment(by("max"), "grand", "main", -1, "malfunction", "Reading 3.")
    assert refusal(requests.decline_request, by("ben"), "grand", 2, " ") == "reason_missing"
    requests.decline_request(by("ben"), "grand", 2, "The sign was read wrongly.")
    assert refusal(requests.approve_request, by("ben"), "grand", 2) == "unknown_request"


def test_two_people_who_approve_at_once_adjust_once(floor, at_once):
    catch_up()
    requests.ask_adjustment(by("max"), "grand", "main", -1, "malfunction", "Reading 3.")
    told: list[str] = []

    def approve(name: str):
        def run() -> None:
            try:
                requests.approve_request(by(name), "grand", 1)
                told.append("done")
            except Refused as refusal:
                told.append(refusal.code)

        return run

    at_once(approve("ben"), approve("mia"), approve("bob"))
    assert sorted(told) == ["done", "unknown_request", "unknown_request"]
    catch_up()
    assert floor.state().meter.adjustments_micros == -1


def test_a_hit_between_decision_and_fold_leaves_no_pool_below_nothing(floor):
    """The meter is decided on as it was folded; what a hit has taken since can't be taken again."""
    floor.play("R-01", seats=[1, 2, 3])
    catch_up()
    requests.ask_adjustment(by("max"), "grand", "reserve", -300_000, "seed_recovered", "Report 4.")
    floor.play("R-02", ROYAL_FLUSH)
    requests.approve_request(by("ben"), "grand", 1)
    meter = floor.state().meter
    assert meter.reserve_micros == 0
    assert meter.adjustments_micros == 0


# ------------------------------------------------------------------------------------------------- opening readings


@pytest.fixture
def running(floor):
    """A link whose meter ran elsewhere before, and R-04, which is to join it."""
    floor.open("R-04")
    links.set_up_link(by("max"), "old", game=GAME, taken_over=True)
    catch_up()
    return floor


def test_a_running_meter_begins_with_what_two_people_have_read(running):
    assert running.state("old").meter.main_micros == 0
    assert refusal(links.join_table, by("max"), "old", "R-04") == "opening_reading_missing"
    requests.ask_adjustment(by("max"), "old", "main", 7_123_450_000, "opening_reading", "The old sign.")
    assert refusal(requests.approve_request, by("ben"), "old", 1) == "readings_differ"
    assert refusal(requests.approve_request, by("ben"), "old", 1, 7_123_460_000) == "readings_differ"
    requests.approve_request(by("ben"), "old", 1, 7_123_450_000)
    links.join_table(by("max"), "old", "R-04")
    running.play("R-04")
    meter = running.state("old").meter
    assert meter.main_micros == 7_123_450_000 + 650_000
    assert meter.seeds_micros == 0


def test_a_meter_that_was_opened_with_a_base_has_no_opening_reading(floor):
    catch_up()
    asked = ("grand", "main", 1, "opening_reading", "The old sign.")
    assert refusal(requests.ask_adjustment, by("max"), *asked) == "not_taken_over"


# ------------------------------------------------------------------------------------------------- transfers


@pytest.fixture
def two_links(floor):
    """`grand` with stakes and no table on it any more, and `silver`, which is as good."""
    floor.play("R-01", seats=[1, 2, 3])
    floor.link("silver")
    for table in ("R-01", "R-02", "R-03"):
        links.leave_table(by("ana"), "grand", table, "The link is transferred.")
    catch_up()
    return floor


def transfer(to: str = "silver") -> int:
    done = requests.ask_transfer(by("max"), "grand", to, "The sign is too old.", "Board of 3 March.")
    catch_up()
    return done.events[0].number


def test_a_transfer_moves_everything_and_both_links_say_where(two_links, no_notice):
    requests.approve_request(by("ben"), "grand", transfer())
    grand, silver = two_links.state("grand").meter, two_links.state("silver").meter
    assert (grand.main_micros, grand.reserve_micros) == (0, 0)
    assert (silver.main_micros, silver.reserve_micros) == (5_000_000_000 + 5_001_950_000, 300_000)
    moved = [one.event for one in two_links.events("silver")][-2:]
    assert {(one.pool, one.micros, one.reason, one.other_link) for one in moved} == {
        ("main", 5_001_950_000, "transfer_in", "grand"), ("reserve", 300_000, "transfer_in", "grand"),
    }  # fmt: skip
    lines = models.DayLine.objects.filter(line__startswith="transfers", account="main").order_by("link")
    assert [(line.link, line.line, line.micros) for line in lines] == [
        ("grand", "transfers_out", -5_001_950_000), ("silver", "transfers_in", 5_001_950_000),
    ]  # fmt: skip


def test_what_is_transferred_above_the_posted_limit_overflows(two_links, no_notice):
    links.set_up_link(by("max"), "limited", game=GAME, limit_cents=600_000)
    catch_up()
    requests.approve_request(by("ben"), "grand", transfer("limited"))
    meter = two_links.state("limited").meter
    assert (meter.main_micros, meter.overflow_micros) == (6_000_000_000, 4_001_950_000)


def test_a_transfer_waits_for_the_notice_to_patrons(two_links):
    number = transfer()
    assert refusal(requests.approve_request, by("ben"), "grand", number) == "notice_missing"
    requests.post_notice(by("max"), "grand", "transfer")
    catch_up()
    assert refusal(requests.approve_request, by("ben"), "grand", number) == "notice_missing"


def test_a_link_in_use_is_not_transferred(floor, no_notice):
    floor.link("silver")
    rounds.open_round(floor.order(), "R-01")
    catch_up()
    number = transfer()
    assert refusal(requests.approve_request, by("ben"), "grand", number) == "link_in_use"
    for table in ("R-01", "R-02", "R-03"):
        links.leave_table(by("ana"), "grand", table, "The link is transferred.")
    catch_up()
    assert refusal(requests.approve_request, by("ben"), "grand", number) == "link_in_play"
    rounds.void_round(floor.order(), floor.last_round("R-01"), "Nobody stayed.", Approval("ana", "eve"))
    catch_up()
    requests.approve_request(by("ben"), "grand", number)


@pytest.mark.parametrize(
    ("to", "terms"), [("dear", {"stake_cents": 500}), ("rare", {"tiers": {"five_of_a_kind": "1"}}), ("grand", None)]
)
def test_a_transfer_goes_to_the_same_or_a_better_meter_only(two_links, to, terms):
    if terms is not None:
        links.set_up_link(by("max"), to, game=GAME, **terms)
    assert refusal(transfer, to) == "not_same_or_better"


def test_a_link_is_retired_when_nothing_is_left_of_it(two_links, no_notice):
    retire = requests.ask_retirement(by("max"), "grand", "The game leaves the floor.", "Board of 3 March.")
    number = retire.events[0].number
    catch_up()
    assert refusal(requests.approve_request, by("ben"), "grand", number) == "pool_not_empty"
    requests.approve_request(by("ben"), "grand", transfer())
    catch_up()
    requests.approve_request(by("ben"), "grand", number)
    catch_up()
    assert queries.row_of("grand").is_retired
    assert refusal(links.join_table, by("max"), "grand", "R-01") == "link_retired"
    assert refusal(transfer) == "link_retired"


def test_a_link_that_owes_a_jackpot_is_not_retired(floor, no_notice):
    floor.link("silver")
    floor.play("R-01", ROYAL_FLUSH)
    floor.record()
    for table in ("R-01", "R-02", "R-03"):
        links.leave_table(by("ana"), "grand", table, "The link is retired.")
    catch_up()
    requests.approve_request(by("ben"), "grand", transfer())
    catch_up()
    done = requests.ask_retirement(by("max"), "grand", "Over.", "Board of 3 March.")
    catch_up()
    assert refusal(requests.approve_request, by("ben"), "grand", done.events[0].number) == "jackpots_payable"


# ------------------------------------------------------------------------------------------------- removal


def test_a_table_is_removed_after_its_notice_and_two_stay(floor, monkeypatch):
    assert refusal(links.remove_table, by("max"), "grand", "R-01", "The pit is rebuilt.") == "notice_missing"
    requests.post_notice(by("max"), "grand", "removal", "R-01")
    requests.post_notice(by("max"), "grand", "removal", "R-02")
    assert refusal(links.remove_table, by("max"), "grand", "R-01", "The pit is rebuilt.") == "notice_missing"
    later = datetime.now(UTC).date().replace(year=datetime.now(UTC).year + 1)
    monkeypatch.setattr(links, "gaming_date", lambda order: later)
    links.remove_table(by("max"), "grand", "R-01", "The pit is rebuilt.")
    assert refusal(links.remove_table, by("max"), "grand", "R-02", "The pit is rebuilt.") == "too_few_tables"
    assert refusal(requests.post_notice, by("max"), "grand", "removal", "R-09") == "not_joined"
    assert refusal(requests.post_notice, by("max"), "grand", "party") == "unknown_notice"


def test_a_table_on_a_link_keeps_its_game_and_paytable(floor):
    """Tables of one link give the same chance at the same price, after they have joined, too."""
    tables.close_table(by("ana"), "R-01", counted(5_000_000))
    assert refusal(tables.set_up_table, by("ana"), "R-01", game="royal-casino") == "side_bet_offered"
    tables.set_up_table(by("ana"), "R-01", game=GAME, seats=6)
    links.leave_table(by("ana"), "grand", "R-01", "Another game.")
    tables.set_up_table(by("ana"), "R-01", game="royal-casino")
