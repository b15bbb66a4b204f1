"""The meters as a read model: exact after rounds, hits and voids, in any batches, and stopped by a false record."""

import random

import msgspec
import pytest
from django.db import connection, connections

from casino.commands import rounds
from casino.commands.order import property_code
from casino.events import ProgressiveCollected, RoundVoided
from casino.eventstore import store
from casino.eventstore.follower import BATCH, catch_up, last_position, position_of, step
from casino.eventstore.rebuild import compare, rebuild, replay, shadow
from casino.eventstore.registry import Event, name_of
from casino.eventstore.store import Addition, Origin
from casino.games.game import CardEntry
from casino.keys import link_key, round_key
from casino.refusal import Refused
from casino.round.betting import Asked
from jackpot import models, queries
from jackpot.events import JackpotHit, JackpotPaid, JackpotReturned, LinkSetUp
from jackpot.meter import MeterBroken
from jackpot.projections import METERS, hit_of
from tests.played import SECOND

BASE = 5_000_000_000
NOTHING, STRAIGHT_FLUSH = "As Kd 9c 4h 2s", "9s 8s 7s 6s 5s"
ROYAL_FLUSH, FIVE_OF_A_KIND = "As Ks Qs Js Ts", "X1 As Ah Ad Ac"


def pools(floor, code="grand") -> tuple[int, int, int]:
    meter = floor.state(code).meter
    return meter.main_micros, meter.reserve_micros, meter.house_share_micros


def test_one_meter_takes_the_increments_of_several_tables(floor):
    floor.play("R-01", seats=[1, 2])
    floor.play("R-02", seats=[3])
    floor.play("R-03", seats=[1, 2, 3, 4])
    assert pools(floor) == (BASE + 7 * 650_000, 7 * 100_000, 7 * 250_000)
    assert queries.meter_of("grand").tables == ("R-01", "R-02", "R-03")
    assert queries.meter_of("grand").display_cents == 500_455


@pytest.mark.parametrize(
    ("cards", "rank", "fraction", "amount_cents", "after"),
    [
        (FIVE_OF_A_KIND, "five_of_a_kind", "1", 500_065, BASE),
        (ROYAL_FLUSH, "royal_flush", "1", 500_065, BASE),
        (STRAIGHT_FLUSH, "straight_flush", "1/10", 50_006, BASE + 650_000 - 500_060_000),
    ],
)
def test_each_tier_wins_its_part_of_the_meter_with_its_own_rounds_stakes(
    floor, cards, rank, fraction, amount_cents, after
):
    round_id = floor.play("R-01", cards)
    main, reserve, _ = pools(floor)
    (hit,) = models.Hit.objects.all()
    assert (hit.round, hit.table_code, hit.gaming_date) == (str(round_id), "R-01", round_id.gaming_date)
    assert (hit.rank, hit.fraction, hit.before_micros) == (rank, fraction, BASE + 650_000)
    assert (hit.amount_cents, hit.share_cents, hit.remainder_cents) == (amount_cents, amount_cents, 0)
    assert hit.after_micros == main == after
    assert reserve == 100_000 - hit.from_reserve_micros
    assert (hit.state, hit.states, hit.recorded_position) == ("open", ["open"], None)


@pytest.mark.parametrize("cards", [NOTHING, "As Ah Ad Ac 9s", "As Ah Ad Ks Kh"])
def test_a_hand_that_is_no_better_than_four_of_a_kind_wins_nothing_of_the_meter(floor, cards):
    floor.play("R-01", cards, seats=[1, 2])
    assert pools(floor)[0] == BASE + 2 * 650_000
    assert not models.Hit.objects.exists()


def test_the_payout_is_split_equally_and_odd_cents_stay_in_the_meter(floor):
    floor.play("R-01", ROYAL_FLUSH, seats=[7, 2, 5])
    main, _, _ = pools(floor)
    (hit,) = models.Hit.objects.all()
    # 5,001.95 among three: 1,667.31 each and 2 odd cents.
    assert (hit.amount_cents, hit.players, hit.share_cents, hit.remainder_cents) == (500_195, 3, 166_731, 2)
    assert (hit.seats, hit.shares_cents) == ([2, 5, 7], [166_731] * 3)
    assert main == BASE + 2 * 10_000
    assert queries.meter_of("grand").pending
    assert queries.meter_of("grand").payable_cents == 3 * 166_731


