"""The watch: asks the rules of every table and records what is news. Run by beat; many may run it at once."""

from django.utils import timezone

from casino.commands.alerts import raise_or_end
from casino.queries import alerts


def watch() -> int:
    """Raise what is found, end what is over; returns how many alerts were news.

    What lasts over a roll ends with the gaming day that its table leaves and is raised in the next one.
    """
    said = alerts.watched()
    now = timezone.now()
    found = {(one.rule, one.subject, said.day_of(one)): one for one in said.findings}
    news = sum(raise_or_end(now, day, rule, subject, one) for (rule, subject, day), one in found.items())
    for alert in alerts.still_raised():
        if (alert.rule, alert.subject, alert.gaming_date) not in found:
            news += raise_or_end(now, alert.gaming_date, alert.rule, alert.subject, None)
    return news
