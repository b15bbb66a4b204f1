"""Patrons outside the log: made once, renamed, and erased so that the name is nowhere."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client

from casino.commands import rounds, settlement, tables
from casino.commands.patrons import erase_patron, make_patron, rename_patron
from casino.commands.seats import estimate_rating, seat_patron
from casino.eventstore.follower import catch_up
from casino.eventstore.verify import verify
from casino.models import Patron
from casino.queries import patrons as queries
from casino.refusal import Refused
from casino.round.betting import Asked
from tests.casino.commands.test_tables import CARDS, order, table, together
from tests.counts import counted
from tests.played import ana, client_of, people

__all__ = ["ana", "client_of", "people", "table"]
NAME = "Wilhelmina Strand-Oduya"

TEXT_COLUMNS = """
    SELECT table_schema, table_name, column_name, data_type FROM information_schema.columns
     WHERE table_schema NOT IN ('pg_catalog', 'information_schema')
       AND (data_type IN ('text', 'character varying', 'character', 'json', 'jsonb', 'bytea', 'ARRAY', 'USER-DEFINED'))
"""


def places_of(text: str) -> list[str]:
    """Every column of every table in which the text, or a piece of it, stands."""
    found = []
    with connection.cursor() as cursor:
        cursor.execute(TEXT_COLUMNS)
        columns = cursor.fetchall()
        assert len(columns) > 50
        for schema, name, column, kind in columns:
            shown = f"""encode("{column}", 'escape')""" if kind == "bytea" else f"""("{column}")::text"""
            cursor.execute(f"""SELECT count(*) FROM "{schema}"."{name}" WHERE {shown} ILIKE %s""", [f"%{text}%"])
            if cursor.fetchone()[0]:
                found.append(f"{schema}.{name}.{column}")
    return found


def test_the_log_and_every_read_model_hold_the_id_only_and_after_erasing_the_name_is_nowhere(
    table: str, ana: Client, database: Any
) -> None:
    ana.post("/patrons/add/", {"name": NAME, "key": f"add {NAME}"})
    patron = Patron.objects.get()
    tables.open_table(order(), table, counted(100), "Ana Ortiz")
    seat_patron(order(), table, 3, patron.pk)
    tables.buy_in(order(), table, 5_000, 3)
    rounds.record_finished_round(order(), table, [Asked(3, "colour:red", 500)], CARDS)
    estimate_rating(order(), table, 3, 2_500)
    settlement.settle_due()
    catch_up()
    assert ana.get(f"/patrons/{patron.pk}/").status_code == 200
    assert places_of("Oduya") == ["public.patron.name"]
    ana.post(f"/patrons/{patron.pk}/rename/", {"name": NAME.upper(), "key": "form-2"})
    answer = ana.post(f"/patrons/{patron.pk}/erase/", {"key": "form-3"}, follow=True)
    assert "erased patron" in answer.content.decode().lower()
    assert places_of("Oduya") == places_of("Wilhelmina") == []
    assert queries.ratings_of(patron.pk)[0].decisions == 1
    with database.connect("casino_app") as reader:
        assert verify(reader).faults == []


def test_a_search_for_the_name_would_have_found_it_in_the_log(table: str) -> None:
    """The proof of the search itself: what does stand in the log and in a table of Django's is found."""
    tables.open_table(order(), table, counted(100), "Wilhelmina Strand-Oduya")
    assert "log.event.payload" in places_of("Oduya")


def test_an_erased_patron_stays_erased(database: Any) -> None:
    patron = make_patron(order(), NAME).patron
    erased = erase_patron(order(), patron.pk)
    assert (erased.name, erased.shown_name, erased.erased_by) == ("", "erased patron", "test")
    again = erase_patron(order(), patron.pk)
    assert again.erased_at == erased.erased_at
    with pytest.raises(Refused) as refusal:
        rename_patron(order(), patron.pk, NAME)
    assert refusal.value.code == "patron_erased"
    assert Patron.objects.get().name == ""


def test_erasing_and_renaming_at_the_same_moment_leaves_no_name(database: Any) -> None:
    for _ in range(6):
        patron = make_patron(order(), NAME).patron
        together(
            lambda who=patron.pk: rename_patron(order(), who, "Auguste Pell"),  # type: ignore[misc]
            lambda who=patron.pk: erase_patron(order(), who),  # type: ignore[misc]
        )
        patron.refresh_from_db()
        assert (patron.name, patron.is_erased) == ("", True)


def test_the_same_order_makes_one_patron_and_for_another_name_is_refused(database: Any) -> None:
    once = order()
    first, again = make_patron(once, NAME), make_patron(once, f"  {NAME} ")
    assert (first.replayed, again.replayed, again.patron.pk) == (False, True, first.patron.pk)
    with pytest.raises(Refused) as refusal:
        make_patron(once, "Auguste Pell")
    assert refusal.value.code == "key_reused"
    assert "Wilhelmina" not in refusal.value.message
    erase_patron(order(), first.patron.pk)
    assert make_patron(once, NAME).patron.is_erased


@pytest.mark.parametrize("name", ["", "   ", "x" * 81, "a\0b", "a\u202eb"])
def test_what_is_no_name_is_refused(database: Any, name: str) -> None:
    with pytest.raises(Refused) as refusal:
        make_patron(order(), name)
    assert refusal.value.code == "bad_name"
    assert not Patron.objects.exists()


def test_a_patron_is_found_by_a_part_of_the_name_or_by_number(database: Any) -> None:
    one, other = make_patron(order(), NAME).patron, make_patron(order(), "Auguste Pell").patron
    assert list(queries.patrons("strand")) == [one]
    assert list(queries.patrons(str(other.pk))) == [other]
    assert list(queries.patrons("")) == [other, one]
    assert list(queries.patrons("9" * 40)) == list(queries.patrons("a\0z%_")) == []
    erase_patron(order(), one.pk)
    assert list(queries.patrons("strand")) == []
