"""JSON lines for `manage.py settle`: read one by one, strictly, each answered whatever is wrong with it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, BinaryIO

from casino.games.cards import quoted
from casino.games.game import Game
from casino.refusal import Refused

LONGEST_LINE_BYTES = 1_000_000
"""A round is a few hundred bytes; what is longer is no round, and isn't read into memory whole."""


def answers(game: Game, file: BinaryIO) -> Iterator[dict[str, Any]]:
    """One answer for each line of `file`, blank ones after the last round excepted.

    A bad line answers `{"id", "line", "error"}` and the run goes on: `line` counts from 1, and `id` is its own where it
    can be read. A blank line between rounds is one (`blank_line`).
    """
    blank: list[int] = []
    for number, raw in enumerate(_lines(file), start=1):
        if not raw.strip():
            blank.append(number)
            continue
        yield from (_refused(None, one, BLANK) for one in blank)
        blank.clear()
        yield _answer(game, number, raw)


BLANK = Refused("blank_line", "The line is blank; a round is one line, with nothing between two of them.")


def _answer(game: Game, number: int, raw: bytes) -> dict[str, Any]:
    try:
        return game.dry_run(parsed(raw))
    except Refused as refused:
        return _refused(_readable_identity(raw), number, refused)


def _refused(identity: str | int | None, number: int, refused: Refused) -> dict[str, Any]:
    return {"id": identity, "line": number, "error": {"code": refused.code, "message": refused.message}}


class _Pairs(list[Any]):
    """An object as it is written, a field given twice standing twice."""


def _readable_identity(raw: bytes) -> str | int | None:
    """The one id of a line that is JSON at heart, whatever else is wrong with it; None where that can't be said."""
    if len(raw) > LONGEST_LINE_BYTES:
        return None
    try:
        line = json.loads(raw.decode("utf-8"), object_pairs_hook=_Pairs, parse_constant=lambda name: None)
    except (ValueError, RecursionError):
        return None
    named = [value for name, value in line if name == "id"] if isinstance(line, _Pairs) else []
    return named[0] if len(named) == 1 and _is_identity(named[0]) else None


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines of `file`; of one that is too long only the beginning, long enough to be known as such."""
    while raw := file.readline(LONGEST_LINE_BYTES + 1):
        rest = raw
        while len(rest) > LONGEST_LINE_BYTES and not rest.endswith(b"\n"):
            rest = file.readline(LONGEST_LINE_BYTES + 1)
        yield raw


def parsed(raw: bytes) -> Mapping[str, Any]:
    """One line as an object.

    Refuses `line_too_long`, `not_utf8`, `malformed_json`, `field_twice` and `not_an_object`.
    """
    if len(raw) > LONGEST_LINE_BYTES:
        raise Refused("line_too_long", f"The line is over {LONGEST_LINE_BYTES:,} bytes; a round is one short line.")
    try:
        line = json.loads(raw.decode("utf-8"), object_pairs_hook=without_repetition, parse_constant=_no_constant)
    except UnicodeDecodeError:
        raise Refused("not_utf8", "The line is not UTF-8 text; save the file as UTF-8.") from None
    except (ValueError, RecursionError) as error:
        raise Refused("malformed_json", f"The line is not JSON: {str(error)[:120]}.") from None
    if not isinstance(line, dict):
        raise Refused("not_an_object", f"The line is {quoted(line)}; a round is a JSON object with named fields.")
    return line


def without_repetition(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """The object of these pairs, for json's `object_pairs_hook`; refuses `field_twice`: which one counts is a guess."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Refused("field_twice", f"The field {quoted(twice)} is given twice; give it once.")
    return fields


def _no_constant(name: str) -> None:
    raise Refused("malformed_json", f"{name} is not a JSON number; money is whole cents.")


def _is_identity(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def identity(value: object) -> str | int:
    """The id of a line, text or a whole number; refuses `bad_id`."""
    if not _is_identity(value):
        raise Refused("bad_id", f"The id {quoted(value)} is neither text nor a whole number.")
    return value  # type: ignore[return-value]


def fields(value: object, what: str, required: Sequence[str], optional: Sequence[str] = ()) -> Mapping[str, Any]:
    """`value` as an object with these fields and no others; refuses `not_an_object`, `missing_field`, `unknown_field`.

    `what` begins the sentence: "Wager 3".
    """
    if not isinstance(value, Mapping):
        raise Refused("not_an_object", f"{what} is {quoted(value)}; it must be an object with {', '.join(required)}.")
    for name in required:
        if name not in value:
            raise Refused("missing_field", f"{what} has no {name}; give it.", field=name)
    for name in value:
        if name not in required and name not in optional:
            known = ", ".join((*required, *optional))
            raise Refused("unknown_field", f"{what} has an unknown field {quoted(name)}; it may have {known}.")
    return value


def listed(value: object, what: str) -> Sequence[Any]:
    """`value` as a JSON list; refuses `not_a_list`."""
    if not isinstance(value, list | tuple):
        raise Refused("not_a_list", f"{what} must be a list; {quoted(value)} is none.")
    return value


def whole_number(value: object, what: str, code: str, least: int, most: int) -> int:
    """`value` as an integer from `least` to `most`; true, 1.0 and "1" are none. Refuses `code`."""
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise Refused(code, f"{what} is {quoted(value)}; it must be a whole number from {least:,} to {most:,}.")
    return value
