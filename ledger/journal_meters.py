"""The journal's own fold of the meters, by the rules of jackpot/link.py: what each event changes in them.

It folds what the jackpot's follower folds, into tables of its own: so the journal rests on the log alone, and the tie
between liability and meters compares two things.
"""

from collections.abc import Iterable, Sequence
from typing import get_args

import msgspec
from django.db.backends.utils import CursorWrapper
from msgspec import structs

from casino.eventstore.registry import name_of
from jackpot.events import JackpotHit, LinkSetUp
from jackpot.facts import Fact, next_link
from jackpot.link import Link, LinkFact, Standing
from ledger.journal_state import put
from ledger.postings.place import Move, move

OWN = tuple(name_of(cls) for cls in (LinkSetUp, *get_args(LinkFact)))
"""The words of all that stands on a link's stream and on those of its hits."""


class Meters:
    """The links that a range of the log names; `facts` are those of the range, by link."""

    def __init__(self, cursor: CursorWrapper, facts: Sequence[tuple[str, Fact]]) -> None:
        codes = list({code for code, _ in facts})
        rounds = list({str(getattr(fact, "round", "")) for _, fact in facts})
        self.nth: dict[tuple[str, str, str, int], int] = {}
        cursor.execute("SELECT link, max(nth) FROM journal_hit WHERE link = ANY(%s) GROUP BY link", [codes])
        self.last: dict[str, int] = dict(cursor.fetchall())
        standing = self._standing(cursor, codes, rounds) if codes else {}
        cursor.execute("SELECT link, state FROM journal_meter WHERE link = ANY(%s)", [codes])
        self.links: dict[str, Link | None] = {
            code: structs.replace(msgspec.json.decode(state, type=Link), standing=tuple(standing.get(code, ())))
            for code, state in cursor.fetchall()
        }

    def _standing(self, cursor: CursorWrapper, codes: list[str], rounds: list[str]) -> dict[str, list[Standing]]:
        """The hits that facts may name: those not on record yet, and those of rounds that are named."""
        cursor.execute(
            """SELECT link, nth, state FROM journal_hit WHERE link = ANY(%s) AND (NOT is_recorded OR round = ANY(%s))
                ORDER BY link, nth""",
            [codes, rounds],
        )
        found: dict[str, list[Standing]] = {}
        for link, nth, state in cursor.fetchall():
            one = msgspec.json.decode(state, type=Standing)
            self.nth[_name(link, one)] = nth
            found.setdefault(link, []).append(one)
        return found

    def moves(self, at: int, facts: Iterable[tuple[str, Fact]]) -> tuple[Move, ...]:
        """Apply the facts of one event; what they changed, link by link. A link not set up is left alone."""
        return tuple(one for code, fact in facts if (one := self._move(code, at, fact)) is not None)

    def _move(self, code: str, at: int, fact: Fact) -> Move | None:
        before = self.links.get(code)
        after = self.links[code] = next_link(before, at, fact)
        if after is None:
            return None
        return move(code, before and before.meter, after.meter, self._new_hits(before, after))

    def _new_hits(self, before: Link | None, after: Link) -> list[JackpotHit]:
        code, known = after.terms.code, len(before.standing) if before else 0
        for one in after.standing[known:]:
            self.last[code] = self.nth[_name(code, one)] = self.last.get(code, 0) + 1
        return [one.hit for one in after.standing[known:]]

    def write(self, cursor: CursorWrapper) -> None:
        """The links and the hits as they stand now."""
        links = {code: link for code, link in self.links.items() if link is not None}
        put(cursor, METER, [(code, _json(structs.replace(link, standing=()))) for code, link in links.items()])
        put(cursor, HIT, [row for code, link in links.items() for row in self._rows(code, link)])

    def _rows(self, code: str, link: Link) -> list[tuple[object, ...]]:
        return [(code, self.nth[_name(code, one)], one.hit.round, one.announced, _json(one)) for one in link.standing]


def _name(code: str, one: Standing) -> tuple[str, str, str, int]:
    """A hit, or what a correction added to it later."""
    return code, one.hit.round, one.hit.rank, one.added_at


def _json(value: object) -> str:
    return msgspec.json.encode(value, order="sorted").decode()


METER = """INSERT INTO journal_meter (link, state) SELECT * FROM unnest(%s::text[], %s::text[])
    ON CONFLICT (link) DO UPDATE SET state = excluded.state"""

HIT = """INSERT INTO journal_hit (link, nth, round, is_recorded, state)
    SELECT * FROM unnest(%s::text[], %s::int[], %s::text[], %s::bool[], %s::text[])
        ON CONFLICT (link, nth) DO UPDATE SET is_recorded = excluded.is_recorded, state = excluded.state"""
