"""How people plausibly bet at this game, for the simulated floor. All chance comes from the caller."""

from casino.games.fifty_four_card_roulette.layout import Layout
from casino.games.fifty_four_card_roulette.paytables import POKER
from casino.games.game import Chance

Bet = tuple[str, int]
STYLES = ("colours", "numbers", "dreamer", "grinder")
CHIPS = {"colours": (500, 1000, 2500), "numbers": (100, 200, 500), "dreamer": (100, 200), "grinder": (500, 1000, 2000)}


def bets(chance: Chance, style: str, layout: Layout) -> list[Bet]:
    """What a player of `style` puts on the layout in one round, as (wager, stake in cents); now and then nothing."""
    if _now_and_then(chance, 6):
        return []
    return _MAKERS[style](chance, layout, chance.choice(CHIPS[style]))


def _now_and_then(chance: Chance, percent: int) -> bool:
    return bool(chance.randint(1, 100) <= percent)


def _colours(chance: Chance, layout: Layout, chip: int) -> list[Bet]:
    """Even money, with a suit beside it now and then."""
    placed = [(f"colour:{chance.choice(('red', 'black'))}", chip)]
    if _now_and_then(chance, 40):
        placed.append((f"suit:{chance.choice('shdc')}", chip // 2))
    if _now_and_then(chance, 15):
        placed.append(("ace_face", chip))
    return placed


def _numbers(chance: Chance, layout: Layout, chip: int) -> list[Bet]:
    """A handful of small chips spread over the cards."""
    spots = [code for code, spot in layout.spots.items() if len(spot.cards) <= 4]
    return [(chance.choice(spots), chip) for _ in range(chance.randint(2, 6))]


def _dreamer(chance: Chance, layout: Layout, chip: int) -> list[Bet]:
    """Poker wagers, mostly the long ones, and a joker."""
    placed = [(bet, chip) for bet in POKER if _now_and_then(chance, 40)] or [(chance.choice(POKER), chip)]
    if _now_and_then(chance, 30):
        placed.append((f"straight_up:{chance.choice(('X1', 'X2'))}", chip))
    return placed


def _grinder(chance: Chance, layout: Layout, chip: int) -> list[Bet]:
    """Ranks side by side, and three of a kind for company."""
    pairs = [code for code in layout.spots if code.startswith("split_rank:")]
    placed = [(chance.choice(pairs), chip)]
    if _now_and_then(chance, 50):
        placed.append(("three_of_a_kind", chip // 5))
    if _now_and_then(chance, 30):
        placed.append((f"rank:{chance.choice(layout.rows)}", chip // 2))
    return placed


_MAKERS = {"colours": _colours, "numbers": _numbers, "dreamer": _dreamer, "grinder": _grinder}
