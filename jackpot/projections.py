"""From the log to the meters: every link folded in log order by the pure fold of jackpot/link.py. `METERS` is below.

One query reads the facts of a range. A link that has any is loaded, folded and written back in the follower's
transaction. All that is written follows from the log alone: no clock, no chance, no numbers drawn here.
"""

import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple, get_args

import msgspec
from django.db.backends.utils import CursorWrapper
from django.db.models import Model

from casino.events import HandCompleted, ProgressiveCollected, RoundVoided
from casino.eventstore.follower import Follower
from casino.eventstore.registry import decode, name_of
from casino.keys import RoundId
from jackpot import events, link, models
from jackpot.chronicle import Chronicle
from jackpot.correction_events import JackpotMissed, JackpotRefilled, PlayerMissed
from jackpot.daybook import DayBook
from jackpot.facts import Fact, facts_of, next_link
from jackpot.link import Collected, Link, LinkFact, Standing, Voided
from jackpot.meter import Rates

logger = logging.getLogger(__name__)

OWN = [name_of(cls) for cls in (events.LinkSetUp, *get_args(LinkFact))]
FACTS = f"""
    SELECT e.position, e.table_code, e.gaming_date, e.round_no,
           e.occurred_at, e.type, e.schema_version, e.payload,
           CASE WHEN e.round_no IS NULL THEN (SELECT s.key FROM log.stream s WHERE s.id = e.stream_id) END
      FROM log.event e
     WHERE e.position > %s AND e.position <= %s
       AND (e.type = ANY(%s)
            OR e.type = '{name_of(HandCompleted)}' AND e.payload NOT LIKE '%%"wins":[]%%'
            OR e.type = '{name_of(RoundVoided)}' AND e.payload::jsonb -> 'progressive' <> 'null')
     ORDER BY e.position"""

NAMES_A_ROUND = (
    Voided, events.JackpotHit, events.JackpotPaid, events.JackpotReturned, JackpotMissed, PlayerMissed, JackpotRefilled,
)  # fmt: skip
Facts = Sequence[tuple[int, Fact]]
"""What happened to one link: positions and facts, in log order."""


class Read(NamedTuple):
    """An event as the query gives it; `key` is its stream's where that is no round's."""

    position: int
    table_code: str | None
    gaming_date: date
    round_no: int | None
    occurred_at: datetime
    type: str
    schema_version: int
    payload: str
    key: str | None


def apply(cursor: CursorWrapper, after: int, upto: int) -> None:
    """Fold the facts with after < position <= upto. Raises MeterBroken where log and arithmetic disagree."""
    cursor.execute(FACTS, [after, upto, [name_of(ProgressiveCollected), *OWN]])
    reads = {read.position: read for read in map(Read._make, cursor.fetchall())}
    facts: dict[str, list[tuple[int, Fact]]] = defaultdict(list)
    for read in reads.values():
        for code, fact in facts_read(read):
            facts[code].append((read.position, fact))
    if not facts:
        return
    rows = _hit_rows(cursor, facts)
    before = _links(cursor, list(facts), rows)
    books = Books(
        Chronicle(cursor, list(facts), {read.position: read.occurred_at for read in reads.values()}),
        DayBook({read.position: read.gaming_date for read in reads.values()}),
    )
    folded = {code: folded_link(code, before.get(code), facts[code], books) for code in facts}
    links = {code: one for code, one in folded.items() if one is not None}
    _write_links(cursor, links, before)
    _write_hits(cursor, links, facts, rows, reads)
    cursor.execute(BETWEEN, [after, upto])
    cursor.execute(BETWEEN_RECORDED, [after, upto])
    books.chronicle.write(cursor)
    books.days.write(cursor)


def facts_read(read: Read) -> Iterator[tuple[str, Fact]]:
    """What an event that was read means for links, by link."""
    return facts_of(decode(read.type, read.schema_version, read.payload), _round(read), read.key or "")


class Books(NamedTuple):
    """What is written down while a link is folded: its history, and its statement by gaming day."""

    chronicle: Chronicle
    days: DayBook


def folded_link(code: str, before: Link | None, facts: Facts, books: Books) -> Link | None:
    """The link after its facts; stakes of one day between two other facts are added as sums, which changes nothing
    (books, 5.3).

    A link begins where it is set up: what names it before that, or names a link that never was, is not its own.
    """
    now, stakes = before, Stakes()
    for at, fact in facts:
        if isinstance(fact, Collected):
            if stakes.sums and stakes.day != books.days.days[at]:
                now, stakes = _fed(now, stakes, books), Stakes()
            stakes = stakes.and_more(at, fact, books.days.days[at])
            if now is not None:
                books.chronicle.fed(code, at, fact)
            continue
        fed, stakes = _fed(now, stakes, books), Stakes()
        now = next_link(fed, at, fact)
        if now is not None:
            books.chronicle.turned(at, fact, fed, now)
            books.days.enter(at, fact, fed, now)
    now = _fed(now, stakes, books)
    if now is None:
        logger.warning("Stakes up to position %s name the link %s, which is not set up.", facts[-1][0], code)
    return now


