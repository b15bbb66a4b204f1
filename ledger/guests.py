"""The rated patrons of the simulated floor: names made up for the demo, and the ids they have here."""

from datetime import datetime

from casino.commands.order import Order
from casino.commands.patrons import make_patron
from casino.refusal import Refused

HOST = "simulated floor"
GUESTS = (
    "Oona Farrell-Webb", "Teo Marchetti", "Ingrid Saltmarsh", "Desmond Achterberg", "Paloma Quist", "Rufus Eldergate",
    "Yumi Castellane", "Bertil Hawksmoor", "Nadia Pemberwick", "Cosmo Vandermeer", "Greta Lindqvale", "Amos Tilling",
    "Lucinda Brackwater", "Femi Oduvale", "Hester Normanby", "Jonas Wetherfold", "Sabine Coralline", "Ivo Marchbanks",
    "Tamsin Greyfriar", "Leopold Asterley", "Mirela Dunsany", "Barnaby Foxcombe", "Odette Ravenhall", "Silas Umberton",
)  # fmt: skip
"""Names made up for the demo's rated patrons: two know each of the first tables of a pit."""
GUESTS_A_TABLE = 2
PLACES_BEFORE = {"H": 10}
"""Where a pit's tables come after others whose guests are others."""


def guests_of(code: str, at: datetime) -> list[int]:
    """The ids of the rated patrons who come to a table, made where they are missing; none at tables without names.

    One whom somebody has renamed in the meantime still comes; one who was erased doesn't.
    """
    pit, _, number = code.rpartition("-")
    first = (
        (int(number) - 1 + PLACES_BEFORE.get(pit, 0)) * GUESTS_A_TABLE
        if number.isdecimal() and int(number)
        else len(GUESTS)
    )
    found = []
    for n in range(first, min(first + GUESTS_A_TABLE, len(GUESTS))):
        try:
            patron = make_patron(Order(HOST, f"floor:patron:{code}:{n}", at, source="simulation"), GUESTS[n]).patron
        except Refused as refusal:
            if refusal.code != "key_reused":
                raise
            found.append(int(str(refusal.details["patron_id"])))
            continue
        if not patron.is_erased:
            found.append(patron.pk)
    return found
