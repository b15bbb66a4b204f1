"""The pages of the floor. A view whose name begins with _ answers with a fragment that a page fetches again."""

import sys
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.core.exceptions import BadRequest, RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from casino.gate import roles_of
from casino.keys import ROUND_MAX, RoundId
from casino.navigation import entries_for
from casino.queries import floor as floors
from casino.queries import rounds, tables
from casino.queries.closed_forms import without_form
from casino.refusal import Refused, in_quotes
from casino.web import DATABASE_AWAY, day_of, page, plain_problem, too_large


@page
def floor(request: HttpRequest) -> HttpResponse:
    """The floor; who does not read it begins at the first page of their own."""
    begin = next((entry.name for entry in entries_for(roles_of(request.user))), "your_log_in")
    if begin != "floor":
        return redirect(begin)
    return render(request, "casino/floor.html", _floor_of(request))


@page
def _tiles(request: HttpRequest) -> HttpResponse:
    """The tiles that moved since the page was last told, or all of them where others are to be shown."""
    shown = _floor_of(request)
    seen, replayed = request.GET.get("seen", ""), request.GET.get("replayed", "")
    if request.GET.get("layout") != shown["floor"].layout or not (_is_position(seen) and _is_position(replayed)):
        return render(request, "casino/_tiles.html", shown)
    shown["moved"] = shown["floor"].moved_since(int(seen[:18]), int(replayed[:18]))
    answer = render(request, "casino/_tiles_moved.html", shown)
    answer.headers["HX-Reswap"] = "none"  # each part goes where its own id is
    return answer


def _is_position(text: str) -> bool:
    return text.isascii() and text.isdecimal()


def _floor_of(request: HttpRequest) -> dict[str, Any]:
    whole = floors.floor()
    asked = floors.Shown(*(request.GET.get(name, "") for name in floors.Shown._fields))
    pits = sorted({tile.pit for tile in whole.tiles if tile.pit})
    games = sorted({(tile.board.game, tile.game_name) for tile in whole.tiles})
    return {
        "floor": whole.only(asked),
        "whole": whole,
        "alerts": floors.alerts(),
        "asked": asked,
        "query": urlencode({name: value for name, value in asked._asdict().items() if value}),
        "pits": pits,
        "games": games,
        "no_pit": floors.NO_PIT,
        "readers": " ".join([*settings.FLOOR_READERS, *settings.FLOOR_READERS_LATER]),
    }


@page
def _closed_forms(request: HttpRequest, day: str) -> HttpResponse:
    """The tables that did not open on a gaming day and have no form of it; nothing where every one has."""
    wanted = day_of(day)
    return render(request, "casino/_closed_forms.html", {"day": wanted, "missing": without_form(wanted)})


@page
def table(request: HttpRequest, code: str) -> HttpResponse:
    before = request.GET.get("before", "")
    tile = floors.tile(code)
    shown = _now_of(tile) | _rounds_of(code, before) | {"set_up": tables.set_up_of(code), "before": before}
    return render(request, "casino/table.html", shown)


@page
def _table_now(request: HttpRequest, code: str) -> HttpResponse:
    return render(request, "casino/_table_now.html", _now_of(floors.tile(code)))


@page
def _table_rounds(request: HttpRequest, code: str) -> HttpResponse:
    return render(request, "casino/_table_rounds.html", {"tile": floors.tile(code)} | _rounds_of(code, ""))


def _now_of(tile: floors.Tile) -> dict[str, Any]:
    line = tables.win_line(tile.code, tile.board.gaming_date)
    return {"tile": tile, "line": line, "buy_ins": tables.buy_ins(tile.board), "tray": tables.tray_of(tile.board)}


def _rounds_of(code: str, before: str) -> dict[str, Any]:
    try:
        return {"page": tables.rounds_of(code, before)}
    except ValueError:
        raise BadRequest(f"{in_quotes(before)} is no place in a list of rounds; go back to the table's page.") from None


@page
def round_(request: HttpRequest, code: str, day: str, n: int) -> HttpResponse:
    return render(request, "casino/round.html", {"page": rounds.round_page(_round_id(code, day, n))})


@page
def _round(request: HttpRequest, code: str, day: str, n: int) -> HttpResponse:
    return render(request, "casino/_round.html", {"page": rounds.round_page(_round_id(code, day, n))})


def _round_id(code: str, day: str, n: int) -> RoundId:
    round_id = RoundId(code, day_of(day), n)
    if n > ROUND_MAX or "\0" in code:
        raise Refused("unknown_round", f"There is no round {round_id}.")
    return round_id


# ------------------------------------------------------------------------------------------------- pages that say no


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400: what was asked can't be read, or 413, when it is too much. Only our own sentences are shown."""
    if isinstance(exception, RequestDataTooBig):
        problem = plain_problem(request, 413, "body_too_large", too_large())
        return problem or render(request, "400.html", {"sentence": too_large()}, status=413)
    said = str(exception) if isinstance(exception, BadRequest) else ""
    problem = plain_problem(request, 400, "bad_request", said or "The request can't be read; see /api/docs/.")
    return problem or render(request, "400.html", {"sentence": said}, status=400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403: logged in, but in another role."""
    return render(request, "403.html", {"sentence": str(exception)}, status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404: with the sentence of whoever did not find it."""
    said = exception.args[0] if exception.args and isinstance(exception.args[0], str) else ""
    problem = plain_problem(request, 404, "not_found", "There is nothing at this address; see /api/docs/.")
    return problem or render(request, "404.html", {"sentence": said}, status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """500, or 503 while the database is away: asks neither it nor the session, since these may be what is broken."""
    if isinstance(sys.exception(), OperationalError | InterfaceError):
        away = plain_problem(request, 503, "database_away", DATABASE_AWAY)
        return away or render(None, "500.html", {"is_away": True}, status=503)
    sentence = "Something went wrong on our side and nothing was written; try again with the same key."
    return plain_problem(request, 500, "our_fault", sentence) or render(None, "500.html", status=500)
