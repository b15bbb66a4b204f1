"""Read models of the floor, each made from the log alone, and the devices that may speak for a table."""

import hashlib

from django.db import models
from django.utils.crypto import constant_time_compare, get_random_string

from casino import cash_models  # noqa: F401  Django finds models through this module
from casino.alerts import rules
from casino.refusal import Refused


class TableBoard(models.Model):
    """A table as the floor shows it: its set-up and its latest session."""

    table_code = models.TextField(primary_key=True)
    game = models.TextField(null=True)
    paytable = models.TextField(null=True)
    method = models.TextField(null=True)
    seats = models.SmallIntegerField(null=True)
    limits = models.JSONField(null=True)
    announced = models.JSONField(null=True)  # limits that hold from a moment on, in the order announced
    pit = models.TextField(null=True)  # "" where the set-up names none
    par_cents = models.BigIntegerField(null=True)
    fill_line_cents = models.BigIntegerField(null=True)
    link = models.TextField(null=True)  # "" once a side bet is suspended
    side_bet_off = models.TextField(null=True)  # why it is suspended, "" while it is taken
    is_open = models.BooleanField(null=True)
    gaming_date = models.DateField(null=True)
    session = models.SmallIntegerField(null=True)
    opener_cents = models.BigIntegerField(null=True)
    closer_cents = models.BigIntegerField(null=True)
    since = models.DateTimeField(null=True)
    dealer = models.TextField(null=True)  # "" once the dealer has left
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


class AccessRefusal(models.Model):
    """Somebody tried to open or do what is not theirs. A row is written and never changed."""

    at = models.DateTimeField(auto_now_add=True, db_index=True)
    who = models.TextField()  # a log-in, or `device:` and its name
    method = models.TextField()
    path = models.TextField()
    sentence = models.TextField()
    ip_address = models.GenericIPAddressField(null=True)

    class Meta:
        db_table = "access_refusal"
        verbose_name = "refusal"

    def __str__(self) -> str:
        return f"{self.who} was refused {self.method} {self.path}"


class Patron(models.Model):
    """A rated player. The log knows the id only; the name stands here alone, and erasing it leaves the id.

    `made_by` and `made_key` are who made it under which idempotency key (its digest), so that a repeated order makes
    no second one.
    """

    name = models.TextField(blank=True)
    is_described = models.BooleanField(default=False)  # nobody knows the name: it says what the person looks like
    made_at = models.DateTimeField(auto_now_add=True)
    made_by = models.TextField()
    made_key = models.TextField()
    erased_at = models.DateTimeField(null=True)
    erased_by = models.TextField(blank=True)

    class Meta:
        db_table = "patron"
        constraints = [models.UniqueConstraint(fields=["made_by", "made_key"], name="patron_made_once")]

    def __str__(self) -> str:
        return f"patron {self.pk}"

    @property
    def is_erased(self) -> bool:
        return self.erased_at is not None

    @property
    def shown_name(self) -> str:
        """The name, or what stands in its place."""
        return "erased patron" if self.is_erased else self.name

    @classmethod
    def of_id(cls, patron_id: int) -> "Patron":
        """The patron, erased or not; refuses `unknown_patron`."""
        patron = cls.objects.filter(pk=patron_id).first() if 0 < patron_id < 2**63 else None
        if patron is None:
            raise Refused("unknown_patron", f"There is no patron {patron_id}.")
        return patron


class SeatBoard(models.Model):
    """A seat of a table as it is now; `patron_id` is null where it is free or its player unrated."""

    pk = models.CompositePrimaryKey("table_code", "seat")
    table_code = models.TextField()
    seat = models.SmallIntegerField()
    is_taken = models.BooleanField()
    patron_id = models.BigIntegerField(null=True)
    since = models.DateTimeField()
    last_position = models.BigIntegerField()

    class Meta:
        db_table = "board_seat"

    def __str__(self) -> str:
        return f"{self.table_code} seat {self.seat}"


class PatronVisit(models.Model):
    """A patron at a table on a gaming day, from the session: time, buy-ins, the supervisor's latest estimate.

    `sat_micros` is Σ left − Σ seated in microseconds since 1970: while seated, now must be added once.
    """

    pk = models.CompositePrimaryKey("patron_id", "gaming_date", "table_code")
    patron_id = models.BigIntegerField()
    gaming_date = models.DateField()
    table_code = models.TextField()
    seat = models.SmallIntegerField()
    seatings = models.IntegerField()
    leavings = models.IntegerField()
    sat_micros = models.BigIntegerField()
    buy_ins = models.IntegerField()
    bought_in_cents = models.BigIntegerField()
    estimate_cents = models.BigIntegerField(null=True)
    estimated_by = models.TextField(null=True)
    estimated_at = models.DateTimeField(null=True)
    first_at = models.DateTimeField()
    last_at = models.DateTimeField()
    last_position = models.BigIntegerField()

    class Meta:
        db_table = "patron_visit"

    def __str__(self) -> str:
        return f"patron {self.patron_id} at {self.table_code} on {self.gaming_date}"


