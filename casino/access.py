"""Who may do what: every address of the site and of the interface, its methods and the roles. ONE table, pure data.

`casino/gate.py` asks this table before any view runs. An address without a row is closed to everybody, and
`tests/casino/test_access.py` names it; the same test calls every address by every method as everybody.

To add an address, put its route, spelt as in urls.py with all its prefixes, into its section below:

    look(FLOOR, CAGE)          these roles may read it (GET), and the auditor, who reads everything
    act(FLOOR)                 these roles may send to it (POST)
    form(FLOOR)                a page to fill in: these roles may read it and send it; nobody else looks
    look(FLOOR) | act(CAGE)    both
    device=OWN_TABLE           the device bound to the <table> of the address may do that as well
    device=ANY_TABLE           every device may
    PUBLIC                     everybody, without a log-in: log-in, log-out and health only
    open_when("app.module.f")  everybody, while that function of the address's parts says yes: a display on a wall

pit_manager need not be named where floor is (`roles.INCLUDES`). What people open from the bar at the top of every page
has a line in `casino/navigation.py` too. A view says nothing of roles itself; what a page shows to some only, it asks
`has_role`.
"""

from dataclasses import replace

from casino.admission import ANY_TABLE, OWN_TABLE, PUBLIC, Access, act, before_second_factor, form, look, open_when
from casino.roles import (
    ACCOUNTING,
    ADMIN,
    AUDITOR,
    CAGE,
    COUNT_TEAM,
    DEALER,
    FLOOR,
    PIT_MANAGER,
    PROGRESSIVE_ADMIN,
    ROLES,
    SECURITY,
    SURVEILLANCE,
)

STAFF = tuple(ROLES)
HOUSE = (FLOOR, ACCOUNTING, SURVEILLANCE)
"""Who reads the pages of the floor."""
BOOKS = (ACCOUNTING, PIT_MANAGER, SURVEILLANCE)
"""Who reads the reports made of the books."""
TABLE = (FLOOR, DEALER)
"""Who records at a table."""
METERS = (*HOUSE, CAGE, PROGRESSIVE_ADMIN)
"""Who looks at meters, hits and what they owe."""
SIGNERS = (FLOOR, DEALER, CAGE, SECURITY)
PAPERS = (*SIGNERS, ACCOUNTING, SURVEILLANCE)
"""Who reads fills and credits."""
CLOSE = (ACCOUNTING, SURVEILLANCE, PIT_MANAGER)
"""Who reads what keeps a gaming day open, and what was filed of it."""

_TABLE = "api/v1/tables/<code:table>/"
_ROUND = "api/v1/rounds/<code:table>/<code:gaming_date>/<int:n>/"
_PATRON = "api/v1/patrons/<int:patron_id>/"
_LINK = "api/v1/links/<str:link>/"
_CASE = "api/v1/hits/<str:link>/<str:code>/<str:day>/<int:n>/<str:rank>/"
_SLIP = "api/v1/slips/<code:table>/<code:gaming_date>/<int:session>/<int:n>/"
_INVESTIGATION = "investigations/<str:table>/<str:day>/<int:session>/"

_API_COUNT = "api/v1/counts/<day:gaming_date>/<int:n>/"
_API_DROP = "api/v1/drops/<day:gaming_date>/<int:n>/"

_METER = "progressives/<str:link>/"
_HIT = "progressives/<str:link>/hits/<str:code>/<str:day>/<int:n>/<str:rank>/"

