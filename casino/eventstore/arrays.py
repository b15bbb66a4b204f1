"""PostgreSQL arrays in their binary form, built in one go.

psycopg adapts a list element by element, which costs more than the append itself; packing the wire form
directly is several times faster and keeps the statement prepared.
"""

from collections.abc import Sequence
from datetime import date
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

    def __init__(self, parts: list[bytes], size: int) -> None:
        if size:
            parts[0] = _HEAD.pack(1, 1, self.element, size, 1)
        else:
            parts[0] = _EMPTY.pack(0, 0, self.element)
        self.data = b"".join(parts)


class Texts(Array):
    """text[]"""

    element, oid = 25, 1009

    def __init__(self, values: Sequence[str | None]) -> None:
        parts = [b""]
        for value in values:
            if value is None:
                parts.append(_NULL)
            else:
                raw = value.encode()
                parts += (len(raw).to_bytes(4, "big"), raw)
        super().__init__(parts, len(values))


class _Numbers(Array):
    width = 0
    pair = Struct("!ii")

    def __init__(self, values: Sequence[int | None]) -> None:
        width, pair = self.width, self.pair.pack
        super().__init__([b"", *(_NULL if v is None else pair(width, v) for v in values)], len(values))


class Ints(_Numbers):
    """int[]"""

    element, oid, width = 23, 1007, 4


class BigInts(_Numbers):
    """bigint[]"""

    element, oid, width, pair = 20, 1016, 8, Struct("!iq")


class Dates(_Numbers):
    """date[]"""

    element, oid, width = 1082, 1182, 4

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
