"""The pages of the ledger and its interface: who reads them, what they show, and what they refuse."""

import csv
import itertools
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from casino.eventstore.follower import catch_up
from ledger import accounts as a
from ledger.queries.journal import Filter, entries, parts_of, statement, trial_balance
from tests.ledger.test_journal import DAY, worked_day
from tests.played import MODEL_BACKEND, Played


@pytest.fixture
def auditor(database: Any) -> Client:
    user = User.objects.create_user("otto")
    user.groups.add(Group.objects.get(name="auditor"))
    client = Client()
    client.force_login(user, backend=MODEL_BACKEND)
    return client


def text(client: Client, address: str, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status, answer.content[:500]
    return answer.content.decode()


def test_the_trial_balance_shows_both_halves_and_opens_at_any_position(auditor: Client) -> None:
    worked_day()
    now = text(auditor, "/ledger/")
    assert "Debits equal credits" in now
    assert "12,800.00" in now  # table win, G of the books
    opened_at = next(n for n in range(1, 9) if trial_balance(n).of(a.TRAYS))
    early = text(auditor, f"/ledger/?position={opened_at}")
    assert early.count("50,000.00") == 4  # tray and issued, and both totals
    assert "12,800.00" not in early
    assert "written up to position" in text(auditor, "/ledger/?position=999999")
    assert text(auditor, "/ledger/?position=nine", 400)


def test_every_line_of_an_account_opens_down_to_its_event(auditor: Client) -> None:
    worked_day()
    page = text(auditor, f"/ledger/accounts/{a.TABLE_WIN}/?table=R-01")
    assert "−12,800.00" not in page
    lines = statement(Filter(account=a.TABLE_WIN, table="R-01")).lines
    assert [one.line.type for one in lines][-1] == "coupon_settled"
    assert lines[0].after_micros == 1_280_000 * 10_000
    for one in lines:
        assert f"/ledger/entries/{one.line.position}/" in page
        shown = text(auditor, f"/ledger/entries/{one.line.position}/")
        assert one.line.type in shown or one.line.type.replace("_", " ") in shown.lower()


def test_an_accounts_balances_run_back_to_nothing_page_by_page(database: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    worked_day()
    whole = statement(Filter(account=a.CHIPS_OWED)).lines
    for later, one in itertools.pairwise(whole):
        assert later.after_micros + later.line.micros == one.after_micros  # the account grows by its credits
    assert whole[-1].after_micros == -whole[-1].line.micros
    for cut in whole:
        at = (cut.line.position, cut.line.nth)
        assert statement(Filter(account=a.CHIPS_OWED), at).lines == whole[whole.index(cut) + 1 :]


def test_an_event_that_posts_nothing_says_why(auditor: Client) -> None:
    worked_day()
    position = next(n for n in range(1, trial_balance().position) if "jackpot_hit" in _type(auditor, n))
    assert "records the hit that hand_completed has posted" in text(auditor, f"/ledger/entries/{position}/")
    text(auditor, "/ledger/entries/999999/", 404)
    text(auditor, f"/ledger/entries/{'9' * 30}/", 404)


def _type(client: Client, position: int) -> str:
    return client.get(f"/ledger/entries/{position}/").content.decode().replace(" ", "_").lower()


def test_the_journal_is_filtered_by_date_account_and_table(auditor: Client) -> None:
    worked_day()
    assert "Cash bought in" in text(auditor, f"/ledger/journal/?first={DAY}&account={a.BOXES}&table=R-01")
    for nothing in (f"first={DAY - timedelta(days=1)}", "table=R-77", f"account={a.OVER_SHORT_CLOSED}"):
        assert "No entry is like that" in text(auditor, f"/ledger/journal/?{nothing}")
    text(auditor, "/ledger/journal/?account=999", 404)
    found, more = entries(Filter(account=a.BOXES))
    assert {entry.head.type for entry in found} == {"cash_bought_in", "pit_redemption_taken", "drop_counted"}
    assert more is None


def test_the_file_is_balanced_and_named_by_its_cut(auditor: Client) -> None:
    worked_day()
    today = datetime.now(UTC).date()
    span = f"first={today - timedelta(days=1)}&last={today + timedelta(days=1)}"
    answer: Any = auditor.get(f"/ledger/journal/export.csv?{span}")
    rows = list(csv.DictReader(StringIO(b"".join(answer.streaming_content).decode())))
    assert len(rows) > 40
    assert f"cut-{trial_balance().position}.csv" in answer["Content-Disposition"]
    assert answer["X-Journal-Final"] == "no"
    assert auditor.get("/ledger/journal/export.csv").status_code == 400
    assert auditor.get("/ledger/journal/export.csv?first=2026-11-02&last=2026-11-01").status_code == 404


def test_the_interface_says_what_the_pages_say(auditor: Client) -> None:
    worked_day()
    balance = auditor.get("/api/v1/ledger/trial-balance/").json()
    assert (balance["chips_out_micros"], balance["money_out_micros"]) == (0, 0)
    owed = next(row for row in balance["accounts"] if row["account"] == a.CHIPS_OWED)
    assert owed["balance_micros"] == 878_500 * 10_000
    account = auditor.get(f"/api/v1/ledger/accounts/{a.TRAYS}/?table=R-01").json()
    assert account["lines"][0]["balance_micros"] == account["account"]["balance_micros"] == 5_621_500 * 10_000
    page = auditor.get(f"/api/v1/ledger/entries/?account={a.CASH}").json()["entries"]
    for entry in page:
        assert sum(line["debit_micros"] - line["credit_micros"] for line in entry["lines"]) == 0
        assert auditor.get(f"/api/v1/ledger/entries/{entry['entry']}/").json() == entry
    assert {tie["state"] for tie in auditor.get("/api/v1/ledger/ties/").json()} == {"holds"}
    assert auditor.get("/api/v1/ledger/trial-balance/?position=999999").json()["code"] == "position_not_reached"
    assert auditor.get("/api/v1/ledger/trial-balance/?position=x").status_code == 400
    assert auditor.get(f"/api/v1/ledger/accounts/{a.CASH}/?table=R-01").json()["code"] == "not_kept_by"
    assert auditor.get("/api/v1/ledger/accounts/999/").status_code == 404
    assert auditor.get(f"/api/v1/ledger/accounts/{a.METERS}/?link=%00").status_code == 400
    assert auditor.get("/api/v1/ledger/journal.csv?month=2026-13").status_code == 400


def test_the_ties_are_shown_with_both_sides(played: Played, client_of: Callable[[str], Client]) -> None:
    page = text(client_of("ben"), f"/ledger/ties/?gaming_date={played.day}")
    assert "✓ All" in page
    assert "Estimated win" in page
    assert "grand" in page


def test_the_floor_reads_no_ledger_and_nobody_writes_one(
    played: Played, client_of: Callable[[str], Client], auditor: Client
) -> None:
    assert client_of("ana").get("/ledger/").status_code == 403
    assert auditor.post("/ledger/").status_code in (403, 405)
    assert auditor.post("/api/v1/ledger/entries/").status_code in (403, 405)


def test_an_account_falls_into_its_tables_and_links(played: Played) -> None:
    catch_up()
    assert {part.table for part in parts_of(a.TRAYS)} == {"R-01", "R-02"}
    assert sum(part.own_micros for part in parts_of(a.TRAYS)) == trial_balance().of(a.TRAYS)
    assert {part.link for part in parts_of(a.METERS)} == {"grand"}