LINK_STEPS = {
    "changes/propose": act(PROGRESSIVE_ADMIN),
    "changes/approve": act(PROGRESSIVE_ADMIN, ACCOUNTING),  # another person than who proposed
    "changes/drop": act(PROGRESSIVE_ADMIN, ACCOUNTING),
    "changes/make": act(PROGRESSIVE_ADMIN),
    "stop": act(PROGRESSIVE_ADMIN, FLOOR),
    "resume": act(PROGRESSIVE_ADMIN),
    "requests/adjustment": act(PROGRESSIVE_ADMIN),
    "requests/transfer": act(PROGRESSIVE_ADMIN),
    "requests/retirement": act(PROGRESSIVE_ADMIN),
    "requests/missed-hit": act(PROGRESSIVE_ADMIN, SURVEILLANCE),
    "requests/missed-player": act(PROGRESSIVE_ADMIN, SURVEILLANCE),
    "requests/refill": act(PROGRESSIVE_ADMIN, SURVEILLANCE),
    "in-between/settle": act(PROGRESSIVE_ADMIN, ACCOUNTING),
    "requests/approve": act(PROGRESSIVE_ADMIN, ACCOUNTING),  # another person than who asked
    "requests/decline": act(PROGRESSIVE_ADMIN, ACCOUNTING),
    "notices": act(PROGRESSIVE_ADMIN),
    "tables/remove": act(PROGRESSIVE_ADMIN),
    "readings": act(PROGRESSIVE_ADMIN, ACCOUNTING, device=ANY_TABLE),
    "readings/explain": act(PROGRESSIVE_ADMIN, ACCOUNTING),
    "readings/sign": act(ACCOUNTING),
}
"""What may be done to a progressive link, over the interface and on its page."""

CASE_STEPS = {
    "verify": act(SURVEILLANCE),
    "dispute": act(FLOOR, SURVEILLANCE),
    "settle-dispute": act(PIT_MANAGER, SURVEILLANCE),
    "prepare": act(FLOOR, CAGE),
    "approve": act(FLOOR),
    "void-slip": act(FLOOR, CAGE),
    "print": act(FLOOR, CAGE, ACCOUNTING),
    "pay": act(DEALER, FLOOR, CAGE),
    "ask-return": act(PIT_MANAGER, SURVEILLANCE, ACCOUNTING),
    "decline-return": act(PIT_MANAGER, SURVEILLANCE, PROGRESSIVE_ADMIN),
    "approve-return": act(PIT_MANAGER, PROGRESSIVE_ADMIN),
}
"""What may be done about a hit, likewise."""

INVESTIGATION_STEPS = {
    "open": act(ACCOUNTING, SURVEILLANCE),
    "assign": act(ACCOUNTING, SURVEILLANCE),
    "note": act(ACCOUNTING, SURVEILLANCE),
    "conclude": act(ACCOUNTING),  # and not who counted what is investigated
    "reopen": act(ACCOUNTING),
}
"""What may be done to the investigation of a variance, likewise."""

