"""The pages of the progressives: all of them, one link with everything that is done to it, and a new one set up."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views.decorators.http import require_http_methods, require_POST

from casino.commands.order import house_profile
from casino.games import load_games
from casino.money import ODD_CENTS_STAY_IN_METER
from casino.refusal import Refused
from casino.statuses import status_of
from casino.web import page
from jackpot import models, queries
from jackpot.api import SetUpLink
from jackpot.commands import changes, links
from jackpot.events import OVERFLOW_RULES
from jackpot.forms import body_of_form, may_take, new_key, order_of_form, wait_until_read
from jackpot.link_steps import PAGE_STEPS
from jackpot.meter import LOWERS, RAISES
from jackpot.payables import payables
from jackpot.statements import day_page, liability, readings_of_links
from jackpot.terms import ODD_CENT_RULES
from jackpot.today import gaming_date_now

STEPS = {step.path: step for step in PAGE_STEPS}
ROUTE = "progressives/<str:link>/"
HITS_SHOWN = 12

# ------------------------------------------------------------------------------------------------- all of them


def _all() -> dict[str, Any]:
    owed, today = liability(), gaming_date_now()
    read = readings_of_links([one.link for one in owed.owed], today)
    by_code = {meter.code: meter for meter in queries.meters()}
    rows = [
        {"meter": by_code[one.link], "owed": one, "is_tied": owed.ties(one), "readings": read[one.link]}
        for one in owed.owed
        if one.link in by_code
    ]
    open_shares = payables(today, house_profile().jackpots.unclaimed_after_days)
    return {"rows": rows, "liability": owed, "payables": open_shares, "today": today}


@page
def progressives(request: HttpRequest) -> HttpResponse:
    may = may_take(request, "progressives/", ["set-up"])
    return render(request, "jackpot/progressives.html", _all() | {"may": may})


@page
def _progressives(request: HttpRequest) -> HttpResponse:
    return render(request, "jackpot/_progressives.html", _all())


@require_http_methods(["GET", "POST"])
def set_up(request: HttpRequest) -> HttpResponse:
    """A new link, alone or as a further level of a bank."""
    refusal = None
    if request.method == "POST":
        try:
            said = body_of_form(request.POST, SetUpLink)
            said.pop("occurred_at", None)
            code = said["code"]
            wait_until_read(links.set_up_link(order_of_form(request), **said).position)
            messages.success(request, f"Link {code} is set up.")
            return redirect("progressive", code)
        except Refused as refused:
            refusal = refused
    games = [game for _, game in sorted(load_games().items()) if game.tier_sets]
    shown = {
        "games": games, "firsts": queries.links().filter(level_of="", is_retired=False), "refusal": refusal,
        "given": request.POST, "key": new_key(), "overflow_rules": OVERFLOW_RULES, "odd_rules": ODD_CENT_RULES,
        "odd_default": ODD_CENTS_STAY_IN_METER,
    }  # fmt: skip
    return render(request, "jackpot/set_up.html", shown, status=status_of(refusal.code) if refusal else 200)


# ------------------------------------------------------------------------------------------------- one link


def _link(request: HttpRequest, link: str) -> dict[str, Any]:
    row = queries.row_of(link)
    folded, today = row.folded(), gaming_date_now()
    first = queries.link_of(folded.terms.level_of) if folded.terms.level_of else folded
    return {
        "meter": queries.view_of(row),
        "row": row,
        "terms": folded.terms,
        "control": folded.control,
        "first": first.terms.code,
        "tables": sorted(first.tables),
        "stops": first.control.stops,
        "heard": models.Heartbeat.objects.filter(link=link).order_by("source"),
        "explained": queries.explanation_of(row),
        "hits": queries.hits_of(link, HITS_SHOWN),
        "facts": queries.meter_events(link, limit=15),
        "day": day_page(link, today, today),
        "today": today,
        "may": may_take(request, ROUTE, list(STEPS)),
        "new_key": new_key,
    }


def _page(request: HttpRequest, link: str, **more: Any) -> HttpResponse:
    shown = _link(request, link)
    for proposal in shown["control"].changes:
        if proposal.approved_by:
            shown.setdefault("waiting", {})[proposal.number] = changes.why_waiting(
                link, proposal.number, order_of_form(request).at
            )
    others = models.Link.objects.exclude(code=link).filter(is_retired=False).values_list("code", flat=True)
    forms = {
        "others": sorted(others), "lowers": sorted(LOWERS), "raises": sorted(RAISES), "overflow_rules": OVERFLOW_RULES,
        "odd_rules": ODD_CENT_RULES, "tier_sets": load_games()[shown["row"].game].tier_sets,
    }  # fmt: skip
    refusal = more.get("refusal")
    status = status_of(refusal.code) if refusal else 200
    return render(request, "jackpot/progressive.html", shown | forms | more, status=status)


@page
def progressive(request: HttpRequest, link: str) -> HttpResponse:
    return _page(request, link)


@page
def _progressive(request: HttpRequest, link: str) -> HttpResponse:
    return render(request, "jackpot/_progressive.html", _link(request, link))


@require_POST
def press(request: HttpRequest, link: str, step: str) -> HttpResponse:
    """Take one step and show the link again; what is refused stands on the page with its sentence."""
    wanted = STEPS[step]
    try:
        queries.check_link(link)
    except Refused as refusal:
        raise Http404(refusal.message) from None
    try:
        said = body_of_form(request.POST, wanted.body)
        said.pop("occurred_at", None)
        done = wanted.act(order_of_form(request), link, said)
    except Refused as refusal:
        return _page(request, link, refusal=refusal, tried=step, given=request.POST)
    wait_until_read(done.position)
    messages.success(request, f"{wanted.summary}: done.")
    if day := request.POST.get("back_to_day"):
        return redirect("meter_day", link, day)
    return redirect("progressive", link)


urlpatterns: list[Any] = [
    path("progressives/", progressives, name="progressives"),
    path("progressives/_list/", _progressives, name="_progressives"),
    path("progressives/set-up/", set_up, name="set_up_link"),
    path(ROUTE, progressive, name="progressive"),
    path(f"{ROUTE}_now/", _progressive, name="_progressive"),
    *(path(f"{ROUTE}{step}/", press, {"step": step}, name=f"link_{step.replace('/', '_')}") for step in STEPS),
]
