"""The watch on a real floor: what is raised, by whom it is seen to, and that the list shows it."""

from collections.abc import Callable
from datetime import timedelta
from itertools import count
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone

from casino.commands.cash import merge_patron
from casino.commands.corrections import correct_entry
from casino.commands.order import Order
from casino.commands.patrons import make_patron
from casino.commands.seats import seat_patron
from casino.commands.tables import buy_in, open_table, roll_table, set_up_table
from casino.eventstore.follower import catch_up
from casino.models import AlertBoard
from casino.queries import alerts, floor
from casino.refusal import Refused
from casino.watch import watch
from tests.casino.test_views import text_of
from tests.counts import counted
from tests.played import SECOND, Played


@pytest.fixture(autouse=True)
def far_from_the_rollover(settings) -> None:
    """The gaming day turns twelve hours from now, so that two hours later it is the same one at any time of day."""
    hour = (timezone.now().astimezone(ZoneInfo(settings.TIME_ZONE)).hour + 12) % 24
    settings.CASINO_ROLLOVER_HOUR, settings.CASINO_SHIFTS = hour, [hour]


@pytest.fixture
def later(monkeypatch) -> None:
    """Two hours after the floor was played."""
    then = timezone.now() + timedelta(hours=2)
    monkeypatch.setattr("casino.queries.floor.timezone", SimpleNamespace(now=lambda: then))


def raised() -> dict[str, AlertBoard]:
    catch_up()
    return {alert.rule: alert for alert in alerts.waiting()}


def test_an_open_table_without_rounds_is_raised_once_and_shown_on_its_tile(played: Played, later, ana: Client) -> None:
    assert watch() >= 1
    assert watch() == 0
    waits = raised()
    assert "R-01 is open and has had no round for 12" in waits["table_idle"].sentence
    assert "Idle" in text_of(ana.get("/"))
    assert watch() == 0


def test_an_alert_is_seen_to_by_name_once(played: Played, later, ana: Client) -> None:
    watch()
    alert = raised()["table_idle"]
    answer = ana.post(
        "/alerts/see-to/", {"alert": alert.key, "key": "k1", "note": "on break", "is_false": "on"}, follow=True
    )
    assert "Noted, under your name." in text_of(answer)
    catch_up()
    known = AlertBoard.objects.get(pk=alert.pk)
    assert (known.acknowledged_by, known.note, known.is_false) == ("ana", "on break", True)
    answer = ana.post("/alerts/see-to/", {"alert": alert.key, "key": "k2"}, follow=True)
    assert "Somebody has seen to this alert already" in text_of(answer)
    assert "ana · false alarm : on break" in text_of(ana.get("/alerts/"))


def test_the_days_alerts_are_narrowed_down_by_table_and_rule(played: Played, later, ana: Client) -> None:
    watch()
    alert = raised()["table_idle"]
    day = alert.gaming_date.isoformat()
    for narrowed, is_there in (
        ("rule=table_idle&table=r-01", True),
        ("table=R-02", False),
        ("rule=roll_due", False),
    ):
        answer = ana.get(f"/alerts/?gaming_date={day}&{narrowed}")
        assert (narrowed, alert in answer.context["shown"].object_list) == (narrowed, is_there)
        assert f'hx-get="/alerts/_list/?gaming_date={day}&amp;' in answer.content.decode()
    assert '<option value="table_idle" selected>' in ana.get("/alerts/?rule=table_idle").content.decode()


def test_an_alert_ends_when_what_it_says_is_over(played: Played, monkeypatch, ana: Client) -> None:
    then = timezone.now() + timedelta(hours=2)
    with monkeypatch.context() as patched:
        patched.setattr("casino.queries.floor.timezone", SimpleNamespace(now=lambda: then))
        watch()
        assert "table_idle" in raised()
    watch()
    assert "table_idle" not in raised()
    assert AlertBoard.objects.get(rule="table_idle").ended_at is not None


def test_a_miscount_of_the_progressive_is_recorded_refused_and_raised(played: Played) -> None:
    from casino.commands import rounds
    from casino.round.betting import Asked

    round_id = played.round(4)
    rounds.place_wagers(played.order(), round_id, [Asked(7, "progressive", 100)])
    rounds.close_bets(played.order(), round_id)
    with pytest.raises(Refused, match="find the difference") as refusal:
        rounds.collect_progressive(played.order(), round_id, 5)
    assert refusal.value.code == "progressive_count_differs"
    catch_up()
    watch()
    assert "5 progressive chips counted" in raised()["progressive_miscount"].sentence


def test_a_repeated_miscount_under_one_key_is_refused_again_and_recorded_once(played: Played) -> None:
    from casino.commands import rounds
    from casino.eventstore import store
    from casino.round.betting import Asked

    round_id = played.round(4)
    rounds.place_wagers(played.order(), round_id, [Asked(7, "progressive", 100)])
    rounds.close_bets(played.order(), round_id)
    order = played.order()
    for _ in range(2):
        with pytest.raises(Refused):
            rounds.collect_progressive(order, round_id, 5)
    (known,) = store.run("SELECT count(*) FROM log.event WHERE type = 'progressive_miscounted'")
    assert known == (1,)


