"""The house by the hour, and what came since a checkpoint: amounts of tests/played.py and a few more."""

import re
from datetime import date, timedelta
from html import unescape

import pytest
from django.test import Client

from casino.commands.tables import buy_in, set_up_table
from casino.eventstore.follower import catch_up
from ledger.queries import hours
from tests.ledger.test_dealer_errors import text_of
from tests.played import Played

KEY = "0b1f6e0c-checkpoint"


def test_the_grid_adds_up_to_what_the_day_shows(played: Played) -> None:
    wanted = {"win": -478_200, "drop": 80_000, "handle": 2_900, "rounds": 5, "fills": 0}
    for figure, total in wanted.items():
        shown = hours.grid(played.day, figure)
        assert shown.totals.total == total, figure
        assert [line.table for line in shown.lines] == ["R-01", "R-02"]


def test_the_grid_of_a_pit_has_its_tables_alone_and_opens_at_the_pits_figures(played: Played, ana: Client) -> None:
    set_up_table(played.order(), "R-50", game="54-card-roulette", pit="A")
    played.open("R-50", 1_000_000)
    buy_in(played.order(), "R-50", 4_200)
    played.read()
    assert [line.table for line in hours.grid(played.day, "drop", "A").lines] == ["R-50"]
    answer = ana.get(f"/hours/?gaming_date={played.day}&figure=drop&pit=A")
    assert "Pit A 1 table 42.00 42.00" in text_of(answer)
    links = [unescape(link) for link in re.findall(r'href="(/explain/[^"]+)"', answer.content.decode())]
    assert any("of=pit:A" in link and "hour=" in link for link in links)
    assert {ana.get(link).status_code for link in links} == {200}
    assert '<option value="A" selected>' in answer.content.decode()
    assert "Nothing was recorded" in text_of(ana.get(f"/hours/?gaming_date={played.day}&pit=Z"))


def test_hours_in_which_nothing_happened_stand_between_those_in_which_something_did(played: Played) -> None:
    from ledger.models import TableHour

    hour = TableHour.objects.filter(table_code="R-01").order_by("hour").last()
    TableHour.objects.filter(pk=hour.pk).update(hour=hour.hour + timedelta(hours=3))
    shown = hours.grid(played.day, "win")
    assert len(shown.hours) >= 3
    line = next(line for line in shown.lines if line.table == "R-02")
    assert line.values[-1] is None


def test_a_day_without_events_has_no_grid(played: Played) -> None:
    assert hours.grid(date(2001, 1, 1), "win").lines == []
    assert hours.since_checkpoint(date(2001, 1, 1)) is None


def take(client: Client, played: Played, key: str = KEY):
    body = {"gaming_date": played.day.isoformat(), "key": key, "note": "mid-shift"}
    return client.post("/hours/checkpoint/", body, follow=True)


def test_a_checkpoint_shows_what_came_since(played: Played, ana: Client) -> None:
    assert "The figures of the floor are written down" in text_of(take(ana, played))
    buy_in(played.order(), "R-01", 12_300)
    catch_up()
    since = hours.since_checkpoint(played.day)
    assert (since.by, since.note, since.house.drop_cents, since.house.win_cents) == ("ana", "mid-shift", 12_300, 0)
    said = text_of(ana.get(f"/hours/?gaming_date={played.day}&figure=drop"))
    assert "Since the checkpoint at" in said
    assert "Taken by ana: mid-shift" in said
    assert "800.00 923.00 +123.00" in said


def test_a_repeated_press_takes_one_checkpoint(played: Played, ana: Client) -> None:
    take(ana, played)
    buy_in(played.order(), "R-01", 12_300)
    catch_up()
    take(ana, played)
    assert hours.since_checkpoint(played.day).house.drop_cents == 12_300


def test_accounting_reads_the_grid_and_takes_no_checkpoint(played: Played, ben: Client) -> None:
    assert "Take a checkpoint" not in text_of(ben.get("/hours/"))
    assert take(ben, played).status_code == 403


@pytest.mark.parametrize(("address", "status"), [("?figure=luck", 400), ("?gaming_date=soon", 400), ("_day/", 200)])
def test_odd_addresses_get_a_sentence(played: Played, ana: Client, address: str, status: int) -> None:
    assert ana.get(f"/hours/{address}").status_code == status
