"""A hint to the workers that something is due. Losing it loses nothing: beat looks every second.

A message that no worker has begun on yet will find what is due now as well, so a flag in Redis keeps a busy floor
from sending hundreds for one. A worker takes the flag down before it looks (`begun`); should it die, the flag ends by
itself.
"""

import contextlib
import logging
import threading
import time
from functools import cache

import redis
from kombu import Connection

from casino.celery import app as celery_app

logger = logging.getLogger(__name__)
PAUSE_S = 5.0
"""How long no hint is sent after one failed: a table must not wait for a broker that is away."""
WAIT_S = 0.2
"""How long the broker may take to answer. One that hangs is as good as away, and only a socket's time-out tells."""
FLAG, FLAG_MS = "casino:settlement-hinted", 1000
_quiet_until = 0.0
_own = threading.local()


def hint_settlement() -> None:
    """Wake a worker, if the broker takes the message; every error is swallowed."""
    global _quiet_until
    if time.monotonic() < _quiet_until:
        return
    try:
        if _flags(_url()).set(FLAG, 1, nx=True, px=FLAG_MS):
            celery_app.send_task(
                "casino.settle_due", ignore_result=True, expires=10, retry=False, connection=_connection()
            )
    except Exception as error:
        _quiet_until = time.monotonic() + PAUSE_S
        _forget()
        logger.warning("The broker is away, no hint is sent for %g s: %s", PAUSE_S, error)


def begun() -> None:
    """A worker looks now: what comes due from here on needs a hint of its own."""
    with contextlib.suppress(redis.RedisError):
        _flags(_url()).delete(FLAG)


@cache
def _flags(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, socket_timeout=WAIT_S, socket_connect_timeout=WAIT_S)


def _url() -> str:
    return str(celery_app.conf.broker_write_url or celery_app.conf.broker_url)


def _connection() -> Connection:
    """A connection of this thread's own: the workers' ones wait for messages and may not time out."""
    url = _url()
    if getattr(_own, "url", None) != url:
        _forget()
        times = {"socket_timeout": WAIT_S, "socket_connect_timeout": WAIT_S}
        _own.connection, _own.url = celery_app.connection_for_write(transport_options=times), url
    return _own.connection


def _forget() -> None:
    if connection := getattr(_own, "connection", None):
        with contextlib.suppress(Exception):
            connection.collect()
    _own.connection = _own.url = None
