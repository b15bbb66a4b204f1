"""The alerts' page: what waits for somebody, what the day brought, and what the rules can't tell yet."""

import uuid
from datetime import UTC, datetime

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from casino.alerts import rules
from casino.commands.alerts import acknowledge
from casino.commands.order import Order
from casino.gate import has_role
from casino.queries import alerts, floor
from casino.refusal import Refused
from casino.roles import FLOOR
from casino.web import day_of, page


@page
def alert_list(request: HttpRequest) -> HttpResponse:
    return render(request, "casino/alerts.html", _shown(request))


@page
def _alert_list(request: HttpRequest) -> HttpResponse:
    return render(request, "casino/_alerts.html", _shown(request))


def _shown(request: HttpRequest) -> dict[str, object]:
    asked = request.GET.get("gaming_date", "").strip()
    day = day_of(asked) if asked else floor.gaming_date_now()
    asked = alerts.Asked(*(request.GET.get(name, "").strip() for name in alerts.Asked._fields))
    return {
        "day": day,
        "asked": asked,
        "is_narrowed": any(asked),
        "waiting": [(alert, str(uuid.uuid4())) for alert in alerts.waiting()],
        "shown": Paginator(alerts.of_day(day, asked), alerts.ALERTS_SHOWN).get_page(request.GET.get("page")),
        "not_enough": [(rules()[one.rule].title, one) for one in alerts.watched().not_enough],
        "rules": rules(),
        "may_see_to": has_role(request.user, FLOOR),
    }


@require_POST
def see_to(request: HttpRequest) -> HttpResponse:
    """Acknowledge one alert by name."""
    given = request.POST
    order = Order(request.user.get_username(), given.get("key", ""), datetime.now(UTC), source="page")
    try:
        acknowledge(order, given.get("alert", ""), given.get("note", "").strip(), given.get("is_false") == "on")
        messages.success(request, "Noted, under your name.")
    except Refused as refusal:
        messages.error(request, refusal.message)
    return redirect("alerts")
