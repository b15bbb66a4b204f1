"""Who records at a table: the floor at any, a dealer's own log-in where the floor has put the dealer on."""

from collections.abc import Callable

from django.contrib.auth.models import Group, User
from django.test import Client
from rest_framework.test import APIClient

from casino.commands.dealers import take_off
from tests.casino.test_terminal import CARDS, EVE, Presses, dan, staff
from tests.played import DAN, MODEL_BACKEND, Played, ben, client_of, people, played

__all__ = ["ben", "client_of", "dan", "people", "played", "staff"]


def test_a_dealers_own_log_in_records_only_at_the_table_where_the_dealer_is_on_duty(
    dan: Presses, played: Played, client_of: Callable[[str], Client]
) -> None:
    assert dan.press("bets", wagers="", without_wagers="yes").status_code == 200
    played.open("R-03", 5_000_000)
    elsewhere = Presses(dan.client, "R-03")
    answer = elsewhere.press("open")
    assert (answer.status_code, answer.headers["X-Refused"]) == (403, "not_on_duty")
    assert "nobody is on duty there" in answer.content.decode()
    assert Presses(client_of(EVE), "R-03").press("open").status_code == 200
    take_off(played.order(), "R-01")
    assert dan.press("cards", cards=CARDS).headers["X-Refused"] == "not_on_duty"


def test_over_http_a_dealer_records_only_there_as_well_and_the_floor_anywhere(
    dan: Presses, played: Played, staff: dict[str, User]
) -> None:
    def open_round(name: str, table: str) -> int:
        client = APIClient()
        client.force_login(staff[name], backend=MODEL_BACKEND)
        headers = {"Idempotency-Key": f"{name}-{table}"}
        answer = client.post(f"/api/v1/tables/{table}/rounds/", {}, format="json", headers=headers)
        return int(answer.status_code)

    played.open("R-03", 5_000_000)
    assert open_round(DAN, "R-03") == 403
    assert open_round(DAN, "R-01") == 409  # on duty there, where a round is open
    staff[DAN].groups.add(Group.objects.get(name="floor"))
    assert open_round(DAN, "R-03") == 201


def test_accounting_and_strangers_record_no_round(dan: Presses, ben: Client) -> None:
    assert ben.get("/tables/R-01/terminal/").status_code == 403
    assert Presses(ben, "R-01").client.post("/tables/R-01/terminal/open/").status_code == 403
    assert Client().post("/tables/R-01/terminal/open/").headers["Location"].startswith("/login/")
