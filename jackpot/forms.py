"""A page's form read as the body of a step: money as people write it, seats as boxes that were ticked.

So a page and the interface send the same things to the same commands, checked by the same serializers.
"""

import re
import time
import uuid
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpRequest, QueryDict
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from casino.access import row_of
from casino.commands.order import Order
from casino.eventstore.follower import position_of
from casino.gate import roles_of
from casino.refusal import Refused, in_quotes
from casino.web import Strict
from jackpot.projections import METERS
from jackpot.shares import SHARES

MONEY = re.compile(r"([-−+])?(\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.(\d{1,6}))?", re.ASCII)
PATIENCE_S = 2.0


def order_of_form(request: HttpRequest) -> Order:
    """Every form carries a key of its own, so that sending it twice does it once."""
    return Order(request.user.get_username(), request.POST.get("key", ""), datetime.now(UTC), source="page")


def new_key() -> str:
    """A key for a form that is about to be shown."""
    return str(uuid.uuid4())


def body_of_form(given: QueryDict, body: type[Strict]) -> dict[str, Any]:
    """What a form says, as the step's checked body; fields that were left empty are left out.

    Refuses `odd_amount` and `bad_form` with a sentence that names the field.
    """
    plain = {name: _plain(field, name, given) for name, field in body().fields.items() if _is_given(given, name)}
    checked = body(data=plain)
    try:
        checked.is_valid(raise_exception=True)
    except ValidationError as error:
        name, said = next(iter(error.detail.items()))  # type: ignore[union-attr]
        raise Refused("bad_form", f"{name.replace('_', ' ').capitalize()}: {_words(said)}") from None
    return dict(checked.validated_data)


def _words(said: Any) -> str:
    while isinstance(said, list | dict):
        said = next(iter(said.values() if isinstance(said, dict) else said))
    return str(said)


def _is_given(given: QueryDict, name: str) -> bool:
    return any(text.strip() for text in given.getlist(name))


def _plain(field: serializers.Field[Any, Any, Any, Any], name: str, given: QueryDict) -> Any:
    text = given[name].strip()
    if isinstance(field, serializers.ListField):
        return [_whole(name, one) for one in given.getlist(name) if one.strip()]
    if name.endswith("_cents"):
        return _cents(text)
    if name == "micros" or name.endswith("_micros"):
        return micros_of(text)
    if isinstance(field, serializers.BooleanField):
        return True
    if isinstance(field, serializers.DateTimeField):
        return _moment(name, text)
    return _whole(name, text) if isinstance(field, serializers.IntegerField) else text


def _whole(name: str, text: str) -> int:
    if re.fullmatch(r"-?\d{1,18}", text, re.ASCII) is None:
        raise Refused("bad_form", f"{name.replace('_', ' ').capitalize()}: {in_quotes(text)} is not a whole number.")
    return int(text)


def micros_of(text: str) -> int:
    """12,400.50 → 12400500000; refuses `odd_amount` with how to write one."""
    match = MONEY.fullmatch(text)
    if match is None:
        raise Refused("odd_amount", f"{in_quotes(text)} is not an amount; write it like 12400 or 12,400.50.")
    sign, whole, rest = match.groups()
    micros = int(whole.replace(",", "")) * 1_000_000 + int((rest or "").ljust(6, "0"))
    return -micros if sign in ("-", "−") else micros


def _cents(text: str) -> int:
    cents, rest = divmod(micros_of(text), 10_000)
    if rest:
        raise Refused("odd_amount", f"{in_quotes(text)} has parts of a cent; write it like 12,400.50.")
    return cents


def _moment(name: str, text: str) -> str:
    """A browser's local date and time, by the property's wall clock."""
    try:
        wall = datetime.fromisoformat(text)
    except ValueError:
        raise Refused("bad_form", f"{name.replace('_', ' ').capitalize()}: {in_quotes(text)} is no time.") from None
    return (wall if wall.tzinfo else wall.replace(tzinfo=ZoneInfo(settings.TIME_ZONE))).isoformat()


def wait_until_read(position: int) -> None:
    """Wait a moment for the meters and shares, so that the page shows what was just recorded."""
    end = time.monotonic() + PATIENCE_S
    while min(position_of(METERS.name), position_of(SHARES.name)) < position and time.monotonic() < end:
        time.sleep(0.02)


def may_take(request: HttpRequest, prefix: str, steps: list[str]) -> set[str]:
    """The steps below a route that whoever is logged in may take, so that a page offers no others."""
    roles = roles_of(request.user)
    rows = {step: row_of(f"{prefix}{step}/") for step in steps}
    return {step for step, row in rows.items() if row is not None and row.admits(roles, "POST")}
