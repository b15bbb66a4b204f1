"""The page of income audit: a day's box paper to tick, its exceptions to explain, and the list as a file."""

import csv
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from casino.commands.order import Order
from casino.eventstore.follower import wait_for
from casino.gate import has_role
from casino.refusal import Refused, in_quotes
from casino.roles import ACCOUNTING
from casino.table import gaming_date_of
from casino.web import day_of, page
from ledger.commands.audit import explain_exception, tick_papers
from ledger.paper_board import PAPER
from ledger.queries import audit, instruments
from ledger.sheets import no_formula

DOCUMENT = "document:"


@page
def income_audit(request: HttpRequest) -> HttpResponse:
    asked = request.GET.get("gaming_date", "").strip()
    today = gaming_date_of(timezone.now(), ZoneInfo(settings.TIME_ZONE), settings.CASINO_ROLLOVER_HOUR)
    day = day_of(asked) if asked else today
    drops = instruments.drop_by_instrument(day)
    shown = {
        "day": day,
        "before": day - timedelta(days=1),
        "after": day + timedelta(days=1) if day < today else None,
        "tables": audit.papers_of(day),
        "exceptions": audit.exceptions_of(day),
        "drops": drops,
        "all_tables": instruments.total(drops),
        "instruments": instruments.WORDS,
        "may_act": has_role(request.user, ACCOUNTING),
        "key": str(uuid.uuid4()),
    }
    return render(request, "ledger/count/income_audit.html", shown)


@page
def exceptions_csv(request: HttpRequest, day: str) -> HttpResponse:
    """The day's exception list as a file."""
    wanted = day_of(day)
    answer = HttpResponse(content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="exceptions-{wanted.isoformat()}.csv"'
    rows = csv.writer(answer)
    rows.writerow(("gaming_date", "table", "document", "exception", "paper_says", "explanation"))
    for one in audit.exceptions_of(wanted):
        rows.writerow(map(no_formula, (wanted.isoformat(), one.table, one.document, one.words, one.said, one.note)))
    return answer


@require_POST
def press(request: HttpRequest, day: str, deed: str) -> HttpResponse:
    """Tick the paper of a table, or explain an exception; the page of the day again."""
    wanted, given = day_of(day), request.POST
    order = Order(request.user.get_username(), given.get("key", ""), datetime.now(UTC), source="audit")
    if deed not in ("tick", "explain"):
        raise Http404(f"Income audit knows no deed {in_quotes(deed)}.")
    try:
        if deed == "tick":
            odd = {given["odd"].strip(): given.get("odd_says", "")} if given.get("odd", "").strip() else {}
            done = tick_papers(order, wanted, given.get("table", ""), _findings(given), odd)
        else:
            done = explain_exception(order, wanted, given.get("document", ""), given.get("note", ""))
        wait_for(PAPER.name, done.position)
        messages.success(request, f"Ticked: the paper of {given.get('table', '')}." if deed == "tick" else "Explained.")
    except Refused as refusal:
        messages.error(request, refusal.message)
    return redirect(f"{reverse('income_audit')}?gaming_date={wanted.isoformat()}")


def _findings(given: Mapping[str, str]) -> dict[str, str]:
    """Document → what was found of it; whatever is left open is `rest`, which the button says or leaves empty."""
    said = {name.removeprefix(DOCUMENT): found for name, found in given.items() if name.startswith(DOCUMENT)}
    return {document: found for document, one in said.items() if (found := one or given.get("rest", ""))}
