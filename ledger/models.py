"""The books as read models, made from the log alone: periods of tables, boxes, hours, dealers' errors, closed days."""

from django.db import models

from ledger import journal_models  # noqa: F401  Django finds models through this module
from ledger.count_models import BoxPaper as BoxPaper
from ledger.count_models import CageChip as CageChip
from ledger.count_models import CageEntry as CageEntry
from ledger.count_models import DropBox as DropBox
from ledger.count_models import DropCount as DropCount
from ledger.figures import PERIOD_LEAVES


class TablePeriod(models.Model):
    """What a table's session adds up to, from opener count to closer count (books, sections 1, 2 and 4).

    `rolled`: its closer is the next period's opener. There is a column for each kind of event (`PERIOD_LEAVES`); null
    is "not counted yet", never 0.
    """

    pk = models.CompositePrimaryKey("gaming_date", "table_code", "session")
    gaming_date = models.DateField()
    table_code = models.TextField()
    session = models.SmallIntegerField()
    first_round = models.IntegerField()
    opened_at = models.DateTimeField()
    opened_position = models.BigIntegerField()
    closed_at = models.DateTimeField(null=True)
    rolled = models.BooleanField(default=False)
    opener_cents = models.BigIntegerField()
    closer_cents = models.BigIntegerField(null=True)
    rounds_opened = models.IntegerField(default=0)
    rounds_settled = models.IntegerField(default=0)
    rounds_voided = models.IntegerField(default=0)
    last_position = models.BigIntegerField()

    class Meta:
        db_table = "table_period"

    def __str__(self) -> str:
        return f"{self.table_code} on {self.gaming_date}, session {self.session}"

    @property
    def cents(self) -> dict[str, int]:
        """Cents by the code of the kind of event."""
        return {leaf.code: getattr(self, leaf.column) for leaf in PERIOD_LEAVES}


for _leaf in PERIOD_LEAVES:
    TablePeriod.add_to_class(_leaf.column, models.BigIntegerField(default=0))  # type: ignore[attr-defined]


class Box(models.Model):
    """What a table's boxes of a gaming day were counted to, once every one of them is (`DropBox`)."""

    pk = models.CompositePrimaryKey("gaming_date", "table_code")
    gaming_date = models.DateField()
    table_code = models.TextField()
    counted_cents = models.BigIntegerField()
    last_position = models.BigIntegerField()

    class Meta:
        db_table = "box"

    def __str__(self) -> str:
        return f"the box of {self.table_code} on {self.gaming_date}"


class TableHour(models.Model):
    """What happened at a table within an hour of the property's clock, by when it occurred: recorded figures only."""

    pk = models.CompositePrimaryKey("gaming_date", "table_code", "hour")
    gaming_date = models.DateField()
    table_code = models.TextField()
    hour = models.DateTimeField()
    drop_cents = models.BigIntegerField()
    win_cents = models.BigIntegerField()  # G − J − E
    handle_cents = models.BigIntegerField()
    fills_cents = models.BigIntegerField()
    credits_cents = models.BigIntegerField()
    rounds = models.IntegerField()
    last_position = models.BigIntegerField()

    class Meta:
        db_table = "table_hour"

    def __str__(self) -> str:
        return f"{self.table_code} from {self.hour}"


class DealerError(models.Model):
    """A settled wager on which the dealer paid something else than what was due; the last record of it counts."""

    pk = models.CompositePrimaryKey("gaming_date", "table_code", "n", "number")
    gaming_date = models.DateField()
    table_code = models.TextField()
    n = models.IntegerField()
    number = models.IntegerField()
    seat = models.SmallIntegerField()
    wager = models.TextField()
    due_cents = models.BigIntegerField()
    paid_cents = models.BigIntegerField()
    recorded_by = models.TextField()
    at = models.DateTimeField()
    last_position = models.BigIntegerField()

    class Meta:
        db_table = "dealer_error"

    def __str__(self) -> str:
        return f"wager {self.number} of {self.table_code}/{self.gaming_date}/{self.n}"

    @property
    def difference_cents(self) -> int:
        """Paid − due: above zero, the house paid too much."""
        return self.paid_cents - self.due_cents


class DayClose(models.Model):
    """A gaming day that is closed: its cut, and the day's periods and boxes as the books had them there.

    `periods` and `boxes` are the rows of `table_period` and `drop_box` at the cut, so that what was filed can be
    reckoned by the same code as what is known now. The fields of the filing are empty until the day is filed.
    """

    gaming_date = models.DateField(primary_key=True)
    cut = models.BigIntegerField()
    closed_at = models.DateTimeField()
    closed_by = models.TextField()
    approved_by = models.TextField()
    reason = models.TextField()
    open_things = models.JSONField()
    periods = models.JSONField()
    boxes = models.JSONField()
    filed_position = models.BigIntegerField(null=True)
    filed_at = models.DateTimeField(null=True)
    digest = models.TextField(default="")
    seal = models.IntegerField(null=True)
    seal_hash = models.TextField(default="")
    trial_balance = models.TextField(default="")

    class Meta:
        db_table = "day_close"

    def __str__(self) -> str:
        return f"the close of {self.gaming_date}"


