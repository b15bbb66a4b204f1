"""What Celery runs: callers of commands. Messages carry nothing; what is due stands in the database."""

from celery import shared_task

from casino.commands import hint, settlement
from casino.watch import watch


@shared_task(name="casino.settle_due")
def settle_due() -> int:
    """Settle all that is due; beat calls it every second, a finished round at once."""
    hint.begun()
    return settlement.settle_due()


@shared_task(name="casino.watch_floor")
def watch_floor() -> int:
    """Ask the alert rules of every table; beat calls it every ten seconds."""
    return watch()
