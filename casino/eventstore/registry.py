"""Names on disk: every event type has a chosen word and a version, and old versions are read for ever.

An event is a frozen msgspec Struct. The log keeps its canonical JSON (keys sorted, no blanks, whole numbers
only), the exact bytes that are hashed. Renaming a class changes nothing on disk; a new meaning gets a new name;
a new shape gets the next version and an upcast from the one before.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec

from casino.refusal import Refused

S = TypeVar("S", bound=type[msgspec.Struct])
Payload = dict[str, Any]


class Event(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of all events. `in_cents` and `out_cents` are the house's view of the money, typed in the log."""

    @property
    def in_cents(self) -> int:
        """Cents that come to the house by this event; 0 where it moves none."""
        return 0

    @property
    def out_cents(self) -> int:
        """Cents that leave the house by this event; 0 where it moves none."""
        return 0


class UnknownEvent(Exception):
    """A stored event whose name or version this program does not know: reading stops, nothing is skipped."""


class Written(NamedTuple):
    """An event as it goes to disk."""

    type: str
    schema_version: int
    payload: str


class _Type(NamedTuple):
    name: str
    version: int
    cls: type[msgspec.Struct]
    upcasts: dict[int, Callable[[Payload], Payload]]


_by_name: dict[str, _Type] = {}
_by_class: dict[type, _Type] = {}
_encoder = msgspec.json.Encoder(order="sorted")
NUL = b"\\u0000"
_ESCAPED_NUL = re.compile(rb"\\+(?=u0000)")
"""The backslashes before it: an odd number of them make U+0000, which PostgreSQL's jsonb can't hold."""


def event(name: str, version: int = 1) -> Callable[[S], S]:
    """Register a Struct under the word it has on disk; a word is given once."""

    def register(cls: S) -> S:
        known = _by_name.get(name)
        if known is not None and _path(known.cls) != _path(cls):
            raise ValueError(f"The event name {name!r} is already taken by {_path(known.cls)}.")
        kind = _Type(name, version, cls, {})
        _by_name[name] = _by_class[cls] = kind
        return cls

    return register


def _path(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


def upcast(cls: type[msgspec.Struct], from_version: int) -> Callable[[Callable[[Payload], Payload]], object]:
    """Register the pure step that turns a payload of `from_version` into the next version's."""

    def register(step: Callable[[Payload], Payload]) -> object:
        _by_class[cls].upcasts[from_version] = step
        return step

    return register


def names() -> Mapping[str, type[msgspec.Struct]]:
    """Every registered word and its class."""
    return {name: kind.cls for name, kind in _by_name.items()}


def name_of(event_or_class: msgspec.Struct | type[msgspec.Struct]) -> str:
    """The word on disk of an event or an event class."""
    cls = event_or_class if isinstance(event_or_class, type) else type(event_or_class)
    return _by_class[cls].name


def version_of(cls: type[msgspec.Struct]) -> int:
    """The version in which this program writes events of the class."""
    return _by_class[cls].version


def encode(event: msgspec.Struct) -> Written:
    """The event as stored: its word, its version and its canonical JSON."""
    kind = _by_class[type(event)]
    return Written(kind.name, kind.version, _bytes_of(event).decode())


def _bytes_of(event: msgspec.Struct) -> bytes:
    """The canonical JSON; refuses `unreadable_text`, since no follower could read the log past such a character."""
    try:
        payload = _encoder.encode(event)
    except UnicodeEncodeError:
        payload = b"\\u0000"
    if NUL in payload and any(len(found[0]) % 2 for found in _ESCAPED_NUL.finditer(payload)):
        sentence = "A text holds a character that is none, such as U+0000, and can't be kept; write it without."
        raise Refused("unreadable_text", sentence)
    return payload


def encode_all(events: Sequence[msgspec.Struct]) -> tuple[list[str], list[int], list[bytes]]:
    """Words, versions and canonical JSON of many events, the JSON as the bytes that go over the wire."""
    kinds = [_by_class[type(event)] for event in events]
    payloads = [_bytes_of(event) for event in events]
    return [kind.name for kind in kinds], [kind.version for kind in kinds], payloads


def decode(name: str, version: int, payload: str) -> Any:
    """The event object of a stored payload, lifted through every version in between.

    Raises UnknownEvent for a word or version that is not registered.
    """
    kind = _by_name.get(name)
    if kind is None:
        raise UnknownEvent(f"The log holds an event named {name!r}, which this program does not know.")
    if version == kind.version:
        return msgspec.json.decode(payload, type=kind.cls)
    return msgspec.convert(_lift(kind, version, msgspec.json.decode(payload)), kind.cls)


def _lift(kind: _Type, version: int, payload: Payload) -> Payload:
    for step in range(version, kind.version):
        if step not in kind.upcasts:
            raise UnknownEvent(f"{kind.name!r} of version {version} has no upcast from version {step}.")
        payload = kind.upcasts[step](payload)
    if version > kind.version:
        raise UnknownEvent(f"{kind.name!r} of version {version} was written by a newer program.")
    return payload
