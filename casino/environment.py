"""What the environment says, checked: every setting is a variable, and an odd value is refused in a sentence.

`.env.example` lists the variables. A file named `.env` beside manage.py is read first; what is already in the
environment wins over it.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from zoneinfo import ZoneInfo

from casino.refusal import Refused, in_quotes

HOME = Path(__file__).resolve().parent.parent
"""The checkout: the folder of manage.py."""


def read_env_file(path: Path) -> None:
    """Put the NAME=value lines of `path` into the environment, where the name is not there yet."""
    if not path.is_file():
        return
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        name, equals, value = line.partition("=")
        if not equals or not name.strip().isidentifier():
            raise Refused("odd_env_file", f"Line {number} of {path} is not NAME=value: {in_quotes(line)}.")
        os.environ.setdefault(name.strip(), value.strip().strip("'\""))


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def flag(name: str, default: bool) -> bool:
    word = text(name, "yes" if default else "no").lower()
    if word not in {"yes", "no"}:
        raise _odd(name, "yes or no")
    return word == "yes"


def whole(name: str, default: int, least: int, most: int) -> int:
    word = text(name, str(default))
    if not word.isdecimal() or not least <= int(word) <= most:
        raise _odd(name, f"a whole number from {least} to {most}")
    return int(word)


def one_of(name: str, default: str, words: Sequence[str]) -> str:
    word = text(name, default)
    if word not in words:
        raise _odd(name, " or ".join(words))
    return word


def words(name: str, default: Sequence[str]) -> list[str]:
    """A list written with commas."""
    return [word.strip() for word in text(name, ",".join(default)).split(",") if word.strip()]


def some_of(name: str, default: Sequence[str], allowed: Sequence[str]) -> list[str]:
    """A list written with commas, of words that are known."""
    found = words(name, default)
    if not set(found) <= set(allowed):
        raise _odd(name, f"a list of {', '.join(allowed)}, with commas between them")
    return found


def hours(name: str, first: int) -> list[int]:
    """Hours of the day written with commas, the first of them `first`; `first` alone where nothing is said."""
    found = words(name, (str(first),))
    if not all(word.isascii() and word.isdecimal() and int(word) <= 23 for word in found):
        raise _odd(name, "hours from 0 to 23 with commas between them, such as 6,14,22")
    given = sorted({int(word) for word in found}, key=lambda hour: (hour - first) % 24)
    if len(given) < len(found) or given[0] != first:
        raise _odd(name, f"different hours, one of which is the gaming day's first, {first}")
    return given


def hour_or_none(name: str) -> int | None:
    """An hour of the day, None where nothing is said."""
    return whole(name, 0, least=0, most=23) if text(name) else None


def folders(name: str) -> list[Path]:
    """Folders written with commas; each has to be there."""
    found = [Path(word).absolute() for word in words(name, ())]
    if not all(folder.is_dir() for folder in found):
        raise _odd(name, "folders that exist, with commas between them")
    return found


def time_zone(name: str, default: str) -> str:
    zone = text(name, default)
    try:
        ZoneInfo(zone)
    except (KeyError, ValueError, OSError):
        raise _odd(name, "a time zone such as America/New_York") from None
    return zone


def slug(name: str, default: str) -> str:
    """A short code that can stand in a stream's key: small letters, digits and hyphens."""
    word = text(name, default)
    if not word.replace("-", "").isalnum() or not word.isascii() or word != word.lower() or len(word) > 32:
        raise _odd(name, "a code of up to 32 small letters, digits and hyphens")
    return word


def currency(name: str, default: str) -> str:
    """The three capital letters of ISO 4217."""
    word = text(name, default)
    if len(word) != 3 or not word.isascii() or not word.isalpha() or not word.isupper():
        raise _odd(name, "three capital letters such as USD")
    return word


def var_folder() -> Path:
    """Where everything that this machine makes is kept: CASINO_VAR, or var/ in the checkout."""
    return Path(text("CASINO_VAR", str(HOME / "var"))).absolute()


def _odd(name: str, wanted: str) -> Refused:
    given = in_quotes(os.environ.get(name, ""))
    return Refused("odd_setting", f"{name} is {given}; it must be {wanted}.", name=name)
