"""Who works in a casino: the roles of the house. Pure names; `casino/access.py` says what each may do.

A role is a Django group of the same name, made by `prepare_database`. A person may hold several, but not two that a
house keeps apart (`check_apart`).
"""

from collections.abc import Iterable

from casino.refusal import Refused

DEALER = "dealer"
FLOOR = "floor"
PIT_MANAGER = "pit_manager"
CAGE = "cage"
SECURITY = "security"
COUNT_TEAM = "count_team"
ACCOUNTING = "accounting"
PROGRESSIVE_ADMIN = "progressive_admin"
SURVEILLANCE = "surveillance"
AUDITOR = "auditor"
ADMIN = "admin"

ROLES: dict[str, str] = {
    DEALER: "records rounds at the table",
    FLOOR: "opens and closes tables, requests fills and credits, verifies, voids with a second",
    PIT_MANAGER: "all that the floor may, and limits and acknowledgements",
    CAGE: "prepares slips, sells and redeems chips, pays, recounts the drop blind",
    SECURITY: "carries chips and boxes",
    COUNT_TEAM: "counts what is in the boxes",
    ACCOUNTING: "audits, closes days, reads meters; touches no fill, drop or cash",
    PROGRESSIVE_ADMIN: "sets up and keeps the progressive meters",
    SURVEILLANCE: "verifies hits and disputes, watches the floor",
    AUDITOR: "reads everything, verifies the log, and changes nothing",
    ADMIN: "log-ins and set-up, no money",
}
"""Every role and what whoever holds it does (books, section 7)."""

INCLUDES = {PIT_MANAGER: (FLOOR,)}
"""A role that may do all that others may."""

APART = (
    (ADMIN, (DEALER, FLOOR, PIT_MANAGER, CAGE, SECURITY, COUNT_TEAM, ACCOUNTING, PROGRESSIVE_ADMIN, SURVEILLANCE)),
    (AUDITOR, (DEALER, FLOOR, PIT_MANAGER, CAGE, SECURITY, COUNT_TEAM, ACCOUNTING, PROGRESSIVE_ADMIN, SURVEILLANCE)),
    (SURVEILLANCE, (DEALER, FLOOR, PIT_MANAGER, CAGE, SECURITY, COUNT_TEAM, ACCOUNTING, PROGRESSIVE_ADMIN)),
    (ACCOUNTING, (DEALER, FLOOR, PIT_MANAGER, CAGE, SECURITY, COUNT_TEAM)),
    (CAGE, (DEALER, FLOOR, PIT_MANAGER, SECURITY, COUNT_TEAM)),
    (COUNT_TEAM, (DEALER, FLOOR, PIT_MANAGER, SECURITY)),
    (SECURITY, (DEALER, FLOOR, PIT_MANAGER)),
)
"""Roles that one person never holds together: nobody may both commit and conceal an error (domain, 1.11)."""


def held(names: Iterable[str]) -> frozenset[str]:
    """The roles of these groups, with those that they include; other groups are none."""
    given = [name for name in names if name in ROLES]
    return frozenset(given).union(*(INCLUDES.get(name, ()) for name in given))


def check_apart(names: Iterable[str]) -> None:
    """Refuse `roles_clash` where one person would hold roles that a house keeps apart."""
    given = set(names)
    for role, others in APART:
        if role in given and (clash := next((other for other in others if other in given), None)):
            raise Refused(
                "roles_clash", f"{in_words([role])} and {in_words([clash])} are never one person; choose one of them."
            )


def in_words(roles: Iterable[str], joint: str = "and") -> str:
    """{"floor", "pit_manager"} → "floor and pit manager", in the order of the house."""
    wanted = set(roles)
    words = [role.replace("_", " ") for role in ROLES if role in wanted]
    return f" {joint} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
