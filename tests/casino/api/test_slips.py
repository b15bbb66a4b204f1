"""Fills and credits over HTTP: each person by their own log-in, in the order of the profile, and on a shared screen."""

from typing import Any

import pytest
from rest_framework.response import Response
from rest_framework.test import APIClient

from casino.eventstore.follower import catch_up
from casino.models import Device
from tests.slip_house import CHIPS, OF_ROLE, ORDERS, House, house

__all__ = ["house"]


def said(answer: Response) -> tuple[int, str]:
    return answer.status_code, answer.json().get("code", "")


def test_a_fill_goes_from_the_request_to_the_tray_and_says_each_time_who_is_next(house: House) -> None:
    answer = house.post("ana", "tables/R-01/slips/", {"kind": "fill", "denominations": CHIPS, "total_cents": 750_000})
    assert answer.status_code == 201
    slip, body = f"slips/{answer.json()['slip']}", answer.json()
    assert (body["state"], body["awaits"], body["request_serial"], body["serial"]) == ("requested", "cage", 1, None)
    body = house.post("cara", f"{slip}/prepare/", {"denominations": CHIPS}).json()
    assert (body["state"], body["awaits"], body["serial"]) == ("prepared", "cage", 1)
    assert body["book"] == f"fill/{body['gaming_date'][:4]}"
    seen = []
    for role in ORDERS["fill"]:
        body = house.post(OF_ROLE[role], f"{slip}/sign/", {"role": role}).json()
        seen.append((body["state"], body["awaits"]))
    assert seen == [
        ("in_transit", "security"),
        ("in_transit", "dealer"),
        ("in_transit", "floor"),
        ("complete", None),
    ]
    read = house.get("otto", f"{slip}/").json()
    assert [(one["role"], one["by"]) for one in read["signatures"]] == [
        ("cage", "cara"),
        ("security", "sam"),
        ("dealer", "dan"),
        ("floor", "eve"),
    ]
    assert read["requested"]["by"] == "ana"
    assert read["prepared"]["by"] == "cara"
    assert read["denominations"] == CHIPS


def test_the_wrong_person_at_each_step_is_refused(house: House) -> None:
    slip = house.prepared()
    assert said(house.post("sam", f"{slip}/sign/")) == (409, "out_of_order")
    assert said(house.post("ana", f"{slip}/sign/")) == (409, "out_of_order")
    house.post("cara", f"{slip}/sign/")
    assert said(house.post("cara", f"{slip}/sign/")) == (403, "same_person")
    assert said(house.post("cole", f"{slip}/sign/")) == (403, "wrong_role")
    for role in ("security", "dealer"):
        house.post(OF_ROLE[role], f"{slip}/sign/")
    assert said(house.post("ana", f"{slip}/sign/")) == (403, "same_person")  # she asked for it
    assert house.post("pia", f"{slip}/sign/").json()["state"] == "complete"


@pytest.mark.parametrize("who", ["dan", "cara", "sam", "ben", "otto"])
def test_only_the_pit_requests(house: House, who: str) -> None:
    answer = house.post(who, "tables/R-01/slips/", {"kind": "fill", "denominations": CHIPS})
    assert answer.status_code == 403


def test_accounting_never_touches_a_slip_and_a_device_signs_nothing(house: House) -> None:
    slip = house.prepared()
    device = APIClient()
    device.credentials(HTTP_AUTHORIZATION=f"Token {Device.issue('R-01 terminal', 'R-01')[1]}")
    house.clients["device"] = device
    for who in ("ben", "otto", "device"):
        for deed in ("prepare", "sign"):
            assert house.post(who, f"{slip}/{deed}/").status_code == 403, (who, deed)
    assert house.get("device", f"{slip}/").status_code == 200


def test_on_a_shared_screen_each_signs_with_name_and_password(house: House) -> None:
    slip = house.prepared()
    by = {"signer": "cara", "password": "cara-password", "role": "cage"}
    wrong = house.post("dan", f"{slip}/sign/", by | {"password": "guess"})
    assert said(wrong) == (403, "approval_wrong")
    assert said(house.post("dan", f"{slip}/sign/", by | {"signer": "sam", "password": "sam-password"})) == (
        403,
        "wrong_role",
    )
    assert said(house.post("dan", f"{slip}/sign/", {"signer": "cara"})) == (422, "approval_missing")
    answer = house.post("dan", f"{slip}/sign/", by)
    assert answer.status_code == 201
    assert answer.json()["signatures"][0]["by"] == "cara"


