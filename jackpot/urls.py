"""Addresses of the progressives below /api/v1/."""

from django.urls import path

from jackpot import api

urlpatterns = [
    path("links/", api.Links.as_view()),
    path("links/<str:link>/", api.OneLink.as_view()),
    path("links/<str:link>/hits/", api.Hits.as_view()),
    path("links/<str:link>/tables/", api.LinkTables.as_view()),
    path("links/<str:link>/tables/leave/", api.LeaveLink.as_view()),
]
