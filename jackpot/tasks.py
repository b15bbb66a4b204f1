"""What Celery runs for the meters. Messages carry nothing; what there is to do stands in the log."""

from celery import shared_task

from casino.eventstore.follower import step, stop_loudly
from casino.eventstore.registry import UnknownEvent
from casino.refusal import Refused
from jackpot.commands.changes import make_due_changes
from jackpot.commands.corrections import append_due_between
from jackpot.commands.heartbeats import stop_silent
from jackpot.commands.hits import append_due_hits
from jackpot.meter import MeterBroken
from jackpot.projections import METERS


@shared_task(name="jackpot.fold_links")
def fold_links() -> int:
    """Fold all links to the mark, then record what they found and make the changes that are due. Many may run it.

    A fold that finds log and arithmetic at odds stops where it is and says so on the checkpoint; hits that were
    folded before it are recorded all the same. Returns how many hits it has recorded.
    """
    try:
        while step(METERS):
            pass
    except (MeterBroken, Refused, UnknownEvent) as error:
        stop_loudly(METERS, error)
        raise
    finally:
        recorded = append_due_hits()
        append_due_between()
    make_due_changes()
    return recorded


@shared_task(name="jackpot.watch_feeds")
def watch_feeds() -> int:
    """Suspend the side bet wherever what has to be heard is silent; beat calls it every two seconds."""
    return stop_silent()
