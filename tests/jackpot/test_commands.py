"""Links set up, joined and left; and hits put on record once, however many try."""

import pytest

from casino.commands import rounds, tables
from casino.commands.order import Order, property_code
from casino.commands.tables import load_table
from casino.eventstore import store
from casino.eventstore.follower import catch_up
from casino.keys import table_key
from casino.refusal import Refused
from casino.round.betting import Asked
from jackpot import models, queries
from jackpot.commands import links
from jackpot.commands.hits import append_due_hits
from jackpot.events import JackpotHit, LinkSetUp, TableJoined
from jackpot.projections import hit_of
from tests.played import SECOND

ROYAL_FLUSH, STRAIGHT_FLUSH = "As Ks Qs Js Ts", "9s 8s 7s 6s 5s"
GAME = "54-card-roulette"


def refusal(function, *arguments, **named) -> str:
    with pytest.raises(Refused) as refused:
        function(*arguments, **named)
    assert refused.value.message.endswith(".")
    return refused.value.code


def test_a_link_is_set_up_with_the_games_first_tiers_and_the_houses_terms(floor):
    (recorded, *_) = floor.events()
    assert recorded.event == LinkSetUp(
        code="grand",
        currency="USD",
        game=GAME,
        bet="progressive",
        base_cents=500_000,
        reset_cents=500_000,
        stake_cents=100,
        tiers_name="tiered",
        tiers={"five_of_a_kind": "1", "royal_flush": "1", "straight_flush": "1/10"},
        increment_bp=6500,
        hidden_bp=1000,
    )
    assert floor.state().meter.seeds_micros == 5_000_000_000


@pytest.mark.parametrize(
    ("code", "named"),
    [
        ("unknown_game", {"game": "faro"}),
        ("unknown_tiers", {"tiers_name": "generous"}),
        ("unknown_side_bet", {"bet": "straight"}),
        ("bad_link_code", {"code": "Grand!"}),
        ("rates_over_stake", {"increment_bp": 9500}),
        ("amount_not_positive", {"reset_cents": 0}),
        ("unknown_odd_cents_rule", {"odd_cents": "to_the_dealer"}),
        ("return_over_100", {"tiers_name": "literal"}),
        ("link_exists", {"code": "grand"}),
    ],
)
def test_a_set_up_is_refused_and_nothing_is_written(floor, code, named):
    wanted = {"code": "silver", "game": GAME} | named
    order = floor.order()
    assert refusal(links.set_up_link, order, wanted.pop("code"), **wanted) == code
    assert store.find_command(order.by, order.key) is None


def test_a_set_up_that_returns_more_than_it_takes_opens_once_somebody_is_named(floor):
    floor.link("silver", tiers_name="literal", acknowledged_by=" Ben Ito ")
    assert floor.events("silver")[0].event.acknowledged_by == "Ben Ito"


def test_a_set_up_with_the_same_key_happens_once(floor):
    for replayed in (False, True):
        done = links.set_up_link(floor.order("the key"), "silver", game=GAME)
        assert done.replayed is replayed
    assert len(floor.events("silver")) == 1
    assert refusal(links.set_up_link, floor.order("the key"), "silver", game=GAME, base_cents=1) == "key_reused"


def test_a_table_that_joins_offers_the_bet_from_its_next_round_on(floor):
    floor.open("R-04")
    rounds.open_round(floor.order(), "R-04")
    early = floor.last_round("R-04")
    links.join_table(floor.order(), "grand", "R-04")
    bet = [Asked(1, "progressive", 100)]
    assert refusal(rounds.place_wagers, floor.order(), early, bet) == "side_bet_not_offered"
    rounds.void_round(floor.order(), early, "Nobody stayed.", SECOND)
    floor.play("R-04")
    assert floor.state().meter.stakes_micros == 1_000_000
    offered = load_table("R-04").table.side_bets["progressive"]
    assert (offered.link, offered.increment_bp, offered.hidden_bp, offered.stake_cents) == ("grand", 6500, 1000, 100)


def test_joining_writes_on_the_links_and_the_tables_stream_or_on_neither(floor):
    floor.open("R-04")
    versions = store.version_of(table_key(property_code(), "R-04"))
    for _ in range(2):
        done = links.join_table(floor.order("once"), "grand", "R-04")
        assert [type(event).__name__ for event in done.events] == ["TableJoined", "SideBetOffered"]
    assert store.version_of(table_key(property_code(), "R-04")) == versions + 1
    assert floor.events()[-1].event == TableJoined(table="R-04")


@pytest.mark.parametrize(
    ("code", "link", "table"),
    [
        ("unknown_link", "gold", "R-01"),
        ("unknown_table", "grand", "R-09"),
        ("bad_table_code", "grand", "r 9"),
        ("already_joined", "grand", "R-01"),
        ("on_another_link", "silver", "R-01"),
    ],
)
def test_a_table_that_may_not_join_is_refused(floor, code, link, table):
    floor.link("silver")
    assert refusal(links.join_table, floor.order(), link, table) == code


def test_a_table_in_another_currency_may_not_join(floor, settings):
    settings.CASINO_CURRENCY = "EUR"
    tables.set_up_table(floor.order(), "R-04", game=GAME)
    assert refusal(links.join_table, floor.order(), "grand", "R-04") == "different_currency"


