"""Every event of the floor in one sentence, for people who read the record."""

from collections.abc import Callable
from typing import Any

import msgspec
from django import template

from casino.eventstore.history import Entry
from casino.eventstore.registry import Event, name_of
from casino.games.game import Game
from casino.refusal import counted
from casino.templatetags import session_sentences
from casino.templatetags.figures import money, seats, shown_card, span, wager, words

register = template.Library()
Content = dict[str, Any]


@register.filter
def sentence(entry: Entry, game: Game | None = None) -> str:
    """What happened, in words; an event without a sentence of its own is named by its word on disk.

    `game` names the spots of its cards; without one a card is called by its number.
    """
    say = SENTENCES.get(entry.type)
    content = entry.content
    if game and content.get("card_position"):
        content = {**content, "spot": game.spot_name(content["card_position"])}
    return say(content) if say else words(entry.type).capitalize()


def said_of(event: Event) -> str:
    """What an event that was just recorded says, in the same words."""
    content: Content = msgspec.to_builtins(event)
    return SENTENCES[name_of(event)](content)


def _spot(c: Content) -> str:
    name = str(c.get("spot", f"card {c['card_position']}"))
    return name[:1].upper() + name[1:]


def _wager_placed(c: Content) -> str:
    marks = f" ({', '.join(words(mark) for mark in c['exceptions'])})" if c["exceptions"] else ""
    return f"Seat {c['seat']} placed {money(c['stake_cents'])} on {wager(c['wager'])}{marks}"


def _card_dealt(c: Content) -> str:
    card = shown_card(c["card"]) if c["card"] else "an unseen card"
    return f"{_spot(c)} dealt face {c['face']}: {card}"


def _decision_made(c: Content) -> str:
    made = {"check": "checked", "fold": "folded"}.get(c["action"], f"raised {money(c['stake_cents'])}")
    return f"Seat {c['seat']} {made} ({words(c['street'])})"


def _hand_completed(c: Content) -> str:
    won = "".join(f"; the {words(w['bet'])} is hit by {seats(w['seats'])}" for w in c["wins"])
    return f"The hand is complete: {words(c['rank'])}{won}"


def _wagers_settled(c: Content) -> str:
    won = sum(1 for line in c["lines"] if line["result"] == "win")
    return f"{words(c['phase']).capitalize()} wagers settled: {won} of {len(c['lines'])} won"


def _misdeal_declared(c: Content) -> str:
    card = f" ({shown_card(c['card'])})" if c["card"] else ""
    return f"Misdeal{card}: {c['reason']}"


def _cash_bought_in(c: Content) -> str:
    seat = f" at seat {c['seat']}" if c["seat"] else ""
    return f"Cash bought in{seat}: {money(c['amount_cents'])}"


def _counted_by(c: Content) -> str:
    return f", counted by {' and '.join(c['counted_by'])}" if c["counted_by"] else ""


def _advantage_acknowledged(c: Content) -> str:
    return f"{c['name']} acknowledged the player advantage on {words(', '.join(c['wagers']))}"


def _progressive_collected(c: Content) -> str:
    return f"Progressive collected for link {c['link']}: {len(c['seats'])} × {money(c['stake_cents'])}"


def _round_settled(c: Content) -> str:
    return f"Round settled: {money(c['stakes_cents'])} staked, {money(c['returned_cents'])} returned"


def _round_opened(c: Content) -> str:
    early = f"; by the feed's clock {span(c['early_s'])} before the table opened" if c.get("early_s") else ""
    return f"Round opened with the paytable {words(c['paytable'])}{early}"


def _player(c: Content) -> str:
    return f"Patron {c['patron_id']}" if c["patron_id"] else "An unrated player"


def _round_voided(c: Content) -> str:
    people = f" (asked by {c['requested_by']}, approved by {c['approved_by']})" if c.get("approved_by") else ""
    return f"{words(c['scope']).capitalize()} voided{people}: {c['reason']}"


def _progressive_miscounted(c: Content) -> str:
    return f"Progressive chips counted: {c['counted']}, and {c['wagers']} wagered; nothing was collected"


