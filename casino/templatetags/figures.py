"""How pages write money, shares, cards and wagers. Unknown is "—", a minus is "−", and no amount is ever rounded."""

from datetime import date, datetime
from fractions import Fraction
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django import template
from django.conf import settings
from django.template import Context
from django.utils import timezone

from casino import second_factor
from casino.gate import roles_of
from casino.navigation import Menu, bar_for, entry_at
from casino.queries.floor import game_name, gaming_date_now
from casino.refusal import counted
from casino.roles import in_words

register = template.Library()
register.filter("game_name", game_name)

UNKNOWN, MINUS = "—", "−"
SUIT_SIGNS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
SUIT_WORDS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
STATUS_WORDS = {"open": "taking bets", "closed": "no more bets", "complete": "to be settled"}
RANK_WORDS = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "10"}


# ------------------------------------------------------------------------------------------------- figures


@register.filter
def money(cents: int | None) -> str:
    """123456 → 1,234.56"""
    if not isinstance(cents, int):
        return UNKNOWN
    whole, rest = divmod(abs(cents), 100)
    return f"{MINUS if cents < 0 else ''}{whole:,}.{rest:02d}"


@register.filter
def signed(cents: int | None) -> str:
    """As `money`, with a plus before what is above zero."""
    return f"+{money(cents)}" if isinstance(cents, int) and cents > 0 else money(cents)


@register.filter
def to_the_cent(cents: Fraction | None) -> str:
    """A fraction of cents to the nearest cent, the half away from zero; it is for reading, as `percent` is."""
    if not isinstance(cents, Fraction | int):
        return UNKNOWN
    whole = (2 * abs(cents.numerator) + cents.denominator) // (2 * cents.denominator)
    return money(-whole if cents < 0 else whole)


@register.filter
def signed_to_the_cent(cents: Fraction | None) -> str:
    """As `to_the_cent`, with a plus before what is above zero."""
    shown = to_the_cent(cents)
    return f"+{shown}" if isinstance(cents, Fraction | int) and cents > 0 else shown


