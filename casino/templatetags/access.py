"""Which links a page shows: those that its reader may open, by the one table of `casino/access.py`."""

from django import template
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

from casino.access import ACCESS
from casino.gate import roles_of

register = template.Library()


@register.filter
def may_read(user: AbstractBaseUser | AnonymousUser, route: str) -> bool:
    """Whether the user may look at a route, spelt as in the table: `{% if user|may_read:"hold/" %}`."""
    return ACCESS[route].admits(roles_of(user), "GET")
