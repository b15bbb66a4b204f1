"""The evidence of a hit, in one pack: the round card by card, the wagers, what the meter did before and then, everybody
by name, and the seals of the log that cover it. Nothing in it is worked out for the pack: it is the record itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection

from casino.commands.order import property_code
from casino.eventstore import history
from casino.eventstore.history import Entry
from casino.keys import RoundId, case_key, link_key, round_key
from casino.money import cut_to_cent
from casino.refusal import Refused
from casino.round.state import Round, round_of
from jackpot import models, queries
from jackpot.case import case_of
from jackpot.case_events import PayoutVoided
from jackpot.case_state import DISPUTED, PAID, Case, Share

METER_FACTS = 25
"""How many facts of the meter up to the hit a pack shows."""

_SEALS = """
    SELECT number, from_position, to_position, encode(digest, 'hex'), encode(hash, 'hex'), sealed_at
      FROM log.seal WHERE to_position >= %s AND from_position <= %s ORDER BY number"""


class Seal(NamedTuple):
    """A seal of the log over positions of the hit."""

    number: int
    from_position: int
    to_position: int
    digest: str
    hash: str
    sealed_at: datetime


@dataclass(frozen=True)
class Evidence:
    """Everything there is about one hit. `hits` are its records: the hit, and what was missed and added later."""

    case: Case
    hits: Sequence[models.Hit]
    round: Round
    round_entries: Sequence[Entry]
    case_entries: Sequence[Entry]
    corrections: Sequence[Entry]
    meter_facts: Sequence[queries.MeterEvent]
    seals: Sequence[Seal]

    @property
    def hit(self) -> models.Hit:
        """The hit itself."""
        return self.hits[0]

    @property
    def shares(self) -> list[Share]:
        """Every winner's share, by seat."""
        return [share for _, share in sorted(self.case.shares.items())]

    @property
    def void_slips(self) -> list[PayoutVoided]:
        """Payout slips that are void: each keeps its number (books, 6)."""
        return [entry.event for entry in self.case_entries if isinstance(entry.event, PayoutVoided)]

    @property
    def standing(self) -> list[tuple[str, int, int]]:
        """How far the split has come: each state that a share is in, how many are, and their cents; paid ones first."""
        states = sorted({share.state for share in self.shares}, key=lambda state: (state != PAID, state != DISPUTED))
        alike = [(state, [one.amount_cents for one in self.shares if one.state == state]) for state in states]
        return [(state, len(amounts), sum(amounts)) for state, amounts in alike]

    @property
    def before_cents(self) -> int:
        """What the sign showed when the hand was completed."""
        return cut_to_cent(self.hit.before_micros)

    @property
    def people(self) -> list[tuple[str, list[str]]]:
        """Everybody who recorded something of the round or the case, with what they did."""
        did: dict[str, list[str]] = {}
        for entry in (*self.round_entries, *self.case_entries, *self.corrections):
            words = did.setdefault(entry.actor, [])
            if entry.type not in words:
                words.append(entry.type)
        return sorted(did.items())

    @property
    def is_sealed(self) -> bool:
        """Whether a seal covers the position of the hit."""
        at = self.hit.at_position
        return any(seal.from_position <= at <= seal.to_position for seal in self.seals)


def evidence_of(link: str, round_id: RoundId, rank: str) -> Evidence:
    """The pack of one hit; refuses `unknown_hit` where none is folded."""
    house = property_code()
    found = [] if "\0" in link + rank + round_id.table else _hits(link, str(round_id), rank)
    if not found:
        raise Refused("unknown_hit", f"No {rank[:40]} of round {round_id} is known as a hit of link {link[:40]}.")
    rounds = history.of_stream(round_key(house, round_id))
    steps = history.of_stream(case_key(house, link, str(round_id), rank))
    corrections = [entry for entry in history.of_stream(link_key(house, link)) if _corrects(entry, round_id, rank)]
    round_ = round_of(round_id, (entry.event for entry in rounds))
    last = max([found[0].recorded_position or 0, *(entry.position for entry in (*rounds, *steps, *corrections))])
    return Evidence(
        case=_case(link, round_, rank, found, steps),
        hits=found,
        round=round_,
        round_entries=rounds,
        case_entries=steps,
        corrections=corrections,
        meter_facts=queries.meter_events(link, METER_FACTS, before=found[0].at_position + 1),
        seals=_seals(rounds[0].position, last),
    )


