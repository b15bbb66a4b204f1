"""Finished rounds from a file: once each, whatever file or run they come in."""

import contextlib
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from casino.commands.imports import read_line
from casino.commands.order import Order
from casino.commands.rounds import open_round
from casino.commands.settlement import settle_due
from casino.commands.tables import open_table, set_up_table
from casino.eventstore import store
from casino.keys import round_of
from casino.queries.rounds import round_page
from casino.refusal import Refused
from tests.counts import counted

NOW = datetime.now(UTC)


def order(key: str) -> Order:
    return Order("test", key, NOW)


@pytest.fixture
def table(database: Any, redis_url: str) -> str:
    """Table R-01, open and without a round."""
    set_up_table(order("set up"), "R-01", game="54-card-roulette")
    open_table(order("open"), "R-01", counted(1_000_000), "Ana Ortiz")
    return "R-01"


def line(n: int, **other: Any) -> dict[str, Any]:
    """One round of the smart table."""
    return {
        "source": "shoe-7",
        "source_round": f"A-{n}",
        "table": "R-01",
        "occurred_at": (NOW - timedelta(minutes=5)).isoformat(),
        "wagers": [{"seat": 1, "wager": "colour:red", "stake_cents": 500}],
        "cards": ["As", "Kd", "9h", "4c", "2s"],
        **other,
    }


def imported(path: Path, lines: list[Any], capsys: Any) -> str:
    """Write a file, import it, and answer the last line printed."""
    path.write_text("".join(one if isinstance(one, str) else json.dumps(one) + "\n" for one in lines))
    with contextlib.suppress(SystemExit):  # the exit status of a file with bad lines
        call_command("import_rounds", str(path))
    return str(capsys.readouterr().out.splitlines()[-1])


def rounds_in_the_log() -> int:
    query = "SELECT count(*) AS n FROM log.event WHERE type = 'round_opened'"
    return int(store.run(query).fetchone().n)


def test_a_file_is_imported_and_a_second_run_imports_nothing(table: str, tmp_path: Path, capsys: Any) -> None:
    lines = [line(n) for n in range(120)]
    assert imported(tmp_path / "a.jsonl", lines, capsys).startswith("120 rounds imported, 0 known already, 0 refused")
    assert imported(tmp_path / "b.jsonl", lines, capsys).startswith("0 rounds imported, 120 known already, 0 refused")
    assert rounds_in_the_log() == 120
    assert settle_due() == 120


def test_an_interrupted_file_is_taken_up_where_it_stopped(table: str, tmp_path: Path, capsys: Any) -> None:
    lines = [line(n) for n in range(80)]
    imported(tmp_path / "half.jsonl", lines[:37], capsys)
    assert imported(tmp_path / "all.jsonl", lines, capsys).startswith("43 rounds imported, 37 known already")
    assert rounds_in_the_log() == 80


def test_the_same_round_twice_in_one_file_is_one_round(table: str, tmp_path: Path, capsys: Any) -> None:
    assert imported(tmp_path / "a.jsonl", [line(1), line(1)], capsys).startswith("1 rounds imported, 1 known already")
    assert rounds_in_the_log() == 1


BAD_LINES = [
    ("{", "malformed_line"),
    ({**line(1), "tip": 1}, "malformed_line"),
    (line(1, wagers=[{"seat": 1, "wager": "colour:red", "stake_cents": 1.5}]), "malformed_line"),
    (json.dumps(line(1))[:-1] + ', "table": "R-01"}', "field_twice"),
    (json.dumps(line(1)).replace('"stake_cents": 500', '"stake_cents": 500, "stake_cents": 9000'), "field_twice"),
    (line(1, occurred_at="yesterday"), "malformed_line"),
    (line(1, occurred_at="2026-11-29T10:00:00"), "no_time_zone"),
    (line(1, occurred_at="2199-01-01T00:00:00Z"), "clock_ahead"),
    (line(1, table="R-02"), "unknown_table"),
    (line(1, cards=["As", "Kd"]), "hand_not_complete"),
    (line(1, cards=["As", "As", "9h", "4c", "2s"]), "card_twice"),
    (line(1, wagers=[{"seat": 44, "wager": "colour:red", "stake_cents": 500}]), "seat_out_of_range"),
    (line(1, source=""), "bad_source"),
]