def test_odd_cents_go_to_the_lowest_seats_where_the_link_says_so(floor):
    floor.open("R-04")
    floor.link("silver", ["R-04"], odd_cents="odd_cents_to_lowest_seat")
    floor.play("R-04", ROYAL_FLUSH, seats=[7, 2, 5])
    assert pools(floor, "silver")[0] == BASE
    assert models.Hit.objects.get(link="silver").shares_cents == [166_732, 166_732, 166_731]


def test_the_second_hit_meets_what_the_first_one_left(floor):
    first, second = floor.play("R-01", ROYAL_FLUSH, seats=[1, 2]), floor.play("R-02", STRAIGHT_FLUSH)
    floor.state()
    one, other = models.Hit.objects.order_by("at_position")
    assert (one.round, other.round) == (str(first), str(second))
    assert other.before_micros == one.after_micros + 650_000


def test_a_void_takes_back_what_the_round_had_put_in(floor):
    floor.play("R-02", seats=[1])
    before = pools(floor)
    rounds.open_round(floor.order(), "R-01")
    round_id = floor.last_round("R-01")
    rounds.place_wagers(floor.order(), round_id, [Asked(seat, "progressive", 100) for seat in (1, 2, 3)])
    rounds.close_bets(floor.order(), round_id)
    rounds.collect_progressive(floor.order(), round_id, 3)
    assert pools(floor)[0] == before[0] + 3 * 650_000
    rounds.record_cards(floor.order(), round_id, [CardEntry("As"), CardEntry("Kd")])
    rounds.declare_misdeal(floor.order(), round_id, "A card lay face up in the shoe.", SECOND, card="Kd", position=2)
    assert pools(floor) == before
    assert floor.state().meter.stakes_micros == 1_000_000


def test_a_round_that_is_voided_before_its_stakes_were_collected_takes_nothing_back(floor):
    rounds.open_round(floor.order(), "R-01")
    round_id = floor.last_round("R-01")
    rounds.place_wagers(floor.order(), round_id, [Asked(1, "progressive", 100)])
    rounds.void_round(floor.order(), round_id, "The player had left.", SECOND)
    assert pools(floor) == (BASE, 0, 0)


def test_a_voided_round_after_somebody_elses_hit_is_borne_by_the_house(floor):
    rounds.open_round(floor.order(), "R-01")
    round_id = floor.last_round("R-01")
    rounds.place_wagers(floor.order(), round_id, [Asked(1, "progressive", 100)])
    rounds.close_bets(floor.order(), round_id)
    rounds.collect_progressive(floor.order(), round_id, 1)
    floor.play("R-02", ROYAL_FLUSH)
    rounds.void_round(floor.order(), round_id, "The deck was fouled.", SECOND)
    # The hit took both stakes' increments and the reseed their reserve, so the void has neither to take from.
    assert pools(floor) == (BASE, 0, 2 * 250_000 - 1_000_000)
    explained = queries.explain("grand")
    assert explained.put_in_micros == explained.held_micros


def test_every_micro_unit_is_somewhere_after_many_rounds_hits_and_voids(floor):
    play_many(floor, 60, seed=5)
    floor.record()
    explained = queries.explain("grand")
    put_in, held = dict(explained.put_in), dict(explained.held)
    assert explained.put_in_micros == explained.held_micros
    assert put_in["stakes"] == collected_less_voided("grand") * 10_000
    assert held["hits"] == sum(hit.payable_cents for hit in floor.hits()) * 10_000 > 0
    assert put_in["seeds"] == BASE + sum(hit.from_seed_micros for hit in floor.hits())


