"""The board of slips: what the log says of every fill and credit, however the followers cut it up."""

from datetime import UTC, datetime
from itertools import count
from typing import Any

import pytest
from django.db import connection, transaction

from casino.commands.order import Order
from casino.commands.slips import load_transfer, prepare_slip, request_transfer, sign_slip, void_slip, withdraw_request
from casino.commands.tables import open_table, set_up_table
from casino.eventstore import store
from casino.eventstore.follower import catch_up
from casino.eventstore.rebuild import rebuild
from casino.keys import TransferId, session_of
from casino.models import SlipBoard
from casino.papers import PAPERS
from casino.queries.slips import id_of, waiting
from casino.roles import CAGE, DEALER, FLOOR, SECURITY
from casino.slips import Person
from tests.counts import counted

serial = count(1)
ANA, EVE = Person("ana", frozenset({FLOOR})), Person("eve", frozenset({FLOOR}))
CARA, SAM = Person("cara", frozenset({CAGE})), Person("sam", frozenset({SECURITY}))
DAN = Person("dan", frozenset({DEALER}))


def order() -> Order:
    return Order("test", f"paper-{next(serial)}", datetime.now(UTC))


def opened(code: str) -> None:
    set_up_table(order(), code, game="54-card-roulette")
    open_table(order(), code, counted(5_000_000), "Ana Ortiz")


def asked(code: str, kind: Any) -> TransferId:
    done = request_transfer(order(), code, kind, {"10000": 500_000}, ANA)
    return TransferId(code, *session_of(store.key_at(done.position)), done.events[-1].transfer)  # type: ignore[attr-defined]


@pytest.fixture
def slips(database: Any) -> dict[str, TransferId]:
    """Two tables, and a fill or credit in every state."""
    opened("R-01")
    opened("R-02")
    made = {state: asked("R-01", "fill") for state in ("requested", "withdrawn", "prepared", "void")}
    made |= {"in_transit": asked("R-02", "credit"), "complete": asked("R-02", "fill")}
    withdraw_request(order(), made["withdrawn"], EVE, "Not needed")
    for state in ("prepared", "void", "in_transit", "complete"):
        prepare_slip(order(), made[state], CARA)
    void_slip(order(), made["void"], ANA, CARA, "Torn")
    for signer in (DAN, EVE):
        sign_slip(order(), made["in_transit"], signer)
    for signer in (CARA, SAM, DAN, EVE):
        sign_slip(order(), made["complete"], signer)
    return made


def test_every_slip_stands_on_the_board_as_on_its_own_stream(slips: dict[str, TransferId]) -> None:
    catch_up()
    rows = {id_of(row): row for row in SlipBoard.objects.all()}
    assert {state: rows[slip].state for state, slip in slips.items()} == {state: state for state in slips}
    for slip, row in rows.items():
        transfer = load_transfer(slip).transfer
        assert (row.kind, row.total_cents, row.denominations) == ("credit" if slip == slips["in_transit"] else "fill",
                                                                  500_000, {"10000": 500_000})  # fmt: skip
        assert row.is_open == transfer.is_open
        assert row.request_serial == transfer.requested.serial
        assert row.serial == (transfer.slip.serial if transfer.slip else None)
        assert [(s["role"], s["by"]) for s in row.signatures] == [(s.role, s.by) for s in transfer.signatures]
        assert row.signed == len(transfer.signatures)
    assert (rows[slips["void"]].reason, rows[slips["withdrawn"]].reason) == ("Torn", "Not needed")
    assert [rows[slips[state]].ended_at is None for state in ("requested", "in_transit", "complete", "void")] == [
        True, True, False, False,
    ]  # fmt: skip


def test_the_board_made_anew_is_the_board_that_is_live(slips: dict[str, TransferId]) -> None:
    catch_up()
    assert SlipBoard.objects.count() == 6
    assert rebuild(PAPERS, "owner", check=True, progress=lambda _: None) == []


@pytest.mark.parametrize("size", [1, 3, 7])
def test_the_board_is_the_same_however_the_log_is_cut(slips: dict[str, TransferId], size: int) -> None:
    catch_up()
    whole = list(SlipBoard.objects.order_by("pk").values())
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM slip")
        last = max(row["last_position"] for row in whole)
        for after in range(0, last, size):
            PAPERS.apply(cursor, after, min(after + size, last))
        assert list(SlipBoard.objects.order_by("pk").values()) == whole


def test_what_waits_for_somebody_is_theirs_first(slips: dict[str, TransferId]) -> None:
    catch_up()

    def seen(who: Person) -> list[tuple[TransferId, str, bool]]:
        return [(one.id, one.awaited, one.is_mine) for one in waiting(who)]

    requested, prepared, credit = slips["requested"], slips["prepared"], slips["in_transit"]
    assert seen(CARA) == [(requested, CAGE, True), (prepared, CAGE, True), (credit, SECURITY, False)]
    assert seen(SAM) == [(credit, SECURITY, True), (requested, CAGE, False), (prepared, CAGE, False)]
    assert [mine for _, _, mine in seen(DAN)] == [False] * 3
    assert [mine for _, _, mine in seen(Person("dan", frozenset({SECURITY})))] == [
        False
    ] * 3  # has signed as the dealer
