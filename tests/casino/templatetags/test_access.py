"""Links that a page shows to those only who may follow them."""

import re

import pytest
from django.contrib.auth.models import Group, User
from django.template.loader import render_to_string

from casino.access import ACCESS
from casino.environment import HOME
from casino.templatetags.access import may_read

PLACES = ("R-01", "cage", "house")


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


@pytest.mark.parametrize(
    ("role", "linked"),
    [("floor", {"R-01"}), ("security", set()), ("accounting", {"R-01", "cage", "house"}), ("cage", {"cage"})],
)
def test_a_place_is_a_link_for_those_only_who_may_go_there(database: object, role: str, linked: set[str]) -> None:
    person = User.objects.create_user("somebody")
    person.groups.add(Group.objects.get(name=role))
    shown = {code: render_to_string("casino/_where.html", {"code": code, "user": person}) for code in PLACES}
    assert {code for code, said in shown.items() if "<a " in said} == linked
    assert all(code in said for code, said in shown.items())


def test_every_route_that_a_template_asks_for_is_one() -> None:
    pages = [path.read_text() for path in (HOME / "templates").rglob("*.html")]
    asked = {route for page in pages for route in re.findall(r'may_read:"([^"]*)"', page)}
    assert asked
    assert asked <= set(ACCESS)
