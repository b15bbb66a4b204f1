"""What events of the log mean for links, and a link's next step: shared by all that fold meters. Pure.

The meters' follower and the ledger's journal fold the same facts in the same order, each into tables of its own; what
one event means to which link is said here once.
"""

from collections.abc import Iterator

from casino.events import HandCompleted, ProgressiveCollected, RoundVoided
from casino.eventstore.registry import Event
from casino.keys import link_of
from jackpot import events, link, terms
from jackpot.link import Collected, Completed, Link, LinkFact, RoundFact, Voided
from jackpot.meter import BP_IN_ALL, MeterBroken, Rates, Win

Fact = events.LinkSetUp | RoundFact | LinkFact


def facts_of(event: Event, round_key: str, stream_key: str) -> Iterator[tuple[str, Fact]]:
    """What an event means for links, by link: stakes, wins and voids are the rounds', the rest the link's own.

    `round_key` is the round's where the event is a round's (`R-01/2026-11-29/17`), `stream_key` the stream's elsewhere.
    """
    match event:
        case ProgressiveCollected():
            for code, rates in _rates(event):
                yield code, Collected(event.in_cents, rates, len(event.seats))
        case RoundVoided(progressive=ProgressiveCollected() as collected):
            for code, rates in _rates(collected):
                yield code, Voided(round_key, collected.in_cents, rates)
        case HandCompleted():
            for code in dict.fromkeys(won.link for won in event.wins):
                won = [one for one in event.wins if one.link == code]
                wins = tuple(Win(one.rank, tuple(one.seats)) for one in won)
                yield code, Completed(round_key, wins, terms.tiers_of({one.rank: one.fraction for one in won}))
        case _:
            yield link_of(stream_key), event  # type: ignore[misc]


def next_link(before: Link | None, at: int, fact: Fact) -> Link | None:
    """The link after a fact at a position; None while it is not set up: what names it before that is not its own."""
    if not isinstance(fact, events.LinkSetUp):
        return before and link.apply(before, at, fact)
    if before is not None:
        raise MeterBroken(f"Link {fact.code} is set up at {at}, and it was before.")
    return link.begin(fact, at)


def _rates(collected: ProgressiveCollected) -> Iterator[tuple[str, Rates]]:
    """What the stake feeds, level by level: the bet's own link counts what no further one takes, with the house's."""
    fed = [(level.link, level.increment_bp, level.hidden_bp) for level in collected.levels]
    for code, increment_bp, hidden_bp in fed:
        yield code, Rates(increment_bp, hidden_bp, BP_IN_ALL - increment_bp - hidden_bp)
    yield collected.link, Rates(collected.increment_bp, collected.hidden_bp, sum(i + h for _, i, h in fed))
