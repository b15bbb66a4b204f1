"""The HTTP interface of the books: drop and hold; the count room, the cage and the close have files of their own."""

from typing import Any

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.web import problems
from ledger import (
    audit_api,
    cage_api,
    close_api,
    count_api,
    explained_views,
    hold_views,
    journal_api,
    reconciliation_api,
    stiff_api,
)
from ledger.queries.days import Row, rows_of

READ_PROBLEMS = problems(401, 403, 404)


class TableDayAnswer(serializers.Serializer[Any]):
    """A table's day: recorded figures, counted figures (null until counted), and where they differ."""

    table = serializers.CharField()
    state = serializers.ChoiceField(choices=["open", "inventory_only", "complete"])
    opener_cents = serializers.IntegerField()
    fills_cents = serializers.IntegerField()
    credits_cents = serializers.IntegerField()
    pit_redemptions_cents = serializers.IntegerField()
    paid_elsewhere_cents = serializers.IntegerField(help_text="C: ordinary winnings paid by cage or cheque")
    jackpots_paid_cents = serializers.IntegerField(help_text="J: from this tray, on the day of payment")
    closed_table_difference_cents = serializers.IntegerField(help_text="later openers less the closers before them")
    recorded_drop_cents = serializers.IntegerField()
    handle_cents = serializers.IntegerField()
    game_result_cents = serializers.IntegerField()
    dealer_errors_cents = serializers.IntegerField(help_text="E: paid − due, where a difference was recorded")
    expected_tray_cents = serializers.IntegerField()
    estimated_win_cents = serializers.IntegerField()
    estimated_hold = serializers.CharField(allow_null=True)
    closer_cents = serializers.IntegerField(allow_null=True)
    counted_drop_cents = serializers.IntegerField(allow_null=True)
    win_cents = serializers.IntegerField(allow_null=True)
    hold = serializers.CharField(allow_null=True)
    box_variance_cents = serializers.IntegerField(allow_null=True)
    tray_variance_cents = serializers.IntegerField(allow_null=True)


class DropAndHold(APIView):
    """Drop and hold of a gaming day, table by table."""

    @extend_schema(
        responses={200: TableDayAnswer(many=True), **problems(401, 403, 404)}, summary="Drop and hold of a gaming day"
    )
    def get(self, request: Request, gaming_date: Any) -> Response:
        rows, _ = rows_of(gaming_date)
        return Response([day_answer(row) for row in rows])


def day_answer(row: Row) -> dict[str, Any]:
    """One table's day as plain data; a hold is a fraction, "a/b"."""
    result = row.result
    return {
        "table": row.table,
        "state": result.state,
        "opener_cents": result.facts.opener,
        "fills_cents": result.facts.fills,
        "credits_cents": result.facts.credits,
        "pit_redemptions_cents": result.facts.pit_redemptions,
        "paid_elsewhere_cents": result.facts.elsewhere,
        "jackpots_paid_cents": result.facts.jackpots,
        "closed_table_difference_cents": result.facts.between,
        "recorded_drop_cents": result.facts.recorded_drop,
        "handle_cents": row.handle_cents,
        "game_result_cents": result.facts.game_result,
        "dealer_errors_cents": result.facts.errors,
        "expected_tray_cents": result.expected_tray,
        "estimated_win_cents": result.estimated_win,
        "estimated_hold": None if result.estimated_hold is None else str(result.estimated_hold),
        "closer_cents": result.facts.closer,
        "counted_drop_cents": result.facts.counted_drop,
        "win_cents": result.win,
        "hold": None if result.hold is None else str(result.hold),
        "box_variance_cents": result.box_variance,
        "tray_variance_cents": result.tray_variance,
    }


urlpatterns = [
    path("drop-and-hold/<day:gaming_date>/", DropAndHold.as_view()),
    path("hold/", hold_views.Hold.as_view()),
    path("explain/<str:code>/", explained_views.Explanation.as_view()),
    path("stiff/", stiff_api.MasterGameReport.as_view()),
    path("reconciliation/<day:gaming_date>/", reconciliation_api.Reconciliation.as_view()),
    path("investigations/", reconciliation_api.Investigations.as_view()),
    *(
        path(f"investigations/<code:table>/<day:gaming_date>/<int:session>/{step}/", view.as_view())
        for step, view in reconciliation_api.ENDPOINTS.items()
    ),
    path("days/<day:gaming_date>/", close_api.Day.as_view()),
    path("days/<day:gaming_date>/close/", close_api.Close.as_view()),
    path("days/<day:gaming_date>/filed/", close_api.Filed.as_view()),
    *(path(route, view.as_view()) for route, view in journal_api.URLS),
    *count_api.urlpatterns,
    *cage_api.urlpatterns,
    *audit_api.urlpatterns,
]
