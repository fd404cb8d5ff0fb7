"""The games of these packages, for tests that need them without an installation."""

import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from pbm.engine import AnyGame

HERE = Path(__file__).parent


def write_record(site: Path, name: str, entries: str) -> None:
    """Write what pip writes of a package into the folder `site`, with these entry points."""
    record = site / f"{name}-1.dist-info"
    record.mkdir(parents=True)
    (record / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (record / "entry_points.txt").write_text(entries)


def packages() -> Mapping[str, AnyGame]:
    """Return the game of each package beside this module, by its key."""
    keys = sorted(path.name.removeprefix("pbm-") for path in HERE.glob("pbm-*"))
    found = {}
    for key in keys:
        folder = str(HERE / f"pbm-{key}")
        if folder not in sys.path:
            sys.path.append(folder)
        found[key] = import_module(f"pbm_{key}").game
    return found