class Stakes(NamedTuple):
    """Stakes of one gaming day that follow each other: by their rates, the last position and the sum in cents."""

    day: date | None = None
    sums: Mapping[Rates, tuple[int, int]] = {}

    def and_more(self, at: int, fact: Collected, day: date) -> "Stakes":
        """With one more."""
        cents = self.sums.get(fact.rates, (0, 0))[1] + fact.stakes_cents
        return Stakes(day, {**self.sums, fact.rates: (at, cents)})


def _fed(before: Link | None, stakes: Stakes, books: Books) -> Link | None:
    """The link with the sums in, each standing at the last position that it holds."""
    for rates, (at, cents) in sorted(stakes.sums.items(), key=lambda item: item[1]):
        if before is None:
            return None
        fact = Collected(cents, rates)
        after = link.apply(before, at, fact)
        books.days.enter(at, fact, before, after)
        before = after
    return before


def _round(read: Read) -> str:
    return str(RoundId(str(read.table_code), read.gaming_date, int(read.round_no or 0)))


def hit_key(hit: events.JackpotHit) -> str:
    """The one name of a hit: its row's key, and the idempotency key of its record (books, 5.7)."""
    return f"hit:{hit.round}:{hit.link}:{hit.rank}"


def row_key(standing: Standing) -> str:
    """The key of a row: the hit's, and for what a correction added the seats besides."""
    seats = "-".join(map(str, standing.hit.seats))
    return hit_key(standing.hit) if standing.kind == link.HIT else f"{hit_key(standing.hit)}:{standing.kind}:{seats}"


def hit_of(row: Mapping[str, Any]) -> events.JackpotHit:
    """The hit as it was computed when its hand was completed, from the row that keeps it."""
    return msgspec.convert({field: row[field] for field in events.JackpotHit.__struct_fields__}, events.JackpotHit)


# ------------------------------------------------------------------------------------------------- reading rows


def _hit_rows(cursor: CursorWrapper, facts: Mapping[str, Facts]) -> dict[str, dict[str, Any]]:
    """The hits that these facts may name: those not on record yet, and those of rounds that are named."""
    rounds = {fact.round for of_link in facts.values() for _, fact in of_link if isinstance(fact, NAMES_A_ROUND)}
    cursor.execute(
        """SELECT * FROM jackpot_hit WHERE link = ANY(%s) AND (recorded_position IS NULL OR round = ANY(%s))
            ORDER BY at_position, nth""",
        [list(facts), sorted(rounds)],
    )
    names = [column.name for column in cursor.description]
    rows = (dict(zip(names, row, strict=True)) for row in cursor.fetchall())
    return {row["key"]: row for row in rows}


def _links(cursor: CursorWrapper, codes: list[str], rows: Mapping[str, Mapping[str, Any]]) -> dict[str, Link]:
    cursor.execute("SELECT state FROM jackpot_link WHERE code = ANY(%s)", [codes])
    links = (msgspec.json.decode(state, type=Link) for (state,) in cursor.fetchall())
    return {one.terms.code: msgspec.structs.replace(one, standing=_standing(one, rows.values())) for one in links}


def _standing(one: Link, rows: Iterable[Mapping[str, Any]]) -> tuple[Standing, ...]:
    return tuple(
        Standing(
            hit_of(row),
            tuple(row["states"]),
            row["recorded_position"] is not None,
            row["kind"],
            0 if row["kind"] == link.HIT else row["recorded_position"],
            row["from_house_micros"],
        )
        for row in rows
        if row["link"] == one.terms.code
    )


# ------------------------------------------------------------------------------------------------- writing rows


def _write_links(cursor: CursorWrapper, links: Mapping[str, Link], before: Mapping[str, Link]) -> None:
    _upsert(cursor, models.Link, [_link_row(one) for one in links.values()])
    moved = [code for code, one in links.items() if code not in before or before[code].tables != one.tables]
    cursor.execute("DELETE FROM jackpot_linked_table WHERE link = ANY(%s)", [moved])
    cursor.executemany(
        "INSERT INTO jackpot_linked_table (link, table_code) VALUES (%s, %s)",
        [(code, table) for code in moved for table in sorted(links[code].tables)],
    )


def _link_row(one: Link) -> dict[str, Any]:
    """The columns that pages read, and the state the next batch begins with; hits are rows of their own."""
    meter = one.meter
    return {
        "code": one.terms.code,
        "game": one.terms.game,
        "bet": one.terms.bet,
        "currency": one.terms.currency,
        "stake_cents": one.terms.stake_cents,
        "reset_cents": one.terms.reset_cents,
        "position": one.position,
        "main_micros": meter.main_micros,
        "reserve_micros": meter.reserve_micros,
        "overflow_micros": meter.overflow_micros,
        "house_share_micros": meter.house_share_micros,
        "payable_micros": meter.payable_micros,
        "stakes_micros": meter.stakes_micros,
        "hits_count": meter.hits,
        "level_of": one.terms.level_of,
        "stopped": "; ".join(stop.reason for stop in one.control.stops_at("")),
        "is_retired": one.control.is_retired,
        "change_due_at": one.control.change_due_at,
        "state": msgspec.json.encode(msgspec.structs.replace(one, standing=()), order="sorted").decode(),
    }


