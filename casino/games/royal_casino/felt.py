"""The circles in front of each seat. A chip on ANTE lays the same on BLIND; PLAY is put down by a decision."""

from casino.games.felt import SEAT, Place
from casino.games.royal_casino.bets import ANTE, BLIND, BONUS
from casino.games.side_bets import PROGRESSIVE

PLACES = (
    Place(ANTE, SEAT, text="ANTE", keys=("a", "ante"), with_it=(BLIND,)),
    Place(BLIND, SEAT, text="BLIND", keys=("blind",), with_it=(ANTE,)),
    Place(BONUS, SEAT, text="BONUS", keys=("b", "bonus")),
    Place(PROGRESSIVE, SEAT, text="Progressive", keys=("p",)),
)
