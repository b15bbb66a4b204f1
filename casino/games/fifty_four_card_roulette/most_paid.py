"""The most that a round can pay: every Roulette Card with every hand that can hold it, and the worst of them.

The roulette wagers look at the card, the poker wagers at the hand, and a hand must hold its Roulette Card: no royal
flush holds a 2. The progressive is paid by its meter and is in none of it.
"""

from collections.abc import Collection, Mapping, Sequence

from casino.games.cards import DECK_54
from casino.games.fifty_four_card_roulette.counts import Counts
from casino.games.fifty_four_card_roulette.layout import Layout
from casino.games.fifty_four_card_roulette.paytables import Pays
from casino.games.fifty_four_card_roulette.wagers import spot_of
from casino.games.game import Placed
from casino.games.side_bets import PROGRESSIVE
from casino.money import winnings


def most_paid(bets: Sequence[Placed], one: Placed, pays: Pays, layout: Layout, counts: Counts) -> int:
    """Winnings in cents of all `bets` in the worst outcome in which `one` wins; refuses what `spot_of` refuses."""
    by_card, by_rank = dict.fromkeys(DECK_54, 0), dict.fromkeys(counts.with_card, 0)
    for bet in bets:
        if bet.code == PROGRESSIVE:
            continue
        spot = spot_of(bet.code, layout)
        cents = winnings(bet.stake_cents, pays[spot.bet if spot else bet.code])
        if spot is None:
            by_rank[bet.code] += cents
        for card in spot.cards if spot else ():
            by_card[card] += cents
    spot = spot_of(one.code, layout)
    return _worst(by_card, by_rank, spot.cards if spot else DECK_54, by_rank if spot else (one.code,), counts)


def _worst(
    by_card: Mapping[str, int],
    by_rank: Mapping[str, int],
    cards: Collection[str],
    ranks: Collection[str],
    counts: Counts,
) -> int:
    """The most of a card and a rank that hands have together; 0 where none has."""
    found = (by_rank[rank] + by_card[card] for rank in ranks for card in cards if counts.with_card[rank][card])
    return max(found, default=0)
