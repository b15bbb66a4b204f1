"""The one file of another package that browsers load: plotly.js, straight from its wheel."""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage

PREFIX, NAME = "plotly", "plotly.min.js"


class PlotlyFinder(BaseFinder):
    """Finds `plotly/plotly.min.js`. A folder of STATICFILES_DIRS would publish the wheel's data sets besides."""

    def __init__(self) -> None:
        wheel = find_spec("plotly")  # found, not imported: the Python side of it is of no use here
        assert wheel is not None
        assert wheel.origin is not None
        self.storage = FileSystemStorage(location=Path(wheel.origin).parent / "package_data")
        self.storage.prefix = PREFIX  # type: ignore[attr-defined]  # where collectstatic puts it

    def check(self, **kwargs: Any) -> list[Any]:
        """Nothing is configured, so nothing can be wrong."""
        return []

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        """The file's place, in a list with `find_all`; an empty list for every other path."""
        found = self.storage.path(NAME) if path == f"{PREFIX}/{NAME}" else []
        return [found] if find_all and found else found

    def list(self, ignore_patterns: Any) -> Iterator[tuple[str, FileSystemStorage]]:
        """What collectstatic copies."""
        yield NAME, self.storage
