"""What the rules look at, what they say now, and the alerts that wait for somebody."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from django.conf import settings
from django.db.models import Max, QuerySet
from django.utils import timezone
from django.utils.module_loading import import_string

from casino.alerts import Finding, NotEnough, Seen, look, rules
from casino.models import AlertBoard, Incident
from casino.money import written
from casino.queries.cash import days_learnt_of, near_thresholds
from casino.queries.floor import Tile, floor, gaming_date_now

LATE_MERGES = timedelta(days=1)
"""How long a merge is looked at for what it makes of earlier days' cash."""
CAGE = "cage"
"""Stands for the cage where a table's code is asked for; a table's code has capital letters only."""
HOUSE = "house"
"""Stands for the house in the same way."""
ALERTS_SHOWN = 100
"""Of a page of a day's alerts."""


class Watched(NamedTuple):
    """What the rules say at one moment; `days` are the gaming dates of the tables looked at."""

    findings: list[Finding]
    not_enough: list[NotEnough]
    days: Mapping[str, date]

    def day_of(self, finding: Finding) -> date:
        """The gaming day that an alert is of: the one that the finding names, else its table's."""
        return finding.day or self.days[finding.table]


def watched() -> Watched:
    """Every rule asked of every table that has been open, of the cage and of the house; a few queries more."""
    shown = floor()
    days = {tile.code: tile.board.gaming_date for tile in shown.tiles if tile.board.gaming_date}
    incidents = _incidents(set(days.values()))
    today = gaming_date_now()
    cash = near_thresholds({*days.values(), today, *days_learnt_of(timezone.now() - LATE_MERGES)})
    tables = [_seen(tile, incidents, cash) for tile in shown.tiles if tile.code in days]
    findings, not_enough = look([*tables, _cage(cash), _house()])
    days[CAGE] = today
    return Watched(findings, not_enough, days)


def _cage(cash: Mapping[str, list[tuple[str, str, date]]]) -> Seen:
    """The cage as the rules look at it; its float is the ledger's, which is asked by name (settings.CAGE_FLOATS)."""
    return Seen(CAGE, timezone.now(), False, cash=cash.get(CAGE, ()), floats=import_string(settings.CAGE_FLOATS)())


def _house() -> Seen:
    """The house as the rules look at it; days are the ledger's to close, and it is asked by name in the same way."""
    return Seen(HOUSE, timezone.now(), False, not_closed=import_string(settings.REFUSED_CLOSES)())


def _incidents(days: Iterable[date]) -> dict[tuple[str, date], list[Incident]]:
    found: dict[tuple[str, date], list[Incident]] = defaultdict(list)
    for incident in Incident.objects.filter(gaming_date__in=set(days)).order_by("position"):
        found[incident.table_code, incident.gaming_date].append(incident)
    return found


def _seen(
    tile: Tile,
    incidents: Mapping[tuple[str, date], Sequence[Incident]],
    cash: Mapping[str, list[tuple[str, str, date]]],
) -> Seen:
    luck = tile.figures.get("luck")
    here = incidents.get((tile.code, tile.board.gaming_date), ())
    return Seen(
        table=tile.code,
        now=tile.now,
        is_open=tile.is_open,
        since=tile.board.since,
        last_round_at=tile.last.moved_at if tile.last else None,
        rounds_an_hour=tile.an_hour,
        no_pace=tile.no_pace,
        roll_is_due=tile.roll_is_due,
        tray_cents=tile.figures.get("expected_tray_cents"),
        fill_line_cents=tile.board.fill_line_cents or 0,
        verdict=getattr(luck, "verdict", ""),
        verdict_sentence=getattr(luck, "sentence", "") or getattr(luck, "reason", ""),
        miscounts=[_miscount(one) for one in here if one.type == "progressive_miscounted"],
        cash=cash.get(tile.code, ()),
        variances=[_variance(one) for one in here if one.type == "opener_variance_found"],
    )


def _miscount(one: Incident) -> tuple[str, str]:
    counted, wagers = one.content["counted"], one.content["wagers"]
    round_ = f"{one.table_code}/{one.gaming_date.isoformat()}/{one.round_no}"
    return f"{one.position}", f"Round {round_}: {counted} progressive chips counted, {wagers} wagered."


def _variance(one: Incident) -> tuple[str, str]:
    cents = one.content["counted_cents"] - one.content["carried_cents"]
    way = "over" if cents > 0 else "short of"
    told = ", ".join(one.content["notified"])
    return (
        f"{one.position}",
        f"The opener of {one.table_code} is {written(abs(cents))} {way} the last closer; told: {told}.",
    )


def waiting() -> list[AlertBoard]:
    """The alerts that nobody has seen to and that still are so, the gravest and newest first."""
    found = AlertBoard.objects.filter(acknowledged_at__isnull=True, ended_at__isnull=True)
    return sorted(found, key=lambda alert: (alert.level != "critical", -alert.position))


def still_raised() -> list[AlertBoard]:
    """The alerts of what lasts whose condition has not ended, seen to or not; what happened once does not end."""
    lasting = [code for code, rule in rules().items() if rule.lasts]
    return list(AlertBoard.objects.filter(ended_at__isnull=True, rule__in=lasting))


class Asked(NamedTuple):
    """Which alerts of a day a page lists: of one table, of one rule; "" stands for all."""

    table: str = ""
    rule: str = ""


def of_day(day: date, asked: Asked) -> QuerySet[AlertBoard]:
    """A gaming day's alerts, newest first."""
    found = AlertBoard.objects.filter(gaming_date=day).order_by("-position")
    if asked.table:
        found = found.filter(table_code__iexact=asked.table)
    return found.filter(rule=asked.rule) if asked.rule else found


def floor_alerts(days: Mapping[str, date]) -> dict[str, dict[str, Any]]:
    """For the floor's pages: what waits at each table (named in settings.FLOOR_FIGURES)."""
    found: dict[str, dict[str, Any]] = defaultdict(lambda: {"alerts": []})
    of_days = AlertBoard.objects.filter(gaming_date__in=set(days.values()), table_code__in=list(days))
    for code, position in of_days.values_list("table_code").annotate(Max("last_position")):
        found[code]["position"] = position  # one that was seen to or has ended moves its tile as well
    for alert in waiting():
        if alert.table_code in days:
            found[alert.table_code]["alerts"].append(alert)
    return found