def play_many(floor, count: int, seed: int) -> None:
    """Rounds at all tables, one in six voided, one in eight a hit."""
    shoe = random.Random(seed)
    for number in range(count):
        table, seats = shoe.choice(["R-01", "R-02", "R-03"]), shoe.sample(range(1, 9), shoe.randint(1, 8))
        if number % 8 == 3:
            floor.play(table, shoe.choice([ROYAL_FLUSH, STRAIGHT_FLUSH, FIVE_OF_A_KIND]), seats)
        else:
            round_id = floor.play(table, seats=seats)
            if number % 6 == 1:
                rounds.void_round(floor.order(), round_id, "Voided for the test.", SECOND)
        if number % 16 == 9:
            floor.record()


def collected_less_voided(code: str) -> int:
    """The link's stakes in cents, added up by another way than the fold's: over the log's own columns."""
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT coalesce(sum(in_cents) FILTER (WHERE type = 'progressive_collected'), 0)
                      - coalesce(sum(out_cents) FILTER (WHERE type = 'round_voided'), 0)
                 FROM log.event WHERE payload LIKE %s""",
            [f'%"link":"{code}"%'],
        )
        return int(cursor.fetchone()[0])


def test_batches_of_any_size_come_to_the_same_rows(floor):
    play_many(floor, 24, seed=11)
    floor.record()
    live = rows()
    assert len(live["jackpot_hit"]) == 3
    for size in (1, 7, BATCH):
        with shadow(METERS, "owner"):
            upto = position_of("meters")
            for after in range(0, upto, size):
                replay(METERS, "owner", after, min(upto, after + size), lambda _: None)
            assert compare(METERS, "owner") == [], size
            assert rows("owner") == live, size


def rows(alias: str = "default") -> dict[str, list[tuple]]:
    """All rows of the follower's tables, as the connection's search path finds them."""
    found = {}
    with connections[alias].cursor() as cursor:
        for table in METERS.tables:
            cursor.execute(f"SELECT * FROM {table}")
            found[table] = sorted(cursor.fetchall(), key=repr)
    return found


def test_a_rebuild_finds_no_difference_and_would_find_one(floor):
    floor.play("R-01", ROYAL_FLUSH, seats=[1, 2, 3])
    floor.record()
    assert rebuild(METERS, "owner", check=True, progress=lambda _: None) == []
    models.Link.objects.update(main_micros=1)
    (difference,) = rebuild(METERS, "owner", check=True, progress=lambda _: None)
    assert (difference.table, difference.only_live, difference.only_rebuilt) == ("jackpot_link", 1, 1)
    rebuild(METERS, "owner", check=False, progress=lambda _: None)
    assert models.Link.objects.get().main_micros == floor.state().meter.main_micros


@pytest.mark.parametrize("changes", [{"amount_cents": 1}, {"seats": (1,)}, {"after_micros": 0}, {"rank": "flush"}])
def test_a_record_of_a_hit_that_is_not_what_was_computed_stops_the_follower(floor, changes):
    floor.play("R-01", ROYAL_FLUSH, seats=[1, 2])
    catch_up()
    reached, meter = position_of("meters"), floor.state().meter
    append_record(floor, msgspec.structs.replace(due_hit(), **changes))
    with pytest.raises(MeterBroken, match=r"has .* due"):
        catch_up()
    assert position_of("meters") == reached
    assert queries.link_of("grand").meter == meter


def test_a_record_of_a_hit_that_never_was_stops_the_follower(floor):
    floor.play("R-01", ROYAL_FLUSH)
    catch_up()
    hit = due_hit()
    floor.record()
    append_record(floor, hit)
    with pytest.raises(MeterBroken, match="due"):
        catch_up()


def test_a_record_out_of_turn_stops_the_follower(floor):
    """The hit whose turn it is was folded in an earlier batch, and is missed all the same."""
    floor.play("R-01", ROYAL_FLUSH)
    floor.play("R-02", ROYAL_FLUSH)
    catch_up()
    append_record(floor, due_hit("R-02"))
    with pytest.raises(MeterBroken, match="R-01"):
        catch_up()


def due_hit(table: str = "R-01") -> JackpotHit:
    row = models.Hit.objects.filter(recorded_position=None, table_code=table).values().get()
    return hit_of({**row, "link": row["link_id"]})


def test_shares_are_paid_and_returned_long_after_their_hit_was_recorded(floor):
    floor.play("R-01", ROYAL_FLUSH, seats=[1, 2])
    floor.record()
    (hit,) = floor.hits()
    half = {"round": hit.round, "rank": hit.rank, "amount_cents": hit.share_cents}
    append_record(floor, JackpotPaid(seat=2, paid_from="cage", **half))
    assert floor.state().meter.payable_micros == hit.share_cents * 10_000
    assert (models.Hit.objects.get().states, models.Hit.objects.get().state) == (["open", "paid"], "open")
    append_record(floor, JackpotReturned(seats=(1,), reason="unclaimed", by="ana", approved_by="ben", **half))
    assert pools(floor)[0] == hit.after_micros + hit.share_cents * 10_000
    assert (models.Hit.objects.get().states, models.Hit.objects.get().state) == (["returned", "paid"], "paid")
    assert not queries.meter_of("grand").pending
    assert rebuild(METERS, "owner", check=True, progress=lambda _: None) == []


def test_a_voided_round_whose_hit_stands_stops_the_follower(floor):
    """The floor refuses such a void; were one in the log all the same, the meter would not follow it."""
    round_id = floor.play("R-01", ROYAL_FLUSH)
    floor.record()
    stream = store.load(round_key(property_code(), round_id))
    collected = next(one.event for one in stream.events if isinstance(one.event, ProgressiveCollected))
    voided = RoundVoided(reason="A broken program.", scope="round", refunds=[], progressive=collected)
    at = floor.order().at
    addition = Addition(stream.key, stream.version, round_id.gaming_date, [voided], at, round_id.table, round_id.n)
    store.append(Origin("nobody", "test"), [addition])
    with pytest.raises(Refused, match="deny or void the hit"):
        catch_up()


def append_record(floor, event: Event) -> None:
    """Straight to the link's stream, past the commands, as a broken program would, or one of a later day."""
    key, at = link_key(property_code(), "grand"), floor.order().at
    store.append(Origin("nobody", "test"), [Addition(key, store.version_of(key), at.date(), [event], at)])


