import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

FACTS = Path(__file__).parents[2] / "facts"
ROOT = Path(__file__).parents[3]
GOOD = '{"id": "good", "cards": ["As", "Kd", "9h", "4c", "2s"], "wagers": []}\n'


def settle(*arguments):
    """Standard output, standard error and exit status of `manage.py settle`."""
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command("settle", *arguments, stdout=out, stderr=err)
    except SystemExit as stop:
        return out.getvalue(), err.getvalue(), stop.code
    return out.getvalue(), err.getvalue(), 0


def test_a_file_of_rounds_is_answered_line_by_line():
    file = FACTS / "54-card-roulette.settle.jsonl"
    checked = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    out, err, status = settle("54-card-roulette", str(file), "--json")
    assert [json.loads(line) for line in out.splitlines()] == [{"id": row["id"], **row["expect"]} for row in checked]
    assert (err, status) == ("", 0)


def test_a_bad_line_makes_the_exit_status_one_and_the_summary_counts_it(tmp_path):
    file = tmp_path / "rounds.jsonl"
    file.write_text(GOOD + "nonsense\n" + GOOD)
    out, err, status = settle("54-card-roulette", str(file))
    assert ["error" in json.loads(line) for line in out.splitlines()] == [False, True, False]
    assert err.strip() == "54 Card Roulette: 2 settled, 1 refused."
    assert status == 1


@pytest.mark.parametrize(
    ("game", "file", "words"),
    [
        ("baccarat", "-", "There is no game 'baccarat'"),
        ("54-card-roulette", "no/such/file", "no/such/file can't be read: No such file"),
        ("54-card-roulette", ".", "can't be read: Is a directory"),
    ],
)
def test_what_cannot_be_begun_is_said_in_a_sentence_with_exit_status_two(game, file, words):
    with pytest.raises(CommandError, match=words) as error:
        settle(game, file)
    assert error.value.returncode == 2


def test_a_dash_reads_standard_input_and_no_server_is_needed():
    settled = subprocess.run(
        [sys.executable, "manage.py", "settle", "54-card-roulette", "-"],
        input=GOOD,
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert (settled.returncode, json.loads(settled.stdout)["rank"]) == (0, "high_card")


def test_a_reader_that_has_seen_enough_ends_the_run_without_a_traceback(tmp_path):
    file = tmp_path / "rounds.jsonl"
    file.write_text(GOOD * 5000)
    command = [sys.executable, "manage.py", "settle", "54-card-roulette", str(file)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert json.loads(running.stdout.readline())["id"] == "good"
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode == 1
