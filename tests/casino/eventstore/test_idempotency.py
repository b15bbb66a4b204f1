"""Keys: the same command again is answered again and written once; a key used for something else is refused."""

from datetime import UTC, datetime

import pytest

from casino.commands.order import Order, Plan, carry_out
from casino.eventstore import store
from casino.eventstore.store import Command, Conflict, KeyReused, Origin
from casino.refusal import Refused
from tests.casino.eventstore.notes import AT, addition, append, order, texts_of


def test_the_same_key_with_the_same_content_answers_again_and_writes_nothing(database, counts):
    first = order("k", "content", addition("a", 0, "one", "two"))
    before = counts()
    for _ in range(3):
        again = order("k", "content", addition("a", 0, "one", "two"))
        assert again == (first.first_position, first.last_position, True)
    assert counts() == before
    command = Command("ana", "k", "content")
    assert store.find_command("ana", "k") == ("content", first.first_position, first.last_position)
    assert [r.event.text for r in store.events_of_command(first, command)] == ["one", "two"]


def test_the_same_key_with_other_content_is_refused(database, counts):
    order("k", "content", addition("a"))
    before = counts()
    with pytest.raises(KeyReused) as reused:
        order("k", "another", addition("b"))
    assert reused.value.key == "k"
    assert counts() == before


def test_another_principal_may_use_the_same_key(database):
    order("k", "content", addition("a", 0, "of ana"), by="ana")
    order("k", "content", addition("b", 0, "of ben"), by="ben")
    assert store.find_command("ana", "k") != store.find_command("ben", "k")
    assert store.find_command("cleo", "k") is None


def test_a_key_whose_append_failed_is_free(database):
    append(addition("a"))
    with pytest.raises(Conflict):
        order("k", "content", addition("a", 7))
    assert store.find_command("ana", "k") is None
    assert not order("k", "content", addition("a", 1)).replayed


def test_the_same_key_twice_at_the_same_moment_is_written_once(database, at_once, counts):
    answers = []
    at_once(*[lambda: answers.append(order("k", "content", addition("a", 0, "one", "two")))] * 6)
    assert sorted(answer.replayed for answer in answers) == [False, True, True, True, True, True]
    assert len({answer[:2] for answer in answers}) == 1
    assert counts() == {"stream": 1, "event": 2, "command": 1, "due": 0}


def test_an_answer_holds_no_events_of_another_with_the_same_key_whose_positions_lie_between(database):
    order("k", "content", addition("a", 0, "one"), by="ana")
    order("k", "content", addition("b", 0, "strange"), by="ben")
    around = store.Answered("content", 1, 1_000)
    found = store.events_of_command(around, Command("ana", "k", "content"))
    assert [recorded.event.text for recorded in found] == ["one"]


def test_an_import_has_one_key_for_each_addition(database):
    commands = [Command(f"shoe-{number}", str(number), "content") for number in (2, 1, 3)]
    additions = [addition(f"s{number}", 0, f"round {number}") for number in (2, 1, 3)]
    done = store.append(Origin("import", "import", commands=commands), additions)
    for number in (1, 2, 3):
        command = Command(f"shoe-{number}", str(number), "content")
        assert [r.event.text for r in store.events_of_command(done, command)] == [f"round {number}"]
    with pytest.raises(ValueError, match="3 commands can't be told apart in 1 additions"):
        store.append(Origin("import", "import", commands=commands), additions[:1])


def test_an_import_with_one_key_that_was_used_writes_none_of_it(database, counts):
    order("2", "content", addition("a"), by="shoe")
    before = counts()
    commands = [Command("shoe", key, "content") for key in ("1", "2", "3")]
    with pytest.raises(KeyReused) as reused:
        store.append(Origin("import", "import", commands=commands), [addition(f"s{n}") for n in range(3)])
    assert reused.value.key == "2"
    assert counts() == before


def test_imports_of_the_same_rounds_in_another_order_do_not_deadlock(database, at_once, counts):
    def bring(numbers: list[int]) -> None:
        for turn in range(10):
            commands = [Command("shoe", f"{turn}/{number}", "content") for number in numbers]
            additions = [addition(f"{turn}/{number}") for number in numbers]
            try:
                store.append(Origin("import", "import", commands=commands), additions)
            except KeyReused:
                continue

    at_once(lambda: bring([1, 2, 3, 4]), lambda: bring([4, 3, 2, 1]), lambda: bring([2, 4, 1, 3]))
    assert counts()["command"] == counts()["event"] == 40
    (deadlocks,) = store.run("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()").fetchone()
    assert deadlocks == 0


# ------------------------------------------------------------------------------------------------- commands


def note_once(key: str, **content) -> tuple[list, bool]:
    """A command of its own in the way that all commands go."""

    def plan() -> Plan:
        if content.get("text") == "no":
            raise Refused("no_thanks", "The answer is no.")
        return Plan([addition("a", store.version_of("a"), content["text"])])

    done = carry_out(Order("ana", key, datetime.now(UTC)), "note", content, plan)
    return [event.text for event in done.events], done.replayed


def test_a_command_again_gives_the_events_of_the_first_time(database):
    assert note_once("k", text="one", seat=1) == (["one"], False)
    assert note_once("k2", text="two", seat=1) == (["two"], False)
    assert note_once("k", text="one", seat=1) == (["one"], True)
    assert texts_of("a") == ["one", "two"]


def test_a_key_used_for_something_else_is_refused_with_the_names_of_what_differs(database):
    note_once("k", text="one", seat=1, stake=5)
    with pytest.raises(Refused, match=r"used before with other content \(seat, text\);") as refused:
        note_once("k", text="two", seat=2, stake=5)
    assert refused.value.code == "key_reused"
    assert refused.value.details["differs"] == ["seat", "text"]
    with pytest.raises(Refused, match="for another command"):
        carry_out(Order("ana", "k", datetime.now(UTC)), "other", {"text": "one"}, lambda: Plan([]))


def test_a_refusal_is_not_stored_so_the_key_may_be_tried_again(database, counts):
    before = counts()
    with pytest.raises(Refused, match="The answer is no"):
        note_once("k", text="no")
    assert counts() == before
    assert note_once("k", text="yes") == (["yes"], False)


def test_commands_at_once_on_one_stream_are_all_carried_out(database, at_once):
    def write(name: str) -> None:
        for number in range(5):
            note_once(f"{name}{number}", text=f"{name}{number}")

    at_once(*(lambda name=name: write(name) for name in "xyz"))
    assert sorted(texts_of("a")) == [f"{name}{number}" for name in "xyz" for number in range(5)]


def test_a_fingerprint_names_only_the_fields_that_differ():
    one = store.fingerprint("note", {"text": "a", "seat": 1, "when": AT})
    assert store.differing_fields(one, store.fingerprint("note", {"text": "a", "seat": 2, "when": AT})) == ["seat"]
    assert store.differing_fields(one, store.fingerprint("note", {"text": "a", "when": AT})) == ["seat"]
    assert store.differing_fields(one, store.fingerprint("void", {"text": "a"})) == ["command"]
    assert store.fingerprint("note", {"a": {"x": 1, "y": 2}}) == store.fingerprint("note", {"a": {"y": 2, "x": 1}})
