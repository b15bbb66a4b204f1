"""The paper of a day's boxes ticked against what is stored: missing, differing, unmatched and void, each explained."""

from datetime import UTC, datetime

from django.conf import settings

from casino.commands.slips import request_transfer
from casino.eventstore import store
from casino.eventstore.follower import catch_up, followers
from casino.eventstore.rebuild import rebuild
from casino.eventstore.store import Addition, Origin
from casino.keys import slip_book_key
from casino.slip_events import SlipNumbered
from casino.slips import Person
from ledger.commands.audit import explain_exception, tick_papers
from ledger.queries.audit import exceptions_of
from ledger.queries.instruments import drop_by_instrument, total
from tests.closing_house import FIRST, House
from tests.count_house import CountHouse, room

__all__ = ["room"]


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


def test_paper_that_nobody_ticked_is_an_exception_once_the_day_is_filed(house: House) -> None:
    house.played(FIRST)
    assert exceptions_of(FIRST) == []
    house.close_day(FIRST)
    assert exceptions_of(FIRST) == []
    house.file()
    assert {one.what for one in exceptions_of(FIRST)} == {"unticked"}
    assert len(exceptions_of(FIRST)) == 6
    for kind in ("opener", "closer"):
        tick_papers(house.order("ben"), FIRST, "R-01", {f"{kind}/{FIRST}/R-01/1": "agrees"})
    explain_exception(house.order("ben"), FIRST, f"closer/{FIRST}/R-02/1", "It is with the regulator.")
    catch_up()
    found = exceptions_of(FIRST)
    assert {one.table for one in found} == {"R-02", "R-03"}
    assert (found[-1].document, found[-1].note) == (f"closer/{FIRST}/R-02/1", "It is with the regulator.")


def test_a_number_that_a_book_skips_is_named_and_explained_by_its_name(database: object) -> None:
    house = house_with_a_request()
    number(house, 4, "R-02")
    number(house, 4, "R-03")
    year = house.day.year
    found = {one.document: one.what for one in exceptions_of(house.day)}
    assert found == {f"request/{year}/2": "sequence", f"request/{year}/3": "sequence", f"request/{year}/4": "twice"}
    house.said("ben", f"income-audit/{house.day}/explain/", {"document": f"request/{year}/3", "note": "A torn form."})
    notes = {one.document: one.note for one in exceptions_of(house.day)}
    assert notes[f"request/{year}/3"] == "A torn form."
    assert notes[f"request/{year}/2"] == ""
    wrong = {"document": f"request/{year}/1", "note": "Nothing is wrong with it."}
    assert house.refused("ben", f"income-audit/{house.day}/explain/", wrong) == (404, "unknown_paper")
    tick = {"table": "R-01", "findings": {f"request/{year}/3": "agrees"}}
    assert house.refused("ben", f"income-audit/{house.day}/tick/", tick) == (404, "unknown_paper")
    assert rebuild(followers()["paper"], "owner", check=True, progress=lambda _: None) == []


def number(house: CountHouse, serial: int, table: str) -> None:
    """A number of the requests' book as a forger writes it: past the numbers between."""
    key = slip_book_key(settings.CASINO_PROPERTY, f"request/{house.day.year}")
    session = f"{settings.CASINO_PROPERTY}/session/{table}/{house.day}/01"
    forged = SlipNumbered(serial=serial, document="request", table=table, session=session)
    addition = Addition(key, store.version_of(key), house.day, [forged], datetime.now(UTC), table=table)
    store.append(Origin("mallory", "test"), [addition])
    catch_up()


def test_the_drop_stands_by_instrument_recorded_beside_counted(room: CountHouse) -> None:
    room.collected().opened()
    room.counted("R-01/1", {"currency": {"10000": 110_000, "2000": 4_000, "500": 500, "100": 100}, "checks_cents": 500})
    room.counted("R-02/1", {})
    found = room.get("ben", f"income-audit/{room.day}/").json()["instruments"]
    assert found["R-01"]["currency"] == {"recorded_cents": 116_600, "counted_cents": 114_600, "variance_cents": -2_000}
    assert found["R-01"]["checks"] == {"recorded_cents": 0, "counted_cents": 500, "variance_cents": 500}
    assert found["R-02"]["promo"] == {"recorded_cents": 0, "counted_cents": 0, "variance_cents": 0}
    assert found["R-03"]["currency"] == {"recorded_cents": 20_000, "counted_cents": None, "variance_cents": None}
    page = room.clients["ben"].get(f"/income-audit/?gaming_date={room.day}").content.decode()
    assert "−20.00" in page
    assert "not counted yet" in page


def test_a_box_counted_as_one_figure_says_nothing_of_its_instruments(house: House) -> None:
    house.played(FIRST)
    drops = drop_by_instrument(FIRST)
    assert {drop.unknown for drop in drops} == {"counted as one figure"}
    assert total(drops)["currency"] == (30_000, None)
