"""The books as read models: one row a table and gaming day, made from the log alone."""

from django.db import models


class TableDay(models.Model):
    """The figures of one table on one gaming day (books, sections 1 and 2); null is "not counted yet", never 0."""

    pk = models.CompositePrimaryKey("gaming_date", "table_code")
    gaming_date = models.DateField()
    table_code = models.TextField()
    sessions_opened = models.IntegerField()
    sessions_closed = models.IntegerField()
    opener_cents = models.BigIntegerField()
    closer_cents = models.BigIntegerField()
    cash_cents = models.BigIntegerField()
    collected_cents = models.BigIntegerField()
    winnings_cents = models.BigIntegerField()
    progressive_cents = models.BigIntegerField()
    jackpots_paid_cents = models.BigIntegerField()
    handle_cents = models.BigIntegerField()
    errors_cents = models.BigIntegerField(default=0)  # E: paid − due, as far as it was recorded
    rounds_opened = models.IntegerField()
    rounds_settled = models.IntegerField()
    rounds_voided = models.IntegerField()
    counted_drop_cents = models.BigIntegerField(null=True)
    last_position = models.BigIntegerField()

    class Meta:
        db_table = "table_day"

    def __str__(self) -> str:
        return f"{self.table_code} on {self.gaming_date}"


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
