"""People's cash of a gaming day against the thresholds, and payouts that need a document."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import NamedTuple

from django.conf import settings
from django.db.models import Sum
from django.utils import timezone

from casino import profile
from casino.cash import IN, OUT, WORDS, Cash, Mark, mark, person
from casino.cash_models import CashTransaction, CurrencyReport, LargePayout, PatronMerge
from casino.eventstore import history
from casino.models import Patron, SeatBoard
from casino.money import written

LEARNT_LAST = 50
"""How many transactions the watch looks back at each time: more than a house takes between two looks."""
SITTING = timedelta(hours=1)
"""Within which cash at one seat may be one person's where nobody is named."""


def _profile() -> profile.Profile:
    return profile.load(settings.CASINO_PROFILE)


def merges() -> dict[int, int]:
    """Every merge: described patron → who it was."""
    return dict(PatronMerge.objects.values_list("patron_id", "into_id"))


@dataclass(frozen=True)
class Person:
    """One person's cash of a gaming day with every transaction, under all the numbers that were theirs."""

    patron_id: int
    name: str
    numbers: tuple[int, ...]
    cash: Cash
    transactions: tuple[CashTransaction, ...]
    filed: tuple[CurrencyReport, ...]

    @property
    def sides(self) -> list[tuple[str, int, Mark, bool]]:
        """Direction, sum, mark, and whether a report of at least that sum is filed; only where cash moved."""
        rules = _profile().currency
        found = []
        for direction, cents in ((IN, self.cash.in_cents), (OUT, self.cash.out_cents)):
            is_filed = any(f.direction == direction and f.amount_cents >= cents for f in self.filed)
            if cents:
                found.append((direction, cents, mark(cents, rules), is_filed))
        return found

    @property
    def largest(self) -> int:
        return max(self.cash)

    def is_at_least(self, asked: str) -> bool:
        """Whether one of the sides has come as far as a mark; everybody has come to ""."""
        known: list[str] = list(WORDS)
        return not asked or any(known.index(mark) >= known.index(asked) for _, _, mark, _ in self.sides)


def people(day: date) -> list[Person]:
    """Everybody with cash on the gaming day, the largest sum first; as many queries however many people."""
    merged = merges()
    by_person: dict[int, list[CashTransaction]] = defaultdict(list)
    for one in CashTransaction.objects.filter(gaming_date=day, patron_id__isnull=False).order_by("position"):
        by_person[person(one.patron_id, merged)].append(one)
    filed: dict[int, list[CurrencyReport]] = defaultdict(list)
    for report in CurrencyReport.objects.filter(gaming_date=day):
        filed[person(report.patron_id, merged)].append(report)
    names = {patron.pk: patron.shown_name for patron in Patron.objects.filter(pk__in=list(by_person))}
    found = [_person(n, names.get(n, ""), known, filed[n]) for n, known in by_person.items()]
    return sorted(found, key=lambda one: -one.largest)


def _person(patron_id: int, name: str, known: list[CashTransaction], filed: list[CurrencyReport]) -> Person:
    cash = Cash()
    for one in known:
        cash = cash.with_more(one.direction, one.amount_cents)
    numbers = tuple(sorted({one.patron_id for one in known}))
    return Person(patron_id, name, numbers, cash, tuple(known), tuple(filed))


class Unnamed(NamedTuple):
    """Cash of a gaming day in one direction at one place that no patron stands behind, taken together."""

    table_code: str
    seat: int | None
    direction: str
    cents: int
    transactions: tuple[CashTransaction, ...]

    @property
    def place(self) -> str:
        """Where it was, as the subject of an alert: its first transaction by its position in the log."""
        return f"{self.table_code}-{self.transactions[0].position}-{self.direction}"

    @property
    def sentence(self) -> str:
        where = f"seat {self.seat} of {self.table_code}" if self.seat is not None else self.table_code
        return f"Cash {self.direction} of {written(self.cents)} at {where} is nobody's yet; describe the person."


def nobodys(day: date) -> list[Unnamed]:
    """What comes to the log's threshold with no patron behind it: somebody has to describe whose it was.

    Several small ones at one seat within an hour count together, since they may be one person's; without a seat each
    stands alone.
    """
    least = _profile().currency.log_from_cents
    known = list(CashTransaction.objects.filter(gaming_date=day, patron_id__isnull=True).order_by("position"))
    return [one for one in map(_unnamed, _together(known)) if one.cents >= least]


def _together(known: Sequence[CashTransaction]) -> list[list[CashTransaction]]:
    """Transactions that may be one person's; what puts an entry right goes with the entry."""
    corrects = _corrected([one.position for one in known if one.kind == "entry_corrected"])
    found: list[list[CashTransaction]] = []
    of_entry: dict[int, list[CashTransaction]] = {}
    at_seat: dict[tuple[str, int | None, str], list[CashTransaction]] = {}
    for one in known:
        seat = (one.table_code, one.seat, one.direction)
        group = of_entry.get(corrects.get(one.position, 0))
        if group is None:
            group = at_seat.get(seat, [])
            if one.seat is None or not group or one.at - group[0].at > SITTING:
                group = at_seat[seat] = []
                found.append(group)
        group.append(one)
        of_entry[one.position] = group
    return found


