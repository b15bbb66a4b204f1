"""The played floor of tests/played.py and a browser, for the pages that show it."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.browser.chromium import CHROMIUM, browser
from tests.played import ana, ben, client_of, people, played, statements, tess

__all__ = ["ana", "ben", "browser", "client_of", "people", "played", "statements", "tess"]

MARKS = (
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM.exists(), reason="Debian's Chromium is not installed (apt-get install chromium)."),
)


def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    """Every test of this folder looks through Chromium."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            for mark in MARKS:
                item.add_marker(mark)
