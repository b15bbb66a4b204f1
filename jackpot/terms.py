"""What a link promises: its parameters, what they return to the players in the long run, and who may join.

Every refusal of a set-up stands once, in `CHECKS`, in the order in which it is looked for.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from casino.games.game import Share
from casino.money import ODD_CENTS_STAY_IN_METER, ODD_CENTS_TO_LOWEST_SEAT
from casino.refusal import Refused, in_quotes
from casino.side_bet_terms import LevelTerms, SideBetTerms
from jackpot.events import OVERFLOW_RULES, LinkSetUp, TableJoined
from jackpot.mathematics import long_run_return, price_of
from jackpot.meter import BP_IN_ALL

AMOUNT_CENTS_MAX = 10**12
"""Ten billion of the currency: no sign shows more, and its micro-units fit a bigint 900 times over."""

HEARTBEAT_OF = ("", "controller", "tables")
"""What of a link has to be heard now and then, if anything."""

SILENCE_SECONDS = (5, 3600)
"""The least and the most time-out of a heartbeat."""

ODD_CENT_RULES = (ODD_CENTS_STAY_IN_METER, ODD_CENTS_TO_LOWEST_SEAT)


class Level(NamedTuple):
    """A link and the exact chance of each rank that it pays, as its game enumerates it."""

    terms: LinkSetUp
    chances: Mapping[str, Fraction]


def check_set_up(wanted: LinkSetUp, chances: Mapping[str, Fraction], others: Sequence[Level] = ()) -> LinkSetUp:
    """The set-up, if a link may open with it or go on with it; else Refused.

    `others` are the further levels of its bank, fed by the same stake: together they take no more than the stake. What
    returns over 100 % opens only with a named acknowledgement (books, section 5).
    """
    for check in CHECKS:
        check(wanted)
    for rank in wanted.tiers:
        if rank not in chances:
            raise Refused(
                "unknown_rank", f"{wanted.game} has no rank {in_quotes(rank)} that link {wanted.code} could pay."
            )
    _check_bank(wanted, [level.terms for level in others])
    _check_return(wanted, [Level(wanted, chances), *others])
    return wanted


def _check_bank(wanted: LinkSetUp, others: Sequence[LinkSetUp]) -> None:
    """The levels of a bank are one bet of one game at one price."""
    for other in others:
        if (other.game, other.bet, other.stake_cents) != (wanted.game, wanted.bet, wanted.stake_cents):
            raise Refused(
                "different_chance",
                f"Link {other.code} is the {other.bet} of {other.game} for {other.stake_cents} cents; the levels of a "
                "bank share one bet, game and price.",
            )
    taken_bp = sum(one.increment_bp + one.hidden_bp for one in (wanted, *others))
    if taken_bp > BP_IN_ALL:
        levels = ", ".join(one.code for one in (wanted, *others))
        raise Refused("rates_over_stake", f"The levels {levels} take {taken_bp} points of the stake; 10000 is all.")


def is_link_code(text: str) -> bool:
    """Whether a link can have this code; what can't be one is asked of no database."""
    return re.fullmatch(r"[a-z0-9][a-z0-9-]{0,39}", text) is not None


def fraction_of(text: str) -> Fraction:
    """A tier's part of the meter, written "1" or "1/10": more than nothing and at most all of it."""
    if not isinstance(text, str) or re.fullmatch(r"[1-9][0-9]{0,5}(/[1-9][0-9]{0,5})?", text) is None:
        raise Refused("bad_fraction", f'{in_quotes(str(text))} is no part of a meter; write it as "1" or "1/10".')
    fraction = Fraction(text)
    if fraction > 1:
        raise Refused("bad_fraction", f"A tier cannot win {text} of a meter; the most is 1, all of it.")
    return fraction


def tiers_of(texts: Mapping[str, str]) -> dict[str, Fraction]:
    """Rank → exact part of the meter, from the texts that a round pinned."""
    return {rank: fraction_of(text) for rank, text in texts.items()}


def pinned(terms: LinkSetUp, levels: Sequence[LinkSetUp] = ()) -> SideBetTerms:
    """What a round pins when it opens: a change of the link counts for later rounds only (design, 2.1)."""
    return SideBetTerms(
        link=terms.code,
        stake_cents=terms.stake_cents,
        increment_bp=terms.increment_bp,
        hidden_bp=terms.hidden_bp,
        tiers=dict(terms.tiers),
        odd_cents=terms.odd_cents,
        levels=[
            LevelTerms(level.code, level.increment_bp, level.hidden_bp, dict(level.tiers), level.odd_cents)
            for level in levels
        ],
    )


def check_join(terms: LinkSetUp, joined: frozenset[str], table: str, game: str, currency: str) -> TableJoined:
    """Tables of one link offer the same chance at the same price, in one currency, or joining is refused."""
    if table in joined:
        raise Refused("already_joined", f"Table {table} is on link {terms.code} already.")
    if game != terms.game:
        raise Refused("different_chance", f"Link {terms.code} is for {terms.game}; table {table} deals {game}.")
    if currency != terms.currency:
        raise Refused("different_currency", f"Link {terms.code} is in {terms.currency}; table {table} in {currency}.")
    return TableJoined(table=table)


