"""The fold of a link over its facts: the order of hits, what the log must agree with, and sums that never break."""

from dataclasses import dataclass, field
from fractions import Fraction

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.refusal import Refused
from jackpot import link as links
from jackpot.events import JackpotHit, JackpotPaid, JackpotReturned, LinkSetUp, MeterAdjusted, TableJoined, TableLeft
from jackpot.link import Collected, Completed, Link, Voided
from jackpot.meter import MeterBroken, Rates, Win, pools

RATES = Rates(6500, 1000)
TIERS = {"royal_flush": Fraction(1), "straight_flush": Fraction(1, 10)}
SET_UP = LinkSetUp(
    code="blue",
    currency="USD",
    game="54-card-roulette",
    bet="progressive",
    base_cents=500_000,
    reset_cents=500_000,
    stake_cents=100,
    tiers_name="tiered",
    tiers={"royal_flush": "1", "straight_flush": "1/10"},
)


def fold(*facts, set_up: LinkSetUp = SET_UP) -> Link:
    """The link after its facts, at positions 10, 20, 30, …"""
    link = links.begin(set_up, 1)
    for number, fact in enumerate(facts, 1):
        link = links.apply(link, number * 10, fact)
    return link


def a_win(round_key: str = "r1", rank: str = "royal_flush", seats: tuple[int, ...] = (1, 2)) -> Completed:
    return Completed(round_key, (Win(rank, seats),), TIERS)


def a_return(hit: JackpotHit, seats: tuple[int, ...] | None = None, **changes) -> JackpotReturned:
    seats = hit.seats if seats is None else seats
    amount_cents = sum(cents for seat, cents in zip(hit.seats, hit.shares_cents, strict=True) if seat in seats)
    plain = {
        "round": hit.round,
        "rank": hit.rank,
        "seats": seats,
        "amount_cents": amount_cents,
        "reason": "denied",
        "by": "ana",
        "approved_by": "ben",
    }
    return JackpotReturned(**(plain | changes))


def with_a_hit_on_record(**win) -> tuple[Link, JackpotHit]:
    link = fold(Collected(200, RATES), a_win(**win))
    return links.apply(link, 25, link.due[0]), link.due[0]


def test_a_hit_meets_the_meter_with_its_own_rounds_stakes():
    link = fold(Collected(100_000, RATES), a_win())
    assert [(hit.at_position, hit.before_micros) for hit in link.due] == [(20, 5_650_000_000)]
    assert link.meter.main_micros == 5_000_000_000


def test_hits_fall_in_the_order_in_which_hands_were_completed_whenever_they_are_recorded():
    link = fold(Collected(100_000, RATES), a_win("r9"), a_win("r2", seats=(5,)))
    first, second = link.due
    assert (first.round, first.amount_cents) == ("r9", 565_000)
    assert (second.round, second.amount_cents) == ("r2", 500_000)
    link = links.apply(links.apply(link, 40, first), 50, second)
    assert link.due == ()


def test_a_second_hit_needs_nothing_of_the_first_ones_approval():
    recorded = fold(Collected(100_000, RATES), a_win("r9"))
    denied = links.apply(recorded, 21, recorded.due[0])
    denied = links.apply(denied, 22, a_return(recorded.due[0]))
    late = links.apply(recorded, 30, a_win("r2"))
    assert late.due[1].amount_cents == 500_000
    assert links.apply(denied, 30, a_win("r2")).due[0].amount_cents == 500_000 + 565_000


@pytest.mark.parametrize(
    "changes",
    [
        {"amount_cents": 499_999},
        {"before_micros": 1},
        {"at_position": 19},
        {"seats": (1, 3)},
        {"after_micros": 1},
        {"round": "r2"},
        {"rank": "straight_flush"},
        {"from_seed_micros": 0},
    ],
)
def test_a_record_of_a_hit_that_differs_from_the_fold_stops_it(changes):
    link = fold(Collected(200, RATES), a_win())
    with pytest.raises(MeterBroken, match="due"):
        links.apply(link, 30, msgspec.structs.replace(link.due[0], **changes))


def test_a_hit_recorded_twice_or_out_of_turn_stops_the_fold():
    link, hit = with_a_hit_on_record()
    with pytest.raises(MeterBroken):
        links.apply(link, 30, hit)
    link = fold(a_win("r1"), a_win("r2"))
    with pytest.raises(MeterBroken):
        links.apply(link, 30, link.due[1])


def test_a_position_that_does_not_rise_stops_the_fold():
    link = fold(Collected(100, RATES))
    for position in (10, 9):
        with pytest.raises(MeterBroken, match="order is lost"):
            links.apply(link, position, Collected(100, RATES))


