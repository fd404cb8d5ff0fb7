"""Each section of each conversation, on SQLite (see conversation.py)."""

import re
from pathlib import Path

import pytest

from tests.conversations.conversation import Section, play, sections_of
from tests.databases import new_database
from tests.house import HouseUnderTest, text_of

FILES = sorted(Path(__file__).parent.glob("*.txt"))

PASSWORD = re.compile(r"(?i)\b(?!your-)[\w-]+-pw\b")
"""Every password in a conversation, including those of `players:`, looks like this."""

_TEXT = re.compile(rb"Content-Type: text/plain[^\r]*\r\nContent-Transfer-Encoding: (\w+)\r\n")
"""The header of the first part of text in a mail; text in 7 bits needs no decoding."""

SECTIONS = [
    pytest.param(section, id=f"{file.stem}{section.title and ': '}{section.title}")
    for file in FILES
    for section in sections_of(file.read_text("utf-8"))
]


@pytest.mark.parametrize("section", SECTIONS)
def test_a_conversation_goes_as_it_is_written(section: Section, tmp_path: Path) -> None:
    goes_as_written("sqlite", section, tmp_path)


def goes_as_written(kind: str, section: Section, folder: Path) -> None:
    """Play a section on a kind of database."""
    with new_database(kind, folder) as url:
        house = HouseUnderTest(folder, operator="operator@example.org", url=url)
        play(house, section)
        _refuse_passwords(house)
        house.house.close()


def _refuse_passwords(house: HouseUnderTest) -> None:
    for content, mail in zip(house.wire, house.sent, strict=True):
        first = _TEXT.search(content)
        encoded = first is None or first[1] != b"7bit"
        whole = content.decode() + (text_of(mail) if encoded else "")
        # To look for the end of one first is quick.
        assert "-pw" not in whole.lower() or not PASSWORD.search(whole), "a password went out"
