"""What tests of the log look at."""

from collections.abc import Callable

import pytest

from casino.eventstore import store

TABLES = ("stream", "event", "command", "due")


@pytest.fixture
def counts(database) -> Callable[[], dict[str, int]]:
    """How many rows each table of the log has."""

    def count() -> dict[str, int]:
        return {name: store.run(f"SELECT count(*) FROM log.{name}").fetchone()[0] for name in TABLES}

    return count