def _payout_recorded(c: Content) -> str:
    return (
        f"Seat {c['seat']} was paid {money(c['paid_cents'])} on {wager(c['wager'])}, due {money(c['due_cents'])}; "
        f"recorded by {c['by']}"
    )


def _round_resettled(c: Content) -> str:
    what = ", ".join(f"card {position} was {shown_card(card)}" for position, card in c["cards"].items())
    asked = f"asked by {c['requested_by']}, approved by {c['approved_by']}"
    return f"Settled anew: {what or 'every wager goes back'} ({asked}): {c['reason']}"


def _late_bet_voided(c: Content) -> str:
    what = f"{money(c['stake_cents'])} on {wager(c['wager'])}"
    return (
        f"Late bet of seat {c['seat']} voided, {what} given back (asked by {c['requested_by']}, "
        f"approved by {c['approved_by']}): {c['reason']}"
    )


SENTENCES: dict[str, Callable[[Content], str]] = {
    "table_set_up": lambda c: f"Table set up for {c['game']} with the paytable {words(c['paytable'])}",
    "advantage_acknowledged": _advantage_acknowledged,
    "side_bet_offered": lambda c: f"The {words(c['bet'])} of link {c['terms']['link']} is offered",
    "side_bet_closed": lambda c: f"No more {words(c['bet'])} wagers in this round: {c['reason']}",
    "win_denied": lambda c: f"The {words(c['rank'])} wins nothing: its jackpot is {c['reason']}",
    "win_found": lambda c: f"The {words(c['rank'])} won after all; link {c['link']} owes it: {c['reason']}",
    "side_bet_suspended": lambda c: f"The {words(c['bet'])} is suspended: {c['reason']}",
    "table_opened": lambda c: f"Session {c['session']} opened with {money(c['opener_cents'])}{_counted_by(c)}",
    "cash_bought_in": _cash_bought_in,
    "table_closed": lambda c: f"Session {c['session']} closed with {money(c['closer_cents'])}{_counted_by(c)}",
    "round_opened": _round_opened,
    "wager_placed": _wager_placed,
    "wager_changed": lambda c: f"Seat {c['seat']} changed wager {c['number']} to {money(c['stake_cents'])}",
    "wager_withdrawn": lambda c: f"Seat {c['seat']} withdrew wager {c['number']} of {money(c['stake_cents'])}",
    "bets_closed": lambda c: f"No more bets: {counted(c['wagers'], 'wager')}, {money(c['stakes_cents'])} in all",
    "progressive_collected": _progressive_collected,
    "position_drawn": lambda c: f"Position {c['drawn_position']} drawn",
    "card_dealt": _card_dealt,
    "card_turned": lambda c: f"{_spot(c)} turned: {shown_card(c['card'])}",
    "decision_made": _decision_made,
    "hand_completed": _hand_completed,
    "wagers_settled": _wagers_settled,
    "round_settled": _round_settled,
    "misdeal_declared": _misdeal_declared,
    "patron_seated": lambda c: f"{_player(c)} took seat {c['seat']}",
    "patron_left": lambda c: f"{_player(c)} left seat {c['seat']}",
    "rating_estimated": lambda c: (
        f"Patron {c['patron_id']}'s average bet estimated by {c['by']}: {money(c['average_bet_cents'])}"
    ),
    "round_seat_changed": lambda c: f"{_player(c)} plays at seat {c['seat']} from here on",
    "round_voided": _round_voided,
    "late_bet_voided": _late_bet_voided,
    "round_resettled": _round_resettled,
    "patron_merged": lambda c: f"Patron {c['patron_id']} is patron {c['into_id']}: {c['reason']}",
    "currency_report_filed": lambda c: (
        f"Currency report {c['number']} filed for patron {c['patron_id']}: {money(c['amount_cents'])} {c['direction']}"
    ),
    "alert_raised": lambda c: f"Alert: {c['sentence']}",
    "alert_acknowledged": lambda c: f"Alert seen to by {c['by']}{': it was none' if c['is_false'] else ''}",
    "alert_ended": lambda c: "What the alert said is over",
    "payout_recorded": _payout_recorded,
    "progressive_miscounted": _progressive_miscounted,
    **session_sentences.SENTENCES,
}
