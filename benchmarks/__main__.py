"""`make bench`: every benchmark beside its peer, a table of ratios, and benchmarks/results.json.

Names of benchmarks as arguments run only those, and then leave the file alone.
"""

import importlib
import logging
import os
import sys
from collections.abc import Sequence

from casino import environment

NAMES = ("append", "following", "hits", "whole", "rebuilding", "latency")


def main(chosen: Sequence[str]) -> int:
    """Run them one after another; 1 when one lost, doubled or falsified anything, for speed is no excuse."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    environment.read_env_file(environment.HOME / os.environ.get("CASINO_ENV_FILE", ".env"))
    unknown = set(chosen) - set(NAMES)
    if unknown:
        sys.exit(f"There is no benchmark {', '.join(sorted(unknown))}; choose from {', '.join(NAMES)}.")

    import django

    django.setup()
    logging.getLogger().setLevel(logging.ERROR)
    from benchmarks import machine, table, world
    from benchmarks.runner import Row

    rows: list[Row] = []
    with world.servers() as place:
        with place.admin() as admin:
            facts = machine.facts(admin)
        for name in chosen or NAMES:
            print(f"{name} …", file=sys.stderr, flush=True)
            rows += importlib.import_module(f"benchmarks.{name}").run(place)
    print(table.written(rows))
    print(" · ".join(f"{name} {value}" for name, value in facts.items()))
    if not chosen:
        table.save(rows, facts)
    return int(not all(row.is_right for row in rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
