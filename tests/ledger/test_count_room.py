"""A day's boxes from tables to cage, over the interface: carried, counted twice, recounted blind, taken over."""

import pytest
from django.contrib.auth.models import Group, User

from casino.eventstore.follower import followers
from casino.eventstore.rebuild import rebuild
from casino.roles import CAGE
from ledger.models import Box, DropBox, DropCount
from ledger.queries.days import rows_of
from tests.count_house import R_01, R_03, TEAM, WHOLE_DROP, CountHouse, room

__all__ = ["room"]


def states(room: CountHouse) -> dict[str, str]:
    return {one["box"]: one["state"] for one in room.get("sam", room.drop).json()}


# ------------------------------------------------------------------------------------------------- collecting


def test_boxes_of_closed_tables_are_due_and_one_that_is_left_behind_is_explained(room: CountHouse) -> None:
    assert states(room) == {"R-01/1": "due", "R-02/1": "due", "R-03/1": "due"}
    left = {"boxes": ["R-01/1", "R-03/1"], "team": ["Ben Adler", "Cleo Martin"]}
    answer = room.post("sam", f"{room.drop}collect/", left)
    assert (answer.status_code, answer.json()["code"]) == (409, "boxes_missing")
    assert answer.json()["boxes"] == ["R-02/1"]
    room.said("sam", f"{room.drop}collect/", left | {"explanation": "The key of R-02 is away."})
    assert states(room) == {"R-01/1": "collected", "R-02/1": "due", "R-03/1": "collected"}
    room.said("sam", f"{room.drop}collect/", {"boxes": ["R-02/1"], "team": ["Ben Adler", "Cleo Martin"]})
    assert states(room)["R-02/1"] == "collected"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"boxes": ["R-01/1"], "team": ["Ben Adler"], "explanation": "-"}, "team_too_small"),
        ({"boxes": ["R-01/1"], "team": ["sam", "Ben Adler"], "explanation": "-"}, "same_person"),
        ({"boxes": ["R-09/1"], "team": ["Ben", "Cleo"], "explanation": "-"}, "box_not_due"),
        ({"boxes": ["R-01/2"], "team": ["Ben", "Cleo"], "explanation": "-"}, "box_not_due"),
        ({"boxes": ["R-01"], "team": ["Ben", "Cleo"]}, "bad_box"),
        ({"boxes": [], "team": ["Ben", "Cleo"]}, "no_boxes"),
    ],
)
def test_a_round_of_the_drop_team_that_can_not_be_is_refused(room: CountHouse, body: dict, code: str) -> None:
    assert room.refused("sam", f"{room.drop}collect/", body)[1] == code


def test_the_box_of_an_open_table_is_not_due_until_an_emergency_box_takes_its_place(database: object) -> None:
    house = CountHouse()
    house.said("ana", "tables/R-01/emergency-box/", {"mark": "EMERGENCY 7", "reason": "The slot jammed."})
    assert states(house) == {"R-01/1": "due", "R-01/2": "at_table", "R-02/1": "at_table", "R-03/1": "at_table"}
    house.collected("R-01/1").opened()
    house.counted("R-01/1", R_01)
    assert not Box.objects.exists()  # the day's drop is known when every box of the table is counted
    house.closed()
    house.said("tess", f"{house.count}close/")
    house.collected("R-01/2", "R-02/1", "R-03/1")
    house.said("tess", f"counts/{house.day}/", {"team": house.team("tom", "tia")})
    again = f"counts/{house.day}/2/"
    for path in ("boxes/", "recounts/"):
        who = "tess" if path == "boxes/" else "tom"
        body = {"box": "R-01/2", "contents": {"promo_cents": 2_500}, "counted_by": who}
        house.said("tess", again + path, body)
    assert Box.objects.get(table_code="R-01").counted_cents == 116_600 + 2_500
    assert [row.result.facts.counted_drop for row in rows_of(house.day, ["R-01"])[0]] == [119_100]


# ------------------------------------------------------------------------------------------------- the count


def test_a_count_has_a_team_of_the_profiles_size_and_of_the_count_team(room: CountHouse) -> None:
    room.collected()
    opening = f"counts/{room.day}/"
    assert room.refused("tess", opening, {"team": room.team("tom")})[1] == "team_too_small"
    assert room.refused("tess", opening, {"team": room.team("tom", "tess")})[1] == "same_person"
    assert room.refused("tess", opening, {"team": room.team("tom", "sam")})[1] == "wrong_role"
    wrong = [*room.team("tom"), {"name": "tia", "password": "guessed"}]
    assert room.refused("tess", opening, {"team": wrong}) == (403, "approval_wrong")
    assert room.refused("tess", opening, {"team": room.team("tom", "tia"), "boxes": ["R-09/1"]})[1] == "box_not_ready"
    room.opened()
    assert room.get("tess", room.count).json()["team"] == list(TEAM)
    assert room.refused("tess", opening, {"team": room.team("tom", "tia")})[1] == "no_boxes"


