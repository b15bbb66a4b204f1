"""A progressive link set up, alone or as a further level of a bank; tables joining and leaving it."""

from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from typing import Any, NamedTuple

import msgspec
from django.conf import settings

from casino.commands import side_bets
from casino.commands.order import Done, Order, Plan, carry_out, house_profile, property_code
from casino.commands.tables import Loaded, gaming_date, load_table
from casino.events import TableSetUp
from casino.eventstore import store
from casino.eventstore.registry import Event
from casino.eventstore.store import Addition, Stream
from casino.games import game as load_game
from casino.keys import link_key
from casino.money import ODD_CENTS_STAY_IN_METER
from casino.refusal import Refused, in_quotes
from casino.side_bet_terms import SideBetTerms
from jackpot import control as controls
from jackpot import terms as rules
from jackpot.control import Control
from jackpot.control_events import LevelAdded
from jackpot.events import OVERFLOW_KEPT, LinkSetUp, TableJoined, TableLeft
from jackpot.meter import Meter
from jackpot.models import Link
from jackpot.terms import Level


class Linked(NamedTuple):
    """A link as its stream has it."""

    stream: Stream
    control: Control

    @property
    def terms(self) -> LinkSetUp:
        """The parameters in force."""
        return self.control.terms

    @property
    def tables(self) -> frozenset[str]:
        """The tables that offer the link's bet."""
        return self.control.tables

    @property
    def tables_ever(self) -> list[str]:
        """Every table that has joined, whether it left or not: a round of one that left may be open still."""
        return sorted({one.event.table for one in self.stream.events if isinstance(one.event, TableJoined)})


class Bank(NamedTuple):
    """The link whose bet tables take, and the further levels that its stake feeds."""

    first: Linked
    levels: tuple[Linked, ...] = ()

    def pinned(self, wanted: LinkSetUp | None = None) -> SideBetTerms:
        """What a round pins of the bank, with `wanted` in the place of one of its links."""
        first, *levels = (
            wanted if wanted and wanted.code == one.terms.code else one.terms for one in (self.first, *self.levels)
        )
        return rules.pinned(first, levels)

    def others(self, code: str) -> list[Level]:
        """All links of the bank but one, with their chances."""
        return [level_of(one.terms) for one in (self.first, *self.levels) if one.terms.code != code]


def load_link(code: str) -> Linked:
    """The link; refuses `unknown_link`."""
    stream = store.load(link_key(property_code(), code)) if rules.is_link_code(code) else Stream("")
    if not stream.version:
        raise Refused("unknown_link", f"There is no link {in_quotes(code)}; set it up first.")
    return Linked(stream, controls.control_of(recorded.event for recorded in stream.events))


def load_bank(code: str) -> Bank:
    """The bank that a link is part of, perhaps alone; refuses `unknown_link`."""
    linked = load_link(code)
    first = load_link(linked.terms.level_of) if linked.terms.level_of else linked
    return Bank(first, tuple(load_link(level) for level in first.control.levels))


def level_of(terms: LinkSetUp) -> Level:
    """The link with the chances that its game gives its ranks."""
    return Level(terms, load_game(terms.game).tier_chances(terms.tiers_name))


def meter_of(code: str) -> Meter:
    """The meter as its fold has left it; refuses `meter_behind` for a link that was set up a moment ago."""
    row = Link.objects.filter(code=code).first()
    if row is None:
        raise Refused("meter_behind", f"The meter of link {code} is still being read; try again in a moment.")
    return row.folded().meter


# ------------------------------------------------------------------------------------------------- set-up


def set_up_link(
    order: Order,
    code: str,
    *,
    game: str,
    bet: str | None = None,
    tiers_name: str | None = None,
    tiers: Mapping[str, str] | None = None,
    base_cents: int = 500_000,
    reset_cents: int = 500_000,
    stake_cents: int = 100,
    increment_bp: int = 6500,
    hidden_bp: int = 1000,
    limit_cents: int | None = None,
    overflow_rule: str = OVERFLOW_KEPT,
    odd_cents: str = ODD_CENTS_STAY_IN_METER,
    acknowledged_by: str = "",
    level_of: str = "",
    heartbeat_of: str = "",
    silence_seconds: int = 0,
    taken_over: bool = False,
) -> Done:
    """Open a meter with its base; `bet` and `tiers_name` are the game's first unless named (books, section 5).

    `tiers` are other parts of the meter for some of these ranks. `level_of` makes it a further level of that link's
    bank. A meter that is `taken_over` has no base: it begins with its opening reading. Refuses what `terms.CHECKS`
    list, among it a return over 100 % that nobody acknowledges, and `link_exists`.
    """
    chosen = load_game(game)
    tiers_name = tiers_name or next(iter(chosen.tier_sets), "")
    wanted = LinkSetUp(
        code=code,
        currency=settings.CASINO_CURRENCY,
        game=chosen.code,
        bet=_side_bet(chosen.name, chosen.side_bets, bet),
        base_cents=0 if taken_over else base_cents,
        reset_cents=reset_cents,
        stake_cents=stake_cents,
        tiers_name=tiers_name,
        tiers=dict(tiers) if tiers else written(chosen.tiers(tiers_name)),
        increment_bp=increment_bp,
        hidden_bp=hidden_bp,
        limit_cents=limit_cents,
        odd_cents=odd_cents,
        acknowledged_by=acknowledged_by.strip(),
        level_of=level_of,
        overflow_rule=overflow_rule,
        heartbeat_of=heartbeat_of,
        silence_seconds=silence_seconds,
        taken_over=taken_over,
    )
    return _set_up(order, wanted)


