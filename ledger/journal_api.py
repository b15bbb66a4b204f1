"""The HTTP interface of the ledger: trial balance, accounts, entries, ties, and the export. Nothing is written here.

Amounts are whole micro-units of the currency (10⁻⁶), since an accrual is not whole cents.
"""

from typing import Any

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.web import day_of, problems
from ledger.accounts import CHART
from ledger.journal_views import download, export_asked, filter_of, number_of, text_in
from ledger.queries import journal
from ledger.queries.journal import Balance, Entry, EntryLine
from ledger.queries.ties import Tie, ties

READ_PROBLEMS = problems(400, 401, 403, 404, 422)


def _asked(name: str, kind: Any, what: str) -> OpenApiParameter:
    return OpenApiParameter(name, kind, OpenApiParameter.QUERY, description=what)


POSITION = _asked("position", OpenApiTypes.INT64, "a position of the log; left out, all that the journal has read")
FILTERS = [
    _asked("account", OpenApiTypes.STR, "an account of the chart"),
    _asked("table", OpenApiTypes.STR, "a table's code"),
    _asked("first", OpenApiTypes.DATE, "the first gaming date"),
    _asked("last", OpenApiTypes.DATE, "the last gaming date; left out, the first"),
    _asked("before", OpenApiTypes.INT64, "entries below this position only: where the next page begins"),
]


class BalanceAnswer(serializers.Serializer[Any]):
    """An account's sums up to the position; `balance_micros` is on the account's own side, below zero on the other."""

    account = serializers.CharField()
    name = serializers.CharField()
    ledger = serializers.ChoiceField(choices=["chips", "money"])
    side = serializers.ChoiceField(choices=["debit", "credit"])
    table = serializers.CharField(allow_blank=True)
    link = serializers.CharField(allow_blank=True)
    debit_micros = serializers.IntegerField()
    credit_micros = serializers.IntegerField()
    balance_micros = serializers.IntegerField()


class TrialBalanceAnswer(serializers.Serializer[Any]):
    """Every account that ever moved; both ledgers are out by 0, always."""

    position = serializers.IntegerField()
    chips_out_micros = serializers.IntegerField()
    money_out_micros = serializers.IntegerField()
    accounts = BalanceAnswer(many=True)


class EntryLineAnswer(serializers.Serializer[Any]):
    """One line of an entry: one of debit and credit is 0."""

    line = serializers.IntegerField()
    account = serializers.CharField()
    name = serializers.CharField()
    link = serializers.CharField(allow_blank=True)
    debit_micros = serializers.IntegerField()
    credit_micros = serializers.IntegerField()


class EntryAnswer(serializers.Serializer[Any]):
    """An event's entry: `entry` is the event's position, `event` its type, `reference` its round or stream."""

    entry = serializers.IntegerField()
    event = serializers.CharField()
    gaming_date = serializers.DateField()
    posting_date = serializers.DateField()
    table = serializers.CharField(allow_blank=True)
    session = serializers.IntegerField(allow_null=True)
    reference = serializers.CharField()
    lines = EntryLineAnswer(many=True)


class EntriesAnswer(serializers.Serializer[Any]):
    """A page of entries, latest first; `before` is where the next page begins, null at the end."""

    entries = EntryAnswer(many=True)
    before = serializers.IntegerField(allow_null=True)


class StatementLineAnswer(EntryLineAnswer):
    """A line of an account with its entry, and the account's balance after it."""

    entry = serializers.IntegerField()
    event = serializers.CharField()
    gaming_date = serializers.DateField()
    posting_date = serializers.DateField()
    table = serializers.CharField(allow_blank=True)
    reference = serializers.CharField()
    balance_micros = serializers.IntegerField()


class StatementAnswer(serializers.Serializer[Any]):
    """An account at a position, latest lines first; the next page begins at `before` and `before_line`."""

    position = serializers.IntegerField()
    account = BalanceAnswer()
    lines = StatementLineAnswer(many=True)
    before = serializers.IntegerField(allow_null=True)
    before_line = serializers.IntegerField(allow_null=True)


class TieAnswer(serializers.Serializer[Any]):
    """One tie: its two sides, null where they can't be told, with the reason."""

    name = serializers.CharField()
    of = serializers.CharField()
    left = serializers.CharField()
    left_micros = serializers.IntegerField(allow_null=True)
    right = serializers.CharField()
    right_micros = serializers.IntegerField(allow_null=True)
    difference_micros = serializers.IntegerField(allow_null=True)
    state = serializers.ChoiceField(choices=["holds", "differs", "not known"])
    position = serializers.IntegerField()
    reason = serializers.CharField(allow_blank=True)


class TrialBalances(APIView):
    """The trial balance at a position."""

    @extend_schema(
        parameters=[POSITION], responses={200: TrialBalanceAnswer} | READ_PROBLEMS, summary="The trial balance"
    )
    def get(self, request: Request) -> Response:
        found = journal.trial_balance(number_of(request, "position"))
        answer = {
            "position": found.position,
            "chips_out_micros": found.out_micros("chips"),
            "money_out_micros": found.out_micros("money"),
            "accounts": [balance_answer(row) for row in found.rows],
        }
        return Response(answer)


