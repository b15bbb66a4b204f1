"""Health for machines: alive, ready, and figures for a monitoring system."""

from typing import Any

import redis
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from prometheus_client import CollectorRegistry, Gauge, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from casino.eventstore.follower import followers
from casino.servers import roles

_FIGURES = """
    SELECT (SELECT mark FROM log.horizon),
           (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM log.event_position),
           (SELECT count(*) FROM log.due WHERE set_aside_at IS NULL),
           (SELECT count(*) FROM log.due WHERE set_aside_at IS NOT NULL),
           (SELECT coalesce(extract(epoch FROM clock_timestamp() - min(due_at)), 0)::float8
              FROM log.due WHERE set_aside_at IS NULL),
           (SELECT coalesce(max(to_position), 0) FROM log.seal),
           current_user"""
DUE_LATE_S = 30.0


def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers."""
    return HttpResponse("ok\n", content_type="text/plain")


def readyz(request: HttpRequest) -> JsonResponse:
    """200 when tables can be served; otherwise 503 and a sentence for everything that is wrong.

    Redis away is told and does not make the house unready: tables go on and beat settles.
    """
    try:
        found = figures()
    except (DatabaseError, InterfaceError):
        return JsonResponse({"ready": False, "problems": ["The database does not answer."]}, status=503)
    problems = troubles(found)
    notes = [] if redis_answers() else ["Redis does not answer; settlement waits for it, tables go on."]
    with connection.cursor() as cursor:
        if wide := roles.warning(cursor):
            notes.append(wide)
    status = 503 if problems else 200
    return JsonResponse({"ready": not problems, "problems": problems, "notes": notes}, status=status)


def figures() -> dict[str, Any]:
    """The state of the log and of what follows it."""
    with connection.cursor() as cursor:
        cursor.execute(_FIGURES)
        mark, last, due, aside, late, sealed, role = cursor.fetchone()
        cursor.execute("SELECT name, position, error FROM checkpoint")
        places = {name: (position, error) for name, position, error in cursor.fetchall()}
    return {
        "mark": mark,
        "last_position": last,
        "sealed_to": sealed,
        "due": due,
        "set_aside": aside,
        "oldest_due_seconds": round(late, 1),
        "role": role,
        "followers": {
            name: {"position": places.get(name, (0, ""))[0], "error": places.get(name, (0, ""))[1]}
            for name in followers()
        },
    }


def troubles(found: dict[str, Any]) -> list[str]:
    """A sentence for everything that needs somebody."""
    said = [
        f"The follower {name} has stopped; the floor page says why."
        for name, place in found["followers"].items()
        if place["error"]
    ]
    if found["set_aside"]:
        said.append(f"{found['set_aside']} settlements are set aside and need somebody to look.")
    if found["oldest_due_seconds"] > DUE_LATE_S:
        said.append(f"The oldest unsettled round has waited {found['oldest_due_seconds']:g} s; is a worker running?")
    if found["role"] != "casino_app":
        said.append(f"The application works as {found['role']} and not as casino_app; its rights are too wide.")
    return said


def redis_answers() -> bool:
    """Whether the broker takes a ping within a fifth of a second."""
    try:
        client = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=0.2, socket_connect_timeout=0.2)
        return bool(client.ping())
    except (redis.RedisError, OSError):
        return False


def metrics(request: HttpRequest) -> HttpResponse:
    """Prometheus text: the log's positions, lags and queues."""
    found = figures()
    registry = CollectorRegistry()
    for name, text in (
        ("mark", "Position below which the log is final"),
        ("last_position", "Last position drawn"),
        ("sealed_to", "Last position under a seal"),
        ("due", "Settlements waiting"),
        ("set_aside", "Settlements set aside"),
        ("oldest_due_seconds", "Age of the oldest settlement waiting"),
    ):
        Gauge(f"casino_{name}", text, registry=registry).set(found[name])
    lag = Gauge("casino_follower_lag", "Positions a follower is behind the mark", ["follower"], registry=registry)
    for name, place in found["followers"].items():
        lag.labels(name).set(max(0, found["mark"] - place["position"]))
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)
