"""What people may do to a link, step by step: where each is sent, its body, and the command that it calls.

The interface and the pages send the same steps with the same bodies; `casino/access.py` says who may take which.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from rest_framework import serializers

from casino.commands.order import Done, Order
from casino.web import GamingDate, Strict, Text, WholeNumber
from jackpot.commands import changes, corrections, links, readings, requests, stops
from jackpot.control_events import Change


class Timed(Strict):
    """`occurred_at` is the source's own clock; left out, it is now."""

    occurred_at = serializers.DateTimeField(required=False)


class ProposeChange(Timed):
    """New values of parameters; what is left out stays. `effective_at` left out is: as soon as nobody plays."""

    reset_cents = WholeNumber(required=False)
    stake_cents = WholeNumber(required=False)
    increment_bp = WholeNumber(required=False)
    hidden_bp = WholeNumber(required=False)
    limit_cents = WholeNumber(required=False)
    no_limit = serializers.BooleanField(required=False)
    overflow_rule = Text(max_length=40, required=False)
    odd_cents = Text(max_length=40, required=False)
    tiers_name = Text(max_length=40, required=False)
    tiers = serializers.DictField(child=Text(max_length=20), required=False, allow_empty=False)
    heartbeat_of = Text(max_length=20, required=False, allow_blank=True)
    silence_seconds = WholeNumber(required=False)
    effective_at = serializers.DateTimeField(required=False)
    reason = Text(max_length=1000)
    acknowledged_by = Text(max_length=80, required=False, allow_blank=True)


class Numbered(Timed):
    number = WholeNumber()


class DropChange(Numbered):
    reason = Text(max_length=1000)


class Stop(Timed):
    reason = Text(max_length=400)


class Resume(Timed):
    """`source` is house, controller or "table R-01"; what fell silent resumes with what its sign shows."""

    source = Text(max_length=40, required=False)
    shown_cents = WholeNumber(required=False)


class AskAdjustment(Timed):
    """`micros` are micro-units of the currency and may be negative."""

    pool = Text(max_length=20)
    micros = WholeNumber()
    reason = Text(max_length=40)
    evidence = Text(max_length=1000)


class AskTransfer(Timed):
    to_link = Text(max_length=80)
    reason = Text(max_length=1000)
    evidence = Text(max_length=1000)


class AskRetirement(Timed):
    reason = Text(max_length=1000)
    evidence = Text(max_length=1000)


class AskCorrection(Timed):
    """`round` is written like R-01/2026-11-29/17; `seats` are those that won, were left out, or were paid wrongly."""

    round = Text(max_length=60)
    rank = Text(max_length=60)
    seats = serializers.ListField(child=WholeNumber(), max_length=50, allow_empty=False)
    reason = Text(max_length=1000)
    evidence = Text(max_length=1000)


class SettleBetween(Timed):
    round = Text(max_length=60)
    ruling = Text(max_length=1000)


class ApproveRequest(Numbered):
    """`read_micros` is the approver's own reading, for an opening reading."""

    read_micros = WholeNumber(required=False)


class DeclineRequest(Numbered):
    because = Text(max_length=1000)


class PostNotice(Timed):
    what = Text(max_length=20)
    table = Text(max_length=12, required=False, allow_blank=True)


class RemoveTable(Timed):
    table = Text(max_length=12)
    reason = Text(max_length=400)


class Read(Timed):
    """What was read off a pool (main, unless named) at `read_at`; left out, now."""

    shown_cents = WholeNumber()
    pool = Text(max_length=20, required=False)
    read_at = serializers.DateTimeField(required=False)


class ExplainReading(Numbered):
    gaming_date = GamingDate()
    explanation = Text(max_length=1000)


class SignDay(Timed):
    gaming_date = GamingDate()


# ------------------------------------------------------------------------------------------------- the steps


class Step(NamedTuple):
    """A step: the last part of its address, what it is, its body, and what it calls with the checked body."""

    path: str
    summary: str
    body: type[Strict]
    act: Callable[[Order, str, dict[str, Any]], Done]


