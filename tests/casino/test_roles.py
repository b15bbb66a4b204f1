"""The roles of the house: what includes what, and what one person never holds together."""

import itertools

import pytest

from casino.refusal import Refused
from casino.roles import APART, ROLES, check_apart, held, in_words


def test_a_pit_manager_is_of_the_floor_and_other_groups_are_no_roles() -> None:
    assert held(["pit_manager"]) == {"pit_manager", "floor"}
    assert held(["floor", "admirers"]) == {"floor"}
    assert held([]) == frozenset()


def test_roles_that_move_something_and_roles_that_look_at_it_are_never_one_person() -> None:
    apart = {frozenset((role, other)) for role, others in APART for other in others}
    movers = {"dealer", "floor", "pit_manager", "cage", "security", "count_team", "progressive_admin"}
    watchers = {"surveillance", "auditor", "admin"}
    assert {frozenset(pair) for pair in itertools.product(movers, watchers)} <= apart
    assert {frozenset(("accounting", hand)) for hand in movers - {"progressive_admin"}} <= apart
    assert set().union(*apart) <= set(ROLES)


@pytest.mark.parametrize("pair", [("cage", "accounting"), ("accounting", "cage"), ("admin", "floor")])
def test_a_clash_is_refused_in_words(pair: tuple[str, str]) -> None:
    with pytest.raises(Refused) as refusal:
        check_apart(pair)
    assert refusal.value.code == "roles_clash"
    assert "are never one person" in refusal.value.message


def test_what_belongs_together_may_be_held_together() -> None:
    check_apart(["floor", "dealer", "pit_manager"])
    check_apart(["accounting", "progressive_admin"])
    check_apart([])


def test_roles_are_said_in_the_order_of_the_house() -> None:
    assert in_words({"pit_manager", "dealer", "floor"}) == "dealer, floor and pit manager"
    assert in_words(["cage", "floor"], "or") == "floor or cage"
    assert in_words(["count_team"]) == "count team"
