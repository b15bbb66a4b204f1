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
    rounds_opened = models.IntegerField()
    rounds_settled = models.IntegerField()
    rounds_voided = models.IntegerField()
    counted_drop_cents = models.BigIntegerField(null=True)
    last_position = models.BigIntegerField()

    class Meta:
        db_table = "table_day"

    def __str__(self) -> str:
        return f"{self.table_code} on {self.gaming_date}"
