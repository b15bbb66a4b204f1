"""Addresses of the progressives below /api/v1/."""

from django.urls import path

from jackpot import api, case_api

CASE = "hits/<str:link>/<str:code>/<str:day>/<int:n>/<str:rank>/"

urlpatterns = [
    path("links/", api.Links.as_view()),
    path("links/<str:link>/", api.OneLink.as_view()),
    path("links/<str:link>/hits/", api.Hits.as_view()),
    path("links/<str:link>/tables/", api.LinkTables.as_view()),
    path("links/<str:link>/tables/leave/", api.LeaveLink.as_view()),
    path("links/<str:link>/display/", api.LinkDisplay.as_view()),
    path("hits/", case_api.Shares.as_view()),
    *(path(f"{CASE}{step.path}/", case_api.endpoint(step).as_view()) for step in case_api.STEPS),
]
