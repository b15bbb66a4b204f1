"""`manage.py settle GAME FILE`: a dry run over rounds written as JSON lines. Needs no database and no server."""

import json
import os
import sys
from argparse import ArgumentParser
from contextlib import AbstractContextManager, nullcontext
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError

from casino.games import game
from casino.games.game import Game
from casino.games.lines import answers
from casino.refusal import Refused


class Command(BaseCommand):
    """One JSON answer a line on standard output; exit status 1 if any line was refused, 2 if nothing could be read."""

    help = "Settle rounds from a file of JSON lines, one answer a line; nothing is recorded."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", help="the game's code, say 54-card-roulette")
        parser.add_argument("file", help="a file of JSON lines, or - for standard input")
        parser.add_argument("--json", action="store_true", help="leave out the summary on standard error")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            table_game = game(options["game"])
            opened = _opened(options["file"])
        except Refused as refusal:
            raise CommandError(refusal.message, returncode=2) from None
        except OSError as error:
            raise CommandError(f"{options['file']} can't be read: {error.strerror}.", returncode=2) from None
        try:
            with opened as file:
                settled, refused = self._answer(table_game, file)
        except BrokenPipeError:
            # Whoever read the answers (`head`, say) has seen enough; what is still in the buffer has no reader.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise SystemExit(1) from None
        if not options["json"]:
            self.stderr.write(f"{table_game.name}: {settled:,} settled, {refused:,} refused.")
        if refused:
            raise SystemExit(1)

    def _answer(self, table_game: Game, file: BinaryIO) -> tuple[int, int]:
        """Write the answers as they come; how many lines were settled and how many refused."""
        settled = refused = 0
        for answer in answers(table_game, file):
            self.stdout.write(json.dumps(answer))
            refused += "error" in answer
            settled += "error" not in answer
        return settled, refused


def _opened(name: str) -> AbstractContextManager[BinaryIO]:
    return nullcontext(sys.stdin.buffer) if name == "-" else open(name, "rb")
