"""Dealers at a table: on, relieved, off. A dealer is at one table at a time. Pure.

A dealer is named by log-in, and for as long as the duty lasts that log-in records rounds at this table alone.
"""

from casino.refusal import Refused, in_quotes
from casino.session_events import DealerOff, DealerOn
from casino.table import Session


def put_on(session: Session, dealer: str, is_at: str | None, by: str) -> DealerOn:
    """A dealer takes a table that nobody deals at; `is_at` is where the dealer is now.

    Refuses `dealer_on_duty` where somebody deals here, and `dealer_elsewhere`.
    """
    if session.dealer is not None:
        sentence = f"{session.dealer} deals at {session.table}; record the relief, or take the dealer off first."
        raise Refused("dealer_on_duty", sentence, dealer=session.dealer)
    _check_free(dealer, is_at)
    return DealerOn(table=session.table, dealer=dealer, relieves=None, by=by)


def relieve(session: Session, dealer: str, is_at: str | None, by: str) -> DealerOn:
    """A dealer takes the table over from whoever deals there.

    Refuses `no_dealer`, `dealer_on_duty` and `dealer_elsewhere`.
    """
    if session.dealer is None:
        raise Refused("no_dealer", f"Nobody deals at {session.table}; put {in_quotes(dealer)} on instead.")
    if session.dealer == dealer:
        raise Refused("dealer_on_duty", f"{dealer} deals at {session.table} already.", dealer=dealer)
    _check_free(dealer, is_at)
    return DealerOn(table=session.table, dealer=dealer, relieves=session.dealer, by=by)


def take_off(session: Session, by: str) -> DealerOff:
    """The dealer leaves without relief. Refuses `no_dealer`."""
    if session.dealer is None:
        raise Refused("no_dealer", f"Nobody deals at {session.table}, so nobody can leave it.")
    return DealerOff(table=session.table, dealer=session.dealer, by=by)


def check_on_duty(session: Session | None, code: str, dealer: str) -> None:
    """Refuse `not_on_duty`: somebody with the role of dealer alone records at the table where they are on duty."""
    if session is None or session.dealer != dealer:
        who = f"{session.dealer} deals there" if session and session.dealer else "nobody is on duty there"
        sentence = f"You are not the dealer on duty at {code} ({who}); the floor puts a dealer on a table."
        raise Refused("not_on_duty", sentence)


def _check_free(dealer: str, is_at: str | None) -> None:
    if is_at is not None:
        sentence = f"{dealer} deals at {is_at}; a dealer is at one table at a time, so end that duty first."
        raise Refused("dealer_elsewhere", sentence, table=is_at)