def check_paytable(terms: LinkSetUp, table: str, paytable: str, others: Mapping[str, str]) -> None:
    """Refuse a table whose paytable differs from that of a table on the link; `others` is table → paytable."""
    for other, theirs in sorted(others.items()):
        if theirs != paytable:
            raise Refused(
                "different_chance",
                f"Table {table} deals by the paytable {paytable} and table {other} of link {terms.code} by {theirs}; "
                "one link takes tables of one paytable.",
            )


def _check_return(wanted: LinkSetUp, bank: Sequence[Level]) -> None:
    """One wager a round returns the most, so a set-up that is safe there is safe at every number of wagers."""
    returns = sum(map(_return_alone, bank), Fraction(0))
    if returns > 1 and not wanted.acknowledged_by.strip():
        permille = returns * 1000 // 1
        raise Refused(
            "return_over_100",
            f"Link {wanted.code} would return {permille // 10}.{permille % 10} % of the stakes at one wager a round, "
            "which is more than it takes; a named person has to acknowledge that before it opens.",
            returns=str(returns),
        )


def _return_alone(level: Level) -> Fraction:
    """The long-run return with one wager a round, which shares with nobody."""
    shares = [Share(rank, 1, (), chance) for rank, chance in level.chances.items()]
    return long_run_return(shares, tiers_of(level.terms.tiers), price_of(level.terms))


def _check_names(wanted: LinkSetUp) -> None:
    if not is_link_code(wanted.code):
        raise Refused(
            "bad_link_code", f"{in_quotes(wanted.code)} is no code for a link; use up to 40 of a–z, 0–9 and hyphens."
        )
    if re.fullmatch(r"[A-Z]{3}", wanted.currency) is None:
        raise Refused(
            "bad_currency", f"{in_quotes(wanted.currency)} is no currency; use its three letters, such as USD."
        )


def _check_rates(wanted: LinkSetUp) -> None:
    for name, rate in (("increment", wanted.increment_bp), ("hidden", wanted.hidden_bp)):
        if type(rate) is not int:
            raise Refused(
                "rate_not_whole",
                f"The {name} rate of {wanted.code} is {in_quotes(str(rate))}; give whole basis points.",
            )
        if not 0 <= rate <= BP_IN_ALL:
            raise Refused("rate_out_of_range", f"The {name} rate of {wanted.code} is {rate}; give 0 to 10000 points.")
    if wanted.increment_bp + wanted.hidden_bp > BP_IN_ALL:
        raise Refused("rates_over_stake", f"The rates of {wanted.code} take more than the stake; stay within 10000.")


def _check_amounts(wanted: LinkSetUp) -> None:
    named = {"base": wanted.base_cents, "reset": wanted.reset_cents, "stake": wanted.stake_cents}
    if wanted.taken_over:
        del named["base"]  # it is what two people will read
    if wanted.limit_cents is not None:
        named["limit"] = wanted.limit_cents
    for name, cents in named.items():
        if type(cents) is not int:
            raise Refused(
                "amount_not_whole", f"The {name} of {wanted.code} is {in_quotes(str(cents))}; give whole cents."
            )
        if cents <= 0:
            raise Refused("amount_not_positive", f"The {name} of {wanted.code} is {cents} cents; give more than zero.")
        if cents > AMOUNT_CENTS_MAX:
            raise Refused("amount_too_large", f"The {name} of {wanted.code} is over {AMOUNT_CENTS_MAX} cents.")


def _check_limit(wanted: LinkSetUp) -> None:
    if wanted.limit_cents is not None and wanted.limit_cents <= max(wanted.base_cents, wanted.reset_cents):
        raise Refused("limit_too_low", f"The limit of {wanted.code} must be above its base and its reset.")


def _check_tiers(wanted: LinkSetUp) -> None:
    if not wanted.tiers:
        raise Refused("no_tiers", f"Link {wanted.code} has no rank that wins; name at least one tier.")
    tiers_of(wanted.tiers)


def _check_odd_cents(wanted: LinkSetUp) -> None:
    if wanted.odd_cents not in ODD_CENT_RULES:
        raise Refused(
            "unknown_odd_cents_rule",
            f"There is no odd-cent rule {in_quotes(wanted.odd_cents)}; use {' or '.join(ODD_CENT_RULES)}.",
        )


def _check_overflow(wanted: LinkSetUp) -> None:
    if wanted.overflow_rule not in OVERFLOW_RULES:
        known = ", ".join(OVERFLOW_RULES)
        raise Refused("unknown_overflow_rule", f"{in_quotes(wanted.overflow_rule)} is no rule; use one of {known}.")


def _check_heartbeat(wanted: LinkSetUp) -> None:
    """Whoever has to be heard has a time-out; a second or a day would be a slip of the hand."""
    if wanted.heartbeat_of not in HEARTBEAT_OF:
        raise Refused(
            "unknown_heartbeat",
            f"{in_quotes(wanted.heartbeat_of)} sends no heartbeats; name controller, tables, or nothing.",
        )
    least, most = SILENCE_SECONDS
    if wanted.heartbeat_of and not least <= wanted.silence_seconds <= most:
        raise Refused(
            "silence_out_of_range",
            f"{wanted.silence_seconds} seconds of silence is no time-out; give {least} to {most}.",
        )


CHECKS: tuple[Callable[[LinkSetUp], None], ...] = (
    _check_names,
    _check_rates,
    _check_amounts,
    _check_limit,
    _check_tiers,
    _check_odd_cents,
    _check_overflow,
    _check_heartbeat,
)
