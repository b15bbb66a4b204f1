"""Addresses below /api/v1/."""

from datetime import date

from django.urls import path, register_converter

from casino.api import chips, floor, late_slips, patrons, slips, tables, views


class TableCode:
    """Anything without a slash, so that a bad code is refused in words and not as an unknown address."""

    regex = "[^/]{1,40}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class Day:
    """A gaming date, written 2026-11-29, of a year in which a house may keep records."""

    regex = "(?:19|2[0-9])[0-9]{2}-[0-9]{2}-[0-9]{2}"

    def to_python(self, value: str) -> date:
        return date.fromisoformat(value)

    def to_url(self, value: date) -> str:
        return value.isoformat()


register_converter(TableCode, "code")
register_converter(Day, "day")
TABLE = "tables/<code:table>/"
SLIP = "slips/<code:table>/<code:gaming_date>/<int:session>/<int:n>/"
ROUND = "rounds/<code:table>/<code:gaming_date>/<int:n>/"

urlpatterns = [
    path("tables/", tables.Tables.as_view()),
    path(TABLE, tables.OneTable.as_view()),
    path(f"{TABLE}set-up/", tables.SetUpTable.as_view()),
    path(f"{TABLE}corrections/", chips.Correct.as_view()),
    path(f"{TABLE}closed-form/", floor.RecordClosedTable.as_view()),
    path("pits/<code:pit>/hand-over/", floor.HandPitOver.as_view()),
    path(f"{TABLE}limits/", floor.AnnounceTableLimits.as_view()),
    *(
        path(f"{TABLE}{name}/", view.as_view())
        for name, view in (tables.AT_TABLE | floor.AT_TABLE | chips.AT_TABLE | views.NEW_ROUND).items()
    ),
    path(f"{TABLE}seats/", patrons.Seats.as_view()),
    *(path(f"{TABLE}seats/{name}/", view.as_view()) for name, view in patrons.AT_SEAT.items()),
    path(f"{TABLE}slips/", slips.RequestTransfer.as_view()),
    path(f"{TABLE}late-slips/", late_slips.RecordLateTransfer.as_view()),
    path("slips/", slips.Slips.as_view()),
    path(SLIP, slips.OneSlip.as_view()),
    *(path(f"{SLIP}{name}/", view.as_view()) for name, view in slips.ON_SLIP.items()),
    path("papers/print/", slips.PrintPaper.as_view()),
    path("slip-books/<day:gaming_date>/", slips.SlipBooks.as_view()),
    path("patrons/", patrons.Patrons.as_view()),
    path("patrons/<int:patron_id>/", patrons.OnePatron.as_view()),
    path("patrons/<int:patron_id>/ratings/", patrons.Ratings.as_view()),
    path("patrons/<int:patron_id>/rename/", patrons.RenamePatron.as_view()),
    path("patrons/<int:patron_id>/erase/", patrons.ErasePatron.as_view()),
    path("rounds/", views.Rounds.as_view()),
    path(ROUND, views.OneRound.as_view()),
    *(path(f"{ROUND}{name}/", view.as_view()) for name, view in views.ON_ROUND.items()),
]
