"""Addresses of the progressives below /api/v1/."""

from django.urls import path

from jackpot import api, case_api, heartbeat_api, link_api, link_steps

CASE = "hits/<str:link>/<str:code>/<str:day>/<int:n>/<str:rank>/"

urlpatterns = [
    path("links/", api.Links.as_view()),
    path("links/<str:link>/", api.OneLink.as_view()),
    path("links/<str:link>/hits/", api.Hits.as_view()),
    path("links/<str:link>/tables/", api.LinkTables.as_view()),
    path("links/<str:link>/tables/leave/", api.LeaveLink.as_view()),
    path("links/<str:link>/display/", api.LinkDisplay.as_view()),
    *(path(f"links/<str:link>/{step.path}/", link_api.endpoint(step).as_view()) for step in link_steps.STEPS),
    path("links/<str:link>/heartbeats/", heartbeat_api.Heartbeats.as_view()),
    path("links/<str:link>/days/<day:gaming_date>/", link_api.LinkDay.as_view()),
    path("liability/", link_api.Liabilities.as_view()),
    path("hits/", case_api.Shares.as_view()),
    *(path(f"{CASE}{step.path}/", case_api.endpoint(step).as_view()) for step in case_api.STEPS),
]
