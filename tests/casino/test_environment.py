"""Settings from the environment: what is odd is refused in a sentence that names the variable."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from casino import environment
from casino.refusal import Refused


@pytest.mark.parametrize(
    ("read", "value", "answer"),
    [
        (lambda: environment.flag("NAME", default=False), "yes", True),
        (lambda: environment.flag("NAME", default=True), "No", False),
        (lambda: environment.flag("NAME", default=True), "", True),
        (lambda: environment.whole("NAME", 6, least=0, most=23), "23", 23),
        (lambda: environment.whole("NAME", 6, least=0, most=23), "", 6),
        (lambda: environment.one_of("NAME", "demo", ("demo", "production")), "production", "production"),
        (lambda: environment.words("NAME", ["a"]), " b, c ,", ["b", "c"]),
        (lambda: environment.words("NAME", ["a"]), "", ["a"]),
        (lambda: environment.time_zone("NAME", "UTC"), "Europe/Malta", "Europe/Malta"),
        (lambda: environment.slug("NAME", "demo"), "pier-7", "pier-7"),
        (lambda: environment.currency("NAME", "USD"), "EUR", "EUR"),
        (lambda: environment.hours("NAME", 6), "", [6]),
        (lambda: environment.hours("NAME", 20), "4, 12,20", [20, 4, 12]),
    ],
)
def test_a_value_is_read(
    monkeypatch: pytest.MonkeyPatch, read: Callable[[], object], value: str, answer: object
) -> None:
    monkeypatch.setenv("NAME", value)
    assert read() == answer


@pytest.mark.parametrize(
    ("read", "value"),
    [
        (lambda: environment.flag("NAME", default=False), "maybe"),
        (lambda: environment.whole("NAME", 6, least=0, most=23), "24"),
        (lambda: environment.whole("NAME", 6, least=0, most=23), "-1"),
        (lambda: environment.whole("NAME", 6, least=0, most=23), "6.5"),
        (lambda: environment.whole("NAME", 6, least=0, most=23), "²"),
        (lambda: environment.one_of("NAME", "demo", ("demo", "production")), "staging"),
        (lambda: environment.time_zone("NAME", "UTC"), "Mars/Olympus"),
        (lambda: environment.time_zone("NAME", "UTC"), "../etc/passwd"),
        (lambda: environment.slug("NAME", "demo"), "Pier 7"),
        (lambda: environment.slug("NAME", "demo"), "pier/7"),
        (lambda: environment.slug("NAME", "demo"), "jetée"),
        (lambda: environment.slug("NAME", "demo"), "x" * 33),
        (lambda: environment.currency("NAME", "USD"), "usd"),
        (lambda: environment.hours("NAME", 6), "14,22"),
        (lambda: environment.hours("NAME", 6), "6,24"),
        (lambda: environment.hours("NAME", 6), "6,6"),
        (lambda: environment.hours("NAME", 6), "6;14"),
        (lambda: environment.currency("NAME", "USD"), "DOLLARS"),
    ],
)
def test_an_odd_value_is_refused_with_its_name(
    monkeypatch: pytest.MonkeyPatch, read: Callable[[], object], value: str
) -> None:
    monkeypatch.setenv("NAME", value)
    with pytest.raises(Refused) as refusal:
        read()
    assert refusal.value.code == "odd_setting"
    assert "NAME" in refusal.value.message


def test_a_file_fills_in_what_the_environment_leaves_open(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CASINO_PORT", "9000")
    monkeypatch.setenv("CASINO_CURRENCY", "")
    monkeypatch.delenv("CASINO_CURRENCY")
    (tmp_path / ".env").write_text("# the pier\n\nCASINO_PORT=9001\nCASINO_CURRENCY = 'EUR'\n")
    environment.read_env_file(tmp_path / ".env")
    assert (environment.text("CASINO_PORT"), environment.text("CASINO_CURRENCY")) == ("9000", "EUR")


def test_a_file_that_is_not_there_is_no_trouble(tmp_path: Path) -> None:
    before = dict(os.environ)
    environment.read_env_file(tmp_path / "absent")
    assert dict(os.environ) == before


def test_an_odd_line_of_the_file_is_named(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("# first\nCASINO_PORT 9001\n")
    with pytest.raises(Refused, match="Line 2"):
        environment.read_env_file(tmp_path / ".env")


def test_every_variable_that_is_read_is_explained_in_the_example() -> None:
    code = [environment.HOME / "manage.py", *(environment.HOME / "casino").rglob("*.py")]
    readers = "text|flag|whole|hours|hour_or_none|one_of|some_of|words|folders|slug|currency|time_zone"
    reader = rf'\b(?:{readers}|environ\.get)\(\s*"([A-Z_]+)"'
    read = {name for path in code for name in re.findall(reader, path.read_text())}
    example = (environment.HOME / ".env.example").read_text()
    explained = set(re.findall(r"^#?\s?([A-Z_]+)=", example, re.MULTILINE))
    assert read - {"NO_COLOR", "DJANGO_SETTINGS_MODULE"} == explained


@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        ({"CASINO_ENV": "production"}, "SECRET_KEY is missing"),
        ({"CASINO_ENV": "production", "SECRET_KEY": "k" * 49}, "SECRET_KEY has under 50 letters"),
        ({"CASINO_ENV": "production", "SECRET_KEY": "k" * 50}, "ALLOWED_HOSTS is missing"),
        (
            {"CASINO_ENV": "production", "SECRET_KEY": "k" * 50, "ALLOWED_HOSTS": "a.example,*"},
            "is every name there is",
        ),
        ({"CASINO_ENV": "production", "CASINO_DEBUG": "yes"}, "never in production"),
        ({"CASINO_ENV": "staging"}, "demo or production"),
        ({"CASINO_ROLLOVER_HOUR": "25"}, "CASINO_ROLLOVER_HOUR"),
        ({"DATABASE_URL": "mysql://here"}, "database URL"),
    ],
)
def test_a_command_with_odd_settings_ends_in_a_sentence(variables: dict[str, str], sentence: str) -> None:
    here = {"REDIS_URL": "redis://127.0.0.1:1/0", "CASINO_ENV_FILE": os.devnull}
    done = subprocess.run(
        [sys.executable, "manage.py", "check"], cwd=environment.HOME, env=os.environ | here | variables,
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 1
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_production_passes_the_deployment_checks_of_django_and_of_the_interfaces_description() -> None:
    variables = {"CASINO_ENV": "production", "SECRET_KEY": "a-long-text." * 5 + "Xq7", "ALLOWED_HOSTS": "floor.example"}
    variables |= {"CASINO_ENV_FILE": os.devnull}
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level=WARNING"],
        cwd=environment.HOME, env=os.environ | variables, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_a_house_names_the_folders_of_its_own_games(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    monkeypatch.setenv("CASINO_GAMES", f"{tmp_path}/one, {tmp_path}")
    assert environment.folders("CASINO_GAMES") == [tmp_path / "one", tmp_path]
    monkeypatch.setenv("CASINO_GAMES", f"{tmp_path}/two")
    with pytest.raises(Refused, match="folders that exist"):
        environment.folders("CASINO_GAMES")
    monkeypatch.delenv("CASINO_GAMES")
    assert environment.folders("CASINO_GAMES") == []
