"""A day's box paper, table by table, and the exceptions among it."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from django.db.models import Max, Min

from ledger.models import BoxPaper, DayClose

WORDS = {
    "missing": "missing from the box",
    "differs": "differs from what is stored",
    "unmatched": "in the box, not stored",
    "void": "void",
    "sequence": "number that no document has",
    "twice": "number given twice",
    "unticked": "not ticked, and the day is filed",
}


@dataclass(frozen=True)
class PaperException:
    """A line of the day's exception list."""

    document: str
    table: str
    what: str
    said: str
    note: str

    @property
    def words(self) -> str:
        return WORDS[self.what]


def papers_of(day: date) -> dict[str, list[BoxPaper]]:
    """The stored documents of each table, those that nobody has ticked first."""
    found: dict[str, list[BoxPaper]] = defaultdict(list)
    stored = BoxPaper.objects.filter(gaming_date=day).exclude(kind__in=("unmatched", "skipped"))
    for paper in stored.order_by("table_code", "document"):
        found[paper.table_code].append(paper)
    return {table: sorted(papers, key=lambda paper: paper.finding != "") for table, papers in found.items()}


def exceptions_of(day: date) -> list[PaperException]:
    """What is wrong with the day's paper, unexplained first; paper that nobody ticked is, once the day is filed."""
    is_filed = DayClose.objects.filter(gaming_date=day, filed_position__isnull=False).exists()
    papers = list(BoxPaper.objects.filter(gaming_date=day).order_by("table_code", "document"))
    found = [
        PaperException(paper.document, paper.table_code, what, paper.said, paper.note)
        for paper in papers
        if (what := _wrong(paper, is_filed))
    ]
    found += _skipped(day, {paper.document: paper.note for paper in papers if paper.kind == "skipped"})
    return sorted(found, key=lambda one: one.note != "")


def _wrong(paper: BoxPaper, is_filed: bool) -> str:
    """What kind of exception a paper is; "" where it is none."""
    if paper.kind == "skipped":
        return ""
    if paper.finding in ("missing", "differs", "unmatched"):
        return paper.finding
    if paper.said:
        return "twice"
    if paper.is_void:
        return "void"
    return "unticked" if is_filed and not paper.finding else ""


def _skipped(day: date, notes: Mapping[str, str]) -> list[PaperException]:
    """Numbers up to the day's last in a book, after the last number of earlier days, that no document has."""
    numbered = BoxPaper.objects.filter(serial__isnull=False, gaming_date__year=day.year)
    found = []
    for book in numbered.filter(gaming_date=day).values("kind").annotate(low=Min("serial"), high=Max("serial")):
        of_book = numbered.filter(kind=book["kind"])
        before = of_book.filter(serial__lt=book["low"]).aggregate(last=Max("serial"))["last"] or 0
        known = of_book.filter(serial__range=(before + 1, book["high"])).values_list("serial", flat=True)
        for serial in sorted({*range(before + 1, book["high"] + 1)} - {*known}):
            name = f"{book['kind']}/{day.year}/{serial}"
            found.append(PaperException(name, "", "sequence", "", notes.get(name, "")))
    return found
