"""The pages of fills and credits: what waits for whom, one slip, the request, the papers to print, the sequence check.

What somebody may do to a slip depends on the slip, so the core says it; a page only leaves out what it would refuse.
"""

import uuid
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from casino import slips as core
from casino.commands import prints, slips
from casino.commands.order import Done, Order
from casino.commands.tables import load_table
from casino.eventstore import store
from casino.keys import TransferId, session_of
from casino.models import SlipBoard
from casino.people import person_of, proven
from casino.queries import papers
from casino.queries import slips as queries
from casino.queries.floor import gaming_date_now
from casino.queries.slip_books import sequence_check
from casino.refusal import Refused, in_quotes
from casino.roles import CAGE, FLOOR
from casino.slip_events import SlipPrinted
from casino.slips import Person
from casino.statuses import status_of
from casino.transfers import offered_chips, typed_chips
from casino.tray import denominations
from casino.web import day_of, page


def _order(request: HttpRequest) -> Order:
    """Every form carries a key of its own, so that sending it twice does it once."""
    return Order(request.user.get_username(), request.POST.get("key", ""), datetime.now(UTC), source="page")


# ------------------------------------------------------------------------------------------------- what waits


@page
def all_slips(request: HttpRequest) -> HttpResponse:
    day = day_of(request.GET["day"]) if request.GET.get("day") else gaming_date_now()
    asked = queries.Asked(*(request.GET.get(name, "").strip() for name in queries.Asked._fields))
    rows = Paginator(queries.of_day(day, asked), queries.SLIPS_SHOWN).get_page(request.GET.get("page"))
    return render(
        request,
        "casino/slips/slips.html",
        {
            "waiting": queries.waiting(person_of(request.user)),
            "shown": rows,
            "day": day,
            "asked": asked,
            "is_narrowed": any(asked),
            "states": list(SlipBoard.STAGES.values()),
        },
    )


@page
def _waiting(request: HttpRequest) -> HttpResponse:
    return render(request, "casino/slips/_waiting.html", {"waiting": queries.waiting(person_of(request.user))})


@page
def _table_slips(request: HttpRequest, code: str) -> HttpResponse:
    """A table's slips of its session's day, for the table's page."""
    session = load_table(code).session
    rows = queries.of_table(code, session.gaming_date) if session else []
    may_ask = bool(session and session.is_open) and FLOOR in person_of(request.user).roles
    shown = {"code": code, "rows": rows, "may_ask": may_ask, "day": session.gaming_date if session else None}
    return render(request, "casino/slips/_table_slips.html", shown)


@page
def slip_books(request: HttpRequest, day: str) -> HttpResponse:
    wanted = day_of(day)
    return render(request, "casino/slips/books.html", {"day": wanted, "books": sequence_check(wanted)})


# ------------------------------------------------------------------------------------------------- one slip


def _id(code: str, day: str, session: int, n: int) -> TransferId:
    if "\0" in code or session > 99 or n >= 2**31:
        raise Http404("There is no such fill or credit.")
    return TransferId(code, day_of(day), session, n)


def _shown(request: HttpRequest, slip: TransferId) -> dict[str, Any]:
    read, person = queries.read_slip(slip), person_of(request.user)
    may_prepare = read.transfer.state == "requested" and CAGE in person.roles
    return {
        "read": read,
        "chips": papers.chip_rows(read.transfer.denominations),
        "may_prepare": may_prepare and not person.is_(read.transfer.requested.by),
        "may_sign": core.may_sign(read.transfer, read.rules, person, read.session.dealer),
        "may_withdraw": read.transfer.state == "requested" and FLOOR in person.roles,
        "may_void": bool(read.transfer.is_open and read.transfer.slip and person.roles & {CAGE, FLOOR}),
        "key": str(uuid.uuid4()),
    }


@page
def slip(request: HttpRequest, code: str, day: str, session: int, n: int) -> HttpResponse:
    # The button is focused by the page only: a fragment that comes later must not take the focus from a field.
    shown = _shown(request, _id(code, day, session, n)) | {"is_page": True}
    return render(request, "casino/slips/slip.html", shown)


@page
def _slip(request: HttpRequest, code: str, day: str, session: int, n: int) -> HttpResponse:
    return render(request, "casino/slips/_slip.html", _shown(request, _id(code, day, session, n)))


@require_POST
def press(request: HttpRequest, code: str, day: str, session: int, n: int, deed: str) -> HttpResponse:
    """Carry one deed out and show the slip again; what is refused stands on the page with its sentence."""
    if deed not in DEEDS:
        raise Http404(f"A slip knows no deed {in_quotes(deed)}.")
    wanted = _id(code, day, session, n)
    try:
        DEEDS[deed](request, _order(request), wanted)
    except Refused as refusal:
        if refusal.code == "unknown_slip":
            raise Http404(refusal.message) from None
        shown = _shown(request, wanted) | {"refusal": refusal, "tried": deed, "given": request.POST}
        return render(request, "casino/slips/slip.html", shown, status=status_of(refusal.code))
    return redirect("slip", code, day, session, n)


