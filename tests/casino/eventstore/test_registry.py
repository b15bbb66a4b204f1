"""Names on disk: chosen words, canonical JSON, every version read for ever, and nothing unknown stepped over."""

import importlib
import itertools
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.eventstore import registry
from casino.eventstore.registry import Event, UnknownEvent, decode, encode, event, name_of, names, upcast, version_of
from casino.refusal import Refused

GOLDEN = Path(__file__).parents[2] / "golden"
APPS = ("casino", "jackpot", "ledger")

for app in APPS:
    for module in Path(importlib.import_module(app).__path__[0]).glob("*events.py"):
        importlib.import_module(f"{app}.{module.stem}")

OURS = {name: cls for name, cls in names().items() if cls.__module__.split(".")[0] in APPS}


def golden(path: Path) -> tuple[str, int, str]:
    """The word, the version and the payload of a golden file named `<word>.v<version>.json`."""
    word, _, version = path.stem.rpartition(".v")
    return word, int(version), path.read_text()


@pytest.fixture
def serial() -> Iterator[int]:
    """A number for words that only one test knows."""
    return itertools.count(1)


# ------------------------------------------------------------------------------------------------- golden files


@pytest.mark.parametrize("name", OURS)
def test_every_event_has_a_golden_file_of_its_version(name):
    version = version_of(OURS[name])
    assert (GOLDEN / f"{name}.v{version}.json").exists(), (
        f"{name} has no tests/golden/{name}.v{version}.json. Write one payload of it there, exactly as the log keeps "
        "it, and never change it again: a new shape gets the next version, an upcast and a file of its own."
    )


@pytest.mark.parametrize("path", sorted(GOLDEN.iterdir()), ids=lambda path: path.stem)
def test_what_was_once_written_is_read_for_ever(path):
    name, version, payload = golden(path)
    read = decode(name, version, payload)
    assert type(read) is names()[name]
    if version == version_of(type(read)):
        assert encode(read) == (name, version, payload)


@pytest.mark.parametrize("path", sorted(GOLDEN.iterdir()), ids=lambda path: path.stem)
def test_a_payload_with_a_field_too_many_is_not_read(path):
    name, version, payload = golden(path)
    if version < version_of(names()[name]):
        pytest.skip("What an upcast takes in is for the upcast to say.")
    with pytest.raises(msgspec.ValidationError, match="unknown field `unheard_of`"):
        decode(name, version, payload.replace("{", '{"unheard_of":1,', 1))


def test_a_payload_with_a_field_too_few_is_not_read():
    with pytest.raises(msgspec.ValidationError, match="missing required field `stake_cents`"):
        decode("wager_withdrawn", 1, '{"number":1,"seat":2}')


@pytest.mark.parametrize("name", OURS)
def test_an_event_is_frozen_strict_and_holds_no_fractions_of_a_number(name):
    cls = OURS[name]
    assert issubclass(cls, Event)
    assert cls.__struct_config__.frozen
    assert cls.__struct_config__.forbid_unknown_fields
    assert "float" not in str(msgspec.inspect.type_info(cls))
    assert "decimal" not in str(msgspec.inspect.type_info(cls)).lower()


def test_a_word_on_disk_is_small_letters_and_underscores():
    assert [name for name in OURS if not name.replace("_", "").isalpha() or name != name.lower()] == []


# ------------------------------------------------------------------------------------------------- canonical JSON


@event("test_kept")
class Kept(Event):
    zeta: str = ""
    alpha: int = 0
    names: dict[str, int] = {}


def test_canonical_json_sorts_its_keys_and_has_no_blanks():
    kept = Kept(zeta="z", alpha=1, names={"b": 2, "a": 1})
    assert encode(kept) == ("test_kept", 1, '{"alpha":1,"names":{"a":1,"b":2},"zeta":"z"}')


def test_letters_of_all_alphabets_stand_as_themselves_and_control_characters_are_escaped():
    assert encode(Kept(zeta='Zoë 東京 ♠ "q" \\ \x1f\n')).payload == (
        '{"alpha":0,"names":{},"zeta":"Zoë 東京 ♠ \\"q\\" \\\\ \\u001f\\n"}'
    )


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))


@given(TEXTS, st.integers(-(2**63), 2**63 - 1), st.dictionaries(TEXTS, st.integers(-(10**15), 10**15)))
def test_whatever_is_written_is_read_back_and_written_alike(zeta, alpha, named):
    kept = Kept(zeta=zeta, alpha=alpha, names=named)
    written = encode(kept)
    assert decode(*written) == kept
    assert encode(decode(*written)) == written
    shuffled = Kept(zeta=zeta, alpha=alpha, names=dict(reversed(named.items())))
    assert encode(shuffled) == written