ACCESS: dict[str, Access] = {
    # --- everybody ------------------------------------------------------------------------------------------------
    "login/": PUBLIC,
    "healthz": PUBLIC,
    "readyz": PUBLIC,
    "logout/": PUBLIC,  # whose session ended meanwhile is not asked to log in for it
    "your-log-in/": look(*STAFF),
    "password/": form(*STAFF),
    "second-factor/": before_second_factor(form(*STAFF)),
    "second-factor/set-up/": before_second_factor(form(*STAFF)),
    "second-factor/codes/": act(*STAFF),
    "live/": look(*STAFF),
    "": look(*STAFF),  # whoever does not read the floor is led to their own first page
    "metrics": replace(look(ADMIN), bearer_setting="CASINO_METRICS_TOKEN"),
    "api/schema/": look(*STAFF, device=ANY_TABLE),
    "api/docs/": look(*STAFF, device=ANY_TABLE),
    "admin/": form(ADMIN) | look(),  # and all below it; casino/admin.py says what each may do there
    # --- the floor ------------------------------------------------------------------------------------------------
    "_tiles/": look(*HOUSE),
    "_closed-forms/<str:day>/": look(*HOUSE),
    "tables/<str:code>/": look(*HOUSE),
    "tables/<str:code>/_now/": look(*HOUSE),
    "tables/<str:code>/_rounds/": look(*HOUSE),
    "tables/<str:code>/_players/": look(*HOUSE),
    "tables/<str:code>/seats/": form(FLOOR),
    "tables/<str:code>/do/<str:deed>/": form(FLOOR),
    "pits/<str:pit>/hand-over/": form(FLOOR),  # and whoever takes it, by name and password
    "rounds/<str:code>/<str:day>/<int:n>/": look(*HOUSE, DEALER),
    "rounds/<str:code>/<str:day>/<int:n>/_round/": look(*HOUSE, DEALER),
    "api/v1/tables/": look(*HOUSE, device=ANY_TABLE),
    _TABLE: look(*HOUSE, device=OWN_TABLE),
    f"{_TABLE}set-up/": act(PIT_MANAGER, ADMIN),
    f"{_TABLE}open/": act(FLOOR),  # people count trays, no device does
    f"{_TABLE}roll/": act(FLOOR),
    f"{_TABLE}close/": act(FLOOR),
    f"{_TABLE}buy-ins/": act(FLOOR, device=OWN_TABLE),
    f"{_TABLE}counter-checks/": act(FLOOR),
    f"{_TABLE}redemptions/": act(FLOOR),
    f"{_TABLE}promos/": act(FLOOR, device=OWN_TABLE),
    f"{_TABLE}coupons/": act(FLOOR, device=OWN_TABLE),
    f"{_TABLE}exchanges/": act(FLOOR, device=OWN_TABLE),
    f"{_TABLE}paid-elsewhere/": act(FLOOR),
    f"{_TABLE}corrections/": act(FLOOR),  # and a second of the floor, by name and password
    f"{_TABLE}late-slips/": act(FLOOR),  # and a second of the cage, by name and password
    f"{_TABLE}closed-form/": act(FLOOR),
    "api/v1/pits/<code:pit>/hand-over/": act(FLOOR),  # and whoever takes it, by name and password
    f"{_TABLE}dealer/on/": act(FLOOR),
    f"{_TABLE}dealer/relief/": act(FLOOR),
    f"{_TABLE}dealer/off/": act(FLOOR),
    f"{_TABLE}decks/": act(FLOOR),
    f"{_TABLE}limits/": act(FLOOR),  # to raise the least stake where somebody plays takes a pit_manager
    "alerts/": look(*HOUSE),
    "alerts/_list/": look(*HOUSE),
    "alerts/see-to/": act(FLOOR),
    "cash/": look(*HOUSE, CAGE),
    "cash/_log/": look(*HOUSE, CAGE),
    "cash/merge/": act(FLOOR, CAGE),
    "cash/file-report/": act(ACCOUNTING),
    "tables/<str:code>/_cash/": look(FLOOR, CAGE),
    # --- rounds ---------------------------------------------------------------------------------------------------
    "terminals/": look(*TABLE),
    "tables/<str:code>/terminal/": look(*TABLE),
    "tables/<str:code>/terminal/_now/": look(*TABLE),
    "tables/<str:code>/terminal/_recall/<int:n>/": look(*TABLE),
    "tables/<str:code>/terminal/<str:action>/": act(*TABLE),
    "tables/<str:code>/terminal/players/<str:action>/": act(FLOOR),  # as its seats and buy-ins elsewhere
    "api/v1/rounds/": look(*HOUSE, device=ANY_TABLE),
    _ROUND: look(*HOUSE, DEALER, device=OWN_TABLE),
    f"{_TABLE}rounds/": act(*TABLE, device=OWN_TABLE),
    f"{_TABLE}rounds/finished/": act(*TABLE, device=OWN_TABLE),
    f"{_ROUND}wagers/": act(*TABLE, device=OWN_TABLE),
    f"{_ROUND}wagers/change/": act(*TABLE, device=OWN_TABLE),
    f"{_ROUND}wagers/withdraw/": act(*TABLE, device=OWN_TABLE),
    f"{_ROUND}late-bets/void/": act(*TABLE, device=OWN_TABLE),  # and a second, as for void
    f"{_ROUND}close-bets/": act(*TABLE, device=OWN_TABLE),
    f"{_ROUND}collect-progressive/": act(*TABLE, device=OWN_TABLE),
    f"{_ROUND}draw/": act(*TABLE, device=OWN_TABLE),
    f"{_ROUND}cards/": act(*TABLE, device=OWN_TABLE),
    f"{_ROUND}decisions/": act(*TABLE, device=OWN_TABLE),
    f"{_ROUND}payouts/": act(*TABLE, device=OWN_TABLE),
    f"{_ROUND}void/": act(*TABLE, device=OWN_TABLE),  # and a second of the floor, by name and password
    f"{_ROUND}resettle/": act(FLOOR),  # and a second of the floor, likewise
    "rounds/<str:code>/<str:day>/<int:n>/put-right/": form(FLOOR),
    f"{_ROUND}misdeal/": act(*TABLE, device=OWN_TABLE),
    # --- fills, credits and their papers; the core says who signs which slip next ------------------------------------
    f"{_TABLE}slips/": act(FLOOR),
    "slips/": look(*PAPERS),
    "slips/_waiting/": look(*PAPERS),
    "slips/<str:code>/<str:day>/<int:session>/<int:n>/": look(*PAPERS),
    "slips/<str:code>/<str:day>/<int:session>/<int:n>/_slip/": look(*PAPERS),
    "slips/<str:code>/<str:day>/<int:session>/<int:n>/<str:deed>/": act(*SIGNERS),
    "tables/<str:code>/_slips/": look(*PAPERS),
    "tables/<str:code>/request/<str:kind>/": form(FLOOR),
    "tables/<str:code>/papers/<str:day>/": look(*PAPERS),
    "papers/<path:document>/print/": act(*PAPERS, AUDITOR),  # counts the copy, which is how a reprint is known
    "slip-books/<str:day>/": look(ACCOUNTING),
    "api/v1/slips/": look(*PAPERS),
    _SLIP: look(*PAPERS, device=OWN_TABLE),
    f"{_SLIP}prepare/": act(CAGE),
    f"{_SLIP}sign/": act(*SIGNERS),
    f"{_SLIP}void/": act(*SIGNERS),
    f"{_SLIP}withdraw/": act(FLOOR),
    "api/v1/papers/print/": act(*PAPERS, AUDITOR),
    "api/v1/slip-books/<day:gaming_date>/": look(ACCOUNTING),
    # --- patrons and seats ----------------------------------------------------------------------------------------
    "patrons/": look(*HOUSE),
    "patrons/add/": act(FLOOR),
    "patrons/<int:patron_id>/": look(*HOUSE),
    "patrons/<int:patron_id>/rename/": act(FLOOR),
    "patrons/<int:patron_id>/erase/": form(FLOOR),
    f"{_TABLE}seats/": look(*HOUSE, device=OWN_TABLE),
    f"{_TABLE}seats/seat/": act(FLOOR, device=OWN_TABLE),
    f"{_TABLE}seats/leave/": act(FLOOR, device=OWN_TABLE),
    f"{_TABLE}seats/estimate/": act(FLOOR),
    "api/v1/patrons/": look(*HOUSE) | act(FLOOR),  # names are none of a device's business
    _PATRON: look(*HOUSE),
    f"{_PATRON}ratings/": look(*HOUSE),
    f"{_PATRON}rename/": act(FLOOR),
    f"{_PATRON}erase/": act(FLOOR),
    # --- progressives ---------------------------------------------------------------------------------------------
    "jackpot/meters/": look(*METERS),
    "jackpot/meters/<str:link>/": look(*METERS),
    "jackpot/hits/<str:code>/<str:day>/<int:n>/": look(*METERS, DEALER),
    "api/v1/links/": look(*METERS, device=ANY_TABLE) | act(PROGRESSIVE_ADMIN),
    _LINK: look(*METERS, device=ANY_TABLE),
    f"{_LINK}hits/": look(*METERS, device=ANY_TABLE),
    f"{_LINK}tables/": act(PROGRESSIVE_ADMIN),
    f"{_LINK}tables/leave/": act(PROGRESSIVE_ADMIN),
    "progressives/<str:link>/history/": look(*METERS),
    "progressives/<str:link>/_history/": look(*METERS),
    "progressives/<str:link>/_mathematics/": look(*METERS),
    "display/<str:link>/": open_when("jackpot.display.is_open", *METERS),
    "display/<str:link>/_now/": open_when("jackpot.display.is_open", *METERS),
    "display/<str:link>/live/": open_when("jackpot.display.is_open", *METERS),
    f"{_LINK}display/": act(PROGRESSIVE_ADMIN),
    **{f"{_LINK}{step}/": who for step, who in LINK_STEPS.items()},
    f"{_LINK}heartbeats/": act(device=ANY_TABLE),  # the core asks whether the device's table is on the link
    f"{_LINK}days/<day:gaming_date>/": look(*METERS),
    "api/v1/liability/": look(*METERS),
    "api/v1/hits/": look(*METERS),
    **{f"{_CASE}{step}/": who for step, who in CASE_STEPS.items()},
    "progressives/": look(*METERS),
    "progressives/_list/": look(*METERS),
    "progressives/set-up/": form(PROGRESSIVE_ADMIN),
    _METER: look(*METERS),
    f"{_METER}_now/": look(*METERS),
    **{f"{_METER}{step}/": replace(who, device_sends="") for step, who in LINK_STEPS.items()},
    f"{_METER}tables/join/": act(PROGRESSIVE_ADMIN),
    f"{_METER}tables/leave/": act(PROGRESSIVE_ADMIN),
    f"{_METER}days/<str:day>/": look(*METERS),
    f"{_METER}days/<str:day>/events/": look(*METERS),
    f"{_METER}months/<str:month>/": look(*METERS),
    f"{_METER}months/<str:month>/statement.xlsx": look(*METERS),
    _HIT: look(*METERS, DEALER),
    f"{_HIT}_now/": look(*METERS, DEALER),
    f"{_HIT}evidence.json": look(*METERS),
    f"{_HIT}slips/<int:seat>/": look(*METERS, DEALER),
    **{f"{_HIT}{step}/": who for step, who in CASE_STEPS.items()},
    "jackpots/": look(*METERS),
    "jackpots/payables.xlsx": look(*METERS),
    # --- the books ------------------------------------------------------------------------------------------------
    "drop-and-hold/": look(*HOUSE),
    "drop-and-hold/_day/": look(*HOUSE),
    "drop-and-hold/<str:day>/<str:table>/<str:code>/": look(*HOUSE),
    "drop-and-hold/<str:day>/<str:table>/_table/": look(*HOUSE),
    "luck/<str:table>/": look(*HOUSE),
    "hold/": look(*BOOKS),
    "hold/report.<str:kind>": look(*BOOKS),
    "api/v1/hold/": look(*BOOKS),
    "explain/<str:code>/": look(*HOUSE),
    "api/v1/explain/<str:code>/": look(*HOUSE),
    "stiff/": look(*BOOKS),
    "stiff/print/": act(*BOOKS, AUDITOR),  # counts the copy, which is how a reprint is known
    "stiff/audit/": act(ACCOUNTING),
    "stiff/report.<str:kind>": look(*BOOKS),
    "api/v1/stiff/": look(*BOOKS),
    "hours/": look(*HOUSE),
    "hours/_day/": look(*HOUSE),
    "hours/checkpoint/": act(FLOOR),
    "dealer-errors/": look(*HOUSE),
    "dealer-errors/_day/": look(*HOUSE),
    "api/v1/drop-and-hold/<day:gaming_date>/": look(*HOUSE),
    # --- reconciliation, and what differs investigated ----------------------------------------------------------------
    "reconciliation/": look(ACCOUNTING, SURVEILLANCE),
    "investigations/": look(ACCOUNTING, SURVEILLANCE),
    _INVESTIGATION: look(ACCOUNTING, SURVEILLANCE),
    **{f"{_INVESTIGATION}{step}/": who for step, who in INVESTIGATION_STEPS.items()},
    "api/v1/reconciliation/<day:gaming_date>/": look(ACCOUNTING, SURVEILLANCE),
    "api/v1/investigations/": look(ACCOUNTING, SURVEILLANCE),
    **{
        f"api/v1/investigations/<code:table>/<day:gaming_date>/<int:session>/{step}/": who
        for step, who in INVESTIGATION_STEPS.items()
    },
    # --- the close of a gaming day ----------------------------------------------------------------------------------
    "close/": look(*CLOSE),
    "close/<str:day>/": look(*CLOSE),
    "close/<str:day>/do/": act(ACCOUNTING),  # over what is open: and a second person, by name and password
    "close/<str:day>/print/": look(*CLOSE),
    "api/v1/days/<day:gaming_date>/": look(*CLOSE),
    "api/v1/days/<day:gaming_date>/close/": act(ACCOUNTING),
    "api/v1/days/<day:gaming_date>/filed/": look(*CLOSE),
    # --- the ledger: read, never written; the auditor reads it as everything ------------------------------------------
    "ledger/": look(ACCOUNTING),
    "ledger/accounts/<str:code>/": look(ACCOUNTING),
    "ledger/journal/": look(ACCOUNTING),
    "ledger/journal/export.csv": look(ACCOUNTING),
    "ledger/entries/<int:position>/": look(ACCOUNTING),
    "ledger/ties/": look(ACCOUNTING),
    "api/v1/ledger/trial-balance/": look(ACCOUNTING),
    "api/v1/ledger/accounts/<str:code>/": look(ACCOUNTING),
    "api/v1/ledger/entries/": look(ACCOUNTING),
    "api/v1/ledger/entries/<int:position>/": look(ACCOUNTING),
    "api/v1/ledger/journal.csv": look(ACCOUNTING),
    "api/v1/ledger/ties/": look(ACCOUNTING),
    # --- the count room: no figure of a count is open to the cage before its own recount ---------------------------
    "drop/": form(SECURITY),
    "tables/<str:table>/emergency-box/": form(FLOOR),
    "count/": look(COUNT_TEAM),
    "count/<str:day>/open/": form(COUNT_TEAM),
    "count/<str:day>/<int:n>/": look(COUNT_TEAM, ACCOUNTING),
    "count/<str:day>/<int:n>/do/<str:deed>/": act(COUNT_TEAM),
    "count/<str:day>/correct/<str:table>/<int:number>/": form(COUNT_TEAM),  # and a second of the team
    f"{_TABLE}emergency-box/": act(FLOOR),
    "api/v1/drop/<day:gaming_date>/": look(SECURITY, COUNT_TEAM, ACCOUNTING),
    "api/v1/drop/<day:gaming_date>/collect/": act(SECURITY),
    "api/v1/counts/<day:gaming_date>/": look(COUNT_TEAM, ACCOUNTING) | act(COUNT_TEAM),
    "api/v1/counts/<day:gaming_date>/correct/": act(COUNT_TEAM),  # and a second of the team
    _API_COUNT: look(COUNT_TEAM, ACCOUNTING),
    **{f"{_API_COUNT}{step}/": act(COUNT_TEAM) for step in ("boxes", "recounts", "differences", "close")},
    "income-audit/": look(ACCOUNTING),
    "income-audit/<str:day>/exceptions.csv": look(ACCOUNTING),
    "income-audit/<str:day>/do/<str:deed>/": act(ACCOUNTING),
    "api/v1/income-audit/<day:gaming_date>/": look(ACCOUNTING),
    **{f"api/v1/income-audit/<day:gaming_date>/{deed}/": act(ACCOUNTING) for deed in ("tick", "explain")},
    # --- the cage -------------------------------------------------------------------------------------------------
    "drops/": look(CAGE, COUNT_TEAM, ACCOUNTING),
    "drops/<str:day>/<int:n>/": look(CAGE, COUNT_TEAM, ACCOUNTING),
    "drops/<str:day>/<int:n>/do/<str:deed>/": act(CAGE),
    "api/v1/drops/<day:gaming_date>/": look(CAGE, COUNT_TEAM, ACCOUNTING),
    _API_DROP: look(CAGE, COUNT_TEAM, ACCOUNTING),
    **{f"{_API_DROP}{step}/": act(CAGE) for step in ("recount", "accept")},  # accept: and one of the count team
    "cage/": look(CAGE, ACCOUNTING),
    "cage/do/<str:deed>/": form(CAGE),
    "api/v1/cage/": look(CAGE, ACCOUNTING),
    **{f"api/v1/cage/{deed}/": act(CAGE) for deed in ("sales", "redemptions", "checks/redeem", "checks/deposit")},
    **{f"api/v1/cage/{deed}/": act(CAGE) for deed in ("counts", "service", "voids")},  # the last two and a second
}


def row_of(route: str) -> Access | None:
    """The row of a route as Django resolved it; None where nobody has said who may."""
    return ACCESS["admin/"] if route.startswith("admin/") else ACCESS.get(route)
