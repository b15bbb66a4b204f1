"""54 Card Roulette: the house's game of one Roulette Card and one five-card hand."""

from casino.games.fifty_four_card_roulette.rules import FiftyFourCardRoulette

GAME = FiftyFourCardRoulette()
