"""The close and the count room: what a count still waits for keeps the day open, and late counts are adjustments."""

from typing import Any

from casino.eventstore.follower import catch_up
from ledger.adjustments import Fact, TableDay, after, drop_of
from ledger.commands.filing import file_closed_days
from ledger.queries.filed import filed_day
from ledger.tasks import balance_at
from tests.count_house import R_01, R_03, CountHouse, password, room

__all__ = ["room"]


def open_kinds(room: CountHouse) -> list[tuple[str, str]]:
    """What keeps the day open, but for the clock: the house plays today."""
    found = room.get("ben", f"days/{room.day.isoformat()}/").json()["open"]
    return [(one["kind"], one["sentence"]) for one in found if one["kind"] != "not_over"]


def test_boxes_then_the_count_then_the_cage_keep_the_day_open(room: CountHouse) -> None:
    name = f"Count {room.day}/1"
    assert [kind for kind, _ in open_kinds(room)] == ["box", "box", "box"]
    room.all_counted()
    assert open_kinds(room) == [("count_difference", f"{name} is not finished; count its boxes and close it.")]
    room.said("tess", f"{room.count}close/")
    [(kind, sentence)] = open_kinds(room)
    assert (kind, sentence.startswith(f"{name} is not recounted by the cage")) == ("count_difference", True)
    room.recounted()
    [(kind, sentence)] = open_kinds(room)
    assert sentence.startswith(f"{name} is recounted and not accepted")
    room.accepted()
    assert open_kinds(room) == []


def test_what_the_count_room_finds_after_the_close_is_an_adjustment_box_by_box(room: CountHouse) -> None:
    body: dict[str, Any] = {"reason": "The count team is ill.", "approver": "pia", "password": password("pia")}
    room.said("ben", f"days/{room.day.isoformat()}/close/", body)
    assert file_closed_days(room.order().at, balance_at) == 1
    catch_up()
    room.collected().opened()
    for box, contents in (("R-01/1", R_01), ("R-02/1", {}), ("R-03/1", R_03)):
        room.counted(box, contents)
    shown = filed_day(room.day)
    assert [one.what for one in shown.adjustments] == ["Late count"] * 3
    assert shown.is_explained
    assert shown.is_proven
    assert shown.known.total is not None
    assert shown.known.total.amount("counted-drop") == 136_600


def test_a_days_drop_is_known_when_every_one_of_its_boxes_is_counted() -> None:
    assert drop_of({}) is None
    day = after(TableDay(), Fact("drop_counted", "drop_counted", None, 5_000, 0))
    assert day.counted_drop == 5_000
    day = after(day, Fact("emergency_box_placed", "emergency_box_placed", None, 0, 0, box=2))
    assert day.counted_drop is None
    day = after(day, Fact("drop_counted", "drop_counted", None, 700, 0, box=2))
    day = after(day, Fact("count_corrected", "count_corrected", None, -100, 0, box=1))
    assert day.counted_drop == 5_600
