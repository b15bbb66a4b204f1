"""Before its own recount the cage finds no figure of a count at any address of the site or of the interface."""

import re
from datetime import date

from casino.access import ACCESS
from casino.eventstore.follower import catch_up
from ledger.models import CageEntry, DropCount
from tests.count_house import CountHouse, room

__all__ = ["room"]

FIGURES = ("136600", "1,366.00", "1366.00", "116600", "1,166.00", "110000", "1,100.00", "130000", "1,300.00")
"""The whole drop, R-01's and their notes of 100, as cents and as they are written."""


def addresses(day: date) -> set[str]:
    """Every address of the site that can be read, with the day, table and count of the house put in."""
    parts = {
        r"<day:gaming_date>": day.isoformat(), r"<str:day>": day.isoformat(), r"<code:gaming_date>": day.isoformat(),
        r"<int:n>": "1", r"<int:number>": "1", r"<int:session>": "1", r"<int:position>": "1", r"<int:patron_id>": "1",
        r"<int:seat>": "1", r"<str:month>": f"{day:%Y-%m}", r"<code:table>": "R-01", r"<str:table>": "R-01",
        r"<str:code>": "R-01", r"<code:code>": "R-01", r"<str:link>": "grand", r"<str:deed>": "count",
        r"<str:kind>": "fill", r"<str:rank>": "full", r"<path:document>": f"inventory/R-01/{day}/1/closer",
    }  # fmt: skip
    found = set()
    for route in ACCESS:
        for part, value in parts.items():
            route = route.replace(part, value)
        if "<" not in route and not route.endswith("live/"):
            found.add(f"/{route}")
    return found


def told(room: CountHouse, who: str) -> set[str]:
    """The addresses that tell somebody a figure of the count."""
    found = set()
    for address in sorted(addresses(room.day)):
        answer = room.clients[who].get(address)
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        words = re.sub(r"<[^>]*>", " ", body.decode(errors="replace"))
        if answer.status_code == 200 and any(
            re.search(rf"(?<![\d,.]){re.escape(one)}(?![\d])", words) for one in FIGURES
        ):
            found.add(address)
    return found


def test_no_address_tells_the_cage_what_was_counted_before_its_own_figure_is_in(room: CountHouse) -> None:
    room.count_closed()
    catch_up()
    assert len(addresses(room.day)) > 150
    assert told(room, "cara") == set()
    assert told(room, "ben") >= {"/drop-and-hold/", f"/{room.count.replace('counts/', 'count/')}"}
    refused = room.post(
        "cara", f"drops/{room.day}/1/accept/", {"counter": {"name": "tess", "password": "tess-password"}}
    )
    assert (refused.status_code, refused.json()["code"]) == (409, "not_recounted")
    assert not any(figure in refused.content.decode() for figure in FIGURES)
    room.recounted({"10000": 90_000})
    assert f"/drops/{room.day}/1/" in told(room, "cara")
    assert DropCount.objects.get().recounted_at is not None
    assert not CageEntry.objects.filter(kind="drop_accepted").exists()