def test_a_void_needs_the_second_persons_password_and_keeps_its_number(house: House) -> None:
    slip = house.signed(upto=2)
    body = {"reason": "Wrong table", "approver": "cara", "password": "cara-password"}
    assert said(house.post("ana", f"{slip}/void/", body | {"password": "guess"})) == (403, "approval_wrong")
    assert said(house.post("cara", f"{slip}/void/", body)) == (403, "same_person")
    mate = {"approver": "eve", "password": "eve-password"}
    assert said(house.post("ana", f"{slip}/void/", body | mate)) == (422, "void_needs_cage")
    answer = house.post("ana", f"{slip}/void/", body).json()
    assert (answer["state"], answer["serial"], answer["awaits"]) == ("void", 1, None)
    voided = {name: answer["voided"][name] for name in ("requested_by", "approved_by", "was_in_transit", "tray_cents")}
    assert voided == {"requested_by": "ana", "approved_by": "cara", "was_in_transit": True, "tray_cents": 0}
    assert said(house.post("sam", f"{slip}/sign/")) == (409, "slip_void")
    following = house.prepared()
    assert house.get("ana", f"{following}/").json()["serial"] == 2


def test_a_void_of_a_credit_on_its_way_returns_the_chips_to_the_tray(house: House) -> None:
    slip = house.signed("credit", upto=2)
    body = {"reason": "Counted wrongly", "approver": "cara", "password": "cara-password"}
    assert house.post("ana", f"{slip}/void/", body).json()["voided"]["tray_cents"] == 750_000


def test_a_password_is_no_part_of_what_a_key_stands_for(house: House) -> None:
    slip = house.prepared()
    body = {"reason": "Torn", "approver": "cara", "password": "cara-password"}
    first = house.post("ana", f"{slip}/void/", body, key="void-1")
    again = house.post("ana", f"{slip}/void/", body, key="void-1")
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == first.json() | {"replayed": True}
    assert said(house.post("ana", f"{slip}/void/", body | {"reason": "Other"}, key="void-1")) == (409, "key_reused")


def test_a_request_is_withdrawn_with_a_reason(house: House) -> None:
    slip = house.requested()
    assert said(house.post("cara", f"{slip}/withdraw/", {"reason": "No"}))[0] == 403
    answer = house.post("eve", f"{slip}/withdraw/", {"reason": "Not needed"}).json()
    assert (answer["state"], answer["withdrawn"]["by"], answer["awaits"]) == ("withdrawn", "eve", None)
    assert said(house.post("cara", f"{slip}/prepare/")) == (409, "request_withdrawn")


def test_a_request_that_does_not_add_up_or_is_no_chips_is_refused(house: House) -> None:
    def ask(**more: Any) -> tuple[int, str]:
        return said(house.post("ana", "tables/R-01/slips/", {"kind": "fill", "denominations": CHIPS} | more))

    assert ask(total_cents=750_001) == (422, "count_does_not_add_up")
    assert ask(denominations={"10000": 5}) == (422, "bad_denomination")
    assert ask(denominations={"10000": True}) == (400, "bad_request")
    assert ask(denominations={}) == (422, "nothing_asked")
    assert ask(kind="loan") == (400, "bad_request")
    assert ask(colour="red") == (400, "bad_request")


def test_a_credit_over_the_tray_is_warned_of_and_goes_on(house: House) -> None:
    catch_up()
    body = {"kind": "credit", "denominations": {"10000": 4_500_000, "2500": 1_000_000}}
    warnings = house.post("ana", "tables/R-01/slips/", body).json()["warnings"]
    assert len(warnings) == 2
    assert warnings[0].startswith("The tray had 40,000.00 in chips of 100.00 as last counted")
    assert warnings[1] == "The credit of 55,000.00 is more than is expected in the tray, 50,000.00."


def test_an_open_slip_blocks_the_close_of_its_table(house: House) -> None:
    slip = house.signed(upto=3)
    closer = {"closer": {"total_cents": 5_000_000, "counted_by": ["dan", "ana"]}}
    answer = house.post("eve", "tables/R-01/close/", closer)
    assert said(answer) == (409, "slip_open")
    assert "Fill slip 1 (in transit)" in answer.json()["detail"]
    house.post("eve", f"{slip}/sign/")
    assert house.post("eve", "tables/R-01/close/", closer).status_code == 201


