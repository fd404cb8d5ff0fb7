"""SpamAssassin's local rules have nothing against any kind of mail."""

import mailbox
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from tests.mail.writing.samples import (
    NOTICES,
    BoardMessage,
    Message,
    sample,
    sent,
)

MOST = 1.0
"""5.0 is spam to SpamAssassin, and some hosts look askance at less."""

TEMPLATES = (
    "signups/welcome", "signups/confirm", "invitations/invited", "seeks/announced",
    "reminders/reminders", "boards/refused",
)  # fmt: skip
"""Kinds that are mailed most, or to people who do not expect them."""

RECEIVED = (
    b"Received: from games.example.org (games.example.org [9.9.9.9])\r\n"
    b"\tby mx.example.net with ESMTPS id abc; Fri, 20 Nov 2026 12:00:01 +0000\r\n"
)
"""The header that the reader's host puts before each mail."""

GTUBE = b"XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X"
"""A text that every filter takes for spam (https://spamassassin.apache.org/gtube/)."""

pytestmark = pytest.mark.skipif(
    not shutil.which("spamassassin"), reason="needs SpamAssassin (apt-get install spamassassin)"
)


def composed(notices: Iterable[Message]) -> list[bytes]:
    """Return each mail as its reader's host gets it, named after its kind."""
    return [
        RECEIVED + sent(notice, f"{type(notice).__name__}-{n}", "b" * 24).content
        for n, notice in enumerate(notices)
    ]


def scores(mails: Iterable[bytes], folder: Path) -> Mapping[str, float]:
    """Return the score of each mail by its Message-ID; SpamAssassin keeps no order."""
    box = mailbox.mbox(folder / "mails")
    for content in mails:
        box.add(content.replace(b"\r\n", b"\n"))
    box.close()
    done = subprocess.run(
        ["spamassassin", "-L", "-p", "/dev/null", "--mbox", folder / "mails"],
        check=True, capture_output=True, env={"HOME": str(folder), "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    (folder / "judged").write_bytes(done.stdout)
    judged = mailbox.mbox(folder / "judged")
    found = {str(mail["Message-ID"]): _score_in(str(mail["X-Spam-Status"])) for mail in judged}
    judged.close()
    return found


def _score_in(verdict: str) -> float:
    found = re.search(r"score=(-?[0-9.]+)", verdict)
    assert found, verdict
    return float(found[1])


def bad(found: Mapping[str, float]) -> set[str]:
    return {name for name, score in found.items() if score > MOST}


def test_the_usual_mails_are_no_spam(tmp_path: Path) -> None:
    board = next(one for one in NOTICES if isinstance(one, BoardMessage))
    usual: list[Message] = [board, *map(sample, TEMPLATES)]
    control = b"From: a@example.org\r\nMessage-ID: <gtube@example.org>\r\n\r\n" + GTUBE + b"\r\n"
    found = scores([*composed(usual), control], tmp_path)
    assert len(found) == len(usual) + 1
    assert bad(found) == {"<gtube@example.org>"}


@pytest.mark.slow
def test_no_kind_of_mail_is_spam(tmp_path: Path) -> None:
    found = scores(composed(NOTICES), tmp_path)
    assert len(found) == len(NOTICES)
    assert not bad(found)
