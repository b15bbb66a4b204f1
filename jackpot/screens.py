"""A link's display on a wall: without a log-in where it was opened to everybody (`casino/access.py`)."""

import json
from collections.abc import AsyncIterator
from typing import Any

from asgiref.sync import sync_to_async
from django.db import connections
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.urls import path

from casino.live import moves, streamed
from casino.web import page
from jackpot import display
from jackpot.projections import METERS


@page
def wall(request: HttpRequest, link: str) -> HttpResponse:
    return render(request, "jackpot/display.html", {"shown": display.display_of(link)})


@page
def _wall(request: HttpRequest, link: str) -> HttpResponse:
    """The display's content, as the page fetches it again."""
    return render(request, "jackpot/_display.html", {"shown": display.display_of(link)})


async def live_wall(request: HttpRequest, link: str) -> StreamingHttpResponse:
    """That something moved, and not where: the stream of a display."""
    await sync_to_async(connections.close_all)()  # it needs no database for the half minute that it lasts
    return streamed(_of_the_meters())


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
