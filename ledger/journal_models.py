"""The journal as a read model: entries and their lines, sums to begin from, and where trays, boxes and meters stand.

All of it is made from the log alone by `ledger.journal`. The database refuses lines that do not balance, and every
change of a line (migrations/0007_journal.py).
"""

from django.db import models

BLOCK = 50_000
"""Positions of the log whose lines are summed up in one block of `journal_sum`."""


class JournalEntry(models.Model):
    """One event's entry; its number is the event's position.

    `gaming_date` is the fact's, `posting_date` the day of the property's clock on which it was recorded; the latter
    never goes back from one entry to the next, so what was posted up to a day is a prefix of the journal. `reference`
    is the event's stream.
    """

    position = models.BigIntegerField(primary_key=True)
    type = models.TextField()
    gaming_date = models.DateField()
    posting_date = models.DateField()
    table_code = models.TextField()
    session = models.SmallIntegerField(null=True)
    reference = models.TextField()

    class Meta:
        db_table = "journal_entry"
        indexes = [
            models.Index(fields=["posting_date", "position"], name="journal_entry_posted"),
            models.Index(fields=["gaming_date", "table_code", "position"], name="journal_entry_dated"),
            models.Index(
                fields=["gaming_date"], condition=models.Q(type="jackpot_paid"), name="journal_entry_jackpots"
            ),
        ]

    def __str__(self) -> str:
        return f"entry {self.position}, {self.type}"


class JournalLine(models.Model):
    """A line: micro-units on an account, a debit above zero, a credit below. `link` where the account is a meter's."""

    pk = models.CompositePrimaryKey("position", "nth")
    position = models.BigIntegerField()
    nth = models.SmallIntegerField()
    account = models.TextField()
    link = models.TextField()
    micros = models.BigIntegerField()

    class Meta:
        db_table = "journal_line"
        indexes = [models.Index(fields=["account", "position"], name="journal_line_account")]
        constraints = [models.CheckConstraint(condition=~models.Q(micros=0), name="journal_line_moves")]

    def __str__(self) -> str:
        return f"{self.micros} on {self.account} of entry {self.position}"


class JournalSum(models.Model):
    """Lines added up: those of a block of positions that fall on a gaming day, by account.

    By table and by link too, where the account is kept by them; "" elsewhere.
    """

    pk = models.CompositePrimaryKey("block", "gaming_date", "account", "table_code", "link")
    block = models.IntegerField()
    gaming_date = models.DateField()
    account = models.TextField()
    table_code = models.TextField()
    link = models.TextField()
    debit_micros = models.BigIntegerField()
    credit_micros = models.BigIntegerField()

    class Meta:
        db_table = "journal_sum"
        indexes = [models.Index(fields=["gaming_date", "account"], name="journal_sum_dated")]

    def __str__(self) -> str:
        return f"{self.account} in block {self.block}"


class JournalTray(models.Model):
    """What the journal has in a table's tray, and whether an opener was ever counted there."""

    table_code = models.TextField(primary_key=True)
    micros = models.BigIntegerField()
    is_opened = models.BooleanField()

    class Meta:
        db_table = "journal_tray"

    def __str__(self) -> str:
        return f"the tray of {self.table_code}"


class JournalSession(models.Model):
    """A table's session: from which round and position on, and whether its closer is counted."""

    pk = models.CompositePrimaryKey("gaming_date", "table_code", "session")
    gaming_date = models.DateField()
    table_code = models.TextField()
    session = models.SmallIntegerField()
    first_round = models.IntegerField()
    opened_position = models.BigIntegerField()
    is_counted = models.BooleanField()

    class Meta:
        db_table = "journal_session"

    def __str__(self) -> str:
        return f"{self.table_code} on {self.gaming_date}, session {self.session}"


class JournalBox(models.Model):
    """A table's boxes of a gaming day: currency and paper that no count has found yet, boxes placed and counted."""

    pk = models.CompositePrimaryKey("gaming_date", "table_code")
    gaming_date = models.DateField()
    table_code = models.TextField()
    micros = models.BigIntegerField()
    paper_cents = models.BigIntegerField()
    placed = models.SmallIntegerField()
    counted = models.SmallIntegerField()

    class Meta:
        db_table = "journal_box"

    def __str__(self) -> str:
        return f"the box of {self.table_code} on {self.gaming_date}"


class JournalMeter(models.Model):
    """A link as the journal's own fold left it, without its hits."""

    link = models.TextField(primary_key=True)
    state = models.TextField()

    class Meta:
        db_table = "journal_meter"

    def __str__(self) -> str:
        return f"the meter of {self.link}"


class JournalHit(models.Model):
    """A hit that later facts may name, as the fold left it: the nth of its link."""

    pk = models.CompositePrimaryKey("link", "nth")
    link = models.TextField()
    nth = models.IntegerField()
    round = models.TextField()
    is_recorded = models.BooleanField()
    state = models.TextField()

    class Meta:
        db_table = "journal_hit"
        indexes = [models.Index(fields=["round"], name="journal_hit_round")]

    def __str__(self) -> str:
        return f"hit {self.nth} of {self.link}"