@pytest.mark.parametrize(("bad", "code"), BAD_LINES)
def test_a_bad_line_goes_to_the_rejects_and_the_rest_goes_in(
    table: str, tmp_path: Path, capsys: Any, bad: Any, code: str
) -> None:
    text = bad + "\n" if isinstance(bad, str) else bad
    assert "2 rounds imported, 0 known already, 1 refused" in imported(
        tmp_path / "a.jsonl", [line(7), text, line(8)], capsys
    )
    (reject,) = map(json.loads, (tmp_path / "a.jsonl.rejects.jsonl").read_text().splitlines())
    assert (reject["line"], reject["code"]) == (2, code)
    assert reject["message"]
    assert rounds_in_the_log() == 2


FAULTS = [
    (line(1, wagers=[{"seat": 1, "wager": "suit:s", "stake_cents": 1.5}]),
     "wagers[0].stake_cents must be a whole number, not a number with a fraction."),
    (line(1, wagers={}), "wagers must be a list, not an object with named fields."),
    (line(1, cards=["As", 7]), "cards[1] must be text or null, not a whole number."),
    (line(1, occurred_at="yesterday"), "occurred_at must be a time, such as 2026-11-29T21:15:00-05:00."),
    ({**line(1), "tip": 1}, "it may not have a field tip."),
    ({"source": "shoe-7"}, "it lacks source_round."),
    (line(1, wagers=[{"seat": 1, "wager": "suit:s"}]), "wagers[0] lacks stake_cents."),
]  # fmt: skip


@pytest.mark.parametrize(("bad", "fault"), FAULTS)
def test_a_bad_line_is_told_in_plain_words_which_field_is_wrong(bad: dict[str, Any], fault: str) -> None:
    with pytest.raises(Refused) as refusal:
        read_line(json.dumps(bad).encode())
    assert refusal.value.message == f"The line is not a round: {fault}"


@pytest.mark.parametrize(
    "text", [b"[1]", b"7", b"{", b'"x"', b"\xff", b'{"source": "\\ud800"}', b"[" * 100_000, b"NaN"]
)
def test_what_is_no_object_at_all_is_refused_in_plain_words(text: bytes) -> None:
    with pytest.raises(Refused) as refusal:
        read_line(text)
    assert refusal.value.code == "malformed_line"
    assert "`" not in refusal.value.message


def test_a_round_that_comes_again_with_another_content_is_refused(table: str, tmp_path: Path, capsys: Any) -> None:
    imported(tmp_path / "a.jsonl", [line(1)], capsys)
    other = line(1, cards=["As", "Qd", "9h", "4c", "2s"])
    assert "1 refused" in imported(tmp_path / "b.jsonl", [other], capsys)
    reject = json.loads((tmp_path / "b.jsonl.rejects.jsonl").read_text())
    assert (reject["code"], "cards" in reject["message"]) == ("key_reused", True)


def test_where_a_feed_records_a_terminal_is_refused(table: str, tmp_path: Path, capsys: Any) -> None:
    imported(tmp_path / "a.jsonl", [line(1)], capsys)
    with pytest.raises(Refused) as refusal:
        open_round(order("terminal"), table)
    assert refusal.value.code == "other_source"


def test_a_file_that_is_not_there_is_named(database: Any, tmp_path: Path) -> None:
    with pytest.raises(Exception, match="can't be read"):
        call_command("import_rounds", str(tmp_path / "none.jsonl"))


# ------------------------------------------------------------------------------------------------- decisions


HOLD_EM = {
    "table": "H-01",
    "wagers": [{"seat": 2, "wager": code, "stake_cents": 500} for code in ("ante", "blind")],
    "cards": [None, None, "Kc", "Qd", "Kh", "9s", "5d", "3c", "2h"],
    "decisions": [{"seat": 2, "action": action} for action in ("check", "check", "fold")],
}


