"""Decks brought to a table, counted there and taken away."""

from casino import decks
from casino.commands.order import Done, Order, Plan, carry_out
from casino.commands.tables import at_session, load_table
from casino.games import game as load_game
from casino.table import opened, set_up_of


def move_deck(order: Order, code: str, deck: str, move: str, cards: int, reason: str = "") -> Done:
    """Record a deck that comes to a table (`in`), is `counted` there, or leaves it (`out`)."""

    def plan() -> Plan:
        loaded = load_table(code)
        session, game = opened(loaded.session, code), load_game(set_up_of(loaded.table).game)
        event = decks.move_deck(session, game, deck, move, cards, reason, order.by)
        return Plan([at_session(order, loaded, [event])])

    content = {"table": code, "deck": deck, "move": move, "cards": cards, "reason": reason}
    return carry_out(order, "move_deck", content, plan)
