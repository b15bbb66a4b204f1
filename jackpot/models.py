"""Read models of the progressives: made from the log by jackpot/projections.py and written by nothing else."""

import msgspec
from django.contrib.postgres.fields import ArrayField
from django.db import models

from jackpot.link import Link as FoldedLink


class Link(models.Model):
    """A meter as its fold left it at `position`; amounts in micro-units, the columns are what pages ask for.

    `state` is the whole of it, the pure link as JSON, from which the next batch goes on.
    """

    code = models.TextField(primary_key=True)
    game = models.TextField()
    bet = models.TextField()
    currency = models.TextField()
    stake_cents = models.BigIntegerField()
    reset_cents = models.BigIntegerField()
    position = models.BigIntegerField()
    main_micros = models.BigIntegerField()
    reserve_micros = models.BigIntegerField()
    overflow_micros = models.BigIntegerField()
    house_share_micros = models.BigIntegerField()
    payable_micros = models.BigIntegerField()
    stakes_micros = models.BigIntegerField()
    hits_count = models.IntegerField()
    level_of = models.TextField()  # the link of the bank whose bet is taken, "" where that is this one
    stopped = models.TextField()  # why the bet is taken at no table, "" while it is
    is_retired = models.BooleanField()
    change_due_at = models.DateTimeField(null=True)  # from when on an approved change may be made
    state = models.TextField()

    class Meta:
        db_table = "jackpot_link"

    def __str__(self) -> str:
        return self.code

    def folded(self) -> FoldedLink:
        """The link as the fold left it, without its hits."""
        return msgspec.json.decode(self.state, type=FoldedLink)


class LinkedTable(models.Model):
    """A table that offers a link's side bet."""

    pk = models.CompositePrimaryKey("link_id", "table_code")
    link = models.ForeignKey(Link, models.DO_NOTHING, related_name="tables", db_column="link")
    table_code = models.TextField()

    class Meta:
        db_table = "jackpot_linked_table"

    def __str__(self) -> str:
        return f"{self.table_code} on {self.link_id}"


class Hit(models.Model):
    """A hit as the fold computed it at `at_position`; `recorded_position` is null until its JackpotHit was read.

    `key` is the idempotency key of that record, so a hit has one row and one record. `nth` counts the hits of one
    completed hand on one link, in the order in which they met the meter. `shares_cents` and `states` go with `seats`.

    `kind` is hit, missed_hit or missed_player: a correction adds a row of its own, of which the house pays
    `from_house_micros`; `left_micros` and `after_micros` are then the meter after the correction.
    """

    key = models.TextField(primary_key=True)
    link = models.ForeignKey(Link, models.DO_NOTHING, related_name="hits", db_column="link", db_index=False)
    round = models.TextField(db_index=True)
    table_code = models.TextField()
    gaming_date = models.DateField()
    occurred_at = models.DateTimeField()
    at_position = models.BigIntegerField()
    nth = models.SmallIntegerField()
    rank = models.TextField()
    fraction = models.TextField()
    before_micros = models.BigIntegerField()
    amount_cents = models.BigIntegerField()
    players = models.IntegerField()
    share_cents = models.BigIntegerField()
    remainder_cents = models.BigIntegerField()
    left_micros = models.BigIntegerField()
    from_reserve_micros = models.BigIntegerField()
    from_seed_micros = models.BigIntegerField()
    after_micros = models.BigIntegerField()
    seats = ArrayField(models.IntegerField())
    shares_cents = ArrayField(models.BigIntegerField())
    states = ArrayField(models.TextField())
    state = models.TextField()  # open while a share is, else paid, else refilled, else returned
    recorded_position = models.BigIntegerField(null=True)
    kind = models.TextField(default="hit")
    from_house_micros = models.BigIntegerField(default=0)

    class Meta:
        db_table = "jackpot_hit"
        constraints = [models.UniqueConstraint(fields=["link", "at_position", "nth"], name="jackpot_hit_order")]
        indexes = [
            models.Index(
                fields=["link", "at_position"],
                condition=models.Q(recorded_position__isnull=True),
                name="jackpot_hit_unrecorded",
            )
        ]

    def __str__(self) -> str:
        return self.key