class PatronPlay(models.Model):
    """What a patron played of a game at a table on a gaming day, from settled wagers; the house's view."""

    pk = models.CompositePrimaryKey("patron_id", "gaming_date", "table_code", "game")
    patron_id = models.BigIntegerField()
    gaming_date = models.DateField()
    table_code = models.TextField()
    game = models.TextField()
    decisions = models.IntegerField()
    collected_cents = models.BigIntegerField()
    winnings_cents = models.BigIntegerField()
    last_position = models.BigIntegerField()

    class Meta:
        db_table = "patron_play"

    def __str__(self) -> str:
        return f"patron {self.patron_id} at {self.game}, {self.table_code} on {self.gaming_date}"


class PatronStake(models.Model):
    """Settled stakes of a patron by paytable and bet: what theo is reckoned from, exactly, when it is read."""

    pk = models.CompositePrimaryKey("patron_id", "gaming_date", "table_code", "game", "paytable", "bet")
    patron_id = models.BigIntegerField()
    gaming_date = models.DateField()
    table_code = models.TextField()
    game = models.TextField()
    paytable = models.TextField()
    bet = models.TextField()
    wagers = models.IntegerField()
    stakes_cents = models.BigIntegerField()
    last_position = models.BigIntegerField()

    class Meta:
        db_table = "patron_stake"

    def __str__(self) -> str:
        return f"patron {self.patron_id} on {self.bet}, {self.table_code} on {self.gaming_date}"


def _hash(secret: str) -> str:
    """A token is 40 random characters, which no guessing finds; a fast hash keeps a stolen database useless."""
    return hashlib.sha256(secret.encode()).hexdigest()


class SlipBoard(models.Model):
    """A fill or credit from its request on; `stage` is the furthest it has come (STAGES).

    `signatures` are a list of role, by and at (ISO 8601, UTC), in order. `reason` is why it was withdrawn or void.
    """

    STAGES = {1: "requested", 2: "prepared", 3: "in_transit", 4: "complete", 5: "withdrawn", 6: "void"}
    OPEN_UP_TO = 3

    pk = models.CompositePrimaryKey("table_code", "gaming_date", "session", "n")
    table_code = models.TextField()
    gaming_date = models.DateField()
    session = models.SmallIntegerField()
    n = models.IntegerField()
    kind = models.TextField()
    stage = models.SmallIntegerField()
    request_serial = models.IntegerField()
    book = models.TextField(null=True)
    serial = models.IntegerField(null=True)
    denominations = models.JSONField()
    total_cents = models.BigIntegerField()
    requested_by = models.TextField()
    requested_at = models.DateTimeField()
    prepared_by = models.TextField(null=True)
    prepared_at = models.DateTimeField(null=True)
    signatures = models.JSONField()
    signed = models.SmallIntegerField()
    reason = models.TextField(null=True)
    ended_at = models.DateTimeField(null=True)
    moved_at = models.DateTimeField()
    last_position = models.BigIntegerField()

    class Meta:
        db_table = "slip"
        indexes = [
            models.Index(fields=["gaming_date"], name="slip_day"),
            models.Index(fields=["requested_at"], name="slip_open", condition=models.Q(stage__lte=3)),
        ]

    def __str__(self) -> str:
        return f"{self.table_code}/{self.gaming_date}/{self.session}/{self.n}"

    @property
    def state(self) -> str:
        """As `casino.transfers.Transfer.state`."""
        return self.STAGES[self.stage]

    @property
    def is_open(self) -> bool:
        """Whether it still waits for somebody."""
        return self.stage <= self.OPEN_UP_TO


class AlertBoard(models.Model):
    """An alert from when it was raised: what it says, who saw to it, and whether it still is so."""

    position = models.BigIntegerField(primary_key=True)  # of its `alert_raised`
    key = models.TextField(db_index=True)
    gaming_date = models.DateField(db_index=True)
    rule = models.TextField()
    subject = models.TextField()
    table_code = models.TextField()
    level = models.TextField()
    sentence = models.TextField()
    raised_at = models.DateTimeField()
    acknowledged_at = models.DateTimeField(null=True)
    acknowledged_by = models.TextField(null=True)
    note = models.TextField(null=True)
    is_false = models.BooleanField(default=False)
    ended_at = models.DateTimeField(null=True)
    last_position = models.BigIntegerField()

    class Meta:
        db_table = "alert"
        indexes = [
            models.Index(
                fields=["table_code"],
                condition=models.Q(acknowledged_at__isnull=True, ended_at__isnull=True),
                name="alert_waiting",
            )
        ]

    def __str__(self) -> str:
        return self.sentence

    @property
    def title(self) -> str:
        """The rule's short name, for a tile."""
        rule = rules().get(self.rule)
        return rule.title if rule else self.rule.replace("_", " ")


class Incident(models.Model):
    """Something that was recorded once and that a person has to look at: a miscount, an opener that differs."""

    position = models.BigIntegerField(primary_key=True)
    gaming_date = models.DateField(db_index=True)
    table_code = models.TextField()
    type = models.TextField()
    round_no = models.IntegerField(null=True)
    content = models.JSONField()

    class Meta:
        db_table = "incident"

    def __str__(self) -> str:
        return f"{self.type} at {self.table_code}"