def test_a_tray_below_its_fill_line_is_told(database, ana: Client) -> None:
    floor_played = Played().play()
    set_up_table(
        Order("test", "low", timezone.now()), "R-50", game="54-card-roulette", pit="A", fill_line_cents=1_000_000
    )
    floor_played.open("R-50", 999_900)
    catch_up()
    assert next(tile for tile in floor.floor().tiles if tile.code == "R-50").is_below_fill_line
    watch()
    assert "9,999.00 expected in the tray" in raised()["tray_below_fill_line"].sentence


def test_accounting_reads_alerts_and_sees_to_none(played: Played, ben: Client) -> None:
    assert "I have seen to it" not in text_of(ben.get("/alerts/"))
    assert ben.post("/alerts/see-to/", {"alert": "x", "key": "y"}).status_code == 403


def test_an_alert_that_is_not_there_is_refused_in_words(played: Played, ana: Client) -> None:
    answer = ana.post("/alerts/see-to/", {"alert": "demo/alert/2026-11-28/x/y", "key": "z"}, follow=True)
    assert "There is no such alert" in text_of(answer)


# ------------------------------------------------------------------------------------------------- from day to day


@pytest.fixture
def yesterday(database) -> Callable[..., Order]:
    """Orders of a day ago, numbered; R-50 and R-51 are open since then and below their fill line."""
    numbers = count(1)

    def then(days: int = 1) -> Order:
        return Order("ana", f"yesterday-{next(numbers)}", timezone.now() - timedelta(days=days))

    for code in ("R-50", "R-51"):
        set_up_table(then(), code, game="54-card-roulette", fill_line_cents=1_000_000)
        open_table(then(), code, counted(999_900), "Ana Ortiz")
    catch_up()
    return then


def days_of(rule: str) -> list[tuple[int, bool]]:
    """How many days ago each alert of a rule is dated, and whether it has ended."""
    catch_up()
    known = AlertBoard.objects.filter(rule=rule, table_code="R-51").order_by("position")
    return [((floor.gaming_date_now() - one.gaming_date).days, one.ended_at is not None) for one in known]


def test_what_lasts_over_a_roll_is_one_alert_at_a_time(yesterday: Callable[..., Order]) -> None:
    watch()
    assert days_of("tray_below_fill_line") == [(1, False)]
    roll_table(yesterday(0), "R-51", counted(999_900))
    catch_up()
    watch()
    assert days_of("tray_below_fill_line") == [(1, True), (0, False)]
    assert watch() == 0


def test_cash_near_a_threshold_is_raised_once_and_on_its_own_day_while_another_table_is_still_of_that_day(
    yesterday: Callable[..., Order],
) -> None:
    patron = make_patron(yesterday(), "Mireille Okonjo").patron.pk
    seat_patron(yesterday(), "R-51", 1, patron)
    buy_in(yesterday(), "R-51", 850_000, seat=1)
    catch_up()
    watch()
    roll_table(yesterday(0), "R-51", counted(149_900))
    catch_up()
    watch()
    assert days_of("near_cash_threshold") == [(1, False)]


def test_a_merge_that_makes_an_earlier_days_report_due_is_told(yesterday: Callable[..., Order]) -> None:
    described = make_patron(yesterday(), "tall man, grey coat", is_described=True).patron.pk
    known = make_patron(yesterday(), "Mireille Okonjo").patron.pk
    for seat, patron in ((1, described), (2, known)):
        seat_patron(yesterday(), "R-51", seat, patron)
        buy_in(yesterday(), "R-51", 600_000, seat=seat)
    for code in ("R-50", "R-51"):
        roll_table(yesterday(0), code, counted(100_000))
    catch_up()
    watch()
    assert days_of("near_cash_threshold") == []
    merge_patron(yesterday(0), described, known, "A passport was shown.")
    catch_up()
    watch()
    assert days_of("near_cash_threshold") == [(1, False)]
    assert "cash in of the day 12,000.00; a report is due." in raised()["near_cash_threshold"].sentence


def test_cash_of_an_earlier_day_put_right_over_the_threshold_is_told(yesterday: Callable[..., Order]) -> None:
    patron = make_patron(yesterday(), "Mireille Okonjo").patron.pk
    seat_patron(yesterday(), "R-51", 1, patron)
    typed = buy_in(yesterday(), "R-51", 100_001, seat=1)
    for code in ("R-50", "R-51"):
        roll_table(yesterday(0), code, counted(100_000))
    amounts = {"amount_cents": 1_000_001}
    correct_entry(yesterday(0), "R-51", typed.position, amounts, "A nought was missing.", SECOND)
    catch_up()
    watch()
    assert days_of("near_cash_threshold") == [(1, False)]
    assert "10,000.01; a report is due." in raised()["near_cash_threshold"].sentence


def test_what_happened_once_is_not_asked_about_again(played: Played) -> None:
    played.open("R-02", 1_990_000, "Five short.")
    catch_up()
    watch()
    assert raised()["opener_variance"].table_code == "R-02"
    assert "opener_variance" not in {alert.rule for alert in alerts.still_raised()}
    assert watch() == 0
