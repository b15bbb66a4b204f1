"""Where drop and hold is found."""

from django.urls import path

from ledger import (
    audit_views,
    cage_views,
    close_views,
    count_views,
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
    path("drop/", count_views.drop, name="drop"),
    path("tables/<str:table>/emergency-box/", count_views.emergency_box, name="emergency_box"),
    path("count/", count_views.boxes_to_count, name="boxes_to_count"),
    path("count/<str:day>/open/", count_views.open_count, name="open_count"),
    path("count/<str:day>/<int:n>/", count_views.soft_count, name="soft_count"),
    path("count/<str:day>/<int:n>/do/<str:deed>/", count_views.count_deed, name="count_deed"),
    path("count/<str:day>/correct/<str:table>/<int:number>/", count_views.correct, name="correct_count"),
    path("drops/", count_views.drops, name="drops"),
    path("drops/<str:day>/<int:n>/", count_views.one_drop, name="one_drop"),
    path("drops/<str:day>/<int:n>/do/<str:deed>/", count_views.drop_deed, name="drop_deed"),
    path("income-audit/", audit_views.income_audit, name="income_audit"),
    path("income-audit/<str:day>/exceptions.csv", audit_views.exceptions_csv, name="audit_exceptions"),
    path("income-audit/<str:day>/do/<str:deed>/", audit_views.press, name="audit_deed"),
    path("cage/", cage_views.cage, name="cage"),
    path("cage/do/<str:deed>/", cage_views.deed, name="cage_deed"),
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
    path("drop-and-hold/<str:day>/<str:table>/<str:code>/", views.figure, name="figure"),
    path("ledger/", journal_views.trial_balance, name="trial_balance"),
    path("ledger/accounts/<str:code>/", journal_views.account, name="account"),
    path("ledger/journal/", journal_views.entries, name="journal"),
    path("ledger/journal/export.csv", journal_views.journal_csv, name="journal_csv"),
    path("ledger/entries/<int:position>/", journal_views.entry, name="entry"),
    path("ledger/ties/", journal_views.ties, name="ties"),
]
