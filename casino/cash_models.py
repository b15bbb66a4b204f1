"""People's cash and large payouts as read models; patrons stand here as numbers only."""

from django.db import models


class CashTransaction(models.Model):
    """Cash that came to the house or left it, and whose it was, as far as anybody knew."""

    position = models.BigIntegerField(primary_key=True)
    gaming_date = models.DateField(db_index=True)
    table_code = models.TextField()
    seat = models.SmallIntegerField(null=True)
    patron_id = models.BigIntegerField(null=True)
    direction = models.TextField()
    amount_cents = models.BigIntegerField()
    kind = models.TextField()
    at = models.DateTimeField()
    by = models.TextField()

    class Meta:
        db_table = "cash_transaction"
        indexes = [models.Index(fields=["patron_id"], name="cash_of_patron")]

    def __str__(self) -> str:
        return f"{self.kind} at {self.table_code}"


class PatronMerge(models.Model):
    """A described patron who turned out to be another one."""

    patron_id = models.BigIntegerField(primary_key=True)
    into_id = models.BigIntegerField()
    by = models.TextField()
    at = models.DateTimeField()
    position = models.BigIntegerField()

    class Meta:
        db_table = "patron_merge"

    def __str__(self) -> str:
        return f"patron {self.patron_id} is patron {self.into_id}"


class CurrencyReport(models.Model):
    """A currency transaction report that was filed."""

    position = models.BigIntegerField(primary_key=True)
    gaming_date = models.DateField(db_index=True)
    patron_id = models.BigIntegerField()
    direction = models.TextField()
    amount_cents = models.BigIntegerField()
    number = models.TextField()
    by = models.TextField()
    at = models.DateTimeField()

    class Meta:
        db_table = "currency_report"

    def __str__(self) -> str:
        return self.number


class LargePayout(models.Model):
    """A won wager that pays at least 600.00 and 300 times its stake: the dated rule says if it needs a document."""

    pk = models.CompositePrimaryKey("position", "number")
    position = models.BigIntegerField()
    number = models.IntegerField()
    gaming_date = models.DateField(db_index=True)
    table_code = models.TextField()
    n = models.IntegerField()
    seat = models.SmallIntegerField()
    wager = models.TextField()
    stake_cents = models.BigIntegerField()
    winnings_cents = models.BigIntegerField()
    at = models.DateTimeField()

    class Meta:
        db_table = "large_payout"

    def __str__(self) -> str:
        return f"wager {self.number} of {self.table_code}/{self.gaming_date}/{self.n}"

    @property
    def document(self) -> str:
        """The name of its payout document among the papers."""
        return f"payout/{self.table_code}/{self.gaming_date.isoformat()}/{self.n}/{self.number}"
