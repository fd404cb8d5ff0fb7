"""Conversations on PostgreSQL: each section in CI, elsewhere the first one of each file.

All take a minute of both cores. A file of its own, so that another process plays them.
"""

import os
from pathlib import Path

import pytest

from tests.conversations.conversation import Section
from tests.conversations.test_conversations import SECTIONS, goes_as_written

_FIRST = {str(param.id).partition(":")[0]: param for param in reversed(SECTIONS)}
"""The first section of each file."""


@pytest.mark.postgres
@pytest.mark.parametrize("section", SECTIONS if os.environ.get("CI") else _FIRST.values())
def test_a_conversation_goes_as_it_is_written(section: Section, tmp_path: Path) -> None:
    goes_as_written("postgresql", section, tmp_path)