@register.filter
def duration(seconds: int | None) -> str:
    """3900 → 1 h 05 min; whole minutes, what is left over is cut off."""
    if seconds is None:
        return UNKNOWN
    hours, minutes = divmod(seconds // 60, 60)
    return f"{hours} h {minutes:02d} min" if hours else f"{minutes} min"


@register.filter
def span(seconds: int) -> str:
    """A stretch of time in its two greatest units: 90 → 1 min 30 s; 93600 → 1 day 2 h"""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    units = [counted(days, "day") if days else "", hours and f"{hours} h", minutes and f"{minutes} min"]
    parts = [*units, rest and f"{rest} s"]
    first = next((n for n, part in enumerate(parts) if part), len(parts))
    return " ".join(part for part in parts[first : first + 2] if part) or "0 s"


@register.filter
def short(cents: int) -> str:
    """A posted limit: no cents where there are none."""
    return money(cents).removesuffix(".00")


@register.filter
def whole(number: int) -> str:
    """12345 → 12,345"""
    return f"{number:,}"


@register.filter
def percent(share: Fraction | None) -> str:
    """A share in per cent with one decimal, the half away from zero; it is for reading, nothing is reckoned from it."""
    if share is None:
        return UNKNOWN
    tenths = (abs(share.numerator) * 2000 + share.denominator) // (2 * share.denominator)
    sign = MINUS if share < 0 and tenths else ""
    return f"{sign}{tenths // 10:,}.{tenths % 10} %"


@register.filter
def points(share: Fraction | None) -> str:
    """A difference of shares in percentage points, with its sign and two decimals; for reading, as `percent` is."""
    return UNKNOWN if share is None else signed_to_the_cent(Fraction(share) * 10_000)


@register.filter
def part_of_meter(part: Fraction) -> str:
    """What a rank wins of a meter: 1 → 100 %, 1/10 → 10 %, 1/3 → 1/3."""
    hundredths = part * 100
    return f"{hundredths} %" if hundredths.denominator == 1 else str(part)


@register.filter
def once_in(chance: Fraction) -> str:
    """1/649740 → 649,740.00; how many wagers there are to one, with two decimals; — where it never happens."""
    return to_the_cent(100 / chance) if chance else UNKNOWN


@register.filter
def in_a_million(hits: Fraction) -> str:
    """Hits a round as hits in a million rounds, with two decimals."""
    return to_the_cent(hits * 100_000_000)


@register.filter
def micros(amount: Fraction | int | None) -> str:
    """Micro-units of the currency: to the cent, and to the last one where they make no whole cents. 6500 → 0.0065"""
    if amount is None:
        return UNKNOWN
    cents = Fraction(amount, 10_000)
    if cents.denominator == 1:
        return money(int(cents))
    if Fraction(amount).denominator != 1:
        return to_the_cent(cents)
    whole, rest = divmod(abs(int(amount)), 1_000_000)
    return f"{MINUS if amount < 0 else ''}{whole:,}.{rest:06d}".rstrip("0")


@register.filter
def tone(cents: int | None) -> str:
    """gain, loss or level, from the house's view: the class of an amount, never its only sign."""
    if not isinstance(cents, int) or cents == 0:
        return "level"
    return "gain" if cents > 0 else "loss"


@register.filter
def tone_of(amount: Fraction | int | None) -> str:
    """As `tone`, of a fraction too."""
    return "level" if not amount else "gain" if amount > 0 else "loss"


@register.filter
def house(cents: int | None) -> str:
    """What a sign means, in words."""
    return {"gain": "house ahead", "loss": "house behind", "level": "level"}[tone(cents)]


# ------------------------------------------------------------------------------------------------- words


@register.filter
def words(code: str | None) -> str:
    """three_of_a_kind → three of a kind"""
    return (code or "").replace("_", " ")


@register.filter
def role(name: str) -> str:
    """Whom a signature stands for: cage → the cage, security → security."""
    return name if name == "security" else f"the {words(name)}"


@register.filter
def step_words(word: str) -> str:
    """A step of a slip's course: requested → Requested, prepared → Slip prepared, cage → Cage signs."""
    known = {"requested": "Requested", "prepared": "Slip prepared", "withdrawn": "Withdrawn", "void": "Void"}
    return known.get(word) or f"{words(word).capitalize()} signs"


@register.filter
def small_initial(name: str) -> str:
    """A figure's name inside a sentence: Recorded drop (R) → recorded drop (R)"""
    return name[:1].lower() + name[1:]


@register.filter
def status(code: str) -> str:
    """How far a round has come, as the pit says it: a round that is "closed" takes no more bets."""
    return STATUS_WORDS.get(code, code)


@register.filter
def shown_card(code: str | None) -> str:
    """As → A♠, Th → 10♥, X1 → Joker 1"""
    if not code:
        return "unseen card"
    if code[0] == "X":
        return f"Joker {code[1:]}"
    return f"{rank_sign(code)}{SUIT_SIGNS[code[1]]}"


@register.filter
def rank_sign(code: str) -> str:
    return "10" if code[0] == "T" else code[0]


@register.filter
def spoken_card(code: str) -> str:
    """As → ace of spades"""
    if code[0] == "X":
        return f"joker {code[1:]}"
    return f"{RANK_WORDS.get(code[0], code[0])} of {SUIT_WORDS[code[1]]}"


@register.filter
def wager(code: str) -> str:
    """split:As+Ks → split A♠ K♠; suit:s → suit ♠; split_rank:A+K → split rank A K"""
    bet, _, parts = code.partition(":")
    return f"{words(bet)} {' '.join(_part(part) for part in parts.split('+'))}".strip()


@register.filter(name="part")
def _part(part: str) -> str:
    """A card, a suit or a rank by itself: As → A♠, s → ♠, T → 10."""
    if len(part) == 2 and (part[0] == "X" or part[1] in SUIT_SIGNS):
        return shown_card(part)
    return SUIT_SIGNS.get(part, "10" if part == "T" else part)


@register.filter
def seats(numbers: list[int]) -> str:
    """[1] → seat 1; [1, 4, 6] → seats 1, 4 and 6"""
    texts = [str(number) for number in numbers]
    if len(texts) < 2:
        return f"seat {''.join(texts)}"
    return f"seats {', '.join(texts[:-1])} and {texts[-1]}"


@register.filter
def day(moment: date | None) -> str:
    """Sat 29 Nov 2025; of a moment, the property's date."""
    if isinstance(moment, datetime):
        moment = timezone.localtime(moment)
    return f"{moment:%a} {moment.day} {moment:%b %Y}" if moment else UNKNOWN


@register.filter
def clock(moment: datetime | None) -> str:
    """The property's wall clock to the second."""
    return f"{timezone.localtime(moment):%H:%M:%S}" if moment else UNKNOWN


@register.filter
def hour_of(moment: datetime) -> str:
    """The hour that begins at `moment`, by the property's wall clock; the second 1:00 of a long night says so."""
    return f"{timezone.localtime(moment):%H:%M}" + ("′" if timezone.localtime(moment).fold else "")


@register.filter
def stamp(moment: datetime) -> str:
    """Date and wall clock to the millisecond, for the record: 30 Nov 2026 05:41:16.040"""
    local = timezone.localtime(moment)
    return f"{local.day} {local:%b %Y %H:%M:%S}.{local.microsecond // 1000:03d}"


@register.filter
def stamp_minute(moment: datetime) -> str:
    """Date and wall clock to the minute, for a paper: 30 Nov 2026 05:41"""
    local = timezone.localtime(moment)
    return f"{local.day} {local:%b %Y %H:%M}"


@register.filter
def short_hash(digest: bytes) -> str:
    return digest.hex()[:10]


@register.filter
def full_hash(digest: bytes) -> str:
    return digest.hex()


# ------------------------------------------------------------------------------------------------- the header


class House(NamedTuple):
    """What stands over every page."""

    property: str
    currency: str
    gaming_date: date
    now: datetime
    zone: str
    epoch_ms: int
    roles: str
    bar: list[Menu]
    here: str


@register.simple_tag(takes_context=True)
def house_now(context: Context) -> House:
    """Property, gaming day and clock; the roles of whoever is logged in, and the bar they see."""
    now = timezone.now()
    user, match = context.get("user"), getattr(context.get("request"), "resolver_match", None)
    roles = roles_of(user) if user is not None else frozenset()
    is_owed = bool(roles) and second_factor.is_due(context["request"], roles)  # until then no page opens
    return House(
        property=settings.CASINO_PROPERTY,
        currency=settings.CASINO_CURRENCY,
        gaming_date=gaming_date_now(),
        now=now.astimezone(ZoneInfo(settings.TIME_ZONE)),
        zone=settings.TIME_ZONE,
        epoch_ms=int(now.timestamp() * 1000),
        roles=in_words(roles),
        bar=[] if is_owed else bar_for(roles),
        here=entry_at(match.route) if match else "",
    )
