"""The gaming date that the property's clock shows."""

from datetime import date
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils import timezone

from casino.table import gaming_date_of


def gaming_date_now() -> date:
    """Today's, by the property's wall clock less the rollover hour."""
    return gaming_date_of(timezone.now(), ZoneInfo(settings.TIME_ZONE), settings.CASINO_ROLLOVER_HOUR)
