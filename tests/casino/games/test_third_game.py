"""A third game dropped in as one folder: no other file changes, and a round of it is played through the commands."""

import io
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from casino.commands.settlement import settle_due
from casino.commands.tables import set_up_table
from casino.eventstore.follower import catch_up
from casino.games import game, load_games, use_folders
from casino.keys import RoundId
from casino.models import RoundBoard
from casino.queries.rounds import round_page
from casino.refusal import Refused
from casino.templatetags.sentences import sentence
from jackpot.commands.hits import append_due_hits
from jackpot.commands.links import join_table, set_up_link
from jackpot.queries import meter_of
from ledger.simulate import simulated
from tests.casino.api.conftest import Terminal, order
from tests.casino.api.test_rounds import refused

TOY = Path(__file__).parents[2] / "toy_games" / "high_card"


@pytest.fixture
def third_game(tmp_path: Path) -> Iterator[str]:
    """The toy's folder is put among a house's own games, and taken away after."""
    shutil.copytree(TOY, tmp_path / "high_card", ignore=shutil.ignore_patterns("__pycache__"))
    use_folders(tmp_path)
    yield "high-card"
    use_folders()


@pytest.fixture
def table(third_game: str, database: Any, redis_url: str) -> Terminal:
    set_up_table(order(), "T-01", game=third_game)
    terminal = Terminal("T-01")
    assert terminal.open_table().status_code == 201
    return terminal


def test_the_folder_is_a_game_while_the_house_names_it(third_game: str) -> None:
    assert game(third_game).name == "High Card"
    assert set(load_games()) == {"54-card-roulette", "royal-casino", third_game}
    use_folders()
    assert third_game not in load_games()


def test_a_late_bet_of_it_goes_back_before_the_cards_only_for_it_says_nothing_else(table: Terminal) -> None:
    table.open_round()
    table.bet((1, "high", 500), (3, "high", 700))
    table.on_round("close-bets")
    late = {"number": 2, "reason": "It came late."}
    assert [one["number"] for one in table.approved("late-bets/void", late).json()["wagers"]] == [1]
    table.on_round("cards", {"cards": ["Ks"]})
    refused(table.approved("late-bets/void", late | {"number": 1}), "hand_dealt", 409)


def test_a_round_of_it_goes_from_its_bets_over_its_decisions_to_settlement(table: Terminal) -> None:
    table.open_round()
    table.bet((1, "high", 500), (3, "high", 700), (4, "high", 900))
    table.on_round("close-bets")
    shown = table.on_round("cards", {"cards": ["Ks", "2d", "9h", {"card": None}]}).json()
    assert shown["turn"] == {"seat": 1, "street": "double", "actions": {"check": [], "raise": [500]}}
    assert [card["name"] for card in shown["cards"]] == ["seat 1", "seat 3", "seat 4", "the bank's card"]
    decisions = [{"seat": 1, "action": "raise"}, {"seat": 3, "action": "check"}, {"seat": 4, "action": "check"}]
    assert table.on_round("decisions", {"decisions": decisions}).json()["turn"] is None
    assert table.on_round("cards", {"cards": [{"card": "9c", "position": 99}]}).json()["status"] == "complete"
    settle_due()
    catch_up()
    lines = {(line["seat"], line["wager"]): line["returned_cents"] for line in table.read()["settlements"][0]["lines"]}
    assert lines == {(1, "high"): 1000, (1, "double"): 1000, (3, "high"): 0, (4, "high"): 900}
    row = RoundBoard.objects.get(table_code="T-01")
    assert (row.game, row.status, row.stakes_cents, row.collected_cents) == ("high-card", "settled", 2600, 700)


def test_a_finished_round_of_it_comes_in_one_piece(table: Terminal) -> None:
    wagers = [{"seat": seat, "wager": "high", "stake_cents": 500} for seat in (1, 2)]
    decisions = [{"seat": 1, "action": "check"}, {"seat": 2, "action": "raise"}]
    body = {"wagers": wagers, "cards": ["Ks", "2d", "9c"], "decisions": decisions}
    answer = table.at_table("rounds/finished", body)
    assert (answer.status_code, answer.json()["status"]) == (201, "complete")
    settle_due()
    table.round = answer.json()["round"]
    returned = [line["returned_cents"] for line in table.read()["settlements"][0]["lines"]]
    assert returned == [1000, 0, 0]


