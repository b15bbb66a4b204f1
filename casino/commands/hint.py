"""A hint to the workers that something is due. Losing it loses nothing: beat looks every second."""

import logging
import time

from celery import current_app

logger = logging.getLogger(__name__)
PAUSE_S = 5.0
"""How long no hint is sent after one failed: a table must not wait for a broker that is away."""
_quiet_until = 0.0


def hint_settlement() -> None:
    """Wake a worker, if the broker takes the message; every error is swallowed."""
    global _quiet_until
    if time.monotonic() < _quiet_until:
        return
    try:
        current_app.send_task("casino.settle_due", ignore_result=True, expires=10, retry=False)
    except Exception as error:
        _quiet_until = time.monotonic() + PAUSE_S
        logger.warning("The broker is away, no hint is sent for %g s: %s", PAUSE_S, error)
