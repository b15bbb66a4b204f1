"""The paper of a day's boxes ticked against what is stored: missing, differing, unmatched and void, each explained."""

from casino.commands.slips import request_transfer
from casino.eventstore.follower import catch_up, followers
from casino.eventstore.rebuild import rebuild
from casino.slips import Person
from tests.count_house import CountHouse


def house_with_a_request() -> CountHouse:
    house = CountHouse()
    request_transfer(house.order(), "R-01", "fill", {"500": 50_000}, Person("ana", frozenset({"floor"})))
    catch_up()
    return house


def test_paper_is_ticked_and_what_does_not_agree_is_explained(database: object) -> None:
    house = house_with_a_request()
    path = f"income-audit/{house.day}/"
    request, opener = f"request/{house.day.year}/1", f"opener/{house.day}/R-01/1"
    assert house.get("ben", path).json()["papers"]["R-01"] == {opener: "", request: ""}
    odd = {f"fill/{house.day.year}/99": "A fill slip of R-09 over 500.00"}
    house.said(
        "ben", f"{path}tick/", {"table": "R-01", "findings": {request: "missing", opener: "agrees"}, "unmatched": odd}
    )
    found = {one["document"]: one["exception"] for one in house.get("ben", path).json()["exceptions"]}
    assert found == {request: "missing", f"fill/{house.day.year}/99": "unmatched"}
    house.said("ben", f"{path}explain/", {"document": request, "note": "It lay in the pit."})
    sheet = house.clients["ben"].get(f"/income-audit/{house.day}/exceptions.csv").content.decode()
    assert f"{house.day},R-01,{request},missing from the box,,It lay in the pit." in sheet
    page = house.clients["ben"].get(f"/income-audit/?gaming_date={house.day}").content.decode()
    assert "It lay in the pit." in page
    assert rebuild(followers()["paper"], "owner", check=True, progress=lambda _: None) == []


def test_what_can_not_be_ticked_is_refused(database: object) -> None:
    house = house_with_a_request()
    path = f"income-audit/{house.day}/tick/"
    assert house.refused("ben", path, {"table": "R-01"})[1] == "nothing_ticked"
    wrong = {"table": "R-01", "findings": {"fill/2026/7": "agrees"}}
    assert house.refused("ben", path, wrong) == (404, "unknown_paper")
    odd = {"table": "R-01", "findings": {f"request/{house.day.year}/1": "torn"}}
    assert house.refused("ben", path, odd)[1] == "bad_finding"
    assert house.refused("cara", path, wrong)[0] == 403
