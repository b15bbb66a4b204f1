"""How far each follower has read. The log itself has no models: it is read by SQL and written by log.append."""

from django.db import models


class Checkpoint(models.Model):
    """A follower's place: everything up to `position` is in its tables, committed together with them."""

    name = models.TextField(primary_key=True)
    position = models.BigIntegerField(default=0)
    error = models.TextField(blank=True, default="")
    moved_at = models.DateTimeField(auto_now=True)

    class Meta:
        db_table = "checkpoint"

    def __str__(self) -> str:
        return f"{self.name} at {self.position}"