def test_a_round_is_not_voided_while_its_hit_stands():
    due = fold(Collected(200, RATES), a_win())
    recorded, hit = with_a_hit_on_record()
    half = links.apply(recorded, 30, a_return(hit, seats=(1,)))
    paid = links.apply(
        half,
        40,
        JackpotPaid(
            round="r1",
            rank="royal_flush",
            seat=2,
            amount_cents=hit.shares_cents[1],
            paid_from="tray",
        ),
    )
    for link in (due, recorded, half, paid):
        with pytest.raises(Refused) as refused:
            links.apply(link, 90, Voided("r1", 200, RATES))
        assert refused.value.code == "round_has_hit"
        assert links.apply(link, 90, Voided("another", 0, RATES)).meter == link.meter


def test_a_round_is_voided_once_its_hit_was_denied():
    recorded, hit = with_a_hit_on_record()
    link = links.apply(recorded, 30, a_return(hit))
    assert not link.standing[0].stands
    link = links.apply(link, 40, Voided("r1", 200, RATES))
    assert link.meter.stakes_micros == 0
    assert pools(link.meter) == {"main": 10_000_000_000, "reserve": 0, "overflow": 0}
    # The reserve had paid 0.20 to the reset and 1.30 are taken back from main: the house is left with the 0.20.
    assert link.meter.house_share_micros == -200_000


@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("no_such_hit", {"round": "r7"}),
        ("no_such_hit", {"rank": "straight_flush"}),
        ("share_not_open", {"seats": ()}),
        ("share_not_open", {"seats": (1, 1)}),
        ("share_not_open", {"seats": (1, 3)}),
        ("unknown_reason", {"reason": "tired"}),
        ("same_person", {"approved_by": "ana"}),
        ("approval_missing", {"by": ""}),
        ("amount_differs", {"amount_cents": 1}),
    ],
)
def test_a_return_is_refused(code, changes):
    link, hit = with_a_hit_on_record()
    with pytest.raises(Refused) as refused:
        links.check_returned(link, a_return(hit, **changes))
    assert refused.value.code == code
    assert refused.value.message.endswith(".")


def test_a_share_is_paid_or_returned_once_and_only_after_the_hit_is_on_record():
    link, hit = with_a_hit_on_record()
    payment = JackpotPaid(round="r1", rank="royal_flush", seat=1, amount_cents=hit.share_cents, paid_from="cage")
    paid = links.apply(link, 30, links.check_paid(link, payment))
    assert paid.meter.payable_micros == hit.shares_cents[1] * 10_000
    with pytest.raises(Refused, match="still open"):
        links.check_paid(paid, payment)
    with pytest.raises(Refused, match="still open"):
        links.check_returned(paid, a_return(hit))
    with pytest.raises(Refused, match="no standing hit"):
        links.check_paid(fold(Collected(200, RATES), a_win()), payment)
    with pytest.raises(Refused, match="not 1"):
        links.check_paid(link, msgspec.structs.replace(payment, amount_cents=1))


def test_the_fold_itself_stops_at_a_payment_or_return_that_cannot_be():
    link, hit = with_a_hit_on_record()
    with pytest.raises(Refused, match="won 500130 cents"):
        links.apply(link, 30, a_return(hit, amount_cents=hit.payable_cents - 1))
    with pytest.raises(Refused, match="won 250065 cents"):
        links.apply(
            link,
            30,
            JackpotPaid(
                round="r1",
                rank="royal_flush",
                seat=1,
                amount_cents=hit.share_cents - 1,
                paid_from="cage",
            ),
        )


def test_a_win_without_winners_of_this_link_changes_nothing():
    before = fold(Collected(200, RATES))
    after = links.apply(before, 20, Completed("r1", (), TIERS))
    assert msgspec.structs.replace(after, position=before.position) == before


def test_tables_join_and_leave():
    link = fold(TableJoined(table="T1"), TableJoined(table="T2"), TableLeft(table="T1"))
    assert link.tables == {"T2"}


def test_a_link_survives_being_written_and_read_again():
    link = fold(Collected(200, RATES), TableJoined(table="T1"), a_win())
    assert msgspec.json.decode(msgspec.json.encode(link), type=Link) == link


# Properties: any history of collected, completed, voided, recorded, paid, returned and adjusted.


@dataclass
class Auditor:
    """Follows a history by its own addition: what went in, and what every recorded movement says."""

    put_in: int = 0
    handed_out: int = 0
    positions_of_hits: list[int] = field(default_factory=list)

    def check(self, link: Link) -> None:
        meter = link.meter
        assert self.put_in - self.handed_out == sum(pools(meter).values()) + meter.house_share_micros
        assert min(pools(meter).values()) >= 0
        assert meter.won_micros == self.handed_out
        assert self.positions_of_hits == sorted(self.positions_of_hits)


