"""The bar over every page: menus where the entries are many, and every entry somewhere in it."""

import pytest

from casino.navigation import NAVIGATION, SIDE_BY_SIDE, bar_for, entries_for, entry_at
from casino.roles import ADMIN, AUDITOR, DEALER, FLOOR, PIT_MANAGER, ROLES


@pytest.mark.parametrize("role", list(ROLES))
def test_every_entry_of_a_role_stands_in_its_bar_once_and_in_order(role: str) -> None:
    shown = [entry for menu in bar_for([role]) for entry in menu.entries]
    assert shown == entries_for([role])


@pytest.mark.parametrize("role", list(ROLES))
def test_no_bar_has_more_words_than_fit_side_by_side(role: str) -> None:
    assert len(bar_for([role])) <= SIDE_BY_SIDE


def test_who_sees_few_entries_sees_them_all_without_opening_a_menu() -> None:
    assert [menu.word for menu in bar_for([DEALER])] == ["Terminals", "Slips"]
    assert all(len(menu.entries) == 1 for menu in bar_for([FLOOR]))


def test_of_many_entries_those_that_belong_together_are_a_menu() -> None:
    words = [menu.word for menu in bar_for([AUDITOR])]
    assert words == ["Floor", "Alerts", "Pit", "Progressives", "Results", "Count and cage", "Audit", "Log-ins"]


def test_a_menu_of_one_entry_is_that_entry() -> None:
    assert "Close" in [menu.word for menu in bar_for([PIT_MANAGER])]


def test_what_a_person_of_two_roles_may_open_stands_in_one_bar() -> None:
    assert [menu.word for menu in bar_for([DEALER, ADMIN])] == ["Terminals", "Slips", "Log-ins"]


def test_the_entries_of_one_menu_follow_each_other() -> None:
    menus = [link.menu for link in NAVIGATION if link.menu]
    assert [a for a, b in zip(menus, [*menus[1:], ""], strict=True) if a != b] == list(dict.fromkeys(menus))


def test_a_page_lies_under_the_entry_that_covers_most_of_its_route() -> None:
    assert entry_at("tables/<str:code>/terminal/") == "terminals"
    assert entry_at("tables/<str:code>/") == "floor"
    assert entry_at("") == "floor"
    assert entry_at("your-log-in/") == ""