def test_a_box_is_counted_twice_by_two_and_its_difference_recorded_before_the_next_begins(room: CountHouse) -> None:
    room.collected().opened()
    first = {"box": "R-01/1", "contents": R_01, "counted_by": "tess"}
    room.said("tess", f"{room.count}boxes/", first)
    assert room.refused("tess", f"{room.count}boxes/", {**first, "box": "R-02/1"}) == (409, "box_in_progress")
    assert room.refused("tess", f"{room.count}recounts/", first) == (403, "same_person")
    short = {"currency": {"10000": 110_000, "2000": 4_000, "500": 500, "100": 100}}
    room.said("tess", f"{room.count}recounts/", {"box": "R-01/1", "contents": short, "counted_by": "tom"})
    shown = room.get("tess", room.count).json()
    assert (shown["step"], shown["in_progress"]) == ("difference", "R-01/1")
    assert shown["difference_cents"] == {"R-01/1": -2_000}
    assert room.refused("tess", f"{room.count}boxes/", {**first, "box": "R-02/1"}) == (409, "box_in_progress")
    assert not DropBox.objects.exists()
    said = {"box": "R-01/1", "accept": "first", "explanation": "A note stuck in the machine."}
    assert room.refused("tess", f"{room.count}differences/", {**said, "accept": "third"})[0] == 400
    room.said("tess", f"{room.count}differences/", said)
    assert DropBox.objects.get().counted_cents == 116_600
    assert room.refused("tess", f"{room.count}close/") == (409, "boxes_uncounted")


def test_what_a_third_look_found_may_be_accepted(room: CountHouse) -> None:
    room.collected().opened()
    room.counted("R-03/1", R_03, {"currency": {"10000": 10_000}})
    found = {"currency": {"10000": 20_000}, "checks_cents": 5_000, "foreign": {"Chip of another house": 2_500}}
    said = {"box": "R-03/1", "found": found, "explanation": "Counted a third time by all three."}
    room.said("tess", f"{room.count}differences/", said)
    box = DropBox.objects.get()
    assert (box.counted_cents, box.currency, box.checks_cents) == (25_000, {"10000": 20_000}, 5_000)


@pytest.mark.parametrize(
    ("contents", "code"),
    [
        ({"currency": {"2000": 3_000}}, "bad_denomination"),
        ({"currency": {"x": 3_000}}, "bad_denomination"),
        ({"currency": {"0": 0}}, "bad_denomination"),
        ({"checks_cents": 10**12}, "amount_too_large"),
        ({"foreign": {" ": 100}}, "bad_item"),
        ({"currency": {"2000": -2_000}}, "bad_request"),
        ({"currency": {"2000": "many"}}, "bad_request"),
        ({"chips": {}}, "bad_request"),
    ],
)
def test_what_can_not_lie_in_a_box_is_refused_with_a_sentence(room: CountHouse, contents: dict, code: str) -> None:
    room.collected().opened()
    body = {"box": "R-01/1", "contents": contents, "counted_by": "tess"}
    assert room.refused("tess", f"{room.count}boxes/", body)[1] == code


def test_a_box_that_is_named_twice_is_neither_carried_nor_counted_twice(room: CountHouse) -> None:
    carried = {"boxes": ["R-01/1", "r-01/1", "R-02/1", "R-03/1"], "team": ["Ben Adler", "Cleo Martin"]}
    assert room.refused("sam", f"{room.drop}collect/", carried)[1] == "box_twice"
    room.collected()
    opened = {"team": room.team("tom", "tia"), "boxes": ["R-01/1", "R-03/1", "R-01/1"]}
    assert room.refused("tess", f"counts/{room.day}/", opened)[1] == "box_twice"


def test_whoever_counted_a_drop_does_not_accept_it_from_the_cage_either(room: CountHouse) -> None:
    room.count_closed()
    tom = User.objects.get(username="tom")
    tom.groups.set([Group.objects.get(name=CAGE)])
    assert room.refused("tom", f"drops/{room.day}/1/recount/", {"currency": WHOLE_DROP}) == (403, "same_person")


def test_a_count_sent_twice_counts_once(room: CountHouse) -> None:
    room.collected().opened()
    body = {"box": "R-01/1", "contents": R_01, "counted_by": "tess"}
    one = room.said("tess", f"{room.count}boxes/", body, key="same")
    two = room.said("tess", f"{room.count}boxes/", body, key="same")
    assert (one["position"], one["replayed"], two["replayed"]) == (two["position"], False, True)
    assert (
        room.post("tess", f"{room.count}boxes/", {**body, "box": "R-02/1"}, key="same").json()["code"] == "key_reused"
    )


