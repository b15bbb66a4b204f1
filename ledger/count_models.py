"""Drop boxes, their counts, and the cage's chips, as read models; patrons stand here as numbers only."""

from django.db import models


class DropBox(models.Model):
    """One drop box of a table's gaming day: 1 is the day's, others are emergency boxes with their mark.

    `counted_cents` is null until its count is done; the content by instrument is null too where only one figure was
    recorded. `count` names the count in which it was done.
    """

    pk = models.CompositePrimaryKey("gaming_date", "table_code", "number")
    gaming_date = models.DateField()
    table_code = models.TextField()
    number = models.SmallIntegerField()
    mark = models.TextField()
    counted_cents = models.BigIntegerField(null=True)
    currency = models.JSONField(null=True)  # cents by the note's cents
    checks_cents = models.BigIntegerField(null=True)
    promo_cents = models.BigIntegerField(null=True)
    count = models.TextField()
    last_position = models.BigIntegerField()

    class Meta:
        db_table = "drop_box"

    def __str__(self) -> str:
        return f"box {self.number} of {self.table_code} on {self.gaming_date}"


class DropCount(models.Model):
    """A count of boxes, from its opening to the cage's acceptance; amounts are null until they are known."""

    pk = models.CompositePrimaryKey("gaming_date", "number")
    gaming_date = models.DateField()
    number = models.SmallIntegerField()
    boxes = models.IntegerField()
    team = models.JSONField()
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)
    currency_cents = models.BigIntegerField(null=True)
    checks_cents = models.BigIntegerField(null=True)
    promo_cents = models.BigIntegerField(null=True)
    recounted_at = models.DateTimeField(null=True)
    accepted_at = models.DateTimeField(null=True)
    accepted_cents = models.BigIntegerField(null=True)
    cashier = models.TextField(null=True)
    last_position = models.BigIntegerField()

    class Meta:
        db_table = "drop_count"

    def __str__(self) -> str:
        return f"count {self.gaming_date}/{self.number}"

    @property
    def variance_cents(self) -> int | None:
        """What the cage took over less what was counted."""
        if self.accepted_cents is None or self.currency_cents is None:
            return None
        return self.accepted_cents - self.currency_cents


class BoxPaper(models.Model):
    """A document that should lie in a table's box, or lay there and is not known, and what income audit found of it.

    `finding` is "" until it is ticked, then agrees, differs, missing or unmatched; `said` is what an unmatched one
    says, or where else its number is. Of kind `skipped` is a number that no document has, with its explanation.
    """

    pk = models.CompositePrimaryKey("gaming_date", "document")
    gaming_date = models.DateField()
    document = models.TextField()
    table_code = models.TextField()
    kind = models.TextField()
    serial = models.IntegerField(null=True)
    is_void = models.BooleanField()
    finding = models.TextField()
    said = models.TextField()
    note = models.TextField()
    last_position = models.BigIntegerField()

    class Meta:
        db_table = "box_paper"

    def __str__(self) -> str:
        return self.document


class CageEntry(models.Model):
    """An event that moved the cage's chips or cash. Cents are signed as the cage sees them: in above zero."""

    position = models.BigIntegerField(primary_key=True)
    gaming_date = models.DateField(db_index=True)
    kind = models.TextField()
    at = models.DateTimeField()
    by = models.TextField()
    table_code = models.TextField()
    patron_id = models.BigIntegerField(null=True)
    chips = models.JSONField()  # cents by the chip's cents
    chips_cents = models.BigIntegerField()
    cash_cents = models.BigIntegerField()

    class Meta:
        db_table = "cage_entry"

    def __str__(self) -> str:
        return f"{self.kind} at {self.position}"

    @property
    def is_voidable(self) -> bool:
        """Whether the entry is one that the cage itself may void."""
        return self.kind.startswith(("chips_", "counter_check_"))


class CageChip(models.Model):
    """One denomination of the cage's float: derived from events, and as the last count found it. All in cents."""

    chip_cents = models.BigIntegerField(primary_key=True)
    derived_cents = models.BigIntegerField()
    counted_cents = models.BigIntegerField()
    last_position = models.BigIntegerField()

    class Meta:
        db_table = "cage_chip"

    def __str__(self) -> str:
        return f"chips of {self.chip_cents}"

    @property
    def since_cents(self) -> int:
        """What came and went since the last count."""
        return self.derived_cents - self.counted_cents