def test_rounds_with_decisions_are_imported_once_each(table: str, tmp_path: Path, capsys: Any) -> None:
    set_up_table(order("set up hold'em"), "H-01", game="royal-casino")
    open_table(order("open hold'em"), "H-01", counted(1_000_000))
    raised = {"cards": ["As", "Kd", *HOLD_EM["cards"][2:]], "decisions": [raise_of(2000)]}
    lines = [line(1, **HOLD_EM), line(2, **{**HOLD_EM, **raised})]
    assert imported(tmp_path / "a.jsonl", lines, capsys).startswith("2 rounds imported, 0 known already, 0 refused")
    assert imported(tmp_path / "b.jsonl", lines, capsys).startswith("0 rounds imported, 2 known already")
    assert settle_due() == 2
    other = line(2, **{**HOLD_EM, **raised, "decisions": [raise_of(1500)]})
    assert imported(tmp_path / "c.jsonl", [other], capsys).startswith("0 rounds imported, 0 known already, 1 refused")
    reject = json.loads((tmp_path / "c.jsonl.rejects.jsonl").read_text())
    assert reject["code"] == "key_reused"
    assert "other content (decisions)" in reject["message"]


def raise_of(stake_cents: int) -> dict[str, Any]:
    return {"seat": 2, "action": "raise", "stake_cents": stake_cents}


def test_a_round_without_decisions_keeps_the_fingerprint_it_has_always_had() -> None:
    """What was imported before there were decisions must be known as imported when its file comes again."""
    at = line(1, occurred_at="2026-11-29T10:00:00Z")
    content = read_line(json.dumps(at).encode()).command.content
    assert content == (
        "import_round|cards=b8a74261b99bc5c1|drawn_position=74234e98afe7498f|occurred_at=cc91ef20ba3d213b"
        "|progressive_count=74234e98afe7498f|source=66ed5dc0ccc891ca|source_round=2dcfc544ba0b9062"
        "|table=2c131e8a90f0b02e|wagers=3dc9124e04e4b437"
    )


def test_two_rounds_of_one_name_in_one_file_are_told_apart_at_once(table: str, tmp_path: Path, capsys: Any) -> None:
    other = line(1, cards=["As", "Qd", "9h", "4c", "2s"])
    assert imported(tmp_path / "a.jsonl", [line(1), other], capsys).startswith(
        "1 rounds imported, 0 known already, 1 ref"
    )
    reject = json.loads((tmp_path / "a.jsonl.rejects.jsonl").read_text())
    assert (reject["line"], reject["code"]) == (2, "key_reused")


def test_a_round_that_its_own_clock_has_before_the_opening_is_taken_and_marked(table, tmp_path, capsys) -> None:
    """The table opened at NOW: five minutes before it are early, a moment after it is not."""
    lines = [line(1), line(2, occurred_at=datetime.now(UTC).isoformat())]
    said = imported(tmp_path / "a.jsonl", lines, capsys)
    assert said.endswith("0 refused. Marked, as their own clock has them before their table opened: 1.")
    again = imported(tmp_path / "b.jsonl", lines, capsys)
    assert again == "0 rounds imported, 2 known already, 0 refused."
    assert [round_page(round_of(key)).round.opened.early_s for key in _rounds()] == [300, 0]


def test_a_round_of_another_day_by_its_own_clock_is_refused_and_the_others_go_in(table, tmp_path, capsys) -> None:
    lines = [line(1, occurred_at="2015-11-29T10:00:00Z"), line(2)]
    assert imported(tmp_path / "a.jsonl", lines, capsys).startswith("1 rounds imported, 0 known already, 1 refused")
    reject = json.loads((tmp_path / "a.jsonl.rejects.jsonl").read_text())
    assert (reject["line"], reject["code"]) == (1, "before_opening")
    assert "this round was played at 2015-11-29T10:00:00+00:00, and R-01 opened at" in reject["message"]
    assert "it belongs to another session" in reject["message"]
    assert len(_rounds()) == 1


def test_a_marked_round_says_so_on_its_page_and_in_its_record(table, people, client_of, tmp_path, capsys) -> None:
    imported(tmp_path / "a.jsonl", [line(1)], capsys)
    (key,) = _rounds()
    round_id = round_of(key)
    page = client_of("ana").get(f"/rounds/R-01/{round_id.gaming_date}/1/").content.decode()
    assert "Marked: before its table opened" in page
    assert "by the feed&#x27;s clock 5 min before the table opened" in page


def _rounds() -> list[str]:
    query = (
        "SELECT s.key FROM log.event e JOIN log.stream s ON s.id = e.stream_id WHERE type = 'round_opened' ORDER BY 1"
    )
    return [row.key for row in store.run(query).fetchall()]
