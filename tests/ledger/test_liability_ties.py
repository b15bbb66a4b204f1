"""What the journal owes to meters and winners is what the meters hold, after each kind of correction by itself."""

from typing import Any

import pytest

from casino.approval import Approval
from casino.commands import rounds
from casino.eventstore.follower import catch_up
from casino.round.betting import Asked
from jackpot.commands import cases, changes, links, requests
from jackpot.control_events import Change
from ledger.queries.ties import HOLDS, ties
from tests.jackpot.conftest import Floor, floor
from tests.jackpot.test_cases import a_hit, by
from tests.jackpot.test_corrections import NOTHING, made, paid

__all__ = ["floor"]


def owed_cents(link: str = "grand") -> int:
    """What is owed on a link, cut down to the cent, once both sides and the trial balance agree."""
    catch_up()
    found = ties()
    assert [tie for tie in (*found.links, *found.house) if tie.state != HOLDS] == []
    return next(tie.left_micros for tie in found.links if tie.of == link) // 10_000


def test_a_hit_paid_refilled_returned_and_a_missed_player_move_what_is_owed_in_both_books(floor: Floor) -> None:
    assert owed_cents() == 500_000
    case_id = a_hit(floor)  # two chances; a tenth of 5,001.30 is 250.06 each
    assert owed_cents() == 500_150
    paid(case_id, 1)
    assert owed_cents() == 500_150 - 25_006
    made("refill", case_id.round, case_id.rank, 1)
    assert owed_cents() == 500_150
    cases.ask_return(by("pia"), case_id, [2], "denied", "The seal was broken.")
    cases.approve_return(by("mia"), case_id, [2])
    assert owed_cents() == 500_150
    made("missed_player", case_id.round, case_id.rank, 3)
    assert owed_cents() == 500_150 + 25_006
    paid(case_id, 3)
    assert owed_cents() == 500_150


def test_a_missed_hit_is_owed_beside_the_meter_that_pays_its_part_of_it(floor: Floor) -> None:
    missed = floor.play("R-02", NOTHING, [4, 5])  # a tenth of 5,001.30, of which the meter has 1.30 above its reset
    assert owed_cents() == 500_150
    made("missed_hit", missed, "straight_flush", 4, 5)
    assert owed_cents() == 500_150 - 130 + 50_012


@pytest.mark.parametrize(("pool", "cents"), [("main", -20), ("main", 70), ("reserve", 300), ("overflow", 5)])
def test_an_adjustment_of_any_pool_is_owed_or_owed_no_more(floor: Floor, pool: str, cents: int) -> None:
    catch_up()
    asked = ("grand", pool, cents * 10_000, "malfunction", "Reading 3.")
    number = requests.ask_adjustment(by("max"), *asked).events[0].number  # type: ignore[attr-defined]
    requests.approve_request(by("mia"), "grand", number)
    assert owed_cents() == 500_000 + cents


def test_a_void_takes_back_in_the_journal_what_it_takes_from_the_meter(floor: Floor) -> None:
    rounds.open_round(floor.order(), "R-01")
    round_id = floor.last_round("R-01")
    rounds.place_wagers(floor.order(), round_id, [Asked(seat, "progressive", 100) for seat in (1, 2, 3)])
    rounds.close_bets(floor.order(), round_id)
    rounds.collect_progressive(floor.order(), round_id, 3)
    assert owed_cents() == 500_000 + 3 * 75
    rounds.void_round(floor.order(), round_id, "A card fell.", Approval("ana", "eve"))
    assert owed_cents() == 500_000


def test_a_change_of_parameters_moves_nothing_and_the_next_reset_is_owed(floor: Floor) -> None:
    catch_up()
    proposed = changes.propose_change(by("max"), "grand", Change(reset_cents=300_000), None, "A smaller sign.")
    changes.approve_change(by("mia"), "grand", proposed.events[0].number)  # type: ignore[attr-defined]
    catch_up()
    changes.make_change(by("max"), "grand", 1)
    assert owed_cents() == 500_000
    case_id = a_hit(floor, cards="As Ks Qs Js Ts", seats=(1,))
    assert owed_cents() == 500_075 + 300_000 - 10  # the reserve's 0.10 is part of the reset
    paid(case_id, 1)
    assert owed_cents() == 300_000


def test_a_transfer_leaves_one_link_and_reaches_the_other(floor: Floor, settings: Any) -> None:
    settings.CASINO_PROFILE = "new_jersey"  # asks for no notice
    floor.play("R-01", seats=[1, 2, 3])
    floor.link("silver")
    for table in ("R-01", "R-02", "R-03"):
        links.leave_table(by("ana"), "grand", table, "The link is transferred.")
    catch_up()
    asked = requests.ask_transfer(by("max"), "grand", "silver", "The sign is too old.", "Board of 3 March.")
    catch_up()
    requests.approve_request(by("ben"), "grand", asked.events[0].number)  # type: ignore[attr-defined]
    assert (owed_cents(), owed_cents("silver")) == (0, 1_000_225)
