"""No NUL gets in by what an address asks or a form says: PostgreSQL has no text with one, and no keyboard writes it.

What an address names is looked for by its view, and not found; the interface's bodies are checked by their serializers.
"""

from collections.abc import Callable, Mapping
from typing import Any

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin

NUL = "\0"


class NoNul(MiddlewareMixin):
    """Stands after the gate, so that a stranger is asked to log in whatever they send."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Any, kwargs: Mapping[str, Any]
    ) -> HttpResponse | None:
        """None lets the view run; raises BadRequest with the sentence that the page shows."""
        fields = (request.GET,) if request.path.startswith("/api/") else (request.GET, request.POST)
        texts = [text for given in fields for name, values in given.lists() for text in (name, *values)]
        if any(NUL in text for text in texts):
            raise BadRequest("What was sent holds a sign that is no letter (NUL); write it anew.")
        return None