def test_two_links_that_want_the_same_table_at_once_do_not_both_get_it(floor, at_once):
    floor.link("silver")
    floor.open("R-04")
    refused = []

    def join(link: str):
        def run() -> None:
            try:
                links.join_table(Order("ana", f"join-{link}", floor.order().at), link, "R-04")
            except Refused as refusal:
                refused.append(refusal.code)

        return run

    at_once(join("grand"), join("silver"))
    assert refused == ["on_another_link"]
    catch_up()
    on = models.LinkedTable.objects.filter(table_code="R-04").values_list("link", flat=True)
    assert list(on) == [load_table("R-04").table.side_bets["progressive"].link]


def test_a_table_that_leaves_plays_its_open_round_on_and_offers_the_bet_no_more(floor):
    rounds.open_round(floor.order(), "R-01")
    open_round = floor.last_round("R-01")
    links.leave_table(floor.order(), "grand", "R-01", "The sign is broken.")
    rounds.place_wagers(floor.order(), open_round, [Asked(1, "progressive", 100)])
    rounds.close_bets(floor.order(), open_round)
    rounds.collect_progressive(floor.order(), open_round, 1)
    assert floor.state().meter.stakes_micros == 1_000_000
    assert queries.meter_of("grand").tables == ("R-02", "R-03")
    rounds.void_round(floor.order(), open_round, "Done with.", SECOND)
    assert refusal(floor.play, "R-01") == "side_bet_disabled"
    assert refusal(links.leave_table, floor.order(), "grand", "R-01", "Again.") == "not_joined"
    assert refusal(links.leave_table, floor.order(), "grand", "R-02", " ") == "reason_missing"


def test_a_table_that_left_may_join_another_link(floor):
    floor.link("silver")
    links.leave_table(floor.order(), "grand", "R-01", "It moves to the silver link.")
    links.join_table(floor.order(), "silver", "R-01")
    floor.play("R-01")
    assert floor.state("silver").meter.stakes_micros == 1_000_000
    assert floor.state().meter.stakes_micros == 0


def test_a_hit_is_recorded_as_it_was_folded_with_its_rounds_date(floor):
    round_id = floor.play("R-02", ROYAL_FLUSH, seats=[1, 4])
    assert floor.record() == 1
    (recorded,) = [one for one in floor.events() if isinstance(one.event, JackpotHit)]
    row = models.Hit.objects.values().get()
    assert recorded.event == hit_of({**row, "link": row["link_id"]})
    assert row["recorded_position"] == recorded.position
    assert (row["key"], row["gaming_date"]) == (f"hit:{round_id}:grand:royal_flush", round_id.gaming_date)
    assert store.find_command("jackpot", row["key"]).last_position == recorded.position
    with_date = store.run(
        "SELECT gaming_date, table_code, source FROM log.event WHERE position = %s", (recorded.position,)
    )
    assert tuple(with_date.fetchone()) == (round_id.gaming_date, "R-02", "settlement")


def test_a_hit_that_is_recorded_again_before_its_record_was_read_stays_one(floor):
    floor.play("R-01", ROYAL_FLUSH)
    catch_up()
    assert [append_due_hits() for _ in range(3)] == [1, 0, 0]
    catch_up()
    assert len(floor.hits()) == 1
    assert append_due_hits() == 0


def test_hits_are_recorded_once_and_in_their_order_by_however_many_workers(floor, at_once):
    for number, table in enumerate(["R-01", "R-02", "R-03", "R-01", "R-02"]):
        floor.play(table, (ROYAL_FLUSH, STRAIGHT_FLUSH)[number % 2], seats=[1, 2, 3])
    catch_up()
    at_once(*[append_due_hits] * 4)
    catch_up()
    hits = floor.hits()
    assert [hit.round for hit in hits] == list(
        models.Hit.objects.order_by("at_position").values_list("round", flat=True)
    )
    assert len(hits) == 5
    assert not models.Hit.objects.filter(recorded_position=None).exists()


@pytest.mark.parametrize("attempt", range(4))
def test_two_tables_that_hit_in_the_same_instant_meet_the_meter_one_after_the_other(floor, at_once, attempt):
    at_once(
        lambda: floor.play("R-01", ROYAL_FLUSH, seats=[1, 2]),
        lambda: floor.play("R-02", ROYAL_FLUSH, seats=[1, 2, 3]),
        lambda: floor.play("R-03", seats=[1]),
    )
    assert floor.record() == 2
    hits = floor.hits()
    assert {hit.players for hit in hits} == {2, 3}
    assert hits[0].left_micros + 5_000_000_000 == hits[0].after_micros <= hits[1].before_micros
    assert [(hit.at_position, hit.before_micros, hit.after_micros) for hit in hits] == walked_through_the_log()
    explained = queries.explain("grand")
    assert explained.put_in_micros == explained.held_micros


def walked_through_the_log() -> list[tuple[int, int, int]]:
    """What each royal flush met and left, reckoned by hand from positions, stakes and seats of the log."""
    main, met = 5_000_000_000, []
    for position, stakes_cents, winners in store.run(
        """SELECT position, in_cents, jsonb_array_length(payload::jsonb #> '{wins,0,seats}') FROM log.event
            WHERE type = 'progressive_collected' OR (type = 'hand_completed' AND payload LIKE '%%royal_flush%%')
            ORDER BY position"""
    ):
        before = main + stakes_cents * 6500
        main = before
        if winners:
            main += 5_000_000_000 - before // 10_000 // winners * winners * 10_000
            met.append((position, before, main))
    return met
