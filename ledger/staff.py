"""The people who work the simulated floor: names made up for the demo, by log-in, with the role each has."""

from collections.abc import Sequence

from django.contrib.auth.models import Group, User

from casino.roles import CAGE, DEALER, FLOOR, SECURITY
from casino.slips import Person

STAFF = {
    "rosa": (FLOOR, "Rosa Almeida"),
    "hugo": (FLOOR, "Hugo Brandvold"),
    "nina": (CAGE, "Nina Castellan"),
    "omar": (CAGE, "Omar Delacourt"),
    "vera": (SECURITY, "Vera Eklund"),
    "lars": (SECURITY, "Lars Fontane"),
}
"""Two of each who ask, prepare and carry, so that nobody has to act twice on one slip."""
DEALERS = (
    "Abel Garrow", "Bea Hollins", "Carl Imber", "Dora Jessop", "Emil Kastner", "Fay Lorrimer", "Gil Mossman",
    "Hana Norcross", "Ian Oakes", "Jada Pellew", "Kurt Quilter", "Lena Rushton", "Milo Sayers", "Nora Tindall",
    "Otis Urwin", "Petra Voss", "Quin Wexley", "Rita Yardley", "Saul Zeller", "Tara Ashdown", "Ugo Bellweather",
    "Vida Crane", "Wes Dunmore", "Xenia Elstob",
)  # fmt: skip
"""Two for each of the demo's twelve tables, who relieve each other."""


def log_in_of(name: str) -> str:
    """A dealer's log-in: the first name in small letters."""
    return name.split()[0].lower()


def counters_of(dealers: Sequence[str]) -> tuple[str, str]:
    """The names of the two who count the tray of a table at which these dealers relieve each other."""
    dealer = next((name for name in DEALERS if log_in_of(name) in dealers), "Simulated dealer")
    return dealer, STAFF["hugo"][1]


def make_staff() -> None:
    """The log-ins of the simulated floor's people. Nobody can log in with one: none has a password."""
    people = {**STAFF, **{log_in_of(name): (DEALER, name) for name in DEALERS}}
    for log_in, (role, name) in people.items():
        first, last = name.split()
        user, made = User.objects.get_or_create(username=log_in, defaults={"first_name": first, "last_name": last})
        if made:
            user.set_unusable_password()
            user.save()
            user.groups.add(Group.objects.get(name=role))


def person(log_in: str) -> Person:
    """One of the staff as somebody who acts on a slip."""
    return Person(log_in, frozenset({STAFF[log_in][0]}))


def of_role(role: str, *but: str) -> Person:
    """The first of the staff with a role who is none of `but`."""
    return next(person(log_in) for log_in, (theirs, _) in STAFF.items() if theirs == role and log_in not in but)


def dealers_of(place: int) -> list[str]:
    """The log-ins of the two who relieve each other at a place of the floor (from 0), as far as this house has them."""
    names = [log_in_of(name) for name in DEALERS[2 * place : 2 * place + 2]]
    known = User.objects.filter(username__in=names, is_active=True, groups__name=DEALER)
    return sorted(known.values_list("username", flat=True), key=names.index)