def _write_hits(
    cursor: CursorWrapper,
    links: Mapping[str, Link],
    facts: Mapping[str, Facts],
    rows: dict[str, dict[str, Any]],
    reads: Mapping[int, Read],
) -> None:
    for code, one in links.items():
        for row in _new_rows(one, rows, reads):
            rows[row["key"]] = row
        for at, fact in facts[code]:
            if isinstance(fact, events.JackpotHit):
                rows[hit_key(fact)]["recorded_position"] = at
        for standing in one.standing:
            rows[row_key(standing)].update(states=standing.states, state=_state(standing))
    _upsert(cursor, models.Hit, list(rows.values()))


def _new_rows(one: Link, rows: Mapping[str, Mapping[str, Any]], reads: Mapping[int, Read]) -> list[dict[str, Any]]:
    """Rows for the hits of hands completed in this range, and for what corrections added; `nth` counts a hand's."""
    nth: dict[int, int] = defaultdict(int)
    for row in rows.values():
        if row["link"] == one.terms.code:
            nth[row["at_position"]] = max(nth[row["at_position"]], row["nth"])
    found = []
    for standing in one.standing:
        if row_key(standing) in rows:
            continue
        hit = standing.hit
        nth[hit.at_position] += 1
        read = reads[standing.added_at or hit.at_position]
        found.append(
            {
                **msgspec.structs.asdict(hit),
                "key": row_key(standing),
                "nth": nth[hit.at_position],
                "table_code": read.table_code,
                "gaming_date": read.gaming_date,
                "occurred_at": read.occurred_at,
                "recorded_position": standing.added_at or None,
                "kind": standing.kind,
                "from_house_micros": standing.from_house_micros,
            }
        )
    return found


def _state(standing: Standing) -> str:
    """Open while a share is, then paid if any share was, else refilled if one was, else returned."""
    return next(state for state in (link.OPEN, link.PAID, link.REFILLED, link.RETURNED) if state in standing.states)


def _upsert(cursor: CursorWrapper, model: type[Model], rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert the rows, or put them over those with the same key; one statement, typed by the table itself."""
    if not rows:
        return
    table, columns = model._meta.db_table, [field.column for field in model._meta.local_concrete_fields]
    names = ", ".join(columns)
    changes = ", ".join(f"{column} = excluded.{column}" for column in columns)
    cursor.execute(
        f"""INSERT INTO {table} ({names}) SELECT {names} FROM jsonb_populate_recordset(NULL::{table}, %s::jsonb)
            ON CONFLICT ({columns[0]}) DO UPDATE SET {changes}""",
        [msgspec.json.encode(rows).decode()],
    )


# A feed's stakes of before the last hit that the log has below them (books, 5.10). All hits below are rows by then.
BETWEEN = """
INSERT INTO jackpot_between (key, link, round, table_code, gaming_date, position, occurred_at, stakes_cents, hit,
       hit_at)
SELECT concat('between:', of.round, ':', fed.link), fed.link, of.round, e.table_code, e.gaming_date, e.position,
       e.occurred_at, e.in_cents, concat(h.round, ' ', h.rank), h.occurred_at
  FROM log.event e CROSS JOIN LATERAL (SELECT e.payload::jsonb AS p) AS said CROSS JOIN LATERAL (
       SELECT concat_ws('/', e.table_code, e.gaming_date, e.round_no) AS round) AS of CROSS JOIN LATERAL (
       SELECT p ->> 'link' AS link
        UNION SELECT level ->> 'link' FROM jsonb_array_elements(coalesce(p -> 'levels', '[]')) AS level) AS fed
       CROSS JOIN LATERAL (SELECT * FROM jackpot_hit h WHERE h.link = fed.link AND h.kind = 'hit'
              AND h.at_position < e.position ORDER BY h.at_position DESC, h.nth DESC LIMIT 1) AS h
 WHERE e.position > %s AND e.position <= %s AND e.type = 'progressive_collected' AND e.source = 'import'
   AND e.occurred_at < h.occurred_at"""

BETWEEN_RECORDED = """
UPDATE jackpot_between b SET recorded_position = e.position FROM log.event e
 WHERE e.position > %s AND e.position <= %s AND e.type = 'hit_in_between'
   AND b.key = concat('between:', e.payload::jsonb ->> 'round', ':', e.payload::jsonb ->> 'link')"""

TABLES = (
    "jackpot_link", "jackpot_linked_table", "jackpot_hit", "jackpot_turn", "jackpot_flow", "jackpot_day_line",
    "jackpot_between",
)  # fmt: skip
METERS = Follower("meters", TABLES, apply)
