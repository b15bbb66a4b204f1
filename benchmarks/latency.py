"""From the last card recorded to the round settled in the database, while 20 tables play."""

import time

from benchmarks import processes
from benchmarks.checks import deadlocks, whole_log
from benchmarks.runner import Row, percentile
from benchmarks.world import Place, product_database

TABLES, SPEED, SECONDS, LIMIT_MS = 20, 20, 25, 250.0
WAITS = """
    SELECT extract(epoch FROM s.recorded_at - h.occurred_at)::float8 * 1000
      FROM log.event h LEFT JOIN log.event s ON s.stream_id = h.stream_id AND s.type = 'round_settled'
     WHERE h.type = 'hand_completed' ORDER BY h.position"""
"""`occurred_at` is the terminal's clock as it sends the card; `recorded_at` the database's as it settles."""


def run(place: Place) -> list[Row]:
    """One row; the ratio is the limit to the 95th percentile, so 1 or more is within it."""
    with product_database(place) as ours:
        floor = ("manage.py", "simulate", "--live", "--tables", str(TABLES), "--speed", str(SPEED), "--seed", "6")
        with processes.hands(ours):
            with processes.running(ours, *floor):
                time.sleep(SECONDS)
            time.sleep(2)
        with ours.admin() as reader:
            waits = [ms for (ms,) in reader.execute(WAITS)]
            bad = whole_log(reader)
        stuck = deadlocks(ours)
    settled = [ms for ms in waits if ms is not None]
    p50, p95, p99 = (percentile(settled, hundredths) for hundredths in (50, 95, 99))
    row = Row(
        name=f"last card to settled, {TABLES} tables at {SPEED} times their pace",
        peer=f"the limit of {LIMIT_MS:g} ms at the 95th percentile",
        unit="ms p95",
        ours=p95,
        theirs=LIMIT_MS,
        ratio=LIMIT_MS / p95 if p95 else None,
        at_least=1.0,
        lost=len(waits) - len(settled),
        wrong=bad,
        deadlocked=stuck,
        notes={"rounds": len(settled), "p50_ms": p50, "p95_ms": p95, "p99_ms": p99},
    )
    return [row]