def test_slips_are_listed_by_day_table_kind_state_and_number(house: House) -> None:
    done, credit, void = house.signed(), house.prepared("credit"), house.prepared()
    body = {"reason": "Torn", "approver": "cara", "password": "cara-password"}
    house.post("ana", f"{void}/void/", body)
    catch_up()

    def found(query: str) -> list[str]:
        answer = house.get("ben", f"slips/?{query}")
        assert answer.status_code == 200, answer.json()
        return sorted(f"slips/{row['slip']}" for row in answer.json()["results"])

    day = done.split("/")[2]
    assert found("") == sorted([done, credit, void])
    assert found("state=complete") == [done]
    assert found("state=void&kind=fill") == [void]
    assert found("kind=credit") == [credit]
    assert found(f"table_code=R-01&gaming_date={day}&kind=fill") == sorted([done, void])
    assert found(f"book=fill/{day[:4]}&serial=2") == [void]
    assert found("table_code=R-77") == []
    assert said(house.get("ben", "slips/?state=lost")) == (400, "bad_request")
    assert said(house.get("ben", "slips/?state=")) == (400, "bad_request")


def test_a_row_of_the_list_says_as_much_as_the_slip(house: House) -> None:
    slip = house.signed(upto=2)
    catch_up()
    row, one = house.get("ana", "slips/").json()["results"][0], house.get("ana", f"{slip}/").json()
    same = (
        "slip",
        "table",
        "kind",
        "state",
        "awaits",
        "denominations",
        "total_cents",
        "request_serial",
        "book",
        "serial",
    )
    assert {name: row[name] for name in same} == {name: one[name] for name in same}
    assert [(s["role"], s["by"]) for s in row["signatures"]] == [(s["role"], s["by"]) for s in one["signatures"]]
    assert [s["at"][:19] for s in row["signatures"]] == [s["at"][:19] for s in one["signatures"]]


def test_every_copy_after_the_first_is_a_reprint_even_of_a_closed_day(house: House) -> None:
    slip = house.signed()
    year = slip.split("/")[2][:4]
    house.post("eve", "tables/R-01/close/", {"closer": {"total_cents": 5_750_000, "counted_by": ["dan", "ana"]}})
    copies = [
        house.post(who, "papers/print/", {"document": f"fill/{year}/1"}).json() for who in ("cara", "ben", "cara")
    ]
    assert [(one["copy_number"], one["is_reprint"]) for one in copies] == [(1, False), (2, True), (3, True)]
    other = house.post("ana", "papers/print/", {"document": f"request/{year}/1"}).json()
    assert (other["document"], other["copy_number"]) == (f"request/{year}/1", 1)
    again = [house.post("ana", "papers/print/", {"document": f"fill/{year}/1"}, key="print-1").json() for _ in range(2)]
    assert [one["copy_number"] for one in again] == [4, 4]


@pytest.mark.parametrize(
    "document",
    ["fill/2026/7", "fill/2026/x", "loan/2026/1", "fill/2026", "", "inventory/R-01/2026-11-29/1/lid", "fill/2026/1/2",
     "inventory/R-01/2026-13-29/1/opener", "inventory/R-77/2026-11-29/1/opener", "fill/2026/-1", "fill/2026/0"],
)  # fmt: skip
def test_a_paper_that_is_none_is_not_printed(house: House, document: str) -> None:
    answer = house.post("cara", "papers/print/", {"document": document})
    assert answer.status_code == (404 if document else 400)


@pytest.mark.parametrize(
    "path", ["R-01/2026-13-01/1/1", "R-01/2026-11-29/1/7", "R-01/2026-11-29/100/1", "r 1/2026-11-29/1/1"]
)
def test_a_slip_that_is_none_is_not_found(house: House, path: str) -> None:
    assert house.get("ana", f"slips/{path}/").status_code in (404, 422)
    assert house.post("cara", f"slips/{path}/prepare/").status_code in (404, 422)


def test_the_sequence_check_is_for_accounting(house: House) -> None:
    slip = house.signed()
    day = slip.split("/")[2]
    catch_up()
    books = house.get("ben", f"slip-books/{day}/").json()
    assert [(b["book"][:-5], b["first"], b["last"], b["used"], b["in_order"]) for b in books] == [
        ("fill", 1, 1, 1, True),
        ("request", 1, 1, 1, True),
    ]
    assert books[0]["lines"] == [{"serial": 1, "table": "R-01", "session": 1, "state": "used"}]
    for who in ("ana", "cara", "dan"):
        assert house.get(who, f"slip-books/{day}/").status_code == 403
