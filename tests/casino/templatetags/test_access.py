"""Links that a page shows to those only who may follow them."""

import re

import pytest
from django.contrib.auth.models import Group, User

from casino.access import ACCESS
from casino.environment import HOME
from casino.templatetags.access import may_read


@pytest.mark.parametrize(
    ("role", "route", "may"),
    [
        ("cage", "tables/<str:code>/", False),
        ("cage", "progressives/", True),
        ("floor", "stiff/", False),
        ("pit_manager", "stiff/", True),
        ("auditor", "patrons/<int:patron_id>/", True),
    ],
)
def test_who_may_open_an_address_sees_its_link(database: object, role: str, route: str, may: bool) -> None:
    person = User.objects.create_user("somebody")
    person.groups.add(Group.objects.get(name=role))
    assert may_read(person, route) is may


def test_every_route_that_a_template_asks_for_is_one() -> None:
    pages = [path.read_text() for path in (HOME / "templates").rglob("*.html")]
    asked = {route for page in pages for route in re.findall(r'may_read:"([^"]*)"', page)}
    assert asked
    assert asked <= set(ACCESS)
