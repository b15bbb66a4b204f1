"""Fragments that other pages include by their address: the meters, and what a round's hand won of them."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path

from casino.keys import RoundId
from casino.money import cut_to_cent
from casino.web import day_of, page
from jackpot import models, queries


@page
def _meters(request: HttpRequest) -> HttpResponse:
    """Every meter, with its last hit."""
    return render(request, "jackpot/_meters.html", {"meters": queries.meters(), "hits_shown": ":1"})


@page
def _meter(request: HttpRequest, link: str) -> HttpResponse:
    """One link's meter, with its last hits."""
    return render(request, "jackpot/_meters.html", {"meters": [queries.meter_of(link)], "hits_shown": ":3"})


@page
def _hits(request: HttpRequest, code: str, day: str, n: int) -> HttpResponse:
    """The hits of one round, best first, with every seat's share."""
    round_id = RoundId(code.replace("\0", ""), day_of(day), n)
    hits = [
        {
            "hit": hit,
            "before_cents": cut_to_cent(hit.before_micros),
            "lines": list(zip(hit.seats, hit.shares_cents, hit.states, strict=True)),
        }
        for hit in models.Hit.objects.filter(round=str(round_id)).order_by("link", "nth")
    ]
    return render(request, "jackpot/_hits.html", {"hits": hits, "round_id": round_id})


urlpatterns = [
    path("meters/", _meters, name="_meters"),
    path("meters/<str:link>/", _meter, name="_meter"),
    path("hits/<str:code>/<str:day>/<int:n>/", _hits, name="_hits"),
]
