"""Each section of each conversation, on PostgreSQL."""

from pathlib import Path

import pytest

from tests.conversations.conversation import Section
from tests.conversations.test_conversations import SECTIONS, goes_as_written


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.parametrize("section", SECTIONS)
def test_a_conversation_goes_as_it_is_written(section: Section, tmp_path: Path) -> None:
    goes_as_written("postgresql", section, tmp_path)
