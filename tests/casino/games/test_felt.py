"""Where wagers lie on the felt: every wager that can be placed has one place, and no two lie on each other."""

import itertools

import pytest

from casino.games import game
from casino.games.felt import GRID, ROW, SEAT, Place, places_of
from casino.games.fifty_four_card_roulette.layout import layout
from casino.games.game import Setup

ROULETTE = game("54-card-roulette")
SETUP = Setup("printed", "standard", "second_card")
PLACES = {place.wager: place for place in places_of(ROULETTE, SETUP)}
KINDS = ("straight_up", "split", "street", "corner")


def quarters(place: Place) -> set[tuple[int, int]]:
    across, down = range(place.column, place.column + place.columns), range(place.row, place.row + place.rows)
    return set(itertools.product(across, down))


def test_every_wager_has_a_place_and_every_place_is_a_wager_in_its_canonical_spelling() -> None:
    for code in PLACES:
        assert ROULETTE.wager(code, SETUP).code == code
    assert set(layout("standard").spots) <= set(PLACES)
    assert sum(place.area == GRID for place in PLACES.values()) == 54 + 92 + 2 + 36 + 13 + 12 + 4
    assert sum(place.area == ROW for place in PLACES.values()) == 3 + 7 + 1


def test_no_two_cells_lie_on_each_other_and_no_two_edges_do() -> None:
    for kinds in (("straight_up", "rank", "suit"), ("split", "street", "corner"), ("split_rank",)):
        taken = [quarters(p) for p in PLACES.values() if p.area == GRID and p.wager.split(":")[0] in kinds]
        assert sum(map(len, taken)) == len(set().union(*taken)), kinds


@pytest.mark.parametrize("kind", ["split", "street", "corner"])
def test_an_edge_lies_in_every_cell_that_it_joins_and_in_no_other(kind: str) -> None:
    cells = {place.card: quarters(place) for place in PLACES.values() if place.card}
    for place in PLACES.values():
        if place.wager.split(":")[0] != kind:
            continue
        joined = set(place.wager.split(":")[1].split("+"))
        assert {card for card, cell in cells.items() if cell & quarters(place)} == joined, place.wager


def test_all_of_it_lies_on_a_felt_of_sixty_by_eighteen_quarters() -> None:
    for place in PLACES.values():
        if place.area == GRID:
            assert quarters(place) <= set(itertools.product(range(1, 61), range(1, 19))), place.wager


def test_short_ways_to_type_name_one_wager_each() -> None:
    keys = [key for place in PLACES.values() for key in place.keys]
    assert len(keys) == len(set(keys))


def test_hold_ems_ante_and_blind_go_down_together() -> None:
    holdem = game("royal-casino")
    places = {p.wager: p for p in places_of(holdem, Setup(holdem.paytables[0], "standard", "hand"))}
    assert {p.area for p in places.values()} == {SEAT}
    assert (places["ante"].with_it, places["blind"].with_it, places["bonus"].with_it) == (("blind",), ("ante",), ())


def test_a_game_that_draws_no_felt_has_no_places() -> None:
    assert places_of(object(), SETUP) == ()
