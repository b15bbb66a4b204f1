"""Where drop and hold is found."""

from django.urls import path

from ledger import (
    close_views,
    explained_views,
    hold_views,
    journal_views,
    luck_views,
    reconciliation_views,
    stiff_views,
    views,
)
from ledger.investigation_steps import BY_PATH

INVESTIGATION = reconciliation_views.ROUTE

urlpatterns = [
    path("close/", close_views.close, name="close"),
    path("close/<str:day>/", close_views.day, name="closed_day"),
    path("close/<str:day>/do/", close_views.do_close, name="close_day"),
    path("close/<str:day>/print/", close_views.printed, name="print_day"),
    path("reconciliation/", reconciliation_views.reconciliation, name="reconciliation"),
    path("investigations/", reconciliation_views.all_investigations, name="investigations"),
    path(INVESTIGATION, reconciliation_views.investigation, name="investigation"),
    *(
        path(f"{INVESTIGATION}{step}/", reconciliation_views.press, {"step": step}, name=f"{step}_investigation")
        for step in BY_PATH
    ),
    path("count/", views.boxes_to_count, name="boxes_to_count"),
    path("dealer-errors/", views.dealer_errors, name="dealer_errors"),
    path("dealer-errors/_day/", views._dealer_errors, name="_dealer_errors"),
    path("drop-and-hold/<str:day>/<str:table>/_table/", views._table_day, name="_table_day"),
    path("luck/<str:table>/", luck_views._luck, name="_luck"),
    path("hold/", hold_views.hold, name="hold"),
    path("hold/report.<str:kind>", hold_views.hold_file, name="hold_file"),
    path("explain/<str:code>/", explained_views.explained, name="explained"),
    path("stiff/", stiff_views.stiff_sheet, name="stiff_sheet"),
    path("stiff/print/", stiff_views.print_sheet, name="print_stiff_sheet"),
    path("stiff/audit/", stiff_views.audit, name="audit_report"),
    path("stiff/report.<str:kind>", stiff_views.stiff_file, name="stiff_file"),
    path("hours/", views.by_hour, name="by_hour"),
    path("hours/_day/", views._by_hour, name="_by_hour"),
    path("hours/checkpoint/", views.checkpoint, name="checkpoint"),
    path("drop-and-hold/", views.drop_and_hold, name="drop_and_hold"),
    path("drop-and-hold/_day/", views._drop_and_hold, name="_drop_and_hold"),
    path("drop-and-hold/<str:day>/<str:table>/count/", views.count, name="count"),
    path("drop-and-hold/<str:day>/<str:table>/<str:code>/", views.figure, name="figure"),
    path("ledger/", journal_views.trial_balance, name="trial_balance"),
    path("ledger/accounts/<str:code>/", journal_views.account, name="account"),
    path("ledger/journal/", journal_views.entries, name="journal"),
    path("ledger/journal/export.csv", journal_views.journal_csv, name="journal_csv"),
    path("ledger/entries/<int:position>/", journal_views.entry, name="entry"),
    path("ledger/ties/", journal_views.ties, name="ties"),
]