class Accounts(APIView):
    """An account's statement."""

    @extend_schema(
        parameters=[
            POSITION, FILTERS[1], _asked("link", OpenApiTypes.STR, "a link's code"), FILTERS[4],
            _asked("before_line", OpenApiTypes.INT, "with before: lines of that entry below this number too"),
        ],
        responses={200: StatementAnswer} | READ_PROBLEMS, summary="An account, line by line",
    )  # fmt: skip
    def get(self, request: Request, code: str) -> Response:
        if code not in CHART:
            raise NotFound
        wanted = filter_of(request)._replace(
            account=code, link=text_in(request, "link"), upto=number_of(request, "position")
        )
        at, line = number_of(request, "before"), number_of(request, "before_line")
        found = journal.statement(wanted, None if at is None else (at, line or 0))
        before, before_line = found.earlier or (None, None)
        lines = [
            entry_head(one.line) | line_answer(one.line) | {"balance_micros": one.after_micros} for one in found.lines
        ]
        account = balance_answer(found.balance)
        return Response(
            {
                "position": found.position,
                "account": account,
                "lines": lines,
                "before": before,
                "before_line": before_line,
            }
        )


class Entries(APIView):
    """The journal, latest entries first."""

    @extend_schema(
        parameters=FILTERS, responses={200: EntriesAnswer} | READ_PROBLEMS, summary="Entries of the journal",
        operation_id="ledger_entries_list",
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        found, before = journal.entries(filter_of(request), number_of(request, "before"))
        return Response({"entries": [entry_answer(entry) for entry in found], "before": before})


class OneEntry(APIView):
    """The entry of one event."""

    @extend_schema(responses={200: EntryAnswer} | READ_PROBLEMS, summary="The entry of an event")
    def get(self, request: Request, position: int) -> Response:
        found = journal.entry(position) if position < 2**63 else None
        if found is None:
            raise NotFound
        return Response(entry_answer(found))


class Export(APIView):
    """The journal by posting date, as a file."""

    @extend_schema(
        parameters=[
            _asked("month", OpenApiTypes.STR, "a month of posting dates, like 2026-11"),
            _asked("first", OpenApiTypes.DATE, "or the first posting date"),
            _asked("last", OpenApiTypes.DATE, "and the last"),
            _asked("upto", OpenApiTypes.INT64, "entries up to this position only: the cut of an earlier export"),
        ],
        responses={(200, "text/csv"): OpenApiTypes.STR} | READ_PROBLEMS, summary="Export the journal as CSV",
    )  # fmt: skip
    def get(self, request: Request) -> StreamingHttpResponse:
        return download(export_asked(request))


class TiesNow(APIView):
    """The ties of the books."""

    @extend_schema(
        parameters=[_asked("gaming_date", OpenApiTypes.DATE, "of the tables; left out, the last day of play")],
        responses={200: TieAnswer(many=True)} | READ_PROBLEMS, summary="The ties of the books",
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        asked = request.GET.get("gaming_date", "")
        return Response([tie_answer(tie) for tie in ties(day_of(asked) if asked else None).every])


def balance_answer(row: Balance) -> dict[str, Any]:
    """An account's sums as plain data."""
    return {
        "account": row.account.code,
        "name": row.account.name,
        "ledger": row.account.ledger,
        "side": row.account.side,
        "table": row.table,
        "link": row.link,
        "debit_micros": row.debit_micros,
        "credit_micros": row.credit_micros,
        "balance_micros": row.own_micros,
    }


def line_answer(line: EntryLine) -> dict[str, Any]:
    """A line as plain data."""
    return {
        "line": line.nth,
        "account": line.account.code,
        "name": line.account.name,
        "link": line.link,
        "debit_micros": line.debit_micros,
        "credit_micros": line.credit_micros,
    }


def entry_head(line: EntryLine) -> dict[str, Any]:
    """What a line says of its entry."""
    return {
        "entry": line.position,
        "event": line.type,
        "gaming_date": line.gaming_date,
        "posting_date": line.posting_date,
        "table": line.table,
        "session": line.session,
        "reference": line.reference,
    }


def entry_answer(entry: Entry) -> dict[str, Any]:
    """An entry with its lines as plain data."""
    return entry_head(entry.head) | {"lines": [line_answer(line) for line in entry.lines]}


def tie_answer(tie: Tie) -> dict[str, Any]:
    """A tie as plain data."""
    return tie._asdict() | {"difference_micros": tie.difference_micros, "state": tie.state}


URLS = (
    ("ledger/trial-balance/", TrialBalances),
    ("ledger/accounts/<str:code>/", Accounts),
    ("ledger/entries/", Entries),
    ("ledger/entries/<int:position>/", OneEntry),
    ("ledger/journal.csv", Export),
    ("ledger/ties/", TiesNow),
)
"""Where each is found below the interface's root."""
