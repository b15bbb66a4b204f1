"""How the pages of progressives write a change, a moment of an event, and amounts with their signs."""

from collections.abc import Mapping
from datetime import datetime
from fractions import Fraction
from typing import Any

from django import template
from django.utils import timezone

from casino.templatetags.figures import UNKNOWN, micros, money, words
from jackpot.control_events import Change

register = template.Library()


@register.filter
def at(found: Mapping[Any, Any] | None, key: Any) -> Any:
    """What a mapping has under a key; None where it has nothing."""
    return (found or {}).get(key)


@register.filter
def moment(text: str) -> datetime:
    """An event's ISO 8601 text as a moment."""
    return datetime.fromisoformat(text)


@register.filter
def when(moment: datetime | None) -> str:
    """A moment as people say it, by the property's clock: 30 Nov 06:00:51; with the year where it is not this one."""
    if moment is None:
        return UNKNOWN
    local = timezone.localtime(moment)
    year = "" if local.year == timezone.localtime().year else f" {local.year}"
    return f"{local.day} {local:%b}{year} {local:%H:%M:%S}"


@register.filter
def chance(part: Fraction) -> str:
    """An exact chance with its thousands apart: 14/527,085"""
    return f"{part.numerator:,}/{part.denominator:,}"


@register.filter
def signed_micros(amount: int) -> str:
    """As `micros`, with a plus before what is above zero."""
    return f"+{micros(amount)}" if amount > 0 else micros(amount)


@register.filter
def changed(change: Change) -> str:
    """A change in words: "limit 9,000.00, increment bp 6000"."""
    said = ["no limit"] if change.no_limit else []
    for name in change.__struct_fields__:
        value = getattr(change, name)
        if value is None or name == "no_limit":
            continue
        if name == "tiers":
            said.append("tiers " + ", ".join(f"{words(rank)} {part}" for rank, part in value.items()))
        elif name.endswith("_cents"):
            amount = money(value) if isinstance(value, int) else words(value)
            said.append(f"{words(name.removesuffix('_cents'))} {amount}")
        else:
            said.append(f"{words(name)} {words(str(value))}")
    return ", ".join(said)
