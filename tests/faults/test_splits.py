"""A worker killed in the middle of a split, as by a power cut: the next one finds the hit and records it once."""

import os
import signal

import pytest

from casino.celery import app
from casino.eventstore import store
from casino.eventstore.follower import catch_up, last_position
from casino.eventstore.horizon import Keeper
from casino.eventstore.rebuild import rebuild
from casino.keys import link_key
from jackpot import models, queries
from jackpot.projections import METERS
from tests.faults.conftest import children, wait_until, waiting
from tests.jackpot.conftest import Floor

pytestmark = pytest.mark.faults
ROYAL_FLUSH = "As Ks Qs Js Ts"
WRITES_HITS = """
    SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
       AND query LIKE '%INSERT INTO jackpot_hit%'"""


@pytest.fixture
def linked(database, redis_url) -> Floor:
    """A link that has just been hit by three seats, and nothing of it folded yet."""
    floor = Floor()
    floor.open("R-01")
    floor.link("grand", tables=["R-01"])
    catch_up()
    floor.play("R-01", ROYAL_FLUSH, seats=[1, 2, 3])
    return floor


@pytest.fixture
def fold(linked, role_connection):
    """Move the mark as far as it goes (who holds a stream holds it) and send the message that folds the links."""
    keeper = Keeper(role_connection("casino_app"))
    wait_until(lambda: keeper.poll() == last_position(), "the mark is at the end of the log")

    def send() -> None:
        keeper.poll()
        app.send_task("jackpot.fold_links", ignore_result=True)

    return send


def kill_at_once(worker) -> None:
    """kill -9 of the children that do the work, then of the worker."""
    for pid in children(worker):
        os.kill(pid, signal.SIGKILL)
    worker.kill()


def records() -> int:
    return int(store.run("SELECT count(*) FROM log.event WHERE type = 'jackpot_hit'").fetchone()[0])


def recovered(worker, fold) -> None:
    """A new worker gets through, and the hit is on record once, to the micro-unit as a rebuild has it."""
    worker.start()

    def is_folded() -> bool:
        fold()
        return models.Hit.objects.exclude(recorded_position=None).exists()

    wait_until(is_folded, "the hit is on record and read back")
    for _ in range(5):
        fold()
    catch_up()
    assert records() == 1
    hit = models.Hit.objects.get()
    assert hit.shares_cents == [166_731, 166_731, 166_731]  # 5,001.95 among three, two cents stay
    assert queries.link_of("grand").meter.payable_micros == 5_001_930_000
    assert rebuild(METERS, "owner", check=True, progress=lambda _: None) == []


def test_a_worker_killed_while_it_records_a_split_leaves_one_record(
    linked, fold, celery_worker_process, hold, superuser
):
    holder = hold(link_key("demo", "grand"))
    fold()
    wait_until(lambda: waiting(superuser), "the worker is in the middle of its record")
    assert models.Hit.objects.get().recorded_position is None
    kill_at_once(celery_worker_process)
    holder.rollback()
    recovered(celery_worker_process, fold)


def test_a_worker_killed_while_it_writes_what_it_folded_leaves_one_record(
    linked, fold, celery_worker_process, role_connection, superuser
):
    holder = role_connection("postgres", autocommit=False)
    holder.execute("LOCK TABLE jackpot_hit IN SHARE ROW EXCLUSIVE MODE")
    fold()
    wait_until(lambda: superuser.execute(WRITES_HITS).fetchall(), "the worker is in the middle of its fold")
    kill_at_once(celery_worker_process)
    assert not models.Hit.objects.exists()
    holder.rollback()
    recovered(celery_worker_process, fold)
