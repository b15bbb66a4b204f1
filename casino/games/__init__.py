"""The games this casino deals: every sub-folder is one, found by a scan; so is every sub-folder of the house's own.

A new game is a new folder whose `__init__` has a `GAME`; no other file is edited.
"""

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType

from casino.games.cards import quoted
from casino.games.game import Game
from casino.refusal import Refused

HERE = str(Path(__file__).parent)

_house: tuple[str, ...] = ()


def use_folders(*folders: str | Path) -> None:
    """Deal the games of these folders besides, in this process, from now on; the setting CASINO_GAMES names them."""
    global _house
    _house = tuple(map(str, folders))


def load_games(*extra_folders: str) -> Mapping[str, Game]:
    """Code → game, from this folder, the house's folders and `extra_folders`, scanned once.

    Raises AttributeError where a folder has no `GAME`, and ValueError where two games have the same code: a
    floor must not open with a game missing or mistaken for another.
    """
    return _scanned(HERE, *_house, *map(str, extra_folders))


@cache
def _scanned(*folders: str) -> Mapping[str, Game]:
    games: dict[str, Game] = {}
    for folder in folders:
        if folder not in __path__:
            __path__.append(folder)
        for found in pkgutil.iter_modules([folder]):
            if found.ispkg:
                _add(games, import_module(f"{__name__}.{found.name}").GAME)
    return MappingProxyType(games)


def _add(games: dict[str, Game], game: Game) -> None:
    if game.code in games:
        raise ValueError(f"Two games have the code {game.code!r}; give one of them another.")
    games[game.code] = game


def game(code: object) -> Game:
    """The game with this code; refuses `unknown_game`."""
    games = load_games()
    if not isinstance(code, str) or code not in games:
        raise Refused("unknown_game", f"There is no game {quoted(code)}; this casino deals {', '.join(games)}.")
    return games[code]
