r"""Conversations: mail in, mails out, as text files that read like a log of the server.

    alice> gonnect challenge alice alice-pw bob -size=5
    | Good luck!
      to alice: "waiting for an answer"
      to bob: "an invitation", "alice invites you", "Good luck!"
    bob replies> accept
      to alice: "your move"
      to bob: "alice to move"

`NAME> SUBJECT` is a mail from NAME@example.org (or from NAME, if it is an address); the lines
that begin with `|` are its text. `NAME replies> TEXT` answers the newest mail to NAME;
`NAME replies N> TEXT` answers the one N before it; `mallory answers alice> TEXT` writes to the
reply address of alice's newest mail. The lines below list every mail that results, in order:
its recipient, and words from the sender's name or the text, in any case, with white space folded;
words after `not` must not be there. No line means that nobody gets a mail. `players: a, b` opens
accounts, and `robots` those of robot-1 to robot-5; `think` lets robots move; `+ N hours` turns the
clock; `remind` does what is due; `#` begins a remark.
"""

import re
from collections.abc import Callable, Mapping
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.house import ADDRESS, HouseUnderTest, text_of

HOUR = timedelta(hours=1)
FILES = sorted(Path(__file__).parent.glob("*.txt"))

PASSWORD = re.compile(r"(?i)\b(?!your-)[\w-]+-pw\b")
"""What every password in a conversation looks like, including those of `players:`."""

_TEXT = re.compile(rb"Content-Type: text/plain[^\r]*\r\nContent-Transfer-Encoding: (\w+)\r\n")
"""The header of the first part of text in a mail; text in 7 bits needs no decoding."""

_MAIL = re.compile(r"(\S+?)(?: (replies)(?: (\d+))?| answers (\S+))?> ?(.*)")
_TOLD = re.compile(r"to (\S+?):(.*)")
_WORDS = re.compile(r'(not )?"([^"]*)"')


def steps_of(text: str) -> list[tuple[int, str, list[str], list[str]]]:
    """Return (line number, head, text lines, expected mails) of each step of a conversation."""
    steps: list[tuple[int, str, list[str], list[str]]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("|"):
            steps[-1][2].append(line[1:].removeprefix(" "))
        elif line.startswith("  "):
            steps[-1][3].append(line.strip())
        else:
            steps.append((number, line, [], []))
    return steps


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_conversation_goes_as_it_is_written(file: Path, tmp_path: Path) -> None:
    house = HouseUnderTest(tmp_path, operator="operator@example.org")
    for number, head, text, expected in steps_of(file.read_text("utf-8")):
        mails = take_step(house, head, "\n".join(text))
        told = "\n".join(f"to {m['To']} ({m['From']}):\n{text_of(m)}" for m in mails)
        where = f"{file.name}, line {number}: {head}\n{told}"
        assert [m["To"] for m in mails] == [address(_to(line)[0]) for line in expected], where
        for mail, line in zip(mails, expected, strict=True):
            compare(mail, _to(line)[1], where)
    for content, mail in zip(house.wire, house.sent, strict=True):
        first = _TEXT.search(content)
        encoded = first is None or first[1] != b"7bit"
        whole = content.decode() + (text_of(mail) if encoded else "")
        # To look for the end of one first is quick.
        assert "-pw" not in whole.lower() or not PASSWORD.search(whole), "a password went out"


def _make_robots(house: HouseUnderTest) -> list[EmailMessage]:
    house.house.robots.make()
    return []


_DEEDS: Mapping[str, Callable[[HouseUnderTest], list[EmailMessage]]] = {
    "remind": HouseUnderTest.remind,
    "think": HouseUnderTest.think,
    "robots": _make_robots,
}
"""What a line of one word does."""


def take_step(house: HouseUnderTest, head: str, text: str) -> list[EmailMessage]:
    if head.startswith("players:"):
        house.add(*re.split(r",\s*", head.removeprefix("players:").strip()))
        return []
    if head.startswith("+"):
        amount, unit = head.removeprefix("+").split()
        house.clock.now += int(amount) * {"hours": 1, "days": 24}[unit] * HOUR
        return []
    if head in _DEEDS:
        return _DEEDS[head](house)
    found = _MAIL.fullmatch(head)
    assert found, f"{head!r} cannot be read"
    name, replies, back, answered, words = found.groups()
    body = f"{words}\n{text}".strip("\n")
    if answered:
        return house.reply(house.last_to(address(answered)), body, author=address(name))
    if replies:
        received = [mail for mail in house.sent if mail["To"] == address(name)]
        return house.reply(received[-1 - int(back or 0)], body)
    return house.mail(address(name), words, text, ADDRESS)


def address(name: str) -> str:
    return name if "@" in name else f"{name}@example.org"


def _to(line: str) -> tuple[str, str]:
    found = _TOLD.fullmatch(line)
    assert found, f"{line!r} does not say who is told"
    return found[1], found[2]


def compare(mail: EmailMessage, expected: str, where: str) -> None:
    whole = " ".join(f"{mail['From']} {mail['Subject']} {text_of(mail)}".split())
    for negated, words in _WORDS.findall(expected):
        assert (words.casefold() in whole.casefold()) != bool(negated), f"{words!r}\n{where}"