def test_its_rounds_have_a_page_and_its_cards_their_names(table: Terminal, ana: Client) -> None:
    test_a_round_of_it_goes_from_its_bets_over_its_decisions_to_settlement(table)
    code, day, n = table.round.split("/")
    page = ana.get(f"/rounds/{code}/{day}/{n}/")
    assert page.status_code == 200, page
    entries = round_page(RoundId(code, RoundBoard.objects.get().gaming_date, int(n))).entries
    said = [sentence(entry, game("high-card")) for entry in entries]
    assert "Seat 1 raised 5.00 (double)" in said
    assert "The bank's card turned: 9♣" in said
    assert all(line.replace("♣", "") in page.content.decode().replace("♣", "").replace("&#x27;", "'") for line in said)


def test_a_terminal_records_it_though_it_draws_no_felt(table: Terminal, ana: Client) -> None:
    def press(action: str, **form: str) -> str:
        page = ana.get("/tables/T-01/terminal/").content.decode()
        hidden = dict(re.findall(r'name="(round|position)" value="([^"]*)"', page))
        answer = ana.post(
            f"/tables/T-01/terminal/{action}/", hidden | form, headers={"Idempotency-Key": f"{action}{form}"}
        )
        assert answer.status_code == 200, answer.content
        return answer.content.decode()

    press("open")
    press("bets", wagers="1 high 500\n3 high 700")
    assert "Raise 1×" in press("cards", cards="Ks 2d ?")
    press("decide", moves="1 c")
    press("cards", cards="9c")
    settle_due()
    catch_up()
    assert RoundBoard.objects.get(table_code="T-01").status == "settled"


def test_a_floor_is_simulated_with_it(table: Terminal) -> None:
    floor = simulated("T-01", 7, lambda: order().at)
    for _ in zip(range(60), floor.play(), strict=False):
        pass
    assert floor.tally.rounds > 2
    settle_due()
    catch_up()
    assert RoundBoard.objects.filter(table_code="T-01", stage=5).count() >= floor.tally.rounds


def test_its_progressive_is_won_by_hands_of_their_own_and_a_meter_pays_it(table: Terminal) -> None:
    """No line of jackpot/ was written for it: the link takes its tiers, its chances and its winners from the folder."""
    set_up_link(order(), "aces", game="high-card", base_cents=1_000, reset_cents=1_000)
    join_table(order(), "aces", "T-01")
    table.open_round()
    seats = (1, 2, 3, 5)
    table.bet(*((seat, "high", 500) for seat in seats), *((seat, "progressive", 100) for seat in seats))
    table.on_round("close-bets")
    table.on_round("collect-progressive", {"count": 4})
    assert table.on_round("cards", {"cards": ["Ah", "As", "Kd", "Ad", "9c"]}).status_code == 201
    checks = [{"seat": seat, "action": "check"} for seat in seats]
    assert table.on_round("decisions", {"decisions": checks}).json()["status"] == "complete"
    settle_due()
    catch_up()
    assert append_due_hits() == 2
    catch_up()
    spades, others = meter_of("aces").last_hits[::-1]
    # 10.00 and four times 65 cents: the ace of spades takes 12.60; a quarter of the reset, 2.50, is shared by two.
    assert (spades.rank, spades.seats, spades.amount_cents) == ("ace_of_spades", [2], 1_260)
    assert (others.rank, others.seats, others.shares_cents) == ("another_ace", [1, 5], [125, 125])
    settled = table.read()["settlements"][0]["lines"]
    assert {line["wager"] for line in settled} == {"high"}


def test_a_link_of_it_that_gives_more_than_it_takes_needs_a_name(third_game: str, database: Any) -> None:
    with pytest.raises(Refused) as refused:
        set_up_link(order(), "aces", game=third_game)
    assert refused.value.code == "return_over_100"


def test_its_mathematics_and_its_dry_run_answer_on_the_command_line(third_game: str, tmp_path: Path) -> None:
    out = io.StringIO()
    call_command("paytable", third_game, stdout=out)
    assert "high   1 to 1             8/17" in out.getvalue()
    path = tmp_path / "rounds.jsonl"
    path.write_text(json.dumps({"id": 1, "mine": "As", "bank": "Kd", "stake_cents": 500}))
    out = io.StringIO()
    call_command("settle", third_game, str(path), "--json", stdout=out)
    assert json.loads(out.getvalue()) == {"id": 1, "result": "win", "returned_cents": 1000}
