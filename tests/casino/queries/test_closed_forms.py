"""The list of tables that did not open on a gaming day and have no closed-table form of it."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from itertools import count
from typing import Any

import pytest
from django.test import Client

from casino.commands.closed_tables import record_closed_table
from casino.commands.order import Done, Order
from casino.commands.tables import close_table, open_table, set_up_table
from casino.eventstore.follower import catch_up
from casino.queries.closed_forms import without_form
from casino.queries.floor import gaming_date_now
from casino.refusal import Refused
from tests.counts import counted

serial = count(1)
NOON = datetime(2026, 3, 4, 18, 0, tzinfo=UTC)
FOURTH, FIFTH, SIXTH = date(2026, 3, 4), date(2026, 3, 5), date(2026, 3, 6)


def at(days: int = 0, hours: int = 0) -> Order:
    return Order("ana", f"forms-{next(serial)}", NOON + timedelta(days=days, hours=hours))


def missing(day: date) -> list[str]:
    catch_up()
    return [one.code for one in without_form(day)]


def refused(act: Callable[[], Done]) -> str:
    with pytest.raises(Refused) as refusal:
        act()
    return refusal.value.code


@pytest.fixture
def three(database: Any) -> None:
    """R-01 opens and closes on the fourth, R-02 opens on the sixth, R-03 comes on the fifth and never opens."""
    for code in ("R-01", "R-02"):
        set_up_table(at(), code, game="54-card-roulette")
    open_table(at(), "R-01", counted(500), "Ana Ortiz")
    close_table(at(hours=1), "R-01", counted(400))
    set_up_table(at(1), "R-03", game="54-card-roulette")
    open_table(at(2), "R-02", counted(500), "Ana Ortiz")


def test_every_day_has_a_list_of_its_own_without_tables_that_were_not_there(three: None) -> None:
    assert [missing(day) for day in (FOURTH, FIFTH, SIXTH)] == [["R-02"], ["R-01", "R-02", "R-03"], ["R-01", "R-03"]]
    assert missing(FOURTH - timedelta(days=1)) == []


def test_a_form_takes_its_table_off_its_own_day_only_also_days_later(three: None) -> None:
    form = record_closed_table(at(2), "R-01", FIFTH).events[0]
    assert (form.last_open, form.closer_cents) == ("2026-03-04", 400)  # type: ignore[attr-defined]
    assert [missing(FIFTH), missing(SIXTH)] == [["R-02", "R-03"], ["R-01", "R-03"]]
    record_closed_table(at(2), "R-01")
    record_closed_table(at(2), "R-03", FIFTH)  # an earlier day's form after a later one's
    assert [missing(FIFTH), missing(SIXTH)] == [["R-02"], ["R-03"]]
    assert refused(lambda: record_closed_table(at(2), "R-01", FIFTH)) == "already_recorded"


def test_a_table_that_is_open_again_has_its_form_of_the_day_before_once_it_is_closed(three: None) -> None:
    assert refused(lambda: record_closed_table(at(2), "R-02", SIXTH)) == "table_was_open"
    form = record_closed_table(at(2), "R-02", FIFTH).events[0]
    assert (form.last_open, form.closer_cents) == (None, None)  # type: ignore[attr-defined]
    assert missing(FIFTH) == ["R-01", "R-03"]


def test_there_is_no_form_of_a_day_to_come_nor_of_one_before_the_table(three: None) -> None:
    assert refused(lambda: record_closed_table(at(2), "R-01", SIXTH + timedelta(days=1))) == "day_not_begun"
    assert refused(lambda: record_closed_table(at(2), "R-03", FOURTH)) == "table_not_there"


def test_a_table_still_open_from_an_earlier_day_is_to_be_rolled_and_not_listed(three: None) -> None:
    assert missing(SIXTH + timedelta(days=1)) == ["R-01", "R-03"]


def test_a_profile_without_that_form_lists_nothing(three: None, settings: Any) -> None:
    settings.CASINO_PROFILE = "new_jersey"
    assert missing(FIFTH) == []


def test_the_floor_and_the_close_show_the_list_and_lead_to_the_form(three: None, ana: Client, ben: Client) -> None:
    catch_up()
    today = gaming_date_now().isoformat()
    floor = ana.get("/").content.decode()
    assert f"/tables/R-01/do/closed-form/?day={today}" in floor
    assert "/tables/R-02/do/closed-form/" not in floor  # open since the sixth
    assert f'value="{today}"' in ana.get(f"/tables/R-01/do/closed-form/?day={today}").content.decode()
    close = ben.get(f"/close/{FOURTH.isoformat()}/").content.decode()
    assert "1 table without a closed-table form of" in close
    assert "never open" not in close  # R-02 has been open since
    assert "/do/closed-form/" not in close  # accounting records no form
    sent = {"key": "form-1", "day": FOURTH.isoformat()}
    assert ana.post("/tables/R-02/do/closed-form/", sent).headers["Location"] == "/tables/R-02/"
    assert "without a closed-table form" not in ben.get(f"/close/{FOURTH.isoformat()}/").content.decode()
