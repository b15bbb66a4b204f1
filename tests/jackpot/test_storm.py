"""Two tables hit in the same instant, over and over, while four workers fold and record: the log's order of completed
hands is the order of the hits, no cent is lost, and no share is paid twice.

`CASINO_STORM` is the number of instants, a thousand unless set.
"""

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

from django.db import connections

from casino.commands import rounds
from casino.commands.order import Order
from casino.eventstore import store
from casino.eventstore.follower import catch_up
from casino.eventstore.horizon import Keeper
from casino.eventstore.rebuild import rebuild
from casino.refusal import Refused
from casino.round.betting import Asked
from jackpot import models, queries, tasks
from jackpot.case import Asked as AskedPayout
from jackpot.commands import cases
from jackpot.commands.cases import CaseId
from jackpot.projections import METERS

INSTANTS = int(os.environ.get("CASINO_STORM", "1000"))
PATIENCE_S = 600
WAYS = (("royal_flush", "As Ks Qs Js Ts"), ("straight_flush", "9s 8s 7s 6s 5s"))
PAID_AT_ONCE = 4

QS = """
    SELECT e.position, concat_ws('/', e.table_code, e.gaming_date, e.round_no), won ->> 'rank'
      FROM log.event e, jsonb_array_elements(e.payload::jsonb -> 'wins') AS won
     WHERE e.type = 'hand_completed' ORDER BY e.position"""
RECORDS = """
    SELECT e.payload::jsonb FROM log.event e WHERE e.type = 'jackpot_hit' ORDER BY e.position"""
STAKES_BELOW = """
    SELECT coalesce(sum(in_cents), 0) FROM log.event WHERE type = 'progressive_collected' AND position < %s"""


def storm(floor, keeper: Keeper) -> None:
    """Each instant: both tables complete a winning hand together. Meanwhile the mark moves and workers fold."""
    instant, over = threading.Barrier(2), threading.Event()

    def deal(table: str) -> None:
        try:
            for n in range(INSTANTS):
                _, cards = WAYS[(n + (table == "R-02")) % 2]
                seats = [1, 2, 3][: 1 + n % 3]
                asked = [Asked(seat, "progressive", 100) for seat in seats]
                instant.wait(PATIENCE_S)
                rounds.record_finished_round(floor.order(f"{table}-{n}"), table, asked, cards.split())
        except BaseException:
            instant.abort()
            raise
        finally:
            connections.close_all()

    def fold() -> None:
        try:
            while not over.is_set():
                tasks.fold_links()
        finally:
            connections.close_all()

    def move_the_mark() -> None:
        while not over.is_set():
            keeper.poll()

    with ThreadPoolExecutor(6) as pool:
        others = [pool.submit(move_the_mark), *(pool.submit(fold) for _ in range(3))]
        tables = [pool.submit(deal, table) for table in ("R-01", "R-02")]
        try:
            for table in tables:
                table.result(PATIENCE_S)
        finally:
            over.set()
        for other in others:
            other.result(PATIENCE_S)


def test_two_tables_that_hit_in_the_same_instant_are_ordered_by_the_log(floor, role_connection):
    storm(floor, Keeper(role_connection("casino_app")))
    for _ in range(2):
        floor.record()
    completed = store.run(QS).fetchall()
    records = [row[0] for row in store.run(RECORDS).fetchall()]
    assert len(completed) == 2 * INSTANTS
    assert [(one["at_position"], one["round"], one["rank"]) for one in records] == completed
    both = {completed[i][1].split("/")[0] for i in range(2)}
    assert both == {"R-01", "R-02"}
    assert_the_chain_of_hits(records)
    explained = queries.explain("grand")
    assert explained.put_in_micros == explained.held_micros
    won = sum(cents for one in records for cents in one["shares_cents"])
    assert queries.link_of("grand").meter.payable_micros == won * 10_000
    assert rebuild(METERS, "owner", check=True, progress=lambda _: None) == []


def assert_the_chain_of_hits(records: list[dict]) -> None:
    """Every hit met what the one before left and the stakes in between: reckoned here by hand, cent by cent."""
    main, reserve, fed = 5_000_000_000, 0, 0
    for one in records:
        stakes = store.run(STAKES_BELOW, [one["at_position"]]).fetchone()[0]
        hidden = (stakes - fed) * 1_000
        kept = min(hidden, 5_000_000_000 - reserve)
        main, reserve, fed = main + (stakes - fed) * 6_500 + hidden - kept, reserve + kept, stakes
        assert one["before_micros"] == main
        part, seats = Fraction(one["fraction"]), len(one["seats"])
        share = main * part.numerator // part.denominator // 10_000 // seats
        assert one["shares_cents"] == [share] * seats
        main -= share * seats * 10_000
        if part == 1:
            taken = min(reserve, 5_000_000_000)
            main, reserve = main + 5_000_000_000, reserve - taken
        assert one["after_micros"] == main


def test_a_share_that_many_pay_in_the_same_instant_is_paid_once(floor, at_once):
    round_id = floor.play("R-01", "As Ks Qs Js Ts", [1, 2])
    floor.record()
    hit = models.Hit.objects.get()
    case_id = CaseId("grand", round_id, hit.rank)
    cases.verify(floor.order(), case_id, (), "CCTV 1")
    cases.prepare_payout(floor.order(), case_id, AskedPayout(1, "tray"))
    cases.approve_payout(Order("pia", "approve", floor.order().at), case_id, 1, "pit_manager")
    refused: list[str] = []

    def pay(number: int):
        def run() -> None:
            try:
                cases.pay(Order(f"dan-{number}", "pay", floor.order().at), case_id, 1)
            except Refused as refusal:
                refused.append(refusal.code)

        return run

    at_once(*(pay(number) for number in range(PAID_AT_ONCE)))
    assert len(refused) == PAID_AT_ONCE - 1
    assert set(refused) <= {"share_not_approved", "busy"}
    paid = store.run("SELECT count(*), sum(out_cents) FROM log.event WHERE type = 'jackpot_paid'").fetchone()
    assert paid == (1, hit.shares_cents[0])
    catch_up()
    assert models.Share.objects.get(seat=1).state == "paid"