def test_a_link_begins_where_it_is_set_up(floor):
    """A table that was told of a link too early feeds nothing: the floor's facts before the set-up aren't its own."""
    set_up = next(one for one in floor.events() if isinstance(one.event, LinkSetUp))
    floor.play("R-01", seats=[1])
    state = floor.state()
    assert state.position > set_up.position
    with shadow(METERS, "owner"):
        replay(METERS, "owner", set_up.position, last_position(), lambda _: None)
        with connections["owner"].cursor() as cursor:
            cursor.execute("SELECT count(*) FROM jackpot_link")
            assert cursor.fetchone() == (0,)


def test_links_do_not_feed_each_other(floor):
    floor.open("R-04")
    floor.link("silver", ["R-04"], base_cents=100_000, increment_bp=5000, hidden_bp=0)
    floor.play("R-04", seats=[1, 2])
    floor.play("R-01", seats=[1])
    assert pools(floor, "silver") == (1_001_000_000, 0, 1_000_000)
    assert pools(floor) == (BASE + 650_000, 100_000, 250_000)


def test_the_facts_of_a_meter_are_listed_newest_first_and_page_by_position(floor):
    round_id = floor.play("R-01", ROYAL_FLUSH)
    floor.play("R-02")
    rounds.void_round(floor.order(), floor.last_round("R-02"), "Voided for the test.", SECOND)
    floor.record()
    types = ["jackpot_hit", "round_voided", "progressive_collected", "hand_completed", "progressive_collected"]
    listed = queries.meter_events("grand")
    assert [one.type for one in listed] == [*types, *["table_joined"] * 3, name_of(LinkSetUp)]
    assert listed[3].round == str(round_id)
    assert queries.meter_events("grand", limit=2, before=listed[1].position) == listed[2:4]
    assert queries.meter_events("grand", before=listed[-1].position) == []


def test_nothing_is_written_where_no_fact_names_a_link(floor):
    floor.play("R-01")
    catch_up()
    before = rows()
    floor.open("R-09")
    catch_up()
    assert not step(METERS)
    assert rows() == before