class FiledTotal(models.Model):
    """A table's day as its `day_filed` has it, in cents, so that sums to date are sums of filed days."""

    pk = models.CompositePrimaryKey("gaming_date", "table_code")
    gaming_date = models.DateField()
    table_code = models.TextField()
    pit = models.TextField()
    game = models.TextField()
    opener = models.BigIntegerField()
    closer = models.BigIntegerField(null=True)
    counted_drop = models.BigIntegerField(null=True)
    recorded_drop = models.BigIntegerField()
    game_result = models.BigIntegerField()
    handle = models.BigIntegerField()
    fills = models.BigIntegerField()
    credits = models.BigIntegerField()
    pit_redemptions = models.BigIntegerField()
    elsewhere = models.BigIntegerField()
    jackpots = models.BigIntegerField()
    errors = models.BigIntegerField()
    between = models.BigIntegerField()

    class Meta:
        db_table = "filed_total"

    def __str__(self) -> str:
        return f"{self.table_code} as filed for {self.gaming_date}"


class LateFact(models.Model):
    """A fact that moves a closed day's figures and stands above its cut: an adjustment (books, 4.5)."""

    position = models.BigIntegerField(primary_key=True)
    gaming_date = models.DateField(db_index=True)
    table_code = models.TextField()

    class Meta:
        db_table = "late_fact"

    def __str__(self) -> str:
        return f"the fact at {self.position}, late for {self.gaming_date}"


class Investigation(models.Model):
    """How the investigation of a table's day, or of one session of it (0 is the whole day), stands.

    The variances are those known when it was opened. `conclusion` is "" while it is open.
    """

    pk = models.CompositePrimaryKey("table_code", "day", "session")
    table_code = models.TextField()
    day = models.DateField()
    session = models.SmallIntegerField()
    opened_at = models.DateTimeField()
    opened_by = models.TextField()
    assignee = models.TextField()
    box_cents = models.BigIntegerField(null=True)
    tray_cents = models.BigIntegerField(null=True)
    notes = models.IntegerField()
    reopenings = models.IntegerField()
    conclusion = models.TextField()
    concluded_by = models.TextField()
    concluded_at = models.DateTimeField(null=True)
    last_position = models.BigIntegerField()

    class Meta:
        db_table = "investigation"

    def __str__(self) -> str:
        return f"the investigation of {self.table_code} on {self.day}"


class LuckHour(models.Model):
    """What was played at a table in one hour of a session, by paytable: G, and theo T and variance V exactly.

    T and V are numerators over the paytable's own denominators, in cents and in the square of cents; the denominators
    are 1 where the mathematics is not known.
    """

    pk = models.CompositePrimaryKey("gaming_date", "table_code", "session", "hour", "game", "paytable")
    gaming_date = models.DateField()
    table_code = models.TextField()
    session = models.IntegerField()
    hour = models.DateTimeField()  # when it began
    game = models.TextField()
    paytable = models.TextField()
    rounds = models.IntegerField()
    unknown_rounds = models.IntegerField()
    stakes_cents = models.BigIntegerField()
    result_cents = models.BigIntegerField()
    theo_numerator = models.DecimalField(max_digits=300, decimal_places=0)
    theo_denominator = models.DecimalField(max_digits=300, decimal_places=0)
    variance_numerator = models.DecimalField(max_digits=300, decimal_places=0)
    variance_denominator = models.DecimalField(max_digits=300, decimal_places=0)
    last_position = models.BigIntegerField()

    class Meta:
        db_table = "luck_hour"

    def __str__(self) -> str:
        return f"{self.table_code} on {self.gaming_date}, {self.hour}"


class LuckChance(models.Model):
    """How a table's day stands among its replays after `rounds` rounds; made by `ledger.replays`.

    `band` is hour → where 95 of 100 replays lay at its end, in cents.
    """

    pk = models.CompositePrimaryKey("gaming_date", "table_code")
    gaming_date = models.DateField()
    table_code = models.TextField()
    rounds = models.IntegerField()
    result_cents = models.BigIntegerField()
    is_known = models.BooleanField()
    at_or_below = models.IntegerField()
    at_or_above = models.IntegerField()
    band = models.JSONField()
    last_position = models.BigIntegerField()

    class Meta:
        db_table = "luck_chance"

    def __str__(self) -> str:
        return f"{self.table_code} on {self.gaming_date} after {self.rounds} rounds"


class LuckReplays(models.Model):
    """The replays' own results, 64 bits each. The table is unlogged: what a crash takes is dealt again the same."""

    pk = models.CompositePrimaryKey("gaming_date", "table_code")
    gaming_date = models.DateField()
    table_code = models.TextField()
    results = models.BinaryField()

    class Meta:
        db_table = "luck_replays"

    def __str__(self) -> str:
        return f"{self.table_code} on {self.gaming_date}"