def _propose(order: Order, link: str, said: dict[str, Any]) -> Done:
    given = {name: said.pop(name) for name in Change.__struct_fields__ if name in said}
    effective_at, reason = said.get("effective_at"), said["reason"]
    return changes.propose_change(order, link, Change(**given), effective_at, reason, said.get("acknowledged_by", ""))


def _read(order: Order, link: str, said: dict[str, Any]) -> Done:
    return readings.record_reading(order, link, **{"read_at": order.at} | said)


def _correction(kind: str) -> Callable[[Order, str, dict[str, Any]], Done]:
    def ask(order: Order, link: str, said: dict[str, Any]) -> Done:
        winners = corrections.Winners(said["round"], said["rank"], said["seats"])
        return corrections.ask_correction(order, link, kind, winners, said["reason"], said["evidence"])

    return ask


def _explain(order: Order, link: str, said: dict[str, Any]) -> Done:
    return readings.explain_difference(order, link, said["gaming_date"], said["number"], said["explanation"])


STEPS = (
    Step("changes/propose", "Propose new parameters", ProposeChange, _propose),
    Step("changes/approve", "Approve proposed parameters", Numbered,
         lambda order, link, said: changes.approve_change(order, link, **said)),
    Step("changes/drop", "Withdraw or decline proposed parameters", DropChange,
         lambda order, link, said: changes.drop_change(order, link, **said)),
    Step("changes/make", "Make an approved change now", Numbered,
         lambda order, link, said: changes.make_change(order, link, **said)),
    Step("stop", "Suspend the side bet", Stop, lambda order, link, said: stops.stop_link(order, link, **said)),
    Step("resume", "Take the side bet again", Resume,
         lambda order, link, said: stops.resume_link(order, link, **said)),
    Step("requests/adjustment", "Ask for an adjustment", AskAdjustment,
         lambda order, link, said: requests.ask_adjustment(order, link, **said)),
    Step("requests/transfer", "Ask for a transfer of all the link holds", AskTransfer,
         lambda order, link, said: requests.ask_transfer(order, link, **said)),
    Step("requests/retirement", "Ask for the link's retirement", AskRetirement,
         lambda order, link, said: requests.ask_retirement(order, link, **said)),
    Step("requests/missed-hit", "Ask that a missed hit be paid", AskCorrection, _correction("missed_hit")),
    Step("requests/missed-player", "Ask that a missed player be paid", AskCorrection, _correction("missed_player")),
    Step("requests/refill", "Ask that the house refill what was no hit", AskCorrection, _correction("refill")),
    Step("in-between/settle", "Close the case of a round in between", SettleBetween,
         lambda order, link, said: corrections.settle_between(order, link, **said)),
    Step("requests/approve", "Do what a request asks for", ApproveRequest,
         lambda order, link, said: requests.approve_request(order, link, **said)),
    Step("requests/decline", "Decline a request, or take it back", DeclineRequest,
         lambda order, link, said: requests.decline_request(order, link, **said)),
    Step("notices", "Record a notice to patrons", PostNotice,
         lambda order, link, said: requests.post_notice(order, link, **said)),
    Step("tables/remove", "Take a table off the link for good", RemoveTable,
         lambda order, link, said: links.remove_table(order, link, **said)),
    Step("readings", "Record a physical reading", Read, _read),
    Step("readings/explain", "Explain a difference", ExplainReading, _explain),
    Step("readings/sign", "Sign a meter's gaming day", SignDay,
         lambda order, link, said: readings.reconcile_day(order, link, said["gaming_date"])),
)  # fmt: skip


class JoinTable(Timed):
    table = Text(max_length=12)


PAGE_STEPS = (
    *STEPS,
    Step("tables/join", "Let a table offer the bet", JoinTable,
         lambda order, link, said: links.join_table(order, link, said["table"])),
    Step("tables/leave", "Take the bet off a table for now", RemoveTable,
         lambda order, link, said: links.leave_table(order, link, said["table"], said["reason"])),
)  # fmt: skip
"""The page's steps; joining and leaving have had addresses of their own in the interface before."""
