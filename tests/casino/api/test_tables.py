"""Opening, closing and buying in over HTTP."""

from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.utils import timezone

from casino.commands.tables import load_table, set_up_table
from tests.casino.api.conftest import Terminal, order
from tests.casino.api.test_rounds import refused
from tests.counts import tray


def test_a_table_that_gives_the_player_the_advantage_opens_only_after_a_named_acknowledgement(
    terminal: Terminal,
) -> None:
    opener = {"opener": tray(5_000_000)}
    sentence = refused(terminal.at_table("open", opener), "advantage_not_acknowledged", 422)
    assert "split_rank" in sentence
    refused(terminal.at_table("open", {**opener, "acknowledged_by": "  "}), "bad_request", 400)
    assert terminal.at_table("open", {**opener, "acknowledged_by": "Ana Ortiz"}).status_code == 201
    assert load_table("R-01").table.acknowledged == {("printed", "split_rank")}


def test_once_acknowledged_the_table_opens_again_without_a_name(terminal: Terminal) -> None:
    terminal.open_table()
    terminal.at_table("close", {"closer": tray(1)})
    answer = terminal.at_table("open", {"opener": tray(1)})
    assert (answer.status_code, answer.json()["session"]) == (201, 2)


def test_an_open_table_is_not_opened_again(terminal: Terminal) -> None:
    terminal.open_table()
    refused(terminal.open_table(), "table_open", 409)


def test_a_tray_that_one_person_counted_does_not_open_a_table(terminal: Terminal) -> None:
    alone = {"total_cents": 100, "counted_by": ["Ana Ortiz"]}
    refused(terminal.open_table(opener=alone), "counters_missing", 422)
    refused(terminal.open_table(opener={"total_cents": 100}), "counters_missing", 422)
    refused(terminal.open_table(opener={**alone, "counted_by": ["Ana Ortiz", "ana ortiz"]}), "same_person", 403)


def test_an_opener_that_is_not_the_last_closer_keeps_both_and_is_an_error_notification(terminal: Terminal) -> None:
    terminal.open_table()
    terminal.at_table("close", {"closer": tray(4_000_000)})
    sentence = refused(terminal.open_table(opener=tray(3_990_000)), "explanation_missing", 422)
    assert "40,000.00" in sentence
    answer = terminal.open_table(opener=tray(3_990_000), explanation="A stack lay in the wrong tube.").json()
    assert (answer["done"], answer["amount_cents"]) == ("opened", 3_990_000)
    opened, found = answer["recorded"][-2:]
    assert (opened["event"], opened["carried_cents"]) == ("table_opened", 4_000_000)
    assert (found["event"], found["serial"], found["incident_report_hours"]) == ("opener_variance_found", 1, None)


def test_one_count_rolls_a_table_and_names_the_session_it_counted(playing: Terminal) -> None:
    first = playing.get("tables/R-01/").json()
    named = f"{first['gaming_date']}/{first['session']}"
    refused(playing.at_table("roll", {"count": tray(1)}), "round_open", 409)
    playing.approved("void", {"reason": "The shift ends."})
    answer = playing.at_table("roll", {"count": tray(4_990_000), "session": named})
    assert answer.status_code == 201, answer.json()
    assert {name: answer.json()[name] for name in ("done", "session", "amount_cents")} == {
        "done": "rolled", "session": 2, "amount_cents": 4_990_000,
    }  # fmt: skip
    refused(playing.at_table("roll", {"count": tray(4_990_000), "session": named}), "session_over", 409)
    refused(playing.at_table("close", {"closer": tray(4_990_000), "session": named}), "session_over", 409)
    table = playing.get("tables/R-01/").json()
    assert (table["is_open"], table["session"], table["first_round"]) == (True, 2, 2)
    playing.open_round()
    assert playing.round.endswith("/2")


def test_a_closed_table_does_not_roll(terminal: Terminal) -> None:
    refused(terminal.at_table("roll", {"count": tray(1)}), "table_closed", 409)


