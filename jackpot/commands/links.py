"""A progressive link set up, joined and left."""

from datetime import date
from typing import Any, NamedTuple

from django.conf import settings

from casino.commands.order import Done, Order, Plan, carry_out, property_code
from casino.commands.tables import Loaded, gaming_date, load_table, side_bet_addition
from casino.events import SideBetOffered, SideBetSuspended, SideBetTerms, TableSetUp
from casino.eventstore import store
from casino.eventstore.registry import Event
from casino.eventstore.store import Addition, Stream
from casino.games import game as load_game
from casino.keys import link_key
from casino.money import ODD_CENTS_STAY_IN_METER
from casino.refusal import Refused
from jackpot import terms as rules
from jackpot.events import LinkSetUp, TableJoined, TableLeft


class Linked(NamedTuple):
    """A link as its stream has it: what it promises and the tables that offer it."""

    stream: Stream
    terms: LinkSetUp
    tables: frozenset[str]


def load_link(code: str) -> Linked:
    """The link; refuses `unknown_link`."""
    stream = store.load(link_key(property_code(), code)) if rules.is_link_code(code) else Stream("")
    if not stream.version:
        raise Refused("unknown_link", f"There is no link {code}; set it up first.")
    tables: set[str] = set()
    for recorded in stream.events:
        match recorded.event:
            case TableJoined(table=table):
                tables.add(table)
            case TableLeft(table=table):
                tables.discard(table)
    return Linked(stream, stream.events[0].event, frozenset(tables))


def set_up_link(
    order: Order,
    code: str,
    *,
    game: str,
    bet: str | None = None,
    tiers_name: str | None = None,
    base_cents: int = 500_000,
    reset_cents: int = 500_000,
    stake_cents: int = 100,
    increment_bp: int = 6500,
    hidden_bp: int = 1000,
    limit_cents: int | None = None,
    odd_cents: str = ODD_CENTS_STAY_IN_METER,
    acknowledged_by: str = "",
) -> Done:
    """Open a meter with its base; `bet` and `tiers_name` are the game's first unless named (books, section 5).

    Refuses what `terms.check_set_up` lists, among it a return over 100 % that nobody acknowledges, and `link_exists`.
    """
    chosen = load_game(game)
    tiers_name = tiers_name or next(iter(chosen.tier_sets), "")
    wanted = LinkSetUp(
        code=code,
        currency=settings.CASINO_CURRENCY,
        game=chosen.code,
        bet=_side_bet(chosen.name, chosen.side_bets, bet),
        base_cents=base_cents,
        reset_cents=reset_cents,
        stake_cents=stake_cents,
        tiers_name=tiers_name,
        tiers={rank: str(fraction) for rank, fraction in chosen.tiers(tiers_name).items()},
        increment_bp=increment_bp,
        hidden_bp=hidden_bp,
        limit_cents=limit_cents,
        odd_cents=odd_cents,
        acknowledged_by=acknowledged_by.strip(),
    )
    rules.check_set_up(wanted, chosen.tier_chances(tiers_name))

    def plan() -> Plan:
        key = link_key(property_code(), code)
        if store.version_of(key):
            raise Refused("link_exists", f"There is a link {code} already; give the new one another code.")
        return Plan([link_addition(order, key, 0, wanted)])

    return carry_out(order, "set_up_link", {"link": code, "terms": repr(wanted)}, plan)


def _side_bet(game: str, offered: Any, bet: str | None) -> str:
    if not offered:
        raise Refused("no_side_bet", f"{game} has no side bet that a meter could pay.")
    if bet is not None and bet not in offered:
        raise Refused("unknown_side_bet", f"{game} has no side bet {bet!r}; choose from {', '.join(offered)}.")
    return bet or str(offered[0])


def join_table(order: Order, code: str, table: str) -> Done:
    """The table offers the link's bet from its next round on: a link and a table learn of it in one append.

    Refuses a table that doesn't give the same chance at the same price, and one that offers another link's bet.
    """

    def plan() -> Plan:
        linked, loaded = load_link(code), load_table(table)
        joined = _check_join(linked, loaded)
        terms = linked.terms
        offer = SideBetTerms(link=code, odd_cents=terms.odd_cents, **rules.pinned(terms))  # type: ignore[arg-type]
        offered = SideBetOffered(table=table, bet=terms.bet, terms=offer)
        key, version = linked.stream.key, linked.stream.version
        return Plan([link_addition(order, key, version, joined, table), side_bet_addition(order, loaded, offered)])

    return carry_out(order, "join_table", {"link": code, "table": table}, plan)


def _check_join(linked: Linked, loaded: Loaded) -> TableJoined:
    table, terms = loaded.table, linked.terms
    set_up = _set_up(loaded)
    joined = rules.check_join(terms, linked.tables, table.code, set_up.game, set_up.currency)
    others = {other: _set_up(load_table(other)).paytable for other in linked.tables}
    rules.check_paytable(terms, table.code, set_up.paytable, others)
    offers = table.side_bets.get(terms.bet)
    if offers is not None and terms.bet not in table.suspended:
        raise Refused(
            "on_another_link",
            f"Table {table.code} offers the {terms.bet} of link {offers.link}; let it leave that link first.",
        )
    return joined


def _set_up(loaded: Loaded) -> TableSetUp:
    assert loaded.table.set_up is not None  # load_table refuses a table that was never set up
    return loaded.table.set_up


def leave_table(order: Order, code: str, table: str, reason: str) -> Done:
    """The table no longer offers the link's bet; rounds that are open play on with what they pinned."""

    def plan() -> Plan:
        linked, loaded = load_link(code), load_table(table)
        if table not in linked.tables:
            raise Refused("not_joined", f"Table {table} is not on link {code}.")
        if not reason.strip():
            raise Refused("reason_missing", f"Say why table {table} leaves link {code}; the reason is kept.")
        suspended = SideBetSuspended(table=table, bet=linked.terms.bet, reason=reason.strip())
        left = link_addition(order, linked.stream.key, linked.stream.version, TableLeft(table=table), table)
        return Plan([left, side_bet_addition(order, loaded, suspended)])

    return carry_out(order, "leave_table", {"link": code, "table": table, "reason": reason}, plan)


def link_addition(
    order: Order, key: str, version: int, event: Event, table: str | None = None, day: date | None = None
) -> Addition:
    """An event for the link's stream, dated by the clock rule unless `day` says otherwise."""
    return Addition(key, version, day or gaming_date(order), [event], order.at, table=table)
