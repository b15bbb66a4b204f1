"""Royal Casino: hold'em of each player against the bank."""

from casino.games.royal_casino.rules import RoyalCasino

GAME = RoyalCasino()