def _hits(link: str, round_id: str, rank: str) -> list[models.Hit]:
    hits = models.Hit.objects.filter(link=link, round=round_id, rank=rank)
    return list(hits.order_by("at_position", "nth"))


def _corrects(entry: Entry, round_id: RoundId, rank: str) -> bool:
    """Whether an entry of the link's stream is a correction of this hit, or asks for one."""
    of = (getattr(entry.event, "round", ""), getattr(entry.event, "rank", ""))
    return entry.type != "jackpot_hit" and of == (str(round_id), rank)


def _case(link: str, round_: Round, rank: str, hits: Sequence[models.Hit], steps: Sequence[Entry]) -> Case:
    won = {seat: Share(seat, cents) for hit in hits for seat, cents in zip(hit.seats, hit.shares_cents, strict=True)}
    stake = round_.collected.stake_cents if round_.collected else 0
    case = Case(link, str(round_.id), rank, hits[0].gaming_date, stake, won)
    return case_of(case, (entry.event for entry in steps))


def _seals(first: int, last: int) -> list[Seal]:
    with connection.cursor() as cursor:
        cursor.execute(_SEALS, [first, last])
        return [Seal(*row) for row in cursor.fetchall()]


# ------------------------------------------------------------------------------------------------- as JSON


def as_json(pack: Evidence) -> dict[str, Any]:
    """The pack as plain data, for whoever keeps or checks it elsewhere."""
    return {
        "hit": {field: getattr(pack.hit, field) for field in HIT_FIELDS},
        "case": {"link": pack.case.link, "round": pack.case.round, "rank": pack.case.rank, "shares": _shares(pack)},
        "cards": [
            {"position": spot.position, "face": spot.face, "card": spot.card}
            for _, spot in sorted(pack.round.felt.spots.items())
        ],
        "wagers": [
            {"number": one.number, "seat": one.seat, "wager": one.code, "stake_cents": one.stake_cents}
            for one in (standing.placed for standing in pack.round.wagers.values())
        ],
        "people": [{"name": name, "did": did} for name, did in pack.people],
        "meter": [
            {"position": fact.position, "type": fact.type, "round": fact.round, "recorded_at": fact.recorded_at}
            for fact in pack.meter_facts
        ],
        "record": [_entry(entry) for entry in (*pack.round_entries, *pack.case_entries, *pack.corrections)],
        "seals": [seal._asdict() for seal in pack.seals],
    }


HIT_FIELDS = (
    "key", "round", "table_code", "gaming_date", "occurred_at", "at_position", "rank", "fraction", "before_micros",
    "amount_cents", "players", "share_cents", "remainder_cents", "left_micros", "from_reserve_micros",
    "from_seed_micros", "after_micros", "seats", "shares_cents", "recorded_position",
)  # fmt: skip


def _shares(pack: Evidence) -> list[dict[str, Any]]:
    return [
        {
            "seat": share.seat,
            "amount_cents": share.amount_cents,
            "state": share.state,
            "slip": None if share.slip is None else f"{share.slip.book}/{share.slip.number}",
        }
        for share in pack.shares
    ]


def _entry(entry: Entry) -> dict[str, Any]:
    """An event exactly as it was hashed, with its hash."""
    return {
        "stream": entry.key, "position": entry.position, "version": entry.version, "type": entry.type,
        "occurred_at": entry.occurred_at, "recorded_at": entry.recorded_at, "actor": entry.actor,
        "payload": entry.payload, "hash": entry.hash.hex(),
    }  # fmt: skip
