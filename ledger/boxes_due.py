"""Which boxes of a gaming day are due for collection, by the books."""

from collections import defaultdict
from datetime import date

from django.db.models import Count, Q

from ledger.boxes import BoxId
from ledger.models import DropBox, TablePeriod


def boxes_due(gaming_date: date) -> list[BoxId]:
    """Every box whose content is complete: of tables that are closed or rolled, and those an emergency box replaced."""
    closed = set(closed_tables(gaming_date))
    numbers: dict[str, set[int]] = defaultdict(set)
    for table, number in DropBox.objects.filter(gaming_date=gaming_date).values_list("table_code", "number"):
        numbers[table].add(number)
    due = []
    for table in {*numbers, *closed}:
        known = numbers[table] | {1}
        due += [BoxId(table, number) for number in known if table in closed or number < max(known)]
    return sorted(due)


def closed_tables(gaming_date: date) -> list[str]:
    """The tables that had sessions on the gaming day and have none open of it."""
    periods = TablePeriod.objects.filter(gaming_date=gaming_date).values("table_code")
    closed = periods.annotate(open=Count("session", filter=Q(closer_cents=None))).filter(open=0)
    return list(closed.order_by("table_code").values_list("table_code", flat=True))
