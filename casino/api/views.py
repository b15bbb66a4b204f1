"""The operations. Who may do what is said in `casino/access.py`."""

from collections.abc import Callable
from datetime import date
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.db.models import QuerySet
from django.http import HttpResponseBase
from drf_spectacular.utils import extend_schema, extend_schema_view
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework import generics, status
from rest_framework.exceptions import NotAuthenticated, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.api import answers, bodies
from casino.commands import rounds
from casino.commands.hint import hint_settlement
from casino.commands.order import Done, Order
from casino.eventstore import store
from casino.games.game import DecisionEntry
from casino.keys import ROUND_MAX, RoundId, check_table_code, round_of
from casino.models import RoundBoard
from casino.people import approval_of, check_duty
from casino.refusal import Refused
from casino.roles import FLOOR
from casino.round.betting import Asked
from casino.round.resettling import cards_by_position
from casino.web import KEY, Pages, Strict, body_of, order_of, problems

PROBLEMS = problems(400, 401, 403, 404, 409, 413, 422)
READ_PROBLEMS = problems(400, 401, 403, 404, 422)

Body = dict[str, Any]


def command(body: type[Strict], answer: Any, summary: str) -> Any:
    """How an operation that writes is described: 201 the first time, 200 when it is repeated."""
    return extend_schema(
        parameters=[KEY], request=body, responses={200: answer, 201: answer, **PROBLEMS}, summary=summary
    )


def answered(data: Body, done: Done) -> Response:
    """201 for what was done now, 200 for what had been done before."""
    return Response(data, status=status.HTTP_200_OK if done.replayed else status.HTTP_201_CREATED)


def round_id_of(table: str, gaming_date: str, n: int) -> RoundId:
    """The round an address names; refuses what can't be one."""
    check_table_code(table)
    try:
        day = date.fromisoformat(gaming_date)
    except ValueError:
        raise Refused("unknown_round", f"{gaming_date} is not a gaming date; write it as 2026-11-29.") from None
    if not 1 <= n <= ROUND_MAX:
        raise Refused("unknown_round", f"There is no round {n}; rounds count from 1 to {ROUND_MAX}.")
    return RoundId(table, day, n)


def round_answered(round_id: RoundId, done: Done) -> Response:
    """The round as the command left it; a card turned up or a last fold may have made a phase due: wake a settler."""
    if not done.replayed and any(isinstance(event, rounds.MAY_DECIDE) for event in done.events):
        hint_settlement()
    return answered(answers.round_answer(round_id, done), done)


class Cursor(Pages):
    """What moved last comes first."""

    ordering = "-last_position"


# ------------------------------------------------------------------------------------------------- rounds


def new_round(body: type[Strict], summary: str, carry_out: Callable[[Order, str, Body], Done]) -> type[APIView]:
    """An operation that makes the table's next round, by its own device or by the floor."""

    @extend_schema_view(post=command(body, bodies.RoundAnswer, summary))
    class Operation(APIView):
        __doc__ = summary

        def post(self, request: Request, table: str) -> Response:
            check_duty(request.user, table)
            said = body_of(request, body)
            done = carry_out(order_of(request, said.get("occurred_at")), table, said)
            return round_answered(round_of(store.key_at(done.position)), done)

    return Operation


NEW_ROUND = {
    "rounds": new_round(
        bodies.OpenRound, "Open the table's next round", lambda order, table, said: rounds.open_round(order, table)
    ),
    "rounds/finished": new_round(
        bodies.FinishedRound,
        "Record a whole finished round",
        lambda order, table, said: rounds.record_finished_round(
            order,
            table,
            [Asked(**wager) for wager in said["wagers"]],
            said["cards"],
            said.get("drawn_position"),
            said.get("progressive_count"),
            [DecisionEntry(**one) for one in said.get("decisions", ())],
        ),
    ),
}


@extend_schema(summary="Rounds, newest first", responses={200: bodies.RoundRow(many=True), **READ_PROBLEMS})
class Rounds(generics.ListAPIView[RoundBoard]):
    """Rounds of all tables, those that moved last first; `table_code` and `gaming_date` narrow them."""

    queryset = RoundBoard.objects.all()
    serializer_class = bodies.RoundRow
    pagination_class = Cursor
    filterset_fields = ["table_code", "gaming_date"]

    def filter_queryset(self, queryset: QuerySet[RoundBoard]) -> QuerySet[RoundBoard]:
        for name in self.filterset_fields:
            if self.request.query_params.get(name) == "":  # the filters would take it for no filter at all
                raise ValidationError({name: ["It is empty; give a value, or leave it out."]})
        return super().filter_queryset(queryset)


