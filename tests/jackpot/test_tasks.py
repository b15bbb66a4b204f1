"""The task that folds the meters and records their hits: many times, at once, and after a fault."""

import pytest

from casino.celery import app
from casino.eventstore.follower import catch_up, last_position, position_of
from casino.eventstore.horizon import Keeper
from casino.eventstore.models import Checkpoint
from casino.eventstore.store import Addition, Origin, append, version_of
from casino.keys import link_key
from jackpot import models, queries, tasks
from jackpot.events import JackpotHit
from jackpot.meter import MeterBroken
from jackpot.projections import METERS

ROYAL_FLUSH, STRAIGHT_FLUSH = "As Ks Qs Js Ts", "9s 8s 7s 6s 5s"


@pytest.fixture
def move_mark(database, role_connection):
    """Bring the mark to the end of the log, as the keeper does all the time, without stepping any follower."""
    keeper = Keeper(role_connection("casino_app"))

    def move() -> None:
        while keeper.poll() < last_position():
            pass

    return move


def test_the_task_folds_to_the_mark_and_records_what_it_found(floor, move_mark):
    floor.play("R-01", ROYAL_FLUSH, seats=[1, 2])
    assert tasks.fold_links() == 0
    move_mark()
    assert tasks.fold_links() == 1
    move_mark()
    assert tasks.fold_links() == 0
    assert models.Hit.objects.get().recorded_position == floor.events()[-1].position
    assert position_of("meters") == last_position()


def test_beat_sends_it_under_the_name_it_has(floor):
    names = {entry["task"] for entry in app.conf.beat_schedule.values()}
    app.loader.import_default_modules()
    assert tasks.fold_links.name in names & set(app.tasks)


@pytest.mark.parametrize("attempt", range(3))
def test_many_workers_at_once_fold_each_round_and_record_each_hit_once(floor, move_mark, at_once, attempt):
    for number in range(6):
        floor.play("R-01", ROYAL_FLUSH if number == 3 else STRAIGHT_FLUSH if number == 5 else "As Kd 9c 4h 2s", [1, 2])
    move_mark()
    at_once(*[tasks.fold_links] * 4)
    move_mark()
    at_once(*[tasks.fold_links] * 4)
    assert [hit.rank for hit in floor.hits()] == ["royal_flush", "straight_flush"]
    assert floor.state().meter.stakes_micros == 12 * 1_000_000
    assert not models.Hit.objects.filter(recorded_position=None).exists()


def test_tables_play_on_while_the_meters_are_folded_and_hits_recorded(floor, move_mark, at_once):
    def play(table: str):
        def run() -> None:
            for number in range(6):
                floor.play(table, ROYAL_FLUSH if number % 3 == 1 else "As Kd 9c 4h 2s", seats=[1, 2, 3])

        return run

    def fold() -> None:
        for _ in range(12):
            move_mark()
            tasks.fold_links()

    at_once(play("R-01"), play("R-02"), fold)
    floor.record()
    hits = floor.hits()
    assert len(hits) == 4
    assert [hit.at_position for hit in hits] == sorted(hit.at_position for hit in hits)
    explained = queries.explain("grand")
    assert dict(explained.put_in)["stakes"] == 36 * 1_000_000
    assert explained.put_in_micros == explained.held_micros


def test_a_fold_at_odds_with_the_log_says_so_and_goes_no_further(floor, move_mark):
    floor.play("R-01", ROYAL_FLUSH)
    move_mark()
    while position_of(METERS.name) < last_position():
        tasks.step(METERS)
    forge_the_record_of(models.Hit.objects.get(), floor)
    reached = position_of(METERS.name)
    move_mark()
    for _ in range(2):
        with pytest.raises(MeterBroken):
            tasks.fold_links()
        assert position_of(METERS.name) == reached
        assert "MeterBroken: The log says" in Checkpoint.objects.get(name=METERS.name).error
    with pytest.raises(MeterBroken):
        catch_up()


def forge_the_record_of(hit: models.Hit, floor) -> None:
    """A record that gives a seat a cent more than the fold found, appended past the command."""
    row = {name: getattr(hit, "link_id" if name == "link" else name) for name in JackpotHit.__struct_fields__}
    forged = JackpotHit(**row | {"shares_cents": (hit.share_cents + 1,), "seats": tuple(hit.seats)})
    key, at = link_key("demo", "grand"), floor.order().at
    append(Origin("nobody", "test"), [Addition(key, version_of(key), at.date(), [forged], at)])