steps = st.lists(
    st.tuples(
        st.sampled_from(["collect", "collect", "collect", "win", "void", "record", "return", "pay", "adjust"]),
        st.integers(0, 10**6),
    ),
    max_size=40,
)
small_set_ups = st.builds(
    lambda base, reset, room, bps: msgspec.structs.replace(
        SET_UP,
        base_cents=base,
        reset_cents=reset,
        limit_cents=room and max(base, reset) + room,
        increment_bp=bps[0],
        hidden_bp=bps[1],
    ),
    st.integers(1, 2000),
    st.integers(1, 2000),
    st.none() | st.integers(1, 500),
    st.sampled_from([(6500, 1000), (0, 0), (10_000, 0), (0, 10_000), (3333, 3333), (9000, 1000)]),
)


def next_fact(link: Link, kind: str, n: int, round_key: str, collected: dict[str, int]):
    """The fact a step stands for, or None where the link has nothing it could happen to."""
    rates = Rates(link.terms.increment_bp, link.terms.hidden_bp)
    standing = {one.hit.round for one in link.standing if one.stands}
    payable = [one for one in link.standing if one.announced and set(one.states) == {"open"}]
    if kind == "collect":
        collected[round_key] = 100 * (1 + n % 9)
        return Collected(collected[round_key], rates)
    if kind == "win":
        ranks = [("straight_flush",), ("royal_flush",), ("straight_flush", "royal_flush")][n % 3]
        return Completed(round_key, tuple(Win(rank, tuple(range(1, 2 + n % 7))) for rank in ranks), TIERS)
    if kind == "void" and (free := sorted(collected.keys() - standing)):
        voided = free[n % len(free)]
        return Voided(voided, collected.pop(voided), rates)
    if kind == "record" and link.due:
        return link.due[0]
    if kind == "return" and payable:
        return a_return(payable[n % len(payable)].hit)
    if kind == "pay" and payable:
        hit = payable[n % len(payable)].hit
        return JackpotPaid(
            round=hit.round, rank=hit.rank, seat=hit.seats[0], amount_cents=hit.shares_cents[0], paid_from="cage"
        )
    if kind == "adjust":
        return MeterAdjusted(
            pool=["main", "reserve", "overflow"][n % 3],
            micros=n - 500_000,
            reason="malfunction",
            evidence="reading",
            by="ana",
            approved_by="ben",
        )
    return None


def history_of(set_up: LinkSetUp, plan) -> tuple[list, Link]:
    """The facts a plan leads to, and the link they leave, audited at every step."""
    link, collected, facts = links.begin(set_up, 0), {}, []
    auditor = Auditor(put_in=set_up.base_cents * 10_000)
    for position, (kind, n) in enumerate(plan, 1):
        fact = next_fact(link, kind, n, f"r{position:02}", collected)
        if fact is None:
            continue
        before, link = link, links.apply(link, position, fact)
        facts.append((position, fact))
        audit(auditor, before, link, fact)
        auditor.check(link)
    return facts, link


def audit(auditor: Auditor, before: Link, link: Link, fact) -> None:
    if isinstance(fact, Collected):
        auditor.put_in += fact.stakes_cents * 10_000
    elif isinstance(fact, Voided):
        auditor.put_in -= fact.stakes_cents * 10_000
    elif isinstance(fact, MeterAdjusted):
        auditor.put_in += max(fact.micros, -pools(before.meter)[fact.pool])
    elif isinstance(fact, JackpotReturned):
        auditor.handed_out -= fact.amount_cents * 10_000
    elif isinstance(fact, Completed):
        for hit in link.due[len(before.due) :]:
            auditor.handed_out += sum(hit.shares_cents) * 10_000
            auditor.put_in += hit.from_seed_micros
            auditor.positions_of_hits.append(hit.at_position)


@given(small_set_ups, steps)
@settings(max_examples=200)
def test_through_any_history_every_micro_unit_is_somewhere(set_up, plan):
    history_of(set_up, plan)


@given(small_set_ups, steps)
def test_stakes_between_other_facts_may_be_added_as_one_sum(set_up, plan):
    facts, one_by_one = history_of(set_up, plan)
    summed, waiting = links.begin(set_up, 0), None
    for position, fact in [*facts, (len(plan) + 1, TableLeft(table="none"))]:
        if isinstance(fact, Collected):
            so_far = 0 if waiting is None else waiting[1].stakes_cents
            waiting = (position, Collected(so_far + fact.stakes_cents, fact.rates))
            continue
        if waiting is not None:
            summed, waiting = links.apply(summed, *waiting), None
        summed = links.apply(summed, position, fact)
    assert (summed.meter, summed.standing) == (one_by_one.meter, one_by_one.standing)


@given(small_set_ups, steps)
def test_a_fold_that_stopped_and_went_on_from_its_checkpoint_ends_the_same(set_up, plan):
    facts, straight = history_of(set_up, plan)
    link = links.begin(set_up, 0)
    for position, fact in facts:
        link = links.apply(msgspec.json.decode(msgspec.json.encode(link), type=Link), position, fact)
    assert link == straight
