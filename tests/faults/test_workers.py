"""Real Celery workers on a real Redis, killed, stopped, flushed and flooded while rounds finish."""

import contextlib
import os
import random
import signal
import subprocess
import sys

import pytest
import redis
from django.db import connections

from casino import environment
from casino.celery import app
from casino.commands import hint, settlement
from casino.eventstore import store
from tests.faults.conftest import children, due, settlements, wait_until, wait_until_settled, waiting

pytestmark = pytest.mark.faults


@pytest.fixture(autouse=True)
def hints_flow(monkeypatch):
    """No test begins in the pause that the fault of another one left."""
    monkeypatch.setattr(hint, "_quiet_until", 0.0)


def test_a_hint_alone_wakes_a_worker(floor, celery_worker_process, prove):
    """No beat runs here: what settles the rounds is the message of the table."""
    floor.play(10)
    prove(floor)


def test_a_process_that_knows_commands_only_sends_its_hint_from_any_thread(process_environment, redis_url):
    hint_from_a_thread = (
        "import django, threading; django.setup(); from casino.commands.hint import hint_settlement;"
        "thread = threading.Thread(target=hint_settlement); thread.start(); thread.join()"
    )
    env = process_environment | {"DJANGO_SETTINGS_MODULE": "casino.settings"}
    subprocess.run([sys.executable, "-c", hint_from_a_thread], env=env, cwd=environment.HOME, check=True, timeout=60)
    with redis.Redis.from_url(redis_url) as broker:
        assert broker.llen("celery") == 1


def test_a_worker_keeps_its_connections_from_task_to_task(floor, celery_worker_process, superuser, broker):
    floor.play(4)
    before = _connections_made(superuser)
    for _ in range(20):
        app.send_task("casino.settle_due", ignore_result=True)
    floor.play(4)
    wait_until(lambda: broker.llen("celery") == 0, "all messages taken")
    wait_until_settled(floor)
    assert _connections_made(superuser) - before <= 2, "one for each child of the worker, which may be its first"


def test_a_worker_whose_connections_break_takes_new_ones(floor, celery_worker_process, superuser, prove):
    floor.play(4)
    wait_until_settled(floor)
    others = "datname = current_database() AND pid <> pg_backend_pid()"
    superuser.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")
    connections.close_all()
    floor.play(4)
    prove(floor)


def _connections_made(superuser):
    superuser.execute("SELECT pg_stat_clear_snapshot()")
    return superuser.execute("SELECT sessions FROM pg_stat_database WHERE datname = current_database()").fetchone()[0]


def test_without_any_hint_the_beat_finds_what_is_due(floor, celery_worker_process, beat, prove, monkeypatch):
    monkeypatch.setattr(hint, "_quiet_until", float("inf"))
    floor.play(10)
    prove(floor)


def test_fifty_copies_of_a_message_settle_each_round_once(floor, celery_worker_process, broker, prove):
    floor.play(20)
    for _ in range(50):
        app.send_task("casino.settle_due", ignore_result=True)
    floor.play(20)
    wait_until(lambda: broker.llen("celery") == 0, "all messages taken")
    prove(floor)


def test_workers_killed_at_random_while_rounds_finish_settle_each_round_once(
    floor, celery_worker_process, beat, prove, at_once
):
    chance = random.Random(54)
    start = len(settlements())

    def play() -> None:
        floor.play(150)

    def kill() -> None:
        for turn in range(8):
            wait_until(lambda turn=turn: len(settlements()) - start >= 15 * turn, "the floor plays")
            victims = children(celery_worker_process)
            for pid in chance.sample(victims, min(1, len(victims))):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        celery_worker_process.kill()
        celery_worker_process.start()

    at_once(play, kill)
    prove(floor)


def test_a_worker_killed_between_claim_and_commit_has_done_nothing_and_another_does_it(
    floor, request, prove, hold, superuser
):
    floor.play(3)
    (stream,) = store.run("SELECT stream FROM log.due ORDER BY id DESC LIMIT 1").fetchone()
    holder = hold(stream)
    worker = request.getfixturevalue("celery_worker_process")
    wait_until(lambda: waiting(superuser), "a worker waits in the middle of its append")
    worker.kill()
    assert set(settlements().values()) == {(0, 0)}
    assert due() == 3
    holder.rollback()
    worker.start()
    request.getfixturevalue("beat")
    prove(floor)


def test_a_poisoned_round_is_set_aside_and_the_worker_goes_on(floor, request, poison, prove):
    floor.play(5)
    (stream,) = store.run("SELECT stream FROM log.due ORDER BY id LIMIT 1").fetchone()
    put_right = poison(stream, "UPDATE log.event SET payload = '{}'")
    worker = request.getfixturevalue("celery_worker_process")
    request.getfixturevalue("beat")
    wait_until(lambda: due() == 0, "the others are settled")
    assert sorted(settlements().values()) == [(0, 0)] + [(1, 2)] * 4
    wait_until(lambda: f"Round {stream} could not be settled and is set aside." in worker.words(), "the worker says so")
    put_right()
    store.run("SELECT log.retry_due(id) FROM log.due")
    prove(floor)


def test_a_redis_that_hangs_costs_one_hint_and_no_table_waits(floor, redis_server, caplog, prove, supervised):
    floor.play(4)
    wait_until_settled(floor)
    os.kill(redis_server.child.pid, signal.SIGSTOP)
    floor.play(40)
    assert caplog.text.count("The broker is away, no hint is sent for 5 s") == 1
    os.kill(redis_server.child.pid, signal.SIGCONT)
    prove(floor)


def test_a_redis_that_is_killed_and_comes_back_stops_no_table(floor, redis_server, caplog, prove, supervised):
    floor.play(4)
    wait_until_settled(floor)
    redis_server.kill()
    floor.play(40)
    assert due() > 0
    assert caplog.text.count("The broker is away, no hint is sent for 5 s") == 1
    redis_server.start()
    prove(floor)


def test_a_redis_that_forgets_everything_loses_no_round(floor, broker, prove, supervised, at_once):
    def flush() -> None:
        for _ in range(60):
            broker.flushall()

    at_once(lambda: floor.play(60), flush)
    prove(floor)


def test_with_no_redis_at_all_tables_play_on_and_the_rounds_wait_in_the_database(floor, redis_server, prove, caplog):
    redis_server.kill()
    floor.play(20)
    assert due() == 20
    assert caplog.text.count("The broker is away") == 1
    settlement.settle_due()
    prove(floor)


def test_after_the_pause_a_hint_is_tried_again(floor, redis_server, broker, monkeypatch, caplog):
    redis_server.kill()
    hint.hint_settlement()
    hint.hint_settlement()
    assert caplog.text.count("The broker is away") == 1
    redis_server.start()
    wait_until(lambda: _answers(broker), "Redis answers")
    monkeypatch.setattr(hint, "_quiet_until", 0.0)
    hint.hint_settlement()
    assert broker.llen("celery") == 1


def _answers(broker: redis.Redis) -> bool:
    try:
        return bool(broker.ping())
    except redis.RedisError:
        return False
