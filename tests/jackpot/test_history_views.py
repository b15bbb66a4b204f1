"""The pages of a meter's history and mathematics: for who reads meters, with the figures of the pure core."""

import pytest
from django.test import Client

from casino.eventstore.follower import catch_up

ROYAL_FLUSH = "As Ks Qs Js Ts"
PAGES = ("/progressives/grand/history/", "/progressives/grand/_history/", "/progressives/grand/_mathematics/")


def text_of(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, answer.content
    return " ".join(answer.content.decode().replace("\xa0", " ").split())


@pytest.mark.parametrize("page", PAGES)
def test_they_are_for_who_reads_meters(floor, client_of, page):
    catch_up()
    assert Client().get(page).status_code == 302
    assert client_of("dan").get(page).status_code == 403
    assert client_of("ben").get(page).status_code == 200


@pytest.mark.parametrize("page", PAGES)
def test_what_there_is_not_is_not_found_and_an_odd_span_is_a_bad_request(floor, ana, page):
    catch_up()
    assert ana.get(page.replace("grand", "silver")).status_code == 404
    odd = ana.get(f"{page}?span=decade")
    assert odd.status_code == 400
    assert "choose from day, week, month" in odd.content.decode()


def test_the_mathematics_are_shown_to_the_last_cent(floor, ana):
    floor.play("R-01", seats=[1, 2, 3])
    floor.play("R-02", ROYAL_FLUSH)
    floor.record()
    page = text_of(ana, "/progressives/grand/_mathematics/?span=all")
    for figure in ("40,545.00", "1/40,545", "14/527,085", "5,856.50", "4,505.00", "14,641.25", "117,130.00", "90.6 %"):
        assert figure in page
    assert "4 wagers in 2 rounds staked 4.00; the meter gets 65.0 % of it, its reserve 10.0 %" in page
    assert "It grew by its rate, to the micro-unit." in page
    assert "At 5,000.00 a stake is worth less than its price, however many play." in page


def test_a_meter_above_its_break_even_is_called_so(floor, ana):
    floor.link("rich", base_cents=3_000_000)
    catch_up()
    page = text_of(ana, "/progressives/rich/_mathematics/")
    assert "At 30,000.00 a stake is worth its price or more with up to 2 wagers a round." in page


def test_hands_of_ones_own_break_even_near_one_meter_whoever_plays(floor, ana):
    floor.link("royal", game="royal-casino")
    catch_up()
    page = text_of(ana, "/progressives/royal/_mathematics/")
    assert "1/649,740" in page
    assert page.count("341,968.43") == 1
    assert page.count("65.8 %") == 7


def test_what_comes_back_of_a_stake_that_feeds_several_levels_adds_up(floor, ana):
    floor.link("maxi", increment_bp=5000, hidden_bp=0, tiers={"five_of_a_kind": "1"})
    floor.link("mini", increment_bp=1000, hidden_bp=0, tiers={"royal_flush": "1"}, level_of="maxi")
    catch_up()
    # 50 % + 5,000 ÷ 40,545 = 62.3 %, and 10 % + 5,000 ÷ 37,648.93 = 23.3 %.
    for code, alone in (("maxi", "62.3 %"), ("mini", "23.3 %")):
        page = text_of(ana, f"/progressives/{code}/_mathematics/")
        assert alone in page
        assert "All levels in the long run" in page
        assert "85.6 %" in page
    assert "All levels" not in text_of(ana, "/progressives/grand/_mathematics/")


def test_the_history_shows_the_chart_and_the_way_to_other_spans(floor, ana):
    floor.play("R-01", ROYAL_FLUSH)
    floor.record()
    page = text_of(ana, "/progressives/grand/history/?span=day")
    assert "From 5,000.00 to 5,000.00, 1 hit took 5,000.65; stakes brought 0.65." in page
    assert 'data-chart="meter-grand"' in page
    assert 'href="/progressives/grand/history/?span=month"' in page
    assert "hit: royal flush" in page