class OneRound(APIView):
    """A round as it stands."""

    @extend_schema(summary="One round", responses={200: bodies.RoundAnswer, **READ_PROBLEMS})
    def get(self, request: Request, table: str, gaming_date: str, n: int) -> Response:
        return Response(answers.round_answer(round_id_of(table, gaming_date, n)))


def on_round(body: type[Strict], summary: str, carry_out: Callable[[Order, RoundId, Body], Done]) -> type[APIView]:
    """An operation on one round, by its table's device or by the floor."""

    @extend_schema_view(post=command(body, bodies.RoundAnswer, summary))
    class Operation(APIView):
        __doc__ = summary

        def post(self, request: Request, table: str, gaming_date: str, n: int) -> Response:
            round_id = round_id_of(table, gaming_date, n)
            check_duty(request.user, table)
            said = body_of(request, body)
            order = order_of(request, said.get("occurred_at"))
            if issubclass(body, bodies.Approved):
                said["approval"] = approval_of(request._request, order, said, FLOOR)
            return round_answered(round_id, carry_out(order, round_id, said))

    return Operation


ON_ROUND = {
    "wagers": on_round(
        bodies.PlaceWagers,
        "Place wagers, all or none",
        lambda order, round_id, said: rounds.place_wagers(order, round_id, [Asked(**w) for w in said["wagers"]]),
    ),
    "wagers/change": on_round(
        bodies.ChangeWager,
        "Change the stake of a wager",
        lambda order, round_id, said: rounds.change_wager(order, round_id, said["number"], said["stake_cents"]),
    ),
    "wagers/withdraw": on_round(
        bodies.WithdrawWager,
        "Withdraw a wager",
        lambda order, round_id, said: rounds.withdraw_wager(order, round_id, said["number"]),
    ),
    "close-bets": on_round(
        bodies.CloseBets, "No more bets", lambda order, round_id, said: rounds.close_bets(order, round_id)
    ),
    "collect-progressive": on_round(
        bodies.CollectProgressive,
        "Collect the progressive; the count must match",
        lambda order, round_id, said: rounds.collect_progressive(order, round_id, said["count"]),
    ),
    "draw": on_round(
        bodies.DrawPosition,
        "Record the drawn position of the Roulette Card",
        lambda order, round_id, said: rounds.draw_position(order, round_id, said["position"]),
    ),
    "cards": on_round(
        bodies.RecordCards,
        "Record cards, one by one or together",
        lambda order, round_id, said: rounds.record_cards(order, round_id, said["cards"]),
    ),
    "decisions": on_round(
        bodies.Decide,
        "Record decisions, in the order of the seats, all or none",
        lambda order, round_id, said: rounds.decide(order, round_id, [DecisionEntry(**d) for d in said["decisions"]]),
    ),
    "resettle": on_round(
        bodies.ResettleRound,
        "Settle a settled round anew, by the cards as they lay",
        lambda order, round_id, said: rounds.resettle_round(
            order, round_id, cards_by_position(said.get("cards", {})), said["reason"], said["approval"]
        ),
    ),
    "void": on_round(
        bodies.VoidRound,
        "Void the round; two people answer for it",
        lambda order, round_id, said: rounds.void_round(order, round_id, said["reason"], said["approval"]),
    ),
    "late-bets/void": on_round(
        bodies.VoidLateBet,
        "Give back one wager that came after no more bets; two people answer for it",
        lambda order, round_id, said: rounds.void_late_bet(
            order, round_id, said["number"], said["reason"], said["approval"]
        ),
    ),
    "payouts": on_round(
        bodies.RecordPayout,
        "Record what the dealer did pay on a settled wager",
        lambda order, round_id, said: rounds.record_payout(order, round_id, said["number"], said["paid_cents"]),
    ),
    "misdeal": on_round(
        bodies.DeclareMisdeal,
        "Declare a misdeal; two people answer for it",
        lambda order, round_id, said: rounds.declare_misdeal(
            order, round_id, said["reason"], said["approval"], said.get("card"), said.get("position")
        ),
    ),
}

# ------------------------------------------------------------------------------------------------- the description


class Docs(SpectacularSwaggerSplitView):
    """The description to read and try; a browser that has not logged in is sent to do so, a program gets its 401."""

    def handle_exception(self, exc: Exception) -> HttpResponseBase:
        if isinstance(exc, NotAuthenticated) and "text/html" in self.request.headers.get("Accept", ""):
            return redirect_to_login(self.request.get_full_path())
        return super().handle_exception(exc)
