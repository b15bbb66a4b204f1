"""What the figures were measured on, and how quick its disk was in the same minute."""

import os
import platform
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

import psycopg

from casino import environment

PROBES, BLOCK = 200, b"\0" * 8192


def facts(connection: psycopg.Connection[Any]) -> dict[str, Any]:
    """Cores, processor, versions, load, and fsync calls a second beside the data."""
    version = connection.execute("SHOW server_version").fetchone()
    return {
        "cores": os.cpu_count(),
        "processor": _processor(),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "postgresql": version[0] if version else "",
        "fsyncs_per_second": round(fsync_rate(environment.var_folder())),
        "load_before": round(os.getloadavg()[0], 2),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def fsync_rate(folder: Path) -> float:
    """Appends of one page that reach the disk, a second: the median over single ones."""
    times = []
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(PROBES):
            start = time.perf_counter()
            file.write(BLOCK)
            file.flush()
            os.fdatasync(file.fileno())
            times.append(time.perf_counter() - start)
    return 1 / median(times)


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
