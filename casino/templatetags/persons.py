"""People by name: the record knows a log-in, a page shows who that is."""

from django import template
from django.contrib.auth.models import User
from django.template import Context

register = template.Library()


@register.simple_tag(takes_context=True)
def person(context: Context, log_in: str) -> str:
    """The name of whoever has this log-in; the log-in where no name is known, and any other text as it is."""
    request = context["request"]
    if not hasattr(request, "names_of_people"):  # one query for a page, however many people stand on it
        known = User.objects.exclude(first_name="", last_name="").values_list("username", "first_name", "last_name")
        request.names_of_people = {log_in: f"{first} {last}".strip() for log_in, first, last in known}
    return str(request.names_of_people.get(log_in, log_in))
