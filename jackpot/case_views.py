"""The page of a hit: its evidence, every winner's way to payment, the pack to take away and the slip to print."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.views.decorators.http import require_POST

from casino.commands.order import house_profile
from casino.refusal import Refused
from casino.statuses import status_of
from casino.web import page
from jackpot import evidence
from jackpot.case_api import STEPS as API_STEPS
from jackpot.case_api import case_id_of
from jackpot.case_events import PayoutApproved, PayoutPrepared, PayoutPrinted
from jackpot.commands.cases import CaseId
from jackpot.events import RETURN_REASONS, JackpotPaid
from jackpot.evidence import Evidence, evidence_of
from jackpot.forms import body_of_form, may_take, new_key, order_of_form, wait_until_read
from jackpot.today import gaming_date_now

STEPS = {step.path: step for step in API_STEPS}
ROUTE = "progressives/<str:link>/hits/<str:code>/<str:day>/<int:n>/<str:rank>/"

CORRECTIONS = (
    ("requests/missed-player", "Ask that a missed player be paid", "The house pays them the same share."),
    ("requests/refill", "Ask that the house refill the meter: it was no hit after all", "What was paid stays paid."),
)
"""Which step of the link, what it is, and what follows from it."""


def _pack(case_id: CaseId) -> Evidence:
    return evidence_of(case_id.link, case_id.round, case_id.rank)


def _shown(request: HttpRequest, case_id: CaseId) -> dict[str, Any]:
    pack, rules = _pack(case_id), house_profile()
    return {
        "pack": pack,
        "round_id": case_id.round,
        "rank": case_id.rank,
        "rules": rules.jackpots,
        "corrections": CORRECTIONS,
        "seats_here": range(1, pack.round.opened.seats + 1),
        "largest_cents": max(share.amount_cents for share in pack.shares),
        "reasons": sorted(RETURN_REASONS),
        "today": gaming_date_now(),
        "may": may_take(request, ROUTE, list(STEPS)),
        "may_correct": may_take(request, "progressives/<str:link>/", ["requests/missed-player", "requests/refill"]),
        "new_key": new_key,
    }


@page
def hit(request: HttpRequest, link: str, code: str, day: str, n: int, rank: str) -> HttpResponse:
    return render(request, "jackpot/hit.html", _shown(request, case_id_of(link, code, day, n, rank)))


@page
def _hit(request: HttpRequest, link: str, code: str, day: str, n: int, rank: str) -> HttpResponse:
    return render(request, "jackpot/_hit.html", _shown(request, case_id_of(link, code, day, n, rank)))


@require_POST
def press(request: HttpRequest, link: str, code: str, day: str, n: int, rank: str, step: str) -> HttpResponse:
    """Take one step and show the hit again; what is refused stands on the page with its sentence."""
    wanted = STEPS[step]
    case_id = _found(link, code, day, n, rank)
    try:
        said = body_of_form(request.POST, wanted.body)
        said.pop("occurred_at", None)
        done = wanted.act(request, order_of_form(request), case_id, said)  # type: ignore[arg-type]
    except Refused as refusal:
        return _refused(request, case_id, refusal, step)
    wait_until_read(done.position)
    if step == "print":
        return redirect("payout_slip", link, code, day, n, rank, said["seat"])
    messages.success(request, f"{wanted.summary}: done.")
    return redirect("hit", link, code, day, n, rank)


def _found(link: str, code: str, day: str, n: int, rank: str) -> CaseId:
    """The case that an address names, once its hit is known to be there; else "not found"."""
    try:
        case_id = case_id_of(link, code, day, n, rank)
        _pack(case_id)
    except Refused as refusal:
        raise Http404(refusal.message) from None
    return case_id


def _refused(request: HttpRequest, case_id: CaseId, refusal: Refused, step: str) -> HttpResponse:
    shown = _shown(request, case_id) | {"refusal": refusal, "tried": step, "given": request.POST}
    return render(request, "jackpot/hit.html", shown, status=status_of(refusal.code))


@page
def evidence_json(request: HttpRequest, link: str, code: str, day: str, n: int, rank: str) -> HttpResponse:
    """The evidence as a file: every event as it was hashed, with the seals over them."""
    case_id = case_id_of(link, code, day, n, rank)
    answer = JsonResponse(evidence.as_json(_pack(case_id)), json_dumps_params={"indent": 2, "ensure_ascii": False})
    name = "-".join(("evidence", link, str(case_id.round).replace("/", "-"), rank))
    answer["Content-Disposition"] = f'attachment; filename="{name}.json"'
    return answer


@page
def payout_slip(request: HttpRequest, link: str, code: str, day: str, n: int, rank: str, seat: int) -> HttpResponse:
    """The payout slip of one winner as it is printed, in two parts; a copy is counted before this shows it."""
    pack = _pack(case_id_of(link, code, day, n, rank))
    share = pack.case.shares.get(seat)
    if share is None or share.slip is None:
        raise Refused("no_slip", f"Seat {seat} has no payout slip; prepare one first.")
    events = [entry for entry in pack.case_entries if getattr(entry.event, "slip", None) == share.slip.number]
    shown = {
        "pack": pack,
        "share": share,
        "prepared": next(one for one in events if isinstance(one.event, PayoutPrepared)),
        "approved": [one for one in events if isinstance(one.event, PayoutApproved)],
        "paid": next((one for one in events if isinstance(one.event, JackpotPaid)), None),
        "copy": next((one.event for one in reversed(events) if isinstance(one.event, PayoutPrinted)), None),
        "parts": ("Part 1: accounting", "Part 2: winner's file"),
        "at": timezone.now(),
    }
    return render(request, "jackpot/payout_slip.html", shown)


urlpatterns: list[Any] = [
    path(ROUTE, hit, name="hit"),
    path(f"{ROUTE}_now/", _hit, name="_hit"),
    path(f"{ROUTE}evidence.json", evidence_json, name="hit_evidence"),
    path(f"{ROUTE}slips/<int:seat>/", payout_slip, name="payout_slip"),
    *(path(f"{ROUTE}{step}/", press, {"step": step}, name=f"case_{step.replace('-', '_')}") for step in STEPS),
]
