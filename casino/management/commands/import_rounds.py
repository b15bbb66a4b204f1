"""`manage.py import_rounds FILE`: complete rounds as JSON lines, from a smart table or a shoe."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from casino.commands.hint import hint_settlement
from casino.commands.imports import EVENTS_MAX, ImportedRound, import_rounds, read_line
from casino.refusal import Refused

LINE_MAX = 1_000_000


class Command(BaseCommand):
    """Run it again after an interruption: rounds that are in already are known and cost nothing."""

    help = (
        "Import finished rounds, one JSON object a line: source, source_round, table, occurred_at, wagers "
        "[{seat, wager, stake_cents}], cards, and where they apply drawn_position, progressive_count and "
        "decisions [{seat, action, stake_cents}]. "
        "Bad lines go to FILE.rejects.jsonl with the reason; exit status 1 when there were any."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--rejects", type=Path, help="where bad lines go (default FILE.rejects.jsonl)")

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        rejects: Path = options["rejects"] or path.with_name(f"{path.name}.rejects.jsonl")
        try:
            size = path.stat().st_size
            with path.open("rb") as file, tqdm(total=size, unit="B", unit_scale=True, file=sys.stderr) as bar:
                counts, refused = carry_out(file, bar)
        except OSError as error:
            raise CommandError(f"The file {path} can't be read: {error.strerror}.", returncode=2) from error
        hint_settlement()
        if refused:
            rejects.write_text("".join(f"{json.dumps(one)}\n" for one in refused))
        early = f" Marked, as their own clock has them before their table opened: {counts['early']}."
        self.stdout.write(
            f"{counts['new']} rounds imported, {counts['known']} known already, {len(refused)} refused"
            + (f"; the reasons are in {rejects}." if refused else ".")
            + (early if counts["early"] else "")
        )
        if refused:
            sys.exit(1)


def carry_out(file: BinaryIO, bar: "tqdm[Any]") -> tuple[dict[str, int], list[dict[str, Any]]]:
    """Import a file in batches; returns how many rounds were new, known, and new but early, and the refused lines."""
    counts = {"new": 0, "known": 0, "early": 0}
    refused: list[dict[str, Any]] = []
    for batch in batches(file, refused, bar):
        for (number, text, _), outcome in zip(batch, import_rounds([line for _, _, line in batch]), strict=True):
            if outcome.refusal:
                refused.append(reject(number, text, outcome.refusal))
            else:
                counts[outcome.word] += 1
                counts["early"] += outcome.is_early
    return counts, sorted(refused, key=lambda one: one["line"])


Numbered = tuple[int, bytes, ImportedRound]


def batches(file: BinaryIO, refused: list[dict[str, Any]], bar: "tqdm[Any]") -> Iterator[list[Numbered]]:
    """Lines in batches of about EVENTS_MAX events; lines that can't be read go straight to `refused`."""
    batch: list[Numbered] = []
    events = 0
    for number, text in enumerate(iter(lambda: file.readline(LINE_MAX), b""), 1):
        bar.update(len(text))
        if not text.strip():
            continue
        try:
            line = read_line(text)
        except Refused as refusal:
            refused.append(reject(number, text, refusal))
            continue
        # Opening, wagers, cards dealt and turned, decisions with what a raise puts down, the rest.
        weight = 6 + len(line.wagers) + 2 * len(line.cards) + 2 * len(line.decisions)
        if batch and events + weight > EVENTS_MAX:
            yield batch
            batch, events = [], 0
        batch.append((number, text, line))
        events += weight
    if batch:
        yield batch


def reject(number: int, text: bytes, refusal: Refused) -> dict[str, Any]:
    """A refused line with its reason."""
    content = text.decode(errors="replace").rstrip("\n")
    return {"line": number, "code": refusal.code, "message": refusal.message, "content": content}
