"""Fields of a deed's form, and what somebody has written into them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import QueryDict

from casino.money import cents_of
from casino.refusal import Refused, in_quotes
from casino.transfers import typed_chips


@dataclass(frozen=True)
class Field:
    """A field as it is shown. `kind` is amount, number, text, choice, chips, moment or hidden.

    `choices` are (value, words). For chips, `choices` are the chips (cents, what lies in the tray).
    """

    name: str
    label: str
    kind: str = "text"
    hint: str = ""
    required: bool = True
    value: str = ""
    choices: Sequence[tuple[object, object]] = ()


@dataclass(frozen=True)
class Given:
    """What was sent; every reader refuses what it can't read, by the field's own words."""

    form: QueryDict

    def text(self, name: str) -> str:
        return str(self.form.get(name, "")).strip()

    def number(self, name: str, what: str) -> int:
        """A whole number; refuses `odd_number`."""
        text = self.text(name)
        if not text.isascii() or not text.isdecimal() or len(text) > 18:
            raise Refused("odd_number", f"{in_quotes(text)} is no {what}; write it in digits.")
        return int(text)

    def number_if_any(self, name: str, what: str) -> int | None:
        return self.number(name, what) if self.text(name) else None

    def cents(self, name: str) -> int:
        """An amount in cents; refuses `odd_amount`."""
        return cents_of(self.text(name))

    def cents_if_any(self, name: str) -> int | None:
        return self.cents(name) if self.text(name) else None

    def day(self, name: str) -> date:
        """A gaming date; refuses `odd_day`."""
        text = self.text(name)
        try:
            return date.fromisoformat(text)
        except ValueError:
            raise Refused("odd_day", f"{in_quotes(text)} is not a gaming date; write it like 2026-11-29.") from None

    def moment_if_any(self, name: str) -> datetime | None:
        """A moment of the house's wall clock; refuses `odd_moment`."""
        text = self.text(name)
        if not text:
            return None
        try:
            return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(settings.TIME_ZONE))
        except ValueError:
            sentence = f"{in_quotes(text)} is no date and time; write it like 2026-11-29T21:30."
            raise Refused("odd_moment", sentence) from None

    def chips(self, name: str) -> dict[str, int]:
        """Fields `name_2500` = 40 as denominations; what is left empty is none. Refuses `odd_number`."""
        return typed_chips(self.form, name)
