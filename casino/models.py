"""Read models of the floor, each made from the log alone, and the devices that may speak for a table."""

import hashlib

from django.db import models
from django.utils.crypto import constant_time_compare, get_random_string


class TableBoard(models.Model):
    """A table as the floor shows it: its set-up and its latest session."""

    table_code = models.TextField(primary_key=True)
    game = models.TextField(null=True)
    paytable = models.TextField(null=True)
    method = models.TextField(null=True)
    seats = models.SmallIntegerField(null=True)
    limits = models.JSONField(null=True)
    link = models.TextField(null=True)  # "" once a side bet is suspended
    is_open = models.BooleanField(null=True)
    gaming_date = models.DateField(null=True)
    session = models.SmallIntegerField(null=True)
    opener_cents = models.BigIntegerField(null=True)
    closer_cents = models.BigIntegerField(null=True)
    since = models.DateTimeField(null=True)
    last_position = models.BigIntegerField()

    class Meta:
        db_table = "board_table"

    def __str__(self) -> str:
        return self.table_code


class RoundBoard(models.Model):
    """A round as the floor shows it; `stage` is the furthest it has come (STAGES)."""

    STAGES = {1: "open", 2: "closed", 3: "dealing", 4: "complete", 5: "settled", 6: "voided"}

    pk = models.CompositePrimaryKey("table_code", "gaming_date", "n")
    table_code = models.TextField()
    gaming_date = models.DateField()
    n = models.IntegerField()
    stage = models.SmallIntegerField()
    game = models.TextField(null=True)
    opened_at = models.DateTimeField()
    moved_at = models.DateTimeField()
    first_position = models.BigIntegerField()
    last_position = models.BigIntegerField()
    wagers = models.IntegerField()
    exceptions = models.IntegerField()
    seats = models.IntegerField()  # bit 1 << seat for every seat that placed a wager
    stakes_cents = models.BigIntegerField()
    progressive_cents = models.BigIntegerField()
    collected_cents = models.BigIntegerField()
    winnings_cents = models.BigIntegerField()
    handle_cents = models.BigIntegerField()
    rank = models.TextField(null=True)
    shown = models.JSONField(null=True)
    void_reason = models.TextField(null=True)

    class Meta:
        db_table = "board_round"

    def __str__(self) -> str:
        return f"{self.table_code}/{self.gaming_date}/{self.n}"

    @property
    def status(self) -> str:
        """`open`, `closed`, `dealing`, `complete`, `settled` or `voided`."""
        return self.STAGES[self.stage]

    @property
    def result_cents(self) -> int:
        """What the house won (+) or lost (−) on the round, progressive stakes included."""
        return self.collected_cents + self.progressive_cents - self.winnings_cents


class Device(models.Model):
    """A terminal or feed bound to one table; its token is kept as a hash only."""

    name = models.TextField(unique=True)
    table_code = models.TextField()
    token_hash = models.TextField()
    is_active = models.BooleanField(default=True)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "device"

    def __str__(self) -> str:
        return f"{self.name} at {self.table_code}"

    @classmethod
    def issue(cls, name: str, table_code: str, secret: str | None = None) -> tuple["Device", str]:
        """Make (or renew) a device and return its token, which is shown once: `<id>.<secret>`."""
        secret = secret or get_random_string(40)
        defaults = {"table_code": table_code, "token_hash": _hash(secret), "is_active": True}
        device, _ = cls.objects.update_or_create(name=name, defaults=defaults)
        return device, f"{device.pk}.{secret}"

    @classmethod
    def of_token(cls, token: str) -> "Device | None":
        """The active device whose token this is."""
        number, _, secret = token.partition(".")
        if not number.isascii() or not number.isdecimal() or len(number) > 18:
            return None
        device = cls.objects.filter(pk=int(number), is_active=True).first()
        return device if device and constant_time_compare(device.token_hash, _hash(secret)) else None


def _hash(secret: str) -> str:
    """A token is 40 random characters, which no guessing finds; a fast hash keeps a stolen database useless."""
    return hashlib.sha256(secret.encode()).hexdigest()
