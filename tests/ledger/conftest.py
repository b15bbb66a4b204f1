"""The played floor of tests/played.py, for the pages that show it."""

from tests.closing_house import house
from tests.played import ana, ben, client_of, people, played, statements, tess

__all__ = ["ana", "ben", "client_of", "house", "people", "played", "statements", "tess"]
