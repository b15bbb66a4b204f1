"""Whoever has not pressed anything for a while is logged out: `CASINO_IDLE_MINUTES`."""

import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin

SEEN = "seen_at"
WRITTEN_EVERY_S = 60
"""So that not every request writes the session; the time-out may come that much late."""


class IdleTimeOut(MiddlewareMixin):
    """Stands before the gate, which then asks for a log-in.

    What a page fetches by itself is no press: an open floor page would else keep its session for ever.
    """

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        """None lets the next in line look at the request."""
        if not settings.CASINO_IDLE_MINUTES or not request.user.is_authenticated:
            return None
        now, seen = int(time.time()), request.session.get(SEEN)
        if seen is not None and now - seen > settings.CASINO_IDLE_MINUTES * 60:
            if _comes_by_itself(request):  # its page loads itself anew, and is then told why it ended
                return HttpResponse(status=403, headers={"HX-Refresh": "true"}, content_type="text/plain")
            logout(request)
            messages.info(request, f"You were logged out after {settings.CASINO_IDLE_MINUTES} minutes without a press.")
        elif seen is None or (now - seen > WRITTEN_EVERY_S and not _comes_by_itself(request)):
            request.session[SEEN] = now
        return None


def _comes_by_itself(request: HttpRequest) -> bool:
    """A fragment, whose address has a name that begins with _, or a stream."""
    name = (request.resolver_match.url_name if request.resolver_match else "") or ""
    return name.startswith("_") or "text/event-stream" in request.headers.get("Accept", "")