def test_an_opener_by_denomination_must_add_up(terminal: Terminal) -> None:
    opener = {
        "total_cents": 30_000,
        "denominations": {"500": 10_000, "2500": 20_000},
        "counted_by": ["A. Ortiz", "D. Li"],
    }
    answer = terminal.at_table("open", {"opener": {**opener, "total_cents": 30_001}, "acknowledged_by": "A. Ortiz"})
    refused(answer, "count_does_not_add_up", 422)
    odd = {**tray(750), "denominations": {"500": 750}}
    refused(terminal.at_table("open", {"opener": odd, "acknowledged_by": "A. Ortiz"}), "bad_denomination", 422)
    assert terminal.at_table("open", {"opener": opener, "acknowledged_by": "A. Ortiz"}).status_code == 201


@pytest.mark.parametrize("amount", [0, -5, 10**12])
def test_a_buy_in_is_a_sensible_amount(playing: Terminal, amount: int) -> None:
    code = "amount_not_positive" if amount <= 0 else "amount_too_large"
    refused(playing.at_table("buy-ins", {"amount_cents": amount, "seat": 1}), code, 422)


def test_a_clock_that_runs_ahead_is_refused(playing: Terminal) -> None:
    answer = playing.at_table("buy-ins", {"amount_cents": 100, "occurred_at": "2099-01-01T00:00:00Z"})
    refused(answer, "clock_ahead", 422)


@pytest.mark.parametrize("what", ["buy-ins", "rounds", "exchanges"])
def test_what_was_long_before_the_table_opened_is_none_of_its_session(terminal: Terminal, what: str) -> None:
    terminal.open_table()
    said = {
        "buy-ins": {"amount_cents": 100}, "rounds": {},
        "exchanges": {"taken": {"500": 500}, "given": {"100": 500}},
    }[what]  # fmt: skip
    refused(terminal.at_table(what, said | {"occurred_at": "2026-01-02T03:04:05Z"}), "before_opening", 422)
    early = (timezone.now() - timedelta(hours=5)).isoformat()  # a clock may be off by hours
    assert terminal.at_table(what, said | {"occurred_at": early}).status_code == 201


def test_a_table_nobody_set_up_is_not_found(terminal: Terminal) -> None:
    stranger = Terminal("R-77")
    refused(stranger.at_table("open", {"opener": tray(1)}), "unknown_table", 404)
    refused(Terminal("r 1").get("tables/r 1/"), "bad_table_code", 422)


def test_the_table_tells_what_it_offers(playing: Terminal) -> None:
    table = playing.get("tables/R-01/").json()
    assert table["player_advantage"] == ["split_rank"]
    assert table["side_bets"] == {"progressive": "main"}
    assert table["open_round"] == playing.round


def test_the_table_tells_its_greatest_payout_its_limits_rule_and_its_rounding(terminal: Terminal) -> None:
    terms = {"round_payout_max_cents": 7_000_000, "off_limits": "refuse", "payout_rounding_cents": 25}
    set_up_table(order(), "R-01", game="54-card-roulette", **terms)
    table = terminal.get("tables/R-01/").json()
    assert {name: table[name] for name in terms} == terms


@pytest.mark.parametrize("path", ["tables/%00/", "tables/R%0001/"])
def test_a_code_that_can_not_be_printed_is_refused_without_being_shown(terminal: Terminal, path: str) -> None:
    terminal.client.credentials()
    staff = get_user_model().objects.create_user("floor")
    staff.groups.add(Group.objects.get_or_create(name="floor")[0])
    terminal.client.force_login(staff)
    sentence = refused(terminal.get(path), "bad_table_code", 422)
    assert sentence.startswith(("'�' is not", "'R�01' is not"))
    page = terminal.client.get(f"/{path}")
    assert page.status_code == 404
    assert "There is no table &#x27;" in page.content.decode()
    assert "\\x00" not in page.content.decode()