def _prepare(request: HttpRequest, order: Order, wanted: TransferId) -> Done:
    return slips.prepare_slip(order, wanted, person_of(request.user))


def _sign(request: HttpRequest, order: Order, wanted: TransferId) -> Done:
    return slips.sign_slip(order, wanted, person_of(request.user), _role(request))


def _role(request: HttpRequest) -> str:
    """The role that the page asked for, so that a page left open signs nothing else."""
    return request.POST.get("role", "")


def _sign_as(request: HttpRequest, order: Order, wanted: TransferId) -> Done:
    signer = _proven(request, order, "signer")
    return slips.sign_slip(order, wanted, signer, _role(request))


def _proven(request: HttpRequest, order: Order, who: str) -> Person:
    """Whoever gave name, password and code in the form."""
    given = request.POST
    return proven(request, order, given.get(who, ""), given.get("password", ""), given.get("code", ""))


def _withdraw(request: HttpRequest, order: Order, wanted: TransferId) -> Done:
    return slips.withdraw_request(order, wanted, person_of(request.user), request.POST.get("reason", ""))


def _void(request: HttpRequest, order: Order, wanted: TransferId) -> Done:
    approver = _proven(request, order, "approver")
    return slips.void_slip(order, wanted, person_of(request.user), approver, request.POST.get("reason", ""))


DEEDS: dict[str, Callable[[HttpRequest, Order, TransferId], Done]] = {
    "prepare": _prepare,
    "sign": _sign,
    "sign-as": _sign_as,
    "withdraw": _withdraw,
    "void": _void,
}


# ------------------------------------------------------------------------------------------------- the request


@require_http_methods(["GET", "POST"])
def request_slip(request: HttpRequest, code: str, kind: str) -> HttpResponse:
    """Ask for a fill or a credit, chip by chip."""
    if kind not in ("fill", "credit"):
        raise Http404("A fill or a credit can be requested.")
    try:
        loaded = load_table(code)
    except Refused as unknown:
        raise Http404(unknown.message) from None
    refusal = None
    if request.method == "POST":
        try:
            return redirect("slip", *_requested(request, code, kind))
        except Refused as refused:
            refusal = refused
    tray = denominations(recorded.event for recorded in store.load(loaded.session_key).events)
    shown = {
        "code": code,
        "kind": kind,
        "is_open": bool(loaded.session and loaded.session.is_open),
        "chips": [(chip, _in(tray, chip), request.POST.get(f"chip_{chip}", "")[:6]) for chip in offered_chips(tray)],
        "key": request.POST.get("key") or str(uuid.uuid4()),
        "refusal": refusal,
    }
    return render(request, "casino/slips/request.html", shown, status=status_of(refusal.code) if refusal else 200)


def _in(tray: Mapping[int, int] | None, chip: int) -> int | None:
    return None if tray is None else tray.get(chip, 0)


def _requested(request: HttpRequest, code: str, kind: Any) -> TransferId:
    chips = typed_chips(request.POST, "chip")
    done = slips.request_transfer(_order(request), code, kind, chips, person_of(request.user))
    event: Any = done.events[-1]
    return TransferId(code, *session_of(store.key_at(done.position)), event.transfer)


# ------------------------------------------------------------------------------------------------- papers


@page
def table_papers(request: HttpRequest, code: str, day: str) -> HttpResponse:
    """Every paper of a table's gaming day, session by session, to print."""
    wanted = day_of(day)
    sessions = [(n, papers.papers_of(code, wanted, n)) for n in papers.sessions_of(code, wanted)]
    shown = {"code": code, "day": wanted, "sessions": sessions, "key": str(uuid.uuid4())}
    return render(request, "casino/slips/papers.html", shown)


@require_POST
def print_paper(request: HttpRequest, document: str) -> HttpResponse:
    """The printed copy itself. Only the first answer is the copy: the same order again shows it marked as such."""
    try:
        paper = papers.paper_of(document)
        done = prints.print_copy(_order(request), paper.document, paper.table)
    except Refused as refusal:
        raise Http404(refusal.message) from None
    printed: SlipPrinted = done.events[-1]  # type: ignore[assignment]
    size = "receipt" if request.POST.get("paper") == "receipt" else "a4"
    shown = {"paper": paper, "copy": printed, "is_again": done.replayed, "size": size, "at": datetime.now(UTC)}
    return render(request, "casino/slips/print.html", shown)
