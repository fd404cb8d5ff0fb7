"""Games and robots that are installed for a test, as pip installs a package."""

import sys
from pathlib import Path

import pytest


def install(
    site: Path, patch: pytest.MonkeyPatch, name: str, source: str, entries: str = ""
) -> None:
    """Install a package `name` that brings the `game` of this source, or other `entries`."""
    record = site / f"{name}-1.dist-info"
    record.mkdir(parents=True)
    (record / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    entries = entries or f"[pbm.games]\nlines = {name}:game\n"
    (record / "entry_points.txt").write_text(entries)
    (site / name).mkdir()
    (site / name / "__init__.py").write_text(source)
    patch.syspath_prepend(str(site))
    patch.delitem(sys.modules, name, raising=False)  # the module of the test before
