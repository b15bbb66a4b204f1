"""House rules that a machine can read. Each message says what to do instead."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

HOME = Path(__file__).resolve().parent.parent
CODE = ("casino", "jackpot", "ledger", "benchmarks")
FUNCTION_LINES_MAX, FILE_LINES_MAX = 70, 400

# Standard library only, no clock, no chance, no float: what decides over money, as modules or packages.
PURE = (
    "casino/money", "casino/refusal", "casino/roles", "casino/access", "casino/admission", "casino/approval",
    "casino/keys", "casino/events", "casino/table", "casino/round",
    "casino/session", "casino/slips", "casino/transfers", "casino/slip_events", "casino/session_events",
    "casino/seat_events", "casino/payout_events", "casino/void_events", "casino/seating", "casino/theo", "casino/games",
    "jackpot/events", "jackpot/meter", "jackpot/link", "jackpot/terms", "jackpot/mathematics",
    "jackpot/case_events", "jackpot/case_state", "jackpot/case", "jackpot/control_events", "jackpot/control",
    "jackpot/reading_events", "jackpot/readings", "jackpot/statement",
    "ledger/events", "ledger/book", "ledger/postings", "ledger/reconcile", "ledger/figures",
    "ledger/luck", "ledger/base_level", "ledger/stiff", "ledger/stiff_columns", "ledger/hold", "ledger/scope",
    "ledger/report_events",
)  # fmt: skip
IMPURE_MODULES = {"random", "time", "os", "secrets", "socket", "subprocess", "threading", "decimal", "statistics"}
FRAMEWORKS = ("django", "rest_framework", "celery", "redis", "psycopg")


def files(*places: str) -> list[Path]:
    found = [path for place in places for path in _python_files(HOME / place)]
    assert found, f"Nothing found in {places}."
    return found


def _python_files(place: Path) -> Iterator[Path]:
    """The files of a folder or a module; none where it isn't written yet."""
    if place.with_suffix(".py").is_file():
        yield place.with_suffix(".py")
    yield from (path for path in sorted(place.rglob("*.py")) if "migrations" not in path.parts)


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(), filename=str(path))


def at(path: Path, node: ast.AST) -> str:
    return f"{path.relative_to(HOME)}:{getattr(node, 'lineno', 0)}"


@pytest.mark.parametrize("path", files(*CODE, "tests", "manage"), ids=lambda path: str(path.relative_to(HOME)))
def test_no_function_is_longer_than_a_screen_and_no_file_longer_than_one_noun_needs(path: Path) -> None:
    long = [
        f"{at(path, node)} {node.name} has {node.end_lineno - node.lineno + 1} lines; cut it into steps with names."
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno + 1 > FUNCTION_LINES_MAX
    ]
    assert not long, "\n".join(long)
    lines = len(path.read_text().splitlines())
    assert lines <= FILE_LINES_MAX, f"{path} has {lines} lines; split it by noun, never into utils.py."


@pytest.mark.parametrize("path", files(*PURE), ids=lambda path: str(path.relative_to(HOME)))
def test_the_core_counts_in_whole_numbers(path: Path) -> None:
    inexact = list(_inexact(path))
    assert not inexact, "\n".join(inexact)


def _inexact(path: Path) -> Iterator[str]:
    """Floats by value or by name, round(), and a division that is neither of a path nor of fractions.

    A `/` of two fractions is exact, and stands in functions that say so: they return Fraction.
    """
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Constant) and isinstance(node.value, float):
            yield f"{at(path, node)} {node.value} is a float; use whole cents, micro-units or a Fraction."
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"float", "round"}:
            yield f"{at(path, node)} {node.func.id}() is inexact; use a named rule of casino/money.py."
    if path.name == "odds.py":  # nothing there but fractions
        return
    for node in _divisions_outside_fractions(tree(path)):
        yield f"{at(path, node)} divides with /; use divmod() or //, or a function that returns a Fraction."


def _divisions_outside_fractions(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.FunctionDef) and node.returns and "Fraction" in ast.unparse(node.returns):
        return
    if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div) and not _is_exact(node):
        yield node
    for child in ast.iter_child_nodes(node):
        yield from _divisions_outside_fractions(child)


def _is_exact(node: ast.BinOp | ast.AugAssign) -> bool:
    """Whether the operands say themselves that this is a path or a fraction."""
    words = ast.unparse(node)
    return any(word in words for word in ("Path(", "__file__", "HERE", "Fraction(", "odds"))


@pytest.mark.parametrize("path", files(*PURE), ids=lambda path: str(path.relative_to(HOME)))
def test_the_core_is_given_its_clock_and_its_shoe(path: Path) -> None:
    for node in ast.walk(tree(path)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        wrong = {name.partition(".")[0] for name in names} & IMPURE_MODULES
        assert not wrong, f"{at(path, node)} imports {wrong}; take the clock or the shoe as an argument."
        if isinstance(node, ast.Attribute):
            assert node.attr not in {"now", "today", "utcnow"}, f"{at(path, node)} reads the clock; take it as given."


def test_the_core_runs_where_no_framework_is_installed() -> None:
    """Static contracts can't see an import inside a function; a fresh interpreter can."""
    modules = [
        ".".join(path.relative_to(HOME).with_suffix("").parts).removesuffix(".__init__")
        for path in files(*PURE)
        if "management" not in path.parts
    ]
    program = (
        "import sys, importlib\n"
        f"for name in {FRAMEWORKS!r}: sys.modules[name] = None  # an import of it raises\n"
        f"for name in {modules!r}: importlib.import_module(name)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=HOME, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("package", ["casino", "jackpot", "ledger"])
def test_a_package_can_be_imported_without_running_anything(package: str) -> None:
    assert (HOME / package / "__init__.py").read_text() == "", f"{package}/__init__.py has to stay empty."


def test_games_are_strangers_to_each_other() -> None:
    """What two games share stands beside their folders; so a third game is one new folder and nothing else."""
    games = [folder.name for folder in (HOME / "casino/games").iterdir() if (folder / "__init__.py").exists()]
    assert games, "No game found."
    for game in games:
        for path in files(f"casino/games/{game}"):
            others = [other for other in games if other != game and f"casino.games.{other}" in path.read_text()]
            assert not others, f"{path.relative_to(HOME)} uses {others}; move what they share to casino/games/."


def test_the_progressives_know_no_game_by_name() -> None:
    """Codes, names, paytables, ranks: all of it comes from the game whose code a link or a round carries."""
    from casino.games import load_games

    games = load_games().values()
    words = {word for game in games for word in (game.code, game.name)}
    words |= {rank for game in games for name in game.tier_sets for rank in game.tiers(name)}
    assert {"royal-casino", "Royal Casino", "five_of_a_kind"} <= words
    for path in (*files("jackpot"), *sorted((HOME / "templates/jackpot").glob("*.html"))):
        said = path.read_text()
        known = sorted(word for word in words if word in said)
        assert not known, f"{path.relative_to(HOME)} names {known}; ask the game, or say it in general words."


def test_nothing_outside_the_games_knows_a_game_by_name() -> None:
    games = [folder.name for folder in (HOME / "casino/games").iterdir() if (folder / "__init__.py").exists()]
    for path in files("casino", "jackpot", "ledger"):
        if "games" in path.parts:
            continue
        named = [game for game in games if f"casino.games.{game}" in path.read_text()]
        assert not named, f"{path.relative_to(HOME)} imports {named}; ask casino.games.game(code) instead."
