"""`manage.py paytable GAME`: the exact mathematics of every wager. Needs no database and no server."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from casino.games import game
from casino.refusal import Refused


class Command(BaseCommand):
    """The report as a table, or as JSON with fractions as "a/b"."""

    help = "Show what every wager pays, its chance, house edge and variance, enumerated afresh."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", help="the game's code, say 54-card-roulette")
        parser.add_argument("--paytable", help="the paytable's name; by default the game's first")
        parser.add_argument("--json", action="store_true", help="print one JSON object instead of tables")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            table_game = game(options["game"])
            report = table_game.paytable_report(options["paytable"] or table_game.paytables[0])
        except Refused as refusal:
            raise CommandError(refusal.message, returncode=2) from None
        if options["json"]:
            self.stdout.write(json.dumps(report))
            return
        self.stdout.write(f"{table_game.name}, paytable {report['paytable']}\n")
        for line in (*_wagers(report), *_tables(report), *_hand_ranks(report), *_progressive(report)):
            self.stdout.write(line)


def _wagers(report: Mapping[str, Any]) -> Iterator[str]:
    heads = ("wager", "pays", "win probability", "", "house edge", "", "variance", "")
    yield from _aligned([heads, *(_wager(row) for row in report["wagers"])])
    for row in report["wagers"]:
        if row["player_advantage"]:
            edge = _percent(row["house_edge"]).lstrip("-")
            yield f"PLAYER ADVANTAGE: {row['wager']} pays more than it takes; the player gains {edge} of the stake."


def _wager(row: Mapping[str, Any]) -> tuple[str, ...]:
    chance, edge = row["win_probability"], row["house_edge"]
    flag = "PLAYER ADVANTAGE" if row["player_advantage"] else ""
    pays = "by table" if isinstance(row["pays"], dict) else _to_one(row["pays"])
    return (row["wager"], pays, chance, _percent(chance), edge, _percent(edge), row["variance"], flag)


def _to_one(pays: int | str) -> str:
    return f"{pays:,} to 1" if isinstance(pays, int) else f"{pays} to 1"


def _tables(report: Mapping[str, Any]) -> Iterator[str]:
    """What the wagers that pay by a table pay, and what the report tells about a wager besides."""
    for row in report["wagers"]:
        if isinstance(row["pays"], dict):
            yield ""
            pays = [(rank, _to_one(pays)) for rank, pays in row["pays"].items()]
            yield from _aligned([(f"{row['wager']} pays", ""), *pays])
        for name, figures in report.get(row["wager"], {}).items():
            yield ""
            title = f"{row['wager']} {name.replace('_', ' ')}"
            rows = figures.items() if isinstance(figures, dict) else [("", figures)]
            yield from _aligned([(title, "", ""), *((label, f, f"{_decimal(f):.10f}") for label, f in rows)])


def _hand_ranks(report: Mapping[str, Any]) -> Iterator[str]:
    yield ""
    hands = report["hands"]
    counted = report["hand_ranks"].items()
    rows = [(rank, f"{count:,}", _percent(f"{count}/{hands}")) for rank, count in counted]
    yield from _aligned([("hand rank", "hands", ""), *rows, ("all", f"{hands:,}", "")])


def _progressive(report: Mapping[str, Any]) -> Iterator[str]:
    for tiers in report.get("progressive", ()):
        yield ""
        parts = ", ".join(f"{rank} {_percent(part, places=0)}" for rank, part in tiers["parts"].items())
        yield f"progressive, tiers {tiers['tiers']}: {parts} of the meter; q = {tiers['q']}"
        meters = tiers["break_even_meter"].items()
        rows = [(players, meter, f"{_decimal(meter):,.2f}") for players, meter in meters]
        yield from _aligned([("players", "break-even meter in stakes", ""), *rows])
        worth = [(players, one["of_meter"], one["of_reset"]) for players, one in tiers["worth"].items()]
        if any(of_reset != "0/1" for _, _, of_reset in worth):
            # A win may come after a full one in the same round: then the break-even rests on the link's reset besides.
            yield from _aligned([("players", "a stake is worth so much of the meter", "and of the reset"), *worth])


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The rows as text, the first column to the left and the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *rest in rows:
        cells = (cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True))
        yield "  ".join((first.ljust(widths[0]), *cells)).rstrip()


def _percent(fraction: str, places: int = 4) -> str:
    return f"{_decimal(fraction) * 100:.{places}f} %"


def _decimal(fraction: str) -> Decimal:
    exact = Fraction(fraction)
    return Decimal(exact.numerator) / Decimal(exact.denominator)
