"""Houses under test keep their databases in memory."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.waiting import quick_folder


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """Replace the fixture of pytest, whose folder is on a disk."""
    with quick_folder() as folder:
        yield Path(folder)