# ------------------------------------------------------------------------------------------------- names


def test_a_name_on_disk_stays_when_the_class_is_called_otherwise():
    assert name_of(Kept) == name_of(Kept()) == "test_kept"
    assert names()["test_kept"] is Kept


def test_a_name_is_given_once():
    with pytest.raises(ValueError, match=r"'test_kept' is already taken by .*test_registry\.Kept"):

        @event("test_kept")
        class Other(Event):
            pass

    assert names()["test_kept"] is Kept


def test_a_class_of_the_same_name_in_another_module_does_not_get_the_word():
    stranger = type(Kept)("Kept", (Event,), {"__module__": "elsewhere", "__qualname__": "Kept"})
    with pytest.raises(ValueError, match="already taken"):
        event("test_kept")(stranger)


def test_an_unknown_name_stops_the_reader():
    with pytest.raises(UnknownEvent, match="'test_unheard_of', which this program does not know"):
        decode("test_unheard_of", 1, "{}")


def test_a_version_from_a_newer_program_stops_the_reader():
    with pytest.raises(UnknownEvent, match="written by a newer program"):
        decode("test_kept", 2, encode(Kept()).payload)


def test_a_version_that_never_was_stops_the_reader():
    with pytest.raises(UnknownEvent, match="no upcast from version 0"):
        decode("test_kept", 0, encode(Kept()).payload)


# ------------------------------------------------------------------------------------------------- upcasts


@pytest.fixture
def drawer(serial):
    """An event in its third version: v1 had whole dollars, v2 cents, v3 says who counted."""

    @event(f"test_drawer_counted_{next(serial)}", version=3)
    class DrawerCounted(Event):
        amount_cents: int
        counted_by: list[str]

    @upcast(DrawerCounted, from_version=1)
    def dollars_to_cents(payload):
        return {"amount_cents": payload["amount_dollars"] * 100}

    @upcast(DrawerCounted, from_version=2)
    def nobody_named(payload):
        return payload | {"counted_by": []}

    yield DrawerCounted
    del registry._by_name[name_of(DrawerCounted)]
    del registry._by_class[DrawerCounted]


def test_an_old_version_is_lifted_step_by_step_to_the_present_one(drawer):
    name = name_of(drawer)
    assert decode(name, 1, '{"amount_dollars":12}') == drawer(amount_cents=1200, counted_by=[])
    assert decode(name, 2, '{"amount_cents":1234}') == drawer(amount_cents=1234, counted_by=[])
    assert decode(name, 3, '{"amount_cents":5,"counted_by":["Ana"]}') == drawer(amount_cents=5, counted_by=["Ana"])
    assert encode(decode(name, 1, '{"amount_dollars":12}')).schema_version == 3


def test_a_missing_step_stops_the_reader(drawer):
    del registry._by_class[drawer].upcasts[2]
    with pytest.raises(UnknownEvent, match="of version 1 has no upcast from version 2"):
        decode(name_of(drawer), 1, '{"amount_dollars":12}')


def test_an_upcast_that_gives_the_wrong_shape_stops_the_reader(drawer):
    upcast(drawer, from_version=2)(lambda payload: payload | {"counted_by": "Ana"})
    with pytest.raises(msgspec.ValidationError, match="Expected `array`"):
        decode(name_of(drawer), 2, '{"amount_cents":1}')


# ------------------------------------------------------------------------------------------------- what can't be kept


@pytest.mark.parametrize("text", ["a\0b", "\\\0", "\ud800"])
def test_a_text_that_no_follower_could_read_is_refused_before_it_is_written(serial: Iterator[int], text: str) -> None:
    with pytest.raises(Refused) as refused:
        encode(made(f"unreadable_{next(serial)}", text))
    assert refused.value.code == "unreadable_text"


@pytest.mark.parametrize("text", ["\\u0000", "\\\\u0000", "u0000"])
def test_a_text_that_only_looks_like_it_is_kept(serial: Iterator[int], text: str) -> None:
    one = made(f"readable_{next(serial)}", text)
    assert decode(name_of(one), 1, encode(one).payload) == one


def made(word: str, text: str) -> Event:
    @event(word)
    class Said(Event):
        text: str

    return Said(text=text)