def test_the_closed_count_says_what_all_boxes_make_by_instrument(room: CountHouse) -> None:
    room.count_closed()
    count = DropCount.objects.get()
    assert (count.boxes, count.currency_cents, count.checks_cents, count.promo_cents) == (3, 136_600, 0, 0)
    assert [row.result.box_variance for row in rows_of(room.day)[0]] == [0, 0, 0]
    late = {"box": "R-01/1", "contents": R_01, "counted_by": "tess"}
    assert room.refused("tess", f"{room.count}boxes/", late) == (409, "count_closed")


# ------------------------------------------------------------------------------------------------- the cage


def test_the_cage_counts_blind_then_sees_the_variance_and_takes_the_drop_over_with_a_note(room: CountHouse) -> None:
    room.count_closed()
    drop = f"drops/{room.day}/1/"
    before = room.get("cara", drop).json()
    assert before["state"] == "recount"
    assert [before[name] for name in ("counted_cents", "recounted_cents", "variance_cents", "denominations")] == [
        None
    ] * 4
    room.recounted({"10000": 130_000, "2000": 4_000, "500": 500, "100": 100})
    after = room.get("cara", drop).json()
    assert (after["counted_cents"], after["recounted_cents"], after["variance_cents"]) == (136_600, 134_600, -2_000)
    signer = {"name": "tess", "password": "tess-password"}
    assert room.refused("cara", f"{drop}accept/", {"counter": signer})[1] == "text_missing"
    assert room.refused("cole", f"{drop}accept/", {"counter": signer, "note": "x"})[1] == "not_holder"
    other = {"name": "sam", "password": "sam-password"}
    assert room.refused("cara", f"{drop}accept/", {"counter": other, "note": "x"}) == (403, "not_of_team")
    room.accepted("One note of 20 is missing; both counted again.")
    assert DropCount.objects.get().variance_cents == -2_000
    assert room.get("cara", drop).json()["accepted_by"] == ["cara", "tess"]
    assert room.refused("cara", f"{drop}recount/", {"currency": {}}) == (409, "drop_accepted")


def test_a_variance_over_the_profiles_line_says_by_when_the_regulator_hears_of_it(room: CountHouse) -> None:
    room.count_closed().recounted({"10000": 80_000})
    assert room.get("cara", f"drops/{room.day}/1/").json()["report_due_hours"] == 48


def test_nobody_takes_over_what_is_not_closed_or_not_recounted(room: CountHouse) -> None:
    room.all_counted()
    drop = f"drops/{room.day}/1/"
    assert room.refused("cara", f"{drop}recount/", {"currency": {}}) == (409, "count_open")
    room.said("tess", f"{room.count}close/")
    signer = {"name": "tess", "password": "tess-password"}
    assert room.refused("cara", f"{drop}accept/", {"counter": signer}) == (409, "not_recounted")
    assert room.refused("cara", f"drops/{room.day}/7/recount/", {"currency": {}}) == (404, "unknown_count")


# ------------------------------------------------------------------------------------------------- corrections


def test_a_count_is_put_right_by_two_after_the_cage_took_it_over_and_the_books_say_so(room: CountHouse) -> None:
    room.count_closed()
    right = {"box": "R-03/1", "contents": {"currency": {"10000": 10_000}}, "reason": "Counted in the wrong box."}
    second = {"approver": "tom", "password": "tom-password"}
    path = f"counts/{room.day}/correct/"
    assert room.refused("tess", path, right | second) == (409, "drop_not_accepted")
    room.recounted()
    room.accepted()
    itself = {"approver": "tess", "password": "tess-password"}
    assert room.refused("tess", path, right | itself) == (403, "same_person")
    of_cage = {"approver": "cara", "password": "cara-password"}
    assert room.refused("tess", path, right | of_cage) == (403, "approver_role")
    room.said("tess", path, right | second)
    [row] = rows_of(room.day, ["R-03"])[0]
    assert row.result.facts.counted_drop == 10_000
    assert row.result.box_variance == -10_000
    assert room.refused("tess", path, right | second)[1] == "nothing_differs"


def test_the_form_that_puts_a_count_right_is_of_a_box_that_can_be(room: CountHouse) -> None:
    room.count_closed()
    pages = {box: room.clients["tess"].get(f"/count/{room.day}/correct/{box}/").status_code for box in ODD_BOXES}
    assert pages == ODD_BOXES


ODD_BOXES = {"R-01/1": 200, "R-01/0": 404, "R-01/100": 404, "%00/1": 404, "nonsense!/1": 404}


def test_the_read_models_rebuild_to_the_same(room: CountHouse) -> None:
    room.count_closed().recounted()
    room.accepted()
    room.said(
        "tess", f"counts/{room.day}/correct/",
        {"box": "R-03/1", "contents": {"currency": {"10000": 10_000}}, "reason": "Wrong box.", "approver": "tom",
         "password": "tom-password"},
    )  # fmt: skip
    for name in ("books", "counts", "cage"):
        assert rebuild(followers()[name], "owner", check=True, progress=lambda _: None) == []