def _corrected(positions: Sequence[int]) -> dict[int, int]:
    """Correction → the entry that it puts right, by their positions in the log."""
    return {entry.position: entry.event.corrects for entry in history.at(positions)} if positions else {}


def _unnamed(known: list[CashTransaction]) -> Unnamed:
    first, cents = known[0], sum(one.amount_cents for one in known)
    return Unnamed(first.table_code, first.seat, first.direction, cents, tuple(known))


def cash_of(patron_id: int, day: date) -> Cash:
    """One person's cash of the gaming day, all their numbers together."""
    merged = merges()
    wanted = person(patron_id, merged)
    numbers = {wanted} | {number for number in merged if person(number, merged) == wanted}
    cash = Cash()
    for direction, cents in CashTransaction.objects.filter(gaming_date=day, patron_id__in=numbers).values_list(
        "direction", "amount_cents"
    ):
        cash = cash.with_more(direction, cents)
    return cash


class Typed(NamedTuple):
    """What cash that is being typed would come to: the day's sum with it, and its mark; `patron` is None if unknown."""

    patron: Patron | None
    before_cents: int
    after_cents: int
    mark: Mark


def warning(table: str, seat: int | None, amount_cents: int, day: date) -> Typed:
    """For whoever types cash taken at a table: where the seat's patron would stand with it.

    Where nobody is known at the seat, it counts with what was taken there in the last hour and nobody is named for:
    from the log's threshold on, somebody describes whose it is.
    """
    board = SeatBoard.objects.filter(table_code=table, seat=seat, is_taken=True, patron_id__isnull=False).first()
    patron = Patron.objects.filter(pk=board.patron_id).first() if board else None
    before = cash_of(patron.pk, day).in_cents if patron else _unnamed_in(table, seat, day)
    after = before + amount_cents
    return Typed(patron, before, after, mark(after, _profile().currency))


def _unnamed_in(table: str, seat: int | None, day: date) -> int:
    """What was taken at a seat without a patron in the last hour; without a seat nothing is added up."""
    if seat is None:
        return 0
    since = timezone.now() - SITTING
    at_seat = CashTransaction.objects.filter(gaming_date=day, table_code=table, seat=seat, patron_id__isnull=True)
    return int(at_seat.filter(direction=IN, at__gte=since).aggregate(cents=Sum("amount_cents"))["cents"] or 0)


def patrons_near(day: date) -> int:
    """How many people's cash, in or out, is on the gaming day at least what the rules warn from."""
    least = _profile().currency.warn_from_cents
    return sum(1 for one in people(day) if one.largest >= least)


def near_thresholds(days: Iterable[date]) -> Mapping[str, list[tuple[str, str, date]]]:
    """For the alerts: by table, whoever is near a report there, with a sentence and the day.

    A subject is a person, direction and mark, or the place of cash that nobody is named for.
    """
    found: dict[str, list[tuple[str, str, date]]] = defaultdict(list)
    over = written(_profile().currency.report_over_cents)
    for day in set(days):
        for one in people(day):
            for direction, cents, marked, is_filed in one.sides:
                if marked in ("watch", "report") and not is_filed:
                    table = one.transactions[-1].table_code
                    end = "a report is due" if marked == "report" else f"a report is due over {over}"
                    sentence = f"Patron {one.patron_id}: cash {direction} of the day {written(cents)}; {end}."
                    found[table].append((f"{one.patron_id}-{direction}-{marked}", sentence, day))
        for unnamed in nobodys(day):
            if (marked := mark(unnamed.cents, _profile().currency)) in ("watch", "report"):
                found[unnamed.table_code].append((f"{unnamed.place}-{marked}", unnamed.sentence, day))
    return found


def days_learnt_of(since: datetime) -> set[date]:
    """The gaming days of which cash was learnt last, put right late among it, and those of people merged since then.

    A report may be due for a day long gone.
    """
    latest = CashTransaction.objects.order_by("-position").values_list("gaming_date", flat=True)[:LEARNT_LAST]
    return {*latest, *_days_of_merges(since)}


def _days_of_merges(since: datetime) -> set[date]:
    merged = merges()
    late = {person(number, merged) for number in PatronMerge.objects.filter(at__gte=since).values_list("pk", flat=True)}
    numbers = late | {number for number in merged if person(number, merged) in late}
    known = CashTransaction.objects.filter(patron_id__in=numbers) if late else CashTransaction.objects.none()
    return set(known.values_list("gaming_date", flat=True).distinct())


def payout_with_document(table: str, day: date, n: int, number: int) -> LargePayout | None:
    """One won wager, by its round and its number there, if it needs a payout document."""
    found = LargePayout.objects.filter(table_code=table, gaming_date=day, n=n, number=number).first()
    if found is None or not _profile().needs_payout_document(found.winnings_cents, found.stake_cents, day):
        return None
    return found


def payouts_with_document(day: date) -> list[LargePayout]:
    """The day's won wagers that need a payout document and are marked for form W-2G, by the rule of that day."""
    rules = _profile()
    found = LargePayout.objects.filter(gaming_date=day).order_by("position", "number")
    return [p for p in found if rules.needs_payout_document(p.winnings_cents, p.stake_cents, day)]
