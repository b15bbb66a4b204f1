"""What Celery runs for the books. Messages carry nothing; what there is to do stands in the log."""

from celery import shared_task
from django.db import connection
from django.utils import timezone

from casino.eventstore.follower import step, stop_loudly
from ledger.commands.closing import close_due_days
from ledger.commands.filing import file_closed_days
from ledger.filed import balance_digest
from ledger.queries.journal import reached, trial_balance
from ledger.replays import REPLAYED

BATCH = 2_000
"""Positions in one step: dealing again is work, and a transaction stays well under 250 ms (design, the horizon)."""

DAYS_KEPT = 3
"""Of how many gaming days the replays themselves are kept; what came of them stays."""


@shared_task(name="ledger.deal_again")
def deal_again() -> int:
    """Deal again what was settled since the last time; returns how many steps that took. Many may run it at once."""
    steps = 0
    try:
        while step(REPLAYED, batch=BATCH):
            steps += 1
    except Exception as error:
        stop_loudly(REPLAYED, error)
        raise
    if steps:
        _forget_old_replays()
    return steps


@shared_task(name="ledger.close_and_file")
def close_and_file() -> int:
    """Close the days whose hour has come, where the house has set one, and file what is closed; how many it filed."""
    now = timezone.now()
    close_due_days(now)
    return file_closed_days(now, balance_at)


def balance_at(cut: int) -> str | None:
    """The digest of the trial balance at a cut; None while the journal has not read up to it."""
    if reached() < cut:
        return None
    return balance_digest((row.account.code, row.debit_micros, row.credit_micros) for row in trial_balance(cut).rows)


def _forget_old_replays() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM luck_replays WHERE gaming_date <= (SELECT max(gaming_date) FROM luck_replays) - %s::int",
            [DAYS_KEPT],
        )
