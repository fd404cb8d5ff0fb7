"""Games and robots that are installed for a test, as pip installs a package."""

import sys
from pathlib import Path

import pytest

from tests.thirdparty.games import write_record


def install(
    site: Path, patch: pytest.MonkeyPatch, name: str, source: str, entries: str = ""
) -> None:
    """Install a package `name` that brings the `game` of this source, or other `entries`."""
    write_record(site, name, entries or f"[pbm.games]\nlines = {name}:game\n")
    (site / name).mkdir()
    (site / name / "__init__.py").write_text(source)
    patch.syspath_prepend(str(site))
    patch.delitem(sys.modules, name, raising=False)  # the module of the test before
