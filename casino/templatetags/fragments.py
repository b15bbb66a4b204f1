"""Pages put together from fragments by their addresses, so that no app imports another's views."""

from django import template
from django.http import Http404
from django.template import Context
from django.urls import resolve, reverse
from django.utils.safestring import SafeString, mark_safe

register = template.Library()


@register.simple_tag(takes_context=True)
def fragment(context: Context, name: str, *args: object) -> SafeString:
    """What the address `name` answers to the same request; nothing where it finds nothing.

    The page is complete when it is first shown, and live.js fetches the same address again when something moves.
    """
    found = resolve(reverse(name, args=args))
    try:
        answer = found.func(context["request"], *found.args, **found.kwargs)
    except Http404:
        return SafeString("")
    return mark_safe(answer.content.decode())
