"""What a page or endpoint may ask of the books."""

from ledger.models import TableDay
from ledger.reconcile import Facts


def facts_of(day: TableDay) -> Facts:
    """A table's day as the facts that `reconcile` works on; a closer counts once every session is closed."""
    return Facts(
        opener=day.opener_cents,
        recorded_drop=day.cash_cents,
        game_result=day.collected_cents + day.progressive_cents - day.winnings_cents,
        jackpots=day.jackpots_paid_cents,
        closer=day.closer_cents if day.sessions_opened == day.sessions_closed else None,
        counted_drop=day.counted_drop_cents,
    )
