"""Dealers put on a table, relieved and taken off."""

from django.contrib.auth.models import User

from casino import duty
from casino.commands.order import Done, Order, Plan, carry_out
from casino.commands.tables import at_session, load_table
from casino.commands.whereabouts import whereabouts
from casino.refusal import Refused, in_quotes
from casino.roles import DEALER
from casino.table import opened


def put_on(order: Order, code: str, dealer: str) -> Done:
    """A dealer takes a table that nobody deals at. `dealer` is a log-in with that role; refuses `unknown_dealer`."""

    def plan() -> Plan:
        loaded = load_table(code)
        session, there = opened(loaded.session, code), whereabouts(_known(dealer))
        event = duty.put_on(session, dealer, there.table, order.by)
        return Plan([there.moved(order, session, code), at_session(order, loaded, [event])])

    return carry_out(order, "put_dealer_on", {"table": code, "dealer": dealer}, plan)


def relieve(order: Order, code: str, dealer: str) -> Done:
    """A dealer takes a table over from the one who deals there, who is free from then on."""

    def plan() -> Plan:
        loaded = load_table(code)
        session, there = opened(loaded.session, code), whereabouts(_known(dealer))
        event = duty.relieve(session, dealer, there.table, order.by)
        assert event.relieves is not None
        relieved = whereabouts(event.relieves).moved(order, session, None)
        return Plan([relieved, there.moved(order, session, code), at_session(order, loaded, [event])])

    return carry_out(order, "relieve_dealer", {"table": code, "dealer": dealer}, plan)


def take_off(order: Order, code: str) -> Done:
    """The dealer leaves the table without relief."""

    def plan() -> Plan:
        loaded = load_table(code)
        session = opened(loaded.session, code)
        event = duty.take_off(session, order.by)
        gone = whereabouts(event.dealer).moved(order, session, None)
        return Plan([gone, at_session(order, loaded, [event])])

    return carry_out(order, "take_dealer_off", {"table": code}, plan)


def _known(dealer: str) -> str:
    named = User.objects.filter(username=dealer, is_active=True, groups__name=DEALER) if "\0" not in dealer else None
    if named is None or not named.exists():
        raise Refused("unknown_dealer", f"{in_quotes(dealer)} is no dealer's log-in; a dealer is named by log-in.")
    return dealer
