"""What happens to a link besides its hits: changes of its parameters, stops and resumptions, notices, its retirement.

All of it stands on the link's own stream. A change is proposed by one person and approved by another, and made when it
is due and nobody plays for the link (New York 5321.18: no change while the link is in operation).
"""

from typing import Literal

import msgspec

from casino.eventstore.registry import Event, event


class Change(msgspec.Struct, frozen=True, omit_defaults=True, repr_omit_defaults=True):
    """New values of a link's parameters; what is left out stays. `no_limit` takes the limit away."""

    reset_cents: int | None = None
    stake_cents: int | None = None
    increment_bp: int | None = None
    hidden_bp: int | None = None
    limit_cents: int | None = None
    no_limit: bool = False
    overflow_rule: str | None = None
    odd_cents: str | None = None
    tiers_name: str | None = None
    tiers: dict[str, str] | None = None
    heartbeat_of: str | None = None
    silence_seconds: int | None = None


@event("change_proposed")
class ChangeProposed(Event):
    """Somebody proposes new parameters from `effective_at` (ISO 8601) on, "" as soon as nobody plays for the link.

    `acknowledged_by` names who knows that the link will then return more than it takes, "" where it won't.
    """

    number: int
    change: Change
    effective_at: str
    reason: str
    acknowledged_by: str
    by: str


@event("change_approved")
class ChangeApproved(Event):
    """Another person approves a proposal; it is made when it is due and nobody plays for the link."""

    number: int
    by: str


@event("change_dropped")
class ChangeDropped(Event):
    """A proposal is withdrawn or declined, or could not be made when it was due."""

    number: int
    reason: str
    by: str


@event("change_made")
class ChangeMade(Event):
    """A proposal's new parameters hold from here on; rounds opened later pin them."""

    number: int
    change: Change


@event("level_added")
class LevelAdded(Event):
    """The stake of this link's bet feeds a further level, which is the link `level`."""

    level: str


@event("link_stopped")
class LinkStopped(Event):
    """The side bet is suspended: at all tables, or at one. `source` is house, controller or "table R-01".

    `last_heard_at` (ISO 8601) is the last heartbeat of what fell silent, "" where a person stopped the link.
    """

    source: str
    reason: str
    last_heard_at: str
    by: str


@event("link_resumed")
class LinkResumed(Event):
    """The side bet is taken again. `shown_cents` is what the sign showed, null without one."""

    source: str
    shown_cents: int | None
    by: str


@event("notice_posted")
class NoticePosted(Event):
    """Patrons are told that the link will be transferred, retired or taken off a table (`table`, else "").

    `posted_on` is the gaming date (ISO 8601).
    """

    posted_on: str
    what: Literal["transfer", "retirement", "removal"]
    table: str
    by: str


@event("request_made")
class RequestMade(Event, omit_defaults=True):
    """Somebody asks for an adjustment, a transfer, the retirement of the link or a correction; another person decides.

    An adjustment names `pool` and `micros`, which may be negative; a transfer names `to_link`, and takes all there is.
    A correction (missed_hit, missed_player, refill) names `round`, `rank` and `seats`.
    """

    number: int
    kind: Literal["adjustment", "transfer", "retirement", "missed_hit", "missed_player", "refill"]
    reason: str
    evidence: str
    by: str
    pool: str = ""
    micros: int = 0
    to_link: str = ""
    round: str = ""
    rank: str = ""
    seats: tuple[int, ...] = ()


@event("request_declined")
class RequestDeclined(Event):
    """A request is declined or taken back."""

    number: int
    because: str
    by: str


@event("link_retired")
class LinkRetired(Event):
    """The link is over: no table is on it and its pools are empty. Its record stays."""

    request: int
    reason: str
    by: str
    approved_by: str
