"""The alert rules: what each finds in a table, when it can't tell, and when the same is said again."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from casino.alert_events import AlertAcknowledged, AlertEnded, AlertRaised
from casino.alerts import Alert, Finding, NotEnough, Seen, alert_of, look, next_events, rules

NOW = datetime(2026, 11, 28, 22, 0, tzinfo=UTC)
OPEN = Seen(
    "R-01", NOW, True, since=NOW - timedelta(hours=2), last_round_at=NOW - timedelta(minutes=1), rounds_an_hour=50,
    tray_cents=500_000, fill_line_cents=100_000, verdict="ordinary",
)  # fmt: skip


def found(seen: Seen) -> list[str]:
    return [finding.rule for finding in look([seen])[0]]


def test_a_table_that_runs_well_is_left_alone():
    assert look([OPEN]) == ([], [])


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"tray_cents": 99_999}, "tray_below_fill_line"),
        ({"last_round_at": NOW - timedelta(minutes=20)}, "table_idle"),
        ({"roll_is_due": True}, "roll_due"),
        ({"rounds_an_hour": 24}, "slow_pace"),
        ({"verdict": "look here", "verdict_sentence": "once in 4,000 days"}, "unusual_result"),
        ({"miscounts": [("812", "Round R-01/2026-11-28/3: 3 counted, 2 wagered.")]}, "progressive_miscount"),
        (
            {"cash": [("12-in-watch", "Patron 12: cash in of the day 8,500.00.", date(2026, 11, 28))]},
            "near_cash_threshold",
        ),
        ({"variances": [("17", "The opener is 25.01 short.")]}, "opener_variance"),
    ],
)
def test_each_rule_finds_its_own(changes, rule):
    assert found(replace(OPEN, **changes)) == [rule]


@pytest.mark.parametrize(
    "changes",
    [
        {"tray_cents": 100_000},
        {"last_round_at": NOW - timedelta(minutes=19, seconds=59)},
        {"rounds_an_hour": 25},
        {"verdict": "unusual"},
        {"fill_line_cents": 0, "tray_cents": -1},
    ],
)
def test_at_the_line_nothing_is_found(changes):
    assert found(replace(OPEN, **changes)) == []


def test_a_closed_table_is_neither_idle_nor_slow_nor_short():
    closed = replace(OPEN, is_open=False, tray_cents=0, rounds_an_hour=1, last_round_at=NOW - timedelta(days=1))
    assert look([closed]) == ([], [])


def test_a_table_just_opened_gives_not_enough_to_tell_by():
    fresh = replace(OPEN, since=NOW - timedelta(minutes=5), rounds_an_hour=None, verdict="", tray_cents=None)
    findings, not_enough = look([fresh])
    assert findings == []
    assert {one.rule for one in not_enough} == {"tray_below_fill_line", "slow_pace", "unusual_result"}
    assert all(isinstance(one, NotEnough) and one.reason for one in not_enough)


# ------------------------------------------------------------------------------------------------- one alert's life

IDLE = Finding("table_idle", "R-01", "R-01", "R-01 is open and has had no round for 21 minutes.")
RAISED = AlertRaised(rule="table_idle", subject="R-01", table="R-01", level="warning", sentence=IDLE.sentence)
SEEN_TO = AlertAcknowledged(by="ana", note="", is_false=False)
OVER = AlertEnded(rule="table_idle", subject="R-01")


def after(*events) -> Alert:
    return alert_of([(NOW + timedelta(minutes=n), event) for n, event in enumerate(events)])


def said(alert: Alert, finding: Finding | None, minutes: int = 5, rule: str = "table_idle") -> list:
    return next_events(alert, finding, rule, "R-01", NOW + timedelta(minutes=minutes))


def test_a_finding_is_raised_once_while_it_lasts():
    assert said(Alert(), IDLE) == [RAISED]
    assert said(after(RAISED), IDLE) == []
    assert said(after(RAISED, SEEN_TO), IDLE) == []


def test_what_is_over_is_ended_once():
    assert said(after(RAISED), None) == [OVER]
    assert said(after(RAISED, OVER), None) == []
    assert said(Alert(), None) == []


def test_the_same_is_not_said_again_within_the_cooldown():
    ended = after(RAISED, SEEN_TO, OVER)
    assert rules()["table_idle"].cooldown_minutes == 30
    assert said(ended, IDLE, minutes=30) == []  # seen to at minute 1
    assert said(ended, IDLE, minutes=31) == [RAISED]


def test_what_happened_once_is_raised_once_and_never_ends_by_itself():
    miscount = Finding("progressive_miscount", "812", "R-01", "Round R-01/2026-11-28/3: 3 counted, 2 wagered.")
    raised = AlertRaised(
        rule="progressive_miscount", subject="812", table="R-01", level="critical", sentence=miscount.sentence
    )
    assert next_events(Alert(), miscount, "progressive_miscount", "812", NOW) == [raised]
    assert said(after(raised), None, rule="progressive_miscount") == []
    assert said(after(raised, SEEN_TO), miscount, minutes=10_000, rule="progressive_miscount") == []