class Share(models.Model):
    """What one seat won in a hit, and how far it has come; `case_key` names the stream of the hit's case.

    `state` is pending, verified, prepared, approved, paid, disputed, denied, void or unclaimed. `slip` and what stands
    beside it is the slip in force, null where there is none. `paid_from_table` is set where a tray paid.
    """

    pk = models.CompositePrimaryKey("case_key", "seat")
    case_key = models.TextField()
    seat = models.SmallIntegerField()
    link = models.TextField()
    round = models.TextField()
    rank = models.TextField()
    table_code = models.TextField()
    gaming_date = models.DateField()
    hit_at = models.DateTimeField()
    at_position = models.BigIntegerField()
    amount_cents = models.BigIntegerField()
    state = models.TextField()
    state_at = models.DateTimeField()
    verified_by = models.TextField(null=True)
    slip = models.IntegerField(null=True)
    slip_book = models.TextField(null=True)
    paid_from = models.TextField(null=True)
    payout_cents = models.BigIntegerField(null=True)
    has_document = models.BooleanField(null=True)
    return_asked = models.TextField(null=True)
    paid_on = models.DateField(null=True)
    paid_by = models.TextField(null=True)
    paid_from_table = models.TextField(null=True)
    last_position = models.BigIntegerField()

    class Meta:
        db_table = "jackpot_share"
        indexes = [models.Index(fields=["link", "at_position"], name="jackpot_share_of_link")]

    def __str__(self) -> str:
        return f"seat {self.seat} of {self.case_key}"


class Turn(models.Model):
    """A turning point of a link's meter, the nth: a fact besides stakes that changed a pool.

    `kind` is hit, void, or the event's word on disk. `before_micros` and `after_micros` are of main; `meter` is all of
    it as JSON, after the turn.
    """

    pk = models.CompositePrimaryKey("link", "nth")
    link = models.TextField()
    nth = models.IntegerField()
    position = models.BigIntegerField()
    at = models.DateTimeField()
    kind = models.TextField()
    before_micros = models.BigIntegerField()
    after_micros = models.BigIntegerField()
    meter = models.TextField()

    class Meta:
        db_table = "jackpot_turn"

    def __str__(self) -> str:
        return f"turn {self.nth} of {self.link}"


class Between(models.Model):
    """A feed's round that became known after a hit of its link and had occurred before it (books, 5.10).

    `recorded_position` is null until the record of it was read back; the record opens a case for people to close.
    """

    key = models.TextField(primary_key=True)
    link = models.TextField()
    round = models.TextField()
    table_code = models.TextField()
    gaming_date = models.DateField()
    position = models.BigIntegerField()
    occurred_at = models.DateTimeField()
    stakes_cents = models.BigIntegerField()
    hit = models.TextField()
    hit_at = models.DateTimeField()
    recorded_position = models.BigIntegerField(null=True)

    class Meta:
        db_table = "jackpot_between"
        indexes = [
            models.Index(
                fields=["position"],
                condition=models.Q(recorded_position__isnull=True),
                name="jackpot_between_unrecorded",
            )
        ]

    def __str__(self) -> str:
        return self.key


class DayLine(models.Model):
    """A line of a statement: what facts of one kind and gaming day did to one account (jackpot/statement.py)."""

    pk = models.CompositePrimaryKey("link", "gaming_date", "account", "line")
    link = models.TextField()
    gaming_date = models.DateField()
    account = models.TextField()
    line = models.TextField()
    micros = models.BigIntegerField()

    class Meta:
        db_table = "jackpot_day_line"

    def __str__(self) -> str:
        return f"{self.account} {self.line} of {self.link} on {self.gaming_date}"


class Flow(models.Model):
    """What a meter took in one minute between its nth turn and the next, under one set of rates.

    `first_position` and `last_position` say where in the log those stakes lie.
    """

    pk = models.CompositePrimaryKey("link", "nth", "minute", "increment_bp", "hidden_bp")
    link = models.TextField()
    nth = models.IntegerField()
    minute = models.DateTimeField()
    increment_bp = models.IntegerField()
    hidden_bp = models.IntegerField()
    rounds = models.IntegerField()
    wagers = models.IntegerField()
    stakes_cents = models.BigIntegerField()
    first_position = models.BigIntegerField()
    last_position = models.BigIntegerField()

    class Meta:
        db_table = "jackpot_flow"

    def __str__(self) -> str:
        return f"{self.link} in {self.minute:%Y-%m-%d %H:%M}"


class Heartbeat(models.Model):
    """When a controller or a table's feed was last heard; no read model, since a heartbeat is no event.

    `source` is as stops name it. `heard_from` is the device, "" where it is expected and has not said a word yet.
    """

    pk = models.CompositePrimaryKey("link", "source")
    link = models.TextField()
    source = models.TextField()
    heard_at = models.DateTimeField()
    heard_from = models.TextField()
    key = models.TextField()
    shown_cents = models.BigIntegerField(null=True)

    class Meta:
        db_table = "jackpot_heartbeat"

    def __str__(self) -> str:
        return f"{self.source} of {self.link}"