def _set_up(order: Order, wanted: LinkSetUp) -> Done:
    def plan() -> Plan:
        bank = _bank_for(wanted.level_of) if wanted.level_of else None
        rules.check_set_up(wanted, level_of(wanted).chances, bank.others(wanted.code) if bank else ())
        key = link_key(property_code(), wanted.code)
        if store.version_of(key):
            raise Refused("link_exists", f"There is a link {wanted.code} already; give the new one another code.")
        opened = link_addition(order, key, 0, wanted)
        return Plan([_level_added(order, bank.first, wanted.code), opened] if bank else [opened])

    content = {"link": wanted.code, "terms": msgspec.to_builtins(wanted)}
    return carry_out(order, "set_up_link", content, plan)


def written(tiers: Mapping[str, Fraction]) -> dict[str, str]:
    """Rank → part of the meter as events write it."""
    return {rank: str(fraction) for rank, fraction in tiers.items()}


def _bank_for(code: str) -> Bank:
    """The bank that gets a level: before its first table, so that no round has pinned it without."""
    first = load_link(code)
    controls.alive(first.control)
    if first.terms.level_of:
        raise Refused("is_a_level", f"Link {code} is a level itself; name the link whose bet is taken.")
    if first.tables_ever:
        raise Refused("link_in_use", f"Tables have joined link {code}; levels are added before that.")
    return load_bank(code)


def _level_added(order: Order, first: Linked, code: str) -> Addition:
    return link_addition(order, first.stream.key, first.stream.version, LevelAdded(level=code))


def _side_bet(game: str, offered: Any, bet: str | None) -> str:
    if not offered:
        raise Refused("no_side_bet", f"{game} has no side bet that a meter could pay.")
    if bet is not None and bet not in offered:
        raise Refused("unknown_side_bet", f"{game} has no side bet {in_quotes(bet)}; choose from {', '.join(offered)}.")
    return bet or str(offered[0])


# ------------------------------------------------------------------------------------------------- tables


def join_table(order: Order, code: str, table: str) -> Done:
    """The table offers the link's bet from its next round on: a link and a table learn of it in one append.

    Refuses a table that doesn't give the same chance at the same price, and one that offers another link's bet.
    """

    def plan() -> Plan:
        bank, loaded = load_bank(code), load_table(table)
        joined = _check_join(bank.first if code == bank.first.terms.code else load_link(code), loaded)
        offered = side_bets.offer(order, loaded, bank.first.terms.bet, bank.pinned())
        stream = bank.first.stream
        return Plan([link_addition(order, stream.key, stream.version, joined, table), offered])

    return carry_out(order, "join_table", {"link": code, "table": table}, plan)


def _check_join(linked: Linked, loaded: Loaded) -> TableJoined:
    table, terms = loaded.table, linked.terms
    if terms.level_of:
        raise Refused("is_a_level", f"Link {terms.code} is a level of {terms.level_of}; let the table join that one.")
    controls.check_ready(linked.control)
    set_up = _set_up_of(loaded)
    joined = rules.check_join(terms, linked.tables, table.code, set_up.game, set_up.currency)
    others = {other: _set_up_of(load_table(other)).paytable for other in linked.tables}
    rules.check_paytable(terms, table.code, set_up.paytable, others)
    offers = table.side_bets.get(terms.bet)
    if offers is not None and terms.bet not in table.suspended:
        raise Refused(
            "on_another_link",
            f"Table {table.code} offers the {terms.bet} of link {offers.link}; let it leave that link first.",
        )
    return joined


def _set_up_of(loaded: Loaded) -> TableSetUp:
    assert loaded.table.set_up is not None  # load_table refuses a table that was never set up
    return loaded.table.set_up


def leave_table(order: Order, code: str, table: str, reason: str) -> Done:
    """The table no longer offers the link's bet for now; rounds that are open play on with what they pinned."""

    def plan() -> Plan:
        return _left(order, load_link(code), load_table(table), reason)

    return carry_out(order, "leave_table", {"link": code, "table": table, "reason": reason}, plan)


def remove_table(order: Order, code: str, table: str, reason: str) -> Done:
    """Take a table off the link for good: patrons are told before, and enough tables stay (COMAR 36.04.01.30E)."""

    def plan() -> Plan:
        linked, loaded = load_link(code), load_table(table)
        rules_here = house_profile().jackpots
        controls.check_notice(linked.control, "removal", rules_here.notice_days, gaming_date(order), table)
        if len(linked.tables - {table}) < rules_here.linked_tables_least:
            raise Refused(
                "too_few_tables",
                f"At least {rules_here.linked_tables_least} tables stay on link {code}; transfer or retire the link.",
            )
        return _left(order, linked, loaded, reason)

    return carry_out(order, "remove_table", {"link": code, "table": table, "reason": reason}, plan)


def _left(order: Order, linked: Linked, loaded: Loaded, reason: str) -> Plan:
    table, code = loaded.table.code, linked.terms.code
    if table not in linked.tables:
        raise Refused("not_joined", f"Table {table} is not on link {code}.")
    if not reason.strip():
        raise Refused("reason_missing", f"Say why table {table} leaves link {code}; the reason is kept.")
    taken_off = side_bets.take_off(order, loaded, linked.terms.bet, reason.strip())
    left = link_addition(order, linked.stream.key, linked.stream.version, TableLeft(table=table), table)
    return Plan([left, taken_off])


def link_addition(
    order: Order, key: str, version: int, event: Event, table: str | None = None, day: date | None = None
) -> Addition:
    """An event for the link's stream, dated by the clock rule unless `day` says otherwise."""
    return Addition(key, version, day or gaming_date(order), [event], order.at, table=table)
