"""Devices that say they are alive, and links whose devices have gone silent: the bet stopped, and taken again.

A heartbeat is no event: one every few seconds would drown the log. Only when a source was last heard is kept. That it
fell silent and that it was heard again are events, `link_stopped` and `link_resumed`.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from django.db import connection

from casino.commands.order import Order, check_order
from casino.refusal import Refused, in_quotes
from jackpot import heartbeats
from jackpot.commands.links import Linked, load_link
from jackpot.commands.stops import resume_link, stop_link
from jackpot.heartbeats import WATCH
from jackpot.models import Heartbeat, Link

NOT_A_STOP = ("already_stopped", "link_retired", "unknown_link", "busy")
"""Why a silent source is left to the next look."""


class Heard(NamedTuple):
    """A heartbeat that was taken: for what, when by the house's clock, and whether the bet is taken for all of it.

    `waits_for` is the sentence that says what is missing where the bet is still stopped for this source.
    """

    source: str
    heard_at: datetime
    is_taken: bool
    waits_for: str
    replayed: bool


def hear(order: Order, code: str, table: str, shown_cents: int | None = None) -> Heard:
    """The device of a table says that it, or the link's controller, is alive; `shown_cents` is what its sign shows.

    Where the bet was stopped for its silence it is taken again, under the parameters in force. The clock is the
    house's. The same key again is the same heartbeat, and says nothing new.
    """
    check_order(order)
    linked = load_link(code)
    source = heartbeats.source_of(linked.control, table)
    known = Heartbeat.objects.filter(link=code, source=source).first()
    replayed = known is not None and (known.heard_from, known.key) == (order.by, order.key)
    if known and replayed and known.shown_cents != shown_cents:
        raise Refused("key_reused", f"The idempotency key {in_quotes(order.key)} was used with another reading.")
    if known is None or not replayed:
        known = _keep(order, code, source, shown_cents)
    waits_for = _take_again(order, linked, source, shown_cents)
    return Heard(source, known.heard_at, not waits_for, waits_for, replayed)


def _keep(order: Order, code: str, source: str, shown_cents: int | None) -> Heartbeat:
    now = datetime.now(UTC)
    said = {"heard_at": now, "heard_from": order.by, "key": order.key, "shown_cents": shown_cents}
    row, _ = Heartbeat.objects.update_or_create(link=code, source=source, defaults=said)
    return row


def _take_again(order: Order, linked: Linked, source: str, shown_cents: int | None) -> str:
    """Resume what waits for this source; why it isn't resumed, "" where nothing waits."""
    if not heartbeats.is_waiting(linked.control, source):
        return ""
    try:
        resume_link(order, linked.terms.code, source, shown_cents)
    except Refused as refusal:
        return "" if refusal.code == "not_stopped" else refusal.message
    return ""


# ------------------------------------------------------------------------------------------------- silence


def stop_silent() -> int:
    """Stop the bet for every source that has been silent for longer than its link allows; returns how many.

    The watch of a source begins when it is first expected, so a device has its seconds to say a first word.
    """
    stopped = 0
    for row in Link.objects.filter(level_of="", is_retired=False).order_by("code"):
        control = row.folded().control
        heard = _watched(control.code, heartbeats.sources(control))
        for source in heartbeats.silent(control, heard, datetime.now(UTC)):
            stopped += _stop(control.code, source, heard[source])
    return stopped


def _stop(code: str, source: str, heard_at: datetime) -> bool:
    """Decided on the link's own stream, which may be ahead of the fold; many watches may come to it at once."""
    linked = load_link(code)
    order = Order(WATCH, f"silence:{code}:{source}:{linked.stream.version}", datetime.now(UTC), source="settlement")
    try:
        done = stop_link(order, code, heartbeats.reason_of(source), source, heard_at.isoformat())
    except Refused as refusal:
        if refusal.code in NOT_A_STOP:
            return False
        raise
    return not done.replayed


def _watched(code: str, expected: list[str]) -> Mapping[str, datetime]:
    """When each expected source was last heard; what is expected no more is forgotten."""
    with connection.cursor() as cursor:
        cursor.execute(WATCHED, {"link": code, "expected": expected, "now": datetime.now(UTC)})
        cursor.execute("SELECT source, heard_at FROM jackpot_heartbeat WHERE link = %s", [code])
        return dict(cursor.fetchall())


WATCHED = """
WITH gone AS (DELETE FROM jackpot_heartbeat WHERE link = %(link)s AND source <> ALL(%(expected)s::text[]))
INSERT INTO jackpot_heartbeat (link, source, heard_at, heard_from, key)
SELECT %(link)s, source, %(now)s, '', '' FROM unnest(%(expected)s::text[]) AS source
    ON CONFLICT (link, source) DO NOTHING"""
