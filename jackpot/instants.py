"""A meter as of an instant: the last turn that had happened by then, and the stakes after it that had happened too.

Stakes lie added up by the minute (`jackpot/chronicle.py`); those of the instant's own minute are read from the log, of
which the flow knows the places. What becomes known later counts when it is known, as it counts for the meter.
"""

from datetime import UTC, datetime

import msgspec
from django.db import connection
from django.db.models import QuerySet, Sum

from casino.eventstore.follower import position_of
from casino.refusal import Refused
from jackpot.link import Collected
from jackpot.meter import Meter, Rates, contribute
from jackpot.models import Flow, Turn
from jackpot.projections import METERS, Read, facts_read

_STAKES = """
    SELECT position, table_code, gaming_date, round_no, occurred_at, type, schema_version, payload, NULL
      FROM log.event WHERE position BETWEEN %s AND %s AND type = 'progressive_collected' AND occurred_at <= %s
     ORDER BY position"""

# What a meter is made of and no fold has read yet: the follower is less than a second behind, so the range is short.
_UNREAD = """
    SELECT EXISTS (SELECT FROM log.event WHERE position > %s AND occurred_at <= %s
       AND type IN ('progressive_collected', 'hand_completed', 'round_voided', 'jackpot_returned', 'meter_adjusted',
                    'jackpot_missed', 'jackpot_refilled'))"""


def meter_at(code: str, at: datetime) -> Meter:
    """What the link's meter stood at in an instant, to the micro-unit.

    Refuses `before_set_up`, and `meter_behind` where something of before that instant is not folded yet.
    """
    with connection.cursor() as cursor:
        cursor.execute(_UNREAD, [position_of(METERS.name), at])
        if cursor.fetchone()[0]:
            raise Refused("meter_behind", f"The meter of link {code} is still being read; try again in a moment.")
    turn = Turn.objects.filter(link=code, at__lte=at).order_by("-nth").first()
    if turn is None:
        raise Refused("before_set_up", f"Link {code} had no meter at {at.isoformat()}; it was set up later.")
    minute = at.replace(second=0, microsecond=0)
    after = Flow.objects.filter(link=code, nth=turn.nth)
    meter: Meter = msgspec.json.decode(turn.meter, type=Meter)
    for flow in after.filter(minute__lt=minute).values("increment_bp", "hidden_bp").annotate(cents=Sum("stakes_cents")):
        meter = contribute(meter, int(flow["cents"]), Rates(flow["increment_bp"], flow["hidden_bp"]))
    for fact in _of_minute(code, after.filter(minute=minute), at):
        meter = contribute(meter, fact.stakes_cents, fact.rates)
    return meter


def meter_below(code: str, position: int) -> Meter:
    """What the link's meter stood at below a position of the log, to the micro-unit: what a hand completed there met.

    Refuses `before_set_up`, and `meter_behind` where the fold has not read as far.
    """
    if position_of(METERS.name) < position:
        raise Refused("meter_behind", f"The meter of link {code} is still being read; try again in a moment.")
    turn = Turn.objects.filter(link=code, position__lt=position).order_by("-nth").first()
    if turn is None:
        raise Refused("before_set_up", f"Link {code} had no meter at position {position}; it was set up later.")
    after = Flow.objects.filter(link=code, nth=turn.nth)
    meter: Meter = msgspec.json.decode(turn.meter, type=Meter)
    whole = after.filter(last_position__lt=position).values("increment_bp", "hidden_bp")
    for flow in whole.annotate(cents=Sum("stakes_cents")):
        meter = contribute(meter, int(flow["cents"]), Rates(flow["increment_bp"], flow["hidden_bp"]))
    for fact in _below(code, after.filter(first_position__lt=position, last_position__gte=position), position):
        meter = contribute(meter, fact.stakes_cents, fact.rates)
    return meter


def _below(code: str, flows: QuerySet[Flow], position: int) -> list[Collected]:
    """The link's own stakes below the position, of those flows that reach beyond it."""
    theirs = {(flow.minute, flow.increment_bp, flow.hidden_bp): flow.first_position for flow in flows}
    if not theirs:
        return []
    with connection.cursor() as cursor:
        cursor.execute(_STAKES, [min(theirs.values()), position - 1, datetime.max.replace(tzinfo=UTC)])
        reads = [Read._make(row) for row in cursor.fetchall()]
    facts = [(read, fact) for read in reads for of, fact in facts_read(read) if of == code]
    return [
        fact for read, fact in facts
        if isinstance(fact, Collected)
        and (_minute(read), fact.rates.increment_bp, fact.rates.hidden_bp) in theirs
    ]  # fmt: skip


def _of_minute(code: str, flows: QuerySet[Flow], at: datetime) -> list[Collected]:
    """The link's own stakes in the places of these flows up to the instant."""
    places = [(flow.first_position, flow.last_position) for flow in flows]
    if not places:
        return []
    with connection.cursor() as cursor:
        cursor.execute(_STAKES, [min(first for first, _ in places), max(last for _, last in places), at])
        reads = [Read._make(row) for row in cursor.fetchall()]
    facts = [fact for read in reads if _minute(read) == _minute_of(at) for of, fact in facts_read(read) if of == code]
    return [fact for fact in facts if isinstance(fact, Collected)]


def _minute(read: Read) -> datetime:
    return _minute_of(read.occurred_at)


def _minute_of(at: datetime) -> datetime:
    return at.replace(second=0, microsecond=0)
