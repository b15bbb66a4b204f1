"""The gaming day of a moment, by the property's wall clock."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.conf import settings

from casino.table import gaming_date_of


def gaming_date_now(moment: datetime) -> date:
    """The gaming date that the clock gives to `moment` (books, 4.1)."""
    return gaming_date_of(moment, ZoneInfo(settings.TIME_ZONE), settings.CASINO_ROLLOVER_HOUR)
