"""The watch: asks the rules of every table and records what is news. Run by beat; many may run it at once."""

from django.utils import timezone

from casino.alerts import rules
from casino.commands.alerts import raise_or_end
from casino.queries import alerts


def watch() -> int:
    """Raise what is found, end what is over; returns how many alerts were news."""
    said = alerts.watched()
    now = timezone.now()
    found = {(finding.rule, finding.subject): finding for finding in said.findings}
    news = sum(
        raise_or_end(now, said.day_of(finding), finding.rule, finding.subject, finding) for finding in said.findings
    )
    for alert in alerts.still_raised():
        is_over = (alert.rule, alert.subject) not in found and alert.rule in rules()
        if is_over and raise_or_end(now, alert.gaming_date, alert.rule, alert.subject, None):
            news += 1
    return news
