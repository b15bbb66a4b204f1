"""The chart of accounts (books, section 8). Pure.

Two ledgers in one book: chips by their face value, and money. Each balances by itself. An account's side is the one on
which it grows; on the other side its balance is shown below zero. Numbers that begin
with 1 are chips. Some accounts are kept by table, the meters' by link.
"""

from typing import Literal, NamedTuple

Ledger = Literal["chips", "money"]
Side = Literal["debit", "credit"]
CHIPS: Ledger = "chips"
MONEY: Ledger = "money"
DEBIT: Side = "debit"
CREDIT: Side = "credit"


class Account(NamedTuple):
    """An account: its number, its name, chips or money, the side on which it grows, and what it is kept by."""

    code: str
    name: str
    ledger: Ledger
    side: Side
    kept_by: Literal["house", "table", "link"]
    meaning: str


CAGE_CHIPS, TRAYS, IN_TRANSIT, PATRONS_CHIPS, CHIPS_ISSUED = "110", "120", "130", "140", "190"
CASH, BANK, BOXES, CHECKS, CHECKS_DEPOSITED = "210", "215", "220", "230", "235"
METERS_BETWEEN, DROP_PAPER = "240", "250"
CHIPS_OWED, METERS, RESERVES, OVERFLOWS, PAYABLES = "310", "320", "330", "340", "350"
TABLE_WIN = "410"
PROMO, PROGRESSIVE_COST, SEED_COST, METER_CORRECTIONS, METERS_TAKEN_OVER = "510", "520", "530", "540", "550"
OVER_SHORT_TRAY, OVER_SHORT_BOX, DEALER_ERRORS = "610", "620", "630"
OVER_SHORT_CLOSED, OVER_SHORT_CAGE = "640", "650"

CHART = {
    account.code: account
    for account in (
        Account(CAGE_CHIPS, "Cage chips", CHIPS, DEBIT, "house", "Chips in the cage."),
        Account(TRAYS, "Chips in trays", CHIPS, DEBIT, "table", "Chips in the tables' trays."),
        Account(IN_TRANSIT, "Chips in transit", CHIPS, DEBIT, "table", "Fills and credits on their way."),
        Account(PATRONS_CHIPS, "Patrons' chips", CHIPS, DEBIT, "house", "Chips in the hands of players."),
        Account(CHIPS_ISSUED, "Chips issued", CHIPS, CREDIT, "house", "All chips in service, wherever they are."),
        Account(CASH, "Cash", MONEY, DEBIT, "house", "Currency in the cage."),
        Account(BANK, "Bank", MONEY, DEBIT, "house", "What the house's cheques drew: below zero by all they paid."),
        Account(BOXES, "Drop boxes", MONEY, DEBIT, "table", "Currency in boxes that are not counted yet."),
        Account(CHECKS, "Counter checks receivable", MONEY, DEBIT, "house", "What patrons owe on counter checks."),
        Account(CHECKS_DEPOSITED, "Checks deposited", MONEY, DEBIT, "house", "What patrons' banks owe on checks."),
        Account(METERS_BETWEEN, "Meters between links", MONEY, DEBIT, "house",
                "What one link's meter has given up and another's has not taken yet."),
        Account(DROP_PAPER, "Drop paper", MONEY, DEBIT, "table",
                "Checks and instruments counted in boxes, less those recorded: the income audit looks for them."),
        Account(CHIPS_OWED, "Chips owed", MONEY, CREDIT, "house", "What the house owes on patrons' chips."),
        Account(METERS, "Meter liability", MONEY, CREDIT, "link", "What the meters show to patrons."),
        Account(RESERVES, "Reserves", MONEY, CREDIT, "link", "What is put by for the next resets."),
        Account(OVERFLOWS, "Overflow", MONEY, CREDIT, "link", "What came above a posted limit and is kept."),
        Account(PAYABLES, "Jackpots payable", MONEY, CREDIT, "link", "Won, not returned and not paid yet."),
        Account(TABLE_WIN, "Table win", MONEY, CREDIT, "table", "Stakes collected less winnings due: G of the books."),
        Account(PROMO, "Promotional cost", MONEY, DEBIT, "table", "Instruments and coupons taken, at face."),
        Account(PROGRESSIVE_COST, "Progressive cost", MONEY, DEBIT, "link",
                "What stakes have put into meters and reserves, and what the house pays a winner above a share."),
        Account(SEED_COST, "Seed cost", MONEY, DEBIT, "link", "Bases and resets no reserve paid, less seed recovered."),
        Account(METER_CORRECTIONS, "Meter corrections", MONEY, DEBIT, "link",
                "Approved adjustments: malfunctions, refills by the house, the posted limit."),
        Account(METERS_TAKEN_OVER, "Meters taken over", MONEY, DEBIT, "link",
                "Opening readings of meters that ran before, whose funds came from outside these books."),
        Account(OVER_SHORT_TRAY, "Over and short: trays", MONEY, DEBIT, "table", "Closers counted, less expected."),
        Account(OVER_SHORT_BOX, "Over and short: boxes", MONEY, DEBIT, "table", "Drop counted, less recorded."),
        Account(DEALER_ERRORS, "Over and short: dealer errors", MONEY, DEBIT, "table", "Paid less due: E."),
        Account(OVER_SHORT_CLOSED, "Over and short: closed tables", MONEY, DEBIT, "table",
                "Openers, less the closers before them: part of no win."),
        Account(OVER_SHORT_CAGE, "Over and short: cage", MONEY, DEBIT, "house", "Counts of the cage, less its books."),
    )
}  # fmt: skip
"""Every account by its number, in the order of a trial balance."""

OVER_AND_SHORT = (OVER_SHORT_TRAY, OVER_SHORT_BOX, DEALER_ERRORS)
"""What stands between the ledger's table win and the win of the counts; the closed-table variance does not."""
