"""Every address of the site. The other apps are named as texts, so that imports keep running one way."""

from django.contrib.auth.views import LoginView, LogoutView
from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularAPIView

from casino import alert_views, cash_views, health, log_in_views, patron_views, put_right_views, slip_views, views
from casino.admin import site
from casino.api.views import Docs
from casino.deeds import views as deeds
from casino.live import live
from casino.terminal import views as terminal

urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.floor, name="floor"),
    path("_tiles/", views._tiles, name="_tiles"),
    path("cash/", cash_views.cash_log, name="cash_log"),
    path("cash/_log/", cash_views._cash_log, name="_cash_log"),
    path("cash/merge/", cash_views.merge, name="merge_patron"),
    path("cash/file-report/", cash_views.file_report, name="file_report"),
    path("tables/<str:code>/_cash/", cash_views._typed, name="_cash_typed"),
    path("alerts/", alert_views.alert_list, name="alerts"),
    path("alerts/_list/", alert_views._alert_list, name="_alerts"),
    path("alerts/see-to/", alert_views.see_to, name="see_to_alert"),
    path("_closed-forms/<str:day>/", views._closed_forms, name="_closed_forms"),
    path("tables/<str:code>/", views.table, name="table"),
    path("tables/<str:code>/_now/", views._table_now, name="_table_now"),
    path("tables/<str:code>/_rounds/", views._table_rounds, name="_table_rounds"),
    path("tables/<str:code>/_players/", patron_views._players, name="_players"),
    path("tables/<str:code>/seats/", patron_views.table_seats, name="table_seats"),
    path("tables/<str:code>/_slips/", slip_views._table_slips, name="_table_slips"),
    path("tables/<str:code>/request/<str:kind>/", slip_views.request_slip, name="request_slip"),
    path("tables/<str:code>/papers/<str:day>/", slip_views.table_papers, name="table_papers"),
    path("slips/", slip_views.all_slips, name="slips"),
    path("slips/_waiting/", slip_views._waiting, name="_waiting"),
    path("slips/<str:code>/<str:day>/<int:session>/<int:n>/", slip_views.slip, name="slip"),
    path("slips/<str:code>/<str:day>/<int:session>/<int:n>/_slip/", slip_views._slip, name="_slip"),
    path("slips/<str:code>/<str:day>/<int:session>/<int:n>/<str:deed>/", slip_views.press, name="press_slip"),
    path("slip-books/<str:day>/", slip_views.slip_books, name="slip_books"),
    path("papers/<path:document>/print/", slip_views.print_paper, name="print_paper"),
    path("patrons/", patron_views.all_patrons, name="patrons"),
    path("patrons/add/", patron_views.add_patron, name="add_patron"),
    path("patrons/<int:patron_id>/", patron_views.patron, name="patron"),
    path("patrons/<int:patron_id>/rename/", patron_views.rename_patron, name="rename_patron"),
    path("patrons/<int:patron_id>/erase/", patron_views.erase_patron, name="erase_patron"),
    path("terminals/", terminal.terminals, name="terminals"),
    path("tables/<str:code>/do/<str:deed>/", deeds.deed, name="deed"),
    path("pits/<str:pit>/hand-over/", deeds.pit_hand_over, name="pit_hand_over"),
    path("tables/<str:code>/terminal/", terminal.terminal, name="terminal"),
    path("tables/<str:code>/terminal/_now/", terminal._now, name="_terminal"),
    path("tables/<str:code>/terminal/_recall/<int:n>/", terminal._recall, name="_recall"),
    path("tables/<str:code>/terminal/players/<str:action>/", terminal.press_player, name="press_player"),
    path("tables/<str:code>/terminal/<str:action>/", terminal.press, name="press"),
    path("rounds/<str:code>/<str:day>/<int:n>/", views.round_, name="round"),
    path("rounds/<str:code>/<str:day>/<int:n>/_round/", views._round, name="_round"),
    path("rounds/<str:code>/<str:day>/<int:n>/put-right/", put_right_views.put_right, name="put_round_right"),
    path("live/", live, name="live"),
    path("login/", LoginView.as_view(redirect_authenticated_user=True), name="login"),
    path("your-log-in/", log_in_views.your_log_in, name="your_log_in"),
    path("password/", log_in_views.Password.as_view(), name="password"),
    path("second-factor/", log_in_views.second_factor_, name="second_factor"),
    path("second-factor/set-up/", log_in_views.set_up, name="set_up_second_factor"),
    path("second-factor/codes/", log_in_views.new_codes, name="new_recovery_codes"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("", include("ledger.urls")),
    path("jackpot/", include("jackpot.views")),
    path("", include("jackpot.screens")),
    path("", include("jackpot.history_views")),
    path("", include("jackpot.link_views")),
    path("", include("jackpot.case_views")),
    path("", include("jackpot.statement_views")),
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    path("metrics", health.metrics),
    path("api/schema/", SpectacularAPIView.as_view(), name="schema"),
    path("api/docs/", Docs.as_view(url_name="schema"), name="docs"),
    path("api/v1/", include("casino.api.urls")),
    path("api/v1/", include("jackpot.urls")),
    path("api/v1/", include("ledger.api")),
    path("admin/", site.urls),
]

handler400 = views.bad_request
handler403 = views.forbidden
handler404 = views.not_found
handler500 = views.server_error
