"""A link's display on a wall: without a log-in where it was opened to everybody, else for who reads meters."""

import json
from collections.abc import AsyncIterator, Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

from asgiref.sync import sync_to_async
from django.db import connections
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe

from casino.live import moves, streamed
from casino.web import page_for
from jackpot import display
from jackpot.access import READERS
from jackpot.projections import METERS

View = Callable[..., HttpResponse]


def on_a_wall(view: View) -> View:
    """A page for everybody while the link's display is open, and for who reads meters otherwise."""
    for_readers = page_for(*READERS)(view)

    @require_safe
    @wraps(view)
    def answer(request: HttpRequest, link: str) -> HttpResponse:
        return view(request, link) if display.is_open(link) else for_readers(request, link)

    return answer


@on_a_wall
def wall(request: HttpRequest, link: str) -> HttpResponse:
    return render(request, "jackpot/display.html", {"shown": display.display_of(link)})


@on_a_wall
def _wall(request: HttpRequest, link: str) -> HttpResponse:
    """The display's content, as the page fetches it again."""
    return render(request, "jackpot/_display.html", {"shown": display.display_of(link)})


async def live_wall(request: HttpRequest, link: str) -> HttpResponse | StreamingHttpResponse:
    """That something moved, and not where: the stream of a display that is open, or of whoever has logged in."""
    user = await request.auser()
    is_open = await sync_to_async(_asked_once)(link)
    if not is_open and not user.is_authenticated:
        return HttpResponse("This display is closed.", status=HTTPStatus.FORBIDDEN, content_type="text/plain")
    return streamed(_of_the_meters())


def _asked_once(link: str) -> bool:
    try:
        return display.is_open(link)
    finally:
        connections.close_all()  # the stream needs no database for the half minute that it lasts


MOVED = f'event: moved\ndata: {{"by": "{METERS.name}", "tables": []}}\n\n'


async def _of_the_meters() -> AsyncIterator[str]:
    """The stream of everybody's pages, of which a wall hears when meters were read on, and never at which tables."""
    async for text in moves():
        if not text.startswith("event: moved"):
            yield text
        elif json.loads(text.partition("data: ")[2]).get("by") == METERS.name:
            yield MOVED


urlpatterns: list[Any] = [
    path("display/<str:link>/", wall, name="display"),
    path("display/<str:link>/_now/", _wall, name="_display"),
    path("display/<str:link>/live/", live_wall, name="display_live"),
]
