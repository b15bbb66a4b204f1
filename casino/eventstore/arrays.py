"""PostgreSQL arrays in their binary form, built in one go.

psycopg adapts a list element by element, which costs more than the append itself; packing the wire form
directly is several times faster and keeps the statement prepared.
"""

from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from struct import Struct
from typing import Any

from psycopg import BaseConnection
from psycopg.abc import Buffer
from psycopg.adapt import Dumper
from psycopg.pq import Format

_HEAD = Struct("!iiIii")
_EMPTY = Struct("!iiI")
_NULL = b"\xff\xff\xff\xff"
_EPOCH = date(2000, 1, 1)  # PostgreSQL counts days from here


class Array:
    """The bytes of one array value; each subclass is one element type."""

    __slots__ = ("data",)
    element = 0
    oid = 0

    def __init__(self, body: bytes, size: int) -> None:
        head = _HEAD.pack(1, 1, self.element, size, 1) if size else _EMPTY.pack(0, 0, self.element)
        self.data = head + body


class Texts(Array):
    """text[]; an element may be UTF-8 bytes already."""

    element, oid = 25, 1009

    def __init__(self, values: Sequence[str | bytes | None]) -> None:
        parts = []
        for value in values:
            if value is None:
                parts.append(_NULL)
            else:
                raw = value if isinstance(value, bytes) else value.encode()
                parts += (len(raw).to_bytes(4, "big"), raw)
        super().__init__(b"".join(parts), len(values))


class _Numbers(Array):
    width, letter = 0, ""

    def __init__(self, values: Sequence[int | None]) -> None:
        if None in values:
            one = _several(1, self.letter).pack
            body = b"".join([_NULL if value is None else one(self.width, value) for value in values])
        else:
            flat: list[Any] = [self.width] * (2 * len(values))
            flat[1::2] = values
            body = _several(len(values), self.letter).pack(*flat)
        super().__init__(body, len(values))


@lru_cache(maxsize=2_000)
def _several(count: int, letter: str) -> Struct:
    """The wire form of `count` numbers, each behind its width."""
    return Struct("!" + f"i{letter}" * count)


class Ints(_Numbers):
    """int[]"""

    element, oid, width, letter = 23, 1007, 4, "i"


class BigInts(_Numbers):
    """bigint[]"""

    element, oid, width, letter = 20, 1016, 8, "q"


class Dates(_Numbers):
    """date[]"""

    element, oid, width, letter = 1082, 1182, 4, "i"

    def __init__(self, values: Sequence[date]) -> None:
        super().__init__([(value - _EPOCH).days for value in values])


class _Dumper(Dumper):
    format = Format.BINARY

    def dump(self, obj: Any) -> Buffer:
        return obj.data  # type: ignore[no-any-return]


_DUMPERS = {cls: type(f"{cls.__name__}Dumper", (_Dumper,), {"oid": cls.oid}) for cls in (Texts, Ints, BigInts, Dates)}


def register(connection: BaseConnection[Any]) -> None:
    """Teach one connection these types; once a connection."""
    for cls, dumper in _DUMPERS.items():
        connection.adapters.register_dumper(cls, dumper)
