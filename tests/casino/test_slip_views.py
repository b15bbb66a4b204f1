"""The pages of fills and credits: what each person is offered, what a page does, and what comes out of the printer."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from casino.eventstore import store
from casino.eventstore.follower import catch_up
from tests.slip_house import OF_ROLE, ORDERS, House, house

__all__ = ["house"]


def page(house: House, who: str, path: str) -> str:
    client: Client = house.clients[who]
    answer = client.get(f"/{path}")
    assert answer.status_code == 200, (who, path, answer.status_code)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def send(house: House, who: str, path: str, **form: Any) -> Any:
    return house.clients[who].post(f"/{path}", {"key": f"page-{who}-{path}"} | form, format="multipart")


def state(house: House, slip: str) -> str:
    return str(house.get("ana", f"{slip}/").json()["state"])


# ------------------------------------------------------------------------------------------------- what waits


def test_the_list_puts_first_what_waits_for_the_viewer(house: House) -> None:
    house.prepared()
    house.signed("credit", upto=1)
    catch_up()
    assert "You sign for the cage" in page(house, "cara", "slips/")
    assert "You sign for" not in page(house, "sam", "slips/")
    words = page(house, "eve", "slips/")
    assert words.index("You sign for the floor") < words.index("the cage signs")
    assert "You sign" not in page(house, "ana", "slips/"), "who asked for it does not sign it"
    assert "No fill or credit was requested" in page(house, "cara", "slips/?day=2020-01-01")


def test_the_days_slips_are_narrowed_down_by_plain_parameters_which_the_form_keeps(house: House) -> None:
    house.signed()
    house.prepared("credit")
    catch_up()
    for narrowed, shown in (("", 2), ("kind=fill", 1), ("state=complete", 1), ("kind=credit&state=complete", 0)):
        answer = house.clients["ben"].get(f"/slips/?{narrowed}&table=r-01")
        assert (narrowed, answer.context["shown"].paginator.count) == (narrowed, shown)
        assert 'name="table" size="6" maxlength="20" autocomplete="off" value="r-01"' in answer.content.decode()
    assert "No slip of this gaming day is like that" in page(house, "ben", "slips/?kind=credit&state=complete")
    assert "No slip of this gaming day is like that" in page(house, "ben", "slips/?kind=none&table=R-99")
    assert '<option value="fill" selected>' in house.clients["ben"].get("/slips/?kind=fill").content.decode()


def test_a_long_day_of_slips_is_paged_and_keeps_what_was_asked(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("casino.queries.slips.SLIPS_SHOWN", 1)
    house.requested()
    house.requested()
    catch_up()
    words = page(house, "ben", "slips/?kind=fill&page=2")
    assert "Page 2 of 2 · 2 to 2 of 2" in words
    assert 'href="?kind=fill&amp;page=1"' in house.clients["ben"].get("/slips/?kind=fill&page=2").content.decode()
    assert "Page 2 of 2" in page(house, "ben", "slips/?page=99")


def test_people_stand_on_slips_and_on_their_prints_by_name(house: House) -> None:
    User.objects.filter(username="cara").update(first_name="Cara", last_name="Lindholm")
    slip = house.signed()
    catch_up()
    assert "Cara Lindholm cage , sam security" in page(house, "ben", "slips/")
    assert "Cara Lindholm" in page(house, "ben", f"{slip}/")
    printed = send(house, "cara", "papers/fill/{}/1/print/".format(slip.split("/")[2][:4]), paper="a4")
    assert "Cara Lindholm" in printed.content.decode()


def test_a_line_of_the_viewers_has_a_key_of_its_own(house: House) -> None:
    house.prepared()
    house.prepared()
    catch_up()
    assert re.findall(r'data-key="(\d)"', house.clients["cara"].get("/slips/").content.decode()) == ["1", "2"]
    assert re.findall(r'data-key="(\d)"', house.clients["sam"].get("/slips/").content.decode()) == []


def test_the_tables_page_lists_its_slips_and_offers_a_request_to_the_floor(house: House) -> None:
    house.signed()
    catch_up()
    assert "Request a fill" in page(house, "ana", "tables/R-01/")
    words = page(house, "ben", "tables/R-01/")
    assert "Request a fill" not in words
    assert "7,500.00" in words
    assert "complete" in words


# ------------------------------------------------------------------------------------------------- one slip


def test_a_slip_goes_its_way_by_pressing_one_button_after_another(house: House) -> None:
    slip = house.requested()
    assert "Prepare the fill slip" in page(house, "cara", f"{slip}/")
    assert send(house, "cara", f"{slip}/prepare/").status_code == 302
    for role in ORDERS["fill"]:
        words = page(house, OF_ROLE[role], f"{slip}/")
        assert "Sign for" in words
        assert send(house, OF_ROLE[role], f"{slip}/sign/", role=role).status_code == 302
    words = page(house, "ben", f"{slip}/")
    assert "complete" in words
    assert "chips are in the tray" in words
    assert "Sign for" not in words


def test_a_button_is_not_offered_to_whom_the_core_would_refuse(house: House) -> None:
    slip = house.prepared()
    for who in ("ana", "eve", "sam", "dan", "ben"):
        assert f"as {who}" not in page(house, who, f"{slip}/"), who
    assert "Waits for the cage to sign" in page(house, "ana", f"{slip}/")


def test_a_page_left_open_signs_nothing_else(house: House) -> None:
    """Cole's page still shows the cage's turn, which Cara has taken meanwhile."""
    slip = house.prepared()
    send(house, "cara", f"{slip}/sign/", role="cage")
    answer = send(house, "cole", f"{slip}/sign/", role="cage")
    assert answer.status_code == 409
    assert "The cage has signed Fill slip 1 already." in answer.content.decode()


def test_a_refusal_stands_on_the_page_with_what_was_typed_but_the_password(house: House) -> None:
    slip = house.prepared()
    form = {"reason": "Torn across", "approver": "cara", "password": "not-hers"}
    answer = send(house, "ana", f"{slip}/void/", **form)
    body = answer.content.decode()
    assert answer.status_code == 403
    assert "do not go together" in body
    assert 'value="Torn across"' in body
    assert "not-hers" not in body


def test_a_void_by_two_on_one_screen(house: House) -> None:
    slip = house.signed(upto=1)
    form = {"reason": "Torn", "approver": "cara", "password": "cara-password"}
    assert send(house, "ana", f"{slip}/void/", **form).status_code == 302
    words = page(house, "ben", f"{slip}/")
    assert "VOID Torn — asked by ana, approved by cara. The chips went back to the cage." in words


def test_another_signs_on_the_same_screen_with_name_and_password(house: House) -> None:
    slip = house.prepared()
    form = {"signer": "cara", "password": "cara-password", "role": "cage"}
    assert send(house, "dan", f"{slip}/sign-as/", **form).status_code == 302
    assert state(house, slip) == "in_transit"


def test_a_request_is_withdrawn_from_its_page(house: House) -> None:
    slip = house.requested()
    assert send(house, "eve", f"{slip}/withdraw/", reason="").status_code == 422
    assert send(house, "eve", f"{slip}/withdraw/", reason="Not needed", key="second").status_code == 302
    assert state(house, slip) == "withdrawn"


def test_sending_a_form_twice_does_it_once(house: House) -> None:
    slip = house.prepared()
    for _ in range(2):
        assert send(house, "cara", f"{slip}/sign/", role="cage").status_code == 302
    assert len(house.get("ana", f"{slip}/").json()["signatures"]) == 1


@pytest.mark.parametrize(
    "path", ["slips/R-01/2026-11-29/1/99/", "slips/R-77/2026-11-29/1/1/", "papers/fill/2026/9/print/"]
)
def test_what_is_not_there_is_not_found(house: House, path: str) -> None:
    answer = send(house, "cara", path) if "print" in path else house.clients["cara"].get(f"/{path}")
    assert answer.status_code == 404


# ------------------------------------------------------------------------------------------------- the request


def test_a_fill_is_asked_for_chip_by_chip(house: House) -> None:
    words = page(house, "ana", "tables/R-01/request/fill/")
    assert "40,000.00 in the tray, as last counted ± fills and credits" in words
    answer = send(house, "ana", "tables/R-01/request/fill/", chip_2500="40", chip_10000="", chip_500="0")
    assert answer.status_code == 302
    asked = house.get("ana", f"{answer.url.strip('/')}/").json()
    assert (asked["kind"], asked["denominations"], asked["total_cents"]) == ("fill", {"2500": 100_000}, 100_000)


@pytest.mark.parametrize(
    "chips", [{}, {"chip_2500": "x"}, {"chip_2500": "-1"}, {"chip_2500": "9999999"}, {"chip_x": "1"}]
)
def test_a_request_that_makes_no_sense_is_refused_with_what_was_typed(house: House, chips: dict[str, str]) -> None:
    answer = send(house, "ana", "tables/R-01/request/credit/", **chips)
    assert answer.status_code == 422
    assert "notice--error" in answer.content.decode()


def test_chips_are_asked_for_at_an_open_table_only(house: House) -> None:
    closer = {"closer": {"total_cents": 5_000_000, "counted_by": ["dan", "ana"]}}
    assert house.post("eve", "tables/R-01/close/", closer).status_code == 201
    assert "once the table is open" in page(house, "ana", "tables/R-01/request/fill/")
    assert send(house, "ana", "tables/R-01/request/fill/", chip_2500="1").status_code == 409
    assert house.clients["ana"].get("/tables/R-77/request/fill/").status_code == 404


# ------------------------------------------------------------------------------------------------- paper


def printed(house: House, who: str, document: str, key: str, paper: str = "a4") -> str:
    answer = send(house, who, f"papers/{document}/print/", key=key, paper=paper)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def test_the_first_copy_is_the_original_and_every_later_one_says_that_it_is_a_reprint(house: House) -> None:
    slip = house.signed()
    document = f"fill/{slip.split('/')[2][:4]}/1"
    assert "ORIGINAL" in printed(house, "cara", document, "one")
    second = printed(house, "ben", document, "two", "receipt")
    assert "REPRINT 2" in second
    assert "ORIGINAL" not in second
    again = printed(house, "cara", document, "one")
    assert "COPY 1, SHOWN AGAIN" in again, "the same order again is no second original"
    assert "ORIGINAL" not in again


def test_a_fill_slip_says_all_that_the_rules_ask_for(house: House) -> None:
    slip = house.signed()
    year = slip.split("/")[2][:4]
    words = printed(house, "cara", f"fill/{year}/1", "one")
    for said in ("Fill slip", f"{year}-000001", "R-01", "54 Card Roulette", "100 50 5,000.00", "25 100 2,500.00",
                 "Total 7,500.00", "Prepared by, for the cage cara", "Cashier, issued cara", "Security, carried sam",
                 "Dealer, counted dan", "Floorperson, verified eve", "Requested by, for the floor ana",
                 "Request 1 "):  # fmt: skip
        assert said in words, said
    assert "VOID" not in words


def test_a_void_slip_prints_void(house: House) -> None:
    slip = house.prepared("credit")
    form = {"reason": "Torn", "approver": "cara", "password": "cara-password"}
    send(house, "ana", f"{slip}/void/", **form)
    words = printed(house, "cara", f"credit/{slip.split('/')[2][:4]}/1", "one")
    assert "VOID Torn (asked by ana, approved by cara)" in words
    assert words.count("VOID") == 2  # the watermark and the reason


def test_an_inventory_lists_the_tray_by_chip_with_who_counted(house: House) -> None:
    closer = {"total_cents": 5_000_000, "denominations": {"10000": 5_000_000}, "counted_by": ["dan", "ana"]}
    day = house.post("eve", "tables/R-01/close/", {"closer": closer}).json()["gaming_date"]
    words = printed(house, "ana", f"inventory/R-01/{day}/1/closer", "one")
    assert "100 500 50,000.00" in words
    assert "Counted by (1 of 2) dan" in words
    assert "Counted by (2 of 2) ana" in words
    lines = page(house, "ben", f"tables/R-01/papers/{day}/")
    assert "Table inventory slip, opener" in lines
    assert "Table inventory slip, closer" in lines


def test_an_opener_that_is_not_the_last_closer_prints_its_error_notification(house: House) -> None:
    closer = {"total_cents": 5_000_000, "counted_by": ["dan", "ana"]}
    assert house.post("eve", "tables/R-01/close/", {"closer": closer}).status_code == 201
    opener = {"total_cents": 4_985_000, "counted_by": ["dan", "eve"]}
    opened = house.post("eve", "tables/R-01/open/", {"opener": opener, "explanation": "Three chips of 50 short"})
    assert opened.status_code == 201, opened.json()
    day = opened.json()["gaming_date"]
    words = printed(house, "eve", f"error_notification/{day[:4]}/1", "one")
    for said in ("Error notification slip", "Closer carried 50,000.00", "Opener counted 49,850.00",
                 "Difference −150.00", "Explanation: Three chips of 50 short", "regulator",
                 "Incident report due within 24 hours", "Counted by (1 of 2) dan"):  # fmt: skip
        assert said in words, said
    catch_up()
    assert "error notification/" in page(house, "ben", f"slip-books/{day}/")
    assert "Error notification slip 1" in page(house, "ben", f"tables/R-01/papers/{day}/")


def test_one_count_of_an_open_table_is_two_papers_that_say_so(house: House) -> None:
    count = {"total_cents": 5_000_000, "denominations": {"10000": 5_000_000}, "counted_by": ["dan", "ana"]}
    rolled = house.post("eve", "tables/R-01/roll/", {"count": count})
    assert rolled.status_code == 201, rolled.json()
    day, session = rolled.json()["gaming_date"], rolled.json()["session"]
    assert "the closer of the session before is the same" in printed(
        house, "eve", f"inventory/R-01/{day}/{session}/opener", "one"
    )
    assert "the opener of the session after is the same" in printed(
        house, "eve", f"inventory/R-01/{day}/{session - 1}/closer", "two"
    )


def test_a_copy_is_counted_on_a_stream_of_its_own(house: House) -> None:
    slip = house.signed()
    year = slip.split("/")[2][:4]
    before = house.get("ana", f"{slip}/").json()["position"]
    printed(house, "cara", f"fill/{year}/1", "one")
    assert house.get("ana", f"{slip}/").json()["position"] == before
    assert store.load(f"demo/print/fill/{year}/1").version == 1


# ------------------------------------------------------------------------------------------------- the audit


def test_accounting_reads_the_sequence_check(house: House) -> None:
    slip = house.signed()
    house.prepared()
    catch_up()
    words = page(house, "ben", f"slip-books/{slip.split('/')[2]}/")
    assert "✓ in order" in words
    assert "Numbers 1–2 Used 2 Void none Open 2 Missing none Unmatched none" in words
    assert house.clients["cara"].get(f"/slip-books/{slip.split('/')[2]}/").status_code == 403
