"""The whole way, all durable: rounds recorded by terminals' commands at four tables, settled by Celery, folded."""

import random
import time
from collections.abc import Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from datetime import UTC, datetime

from benchmarks import floor, peers, processes
from benchmarks.checks import deadlocks, whole_log
from benchmarks.floor import Dealer
from benchmarks.runner import Row, compare, interleave
from benchmarks.world import Place, empty_database, product_database
from casino.commands import rounds
from casino.commands.hint import hint_settlement
from casino.commands.order import Order
from casino.eventstore.follower import followers, last_position, position_of
from casino.eventstore.store import run as ask
from casino.round.betting import Asked

TABLES, SLICE, TURNS, PATIENCE_S = 4, 200, 9, 60
UNSETTLED = """SELECT count(*) FROM log.due"""


def run(place: Place) -> list[Row]:
    """One row: rounds a second, from the first recorded to the last folded, beside raw COPY of all their events."""
    with product_database(place) as ours, empty_database(place) as theirs:
        floor.open_floor(floor.codes(TABLES))
        with processes.hands(ours), ThreadPoolExecutor(TABLES) as terminals:
            dealers = list(terminals.map(lambda code: Dealer(code, random.Random(code)), floor.codes(TABLES)))
            _play(terminals, dealers)
            copies = _copies(ours, theirs)
            rates = interleave(
                {"ours": lambda: _play(terminals, dealers), "COPY": lambda: _copied(*copies)},
                TURNS,
            )
        row = compare(
            "record, settle and fold a round of 43 events, all durable",
            "psycopg COPY of the same events into a bare table",
            "rounds/s",
            rates,
            "ours",
            "COPY",
            at_least=0.25,
            **_faults(ours, SLICE * (TURNS + 2)),
        )
    return [row]


def _play(terminals: Executor, dealers: Sequence[Dealer]) -> float:
    """Rounds a second, the tables side by side, until every follower has read the settlement of the last."""
    ready = {dealer.code: [(dealer.asked(), dealer.cards()) for _ in range(SLICE // TABLES)] for dealer in dealers}
    start = time.perf_counter()
    list(terminals.map(lambda dealer: _record(dealer, ready[dealer.code]), dealers))
    _until_folded(start + PATIENCE_S)
    return SLICE / (time.perf_counter() - start)


def _record(dealer: Dealer, ready: Sequence[tuple[list[Asked], list[str]]]) -> None:
    for asked, cards in ready:
        dealer.played += 1
        order = Order("bench", f"whole:{dealer.code}:{dealer.played}", datetime.now(UTC))
        rounds.record_finished_round(order, dealer.code, asked, cards)
        hint_settlement()


def _until_folded(deadline: float) -> None:
    while time.perf_counter() < deadline:
        last = last_position()
        settled = ask(UNSETTLED).fetchone() == (0,)
        if settled and all(position_of(name) >= last for name in followers()) and last == last_position():
            return
        time.sleep(0.005)
    raise TimeoutError(f"What was recorded was not settled and folded within {PATIENCE_S} s.")


def _copies(ours: Place, theirs: Place) -> tuple[peers.Renumbered, peers.Copier]:
    with ours.admin() as reader, theirs.admin() as admin:
        admin.execute(peers.BARE_TABLE)
        admin.execute("GRANT ALL ON bare TO PUBLIC")
        return peers.Renumbered(peers.rows_of_rounds(reader, SLICE)), peers.Copier(theirs)


def _copied(copies: peers.Renumbered, copier: peers.Copier) -> float:
    ready = copies.next(SLICE)
    start = time.perf_counter()
    for rows in ready:
        copier.write(rows)
    return SLICE / (time.perf_counter() - start)


def _faults(ours: Place, played: int) -> dict[str, int]:
    """Each round settled exactly once, and the books' sums equal to the log's own."""
    settled = """SELECT count(*), count(DISTINCT stream_id) FROM log.event WHERE type = 'round_settled'"""
    sums = """SELECT (SELECT sum(handle_cents) FROM table_day)
                   - (SELECT sum(in_cents) FROM log.event WHERE type IN ('round_settled', 'progressive_collected')),
                     (SELECT count(*) FROM board_round WHERE stage = 5)"""
    with ours.admin() as reader:
        times, distinct = reader.execute(settled).fetchone()  # type: ignore[misc]
        apart, shown = reader.execute(sums).fetchone()  # type: ignore[misc]
        bad = whole_log(reader)
    wrong = bad + int(apart != 0) + int(shown != played)
    return {"lost": played - distinct, "duplicated": times - distinct, "wrong": wrong, "deadlocked": deadlocks(ours)}
