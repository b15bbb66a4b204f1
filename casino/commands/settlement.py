"""Settling what is due, exactly once, whatever dies.

A `due` row is written by the append that decides a phase. `settle_due` claims rows that nobody else holds, settles
in the pure core, appends under the expected versions and deletes the rows, all in one transaction: a crash before
the commit undoes all of it, and a second worker finds either the rows locked or the work done.
"""

import logging
from typing import NamedTuple

from django.db import InterfaceError, InternalError, OperationalError, ProgrammingError, transaction

from casino.commands.rounds import SETTLE
from casino.eventstore import store
from casino.eventstore.follower import words_of
from casino.eventstore.store import Addition, Origin
from casino.keys import round_of as round_id_of
from casino.round import settling
from casino.round.state import round_of

BATCH = 50
SETTLER = "settlement"
NOT_THE_ROUNDS = (OperationalError, InterfaceError, InternalError, ProgrammingError)
"""Faults of the server, of the way to it or of how it is set up: no round is set aside for them."""
logger = logging.getLogger(__name__)


class Due(NamedTuple):
    """A claimed row of the queue."""

    id: int
    stream: str


def settle_due(limit: int = BATCH) -> int:
    """Settle until nothing more can be done now; returns how many due rows were dealt with."""
    done = 0
    while dealt := settle_batch(limit):
        done += dealt
    return done


def settle_batch(limit: int = BATCH) -> int:
    """Claim and settle up to `limit` rows in one transaction; returns how many were dealt with."""
    try:
        with transaction.atomic():
            rows = _claim(limit)
            _settle(rows)
        return len(rows)
    except store.Conflict as conflict:
        logger.info("Another settler was first at %s; each round is now tried alone.", conflict.key)
    except Exception as error:
        logger.warning("A batch could not be settled together, each round is now tried alone: %s", words_of(error))
    return _settle_singly(limit)


def _settle_singly(limit: int) -> int:
    with transaction.atomic():
        rows = _claim(limit)
    return sum(_settle_alone(row) for row in rows)


def _settle_alone(row: Due) -> bool:
    """One row in a transaction of its own. False when it stays due; set aside, loudly, it counts as dealt with."""
    try:
        with transaction.atomic():
            claimed = _claim(1, row.id)
            _settle(claimed)
        return bool(claimed)
    except store.Conflict:
        logger.info("Round %s was moved by somebody else and stays due.", row.stream)
        return False
    except NOT_THE_ROUNDS as error:
        logger.warning("Round %s stays due: %s", row.stream, words_of(error))
        return False
    except Exception as error:
        logger.exception("Round %s could not be settled and is set aside.", row.stream)
        store.run("SELECT log.set_aside_due(%s, %s)", (row.id, words_of(error)))
        return True


def _claim(limit: int, row_id: int | None = None) -> list[Due]:
    rows = store.run("SELECT id, stream FROM log.claim_due(%s, %s::int, %s::bigint)", (SETTLE, limit, row_id))
    return [Due(*row) for row in rows]


def _settle(rows: list[Due]) -> None:
    if not rows:
        return
    streams = store.load_many(sorted({row.stream for row in rows}))
    additions = [addition for stream in streams.values() if (addition := _addition(stream))]
    if additions:
        store.append(Origin(SETTLER, "settlement"), additions)
    store.run("SELECT log.finish_due(%s::bigint[])", ([row.id for row in rows],))


def _addition(stream: store.Stream) -> Addition | None:
    round_id = round_id_of(stream.key)
    events = settling.settle(round_of(round_id, (r.event for r in stream.events)))
    if not events:
        return None
    return Addition(
        key=stream.key,
        expected=stream.version,
        gaming_date=round_id.gaming_date,
        events=events,
        occurred_at=stream.events[-1].occurred_at,
        table=round_id.table,
        round_no=round_id.n,
    )
