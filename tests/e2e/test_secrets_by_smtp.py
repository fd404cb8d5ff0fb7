"""What others could read or guess: tokens in talk, passwords, and bounce addresses, by SMTP."""

import html
import re
import sqlite3
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.e2e.people import hand_in, letter
from tests.e2e.town import ALICE, BOB, CAROL, EVE, Town, open_town, password_of, recipients
from tests.sink import Arrived

LETTER = Path(__file__).parent.parent / "mail" / "reading" / "letters" / "reports" / "postfix.eml"


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    with open_town(tmp_path_factory.mktemp("secret"), "alice", "bob", "carol") as town:
        yield town


@pytest.fixture(scope="module")
def mine(town: Town) -> Arrived:
    """Return a mail that waits for alice's move."""
    return town.match("alice", "bob")[0]


FORMS = {
    "plain": "{address}",
    "in capitals": "{capitals}",
    "%2B": "{local}%2B{token}@localhost",
    "%252B": "{local}%252B{token}@localhost",
    "=2B": "{local}=2B{token}@localhost",
    "a mailto link": '<a href="mailto:{local}%2b{token}%40localhost?subject=x">me</a>',
    "wrapped": "{local}+{half}\n{rest}@localhost",
    "wrapped as quoted-printable": "{local}+{half}=\n{rest}@localhost",
    "a tag inside": "{half}<wbr>{rest}",
    "letters with spaces": "{ }",
    "zero-width spaces": "{\u200b}",
    "soft hyphens": "{\u00ad}",
    "word joiners": "{\u2060}",
    "grapheme joiners": "{\u034f}",
    "tag characters": "{\U000e0041}",
    "entities": "{entities}",
    "full-width letters": "{wide}",
}


def written(form: str, mail: Arrived) -> str:
    """Return the token of `mail` in one of the FORMS."""
    token = mail.token
    if len(form) == len("{x}"):
        return form[1].join(token)
    return form.format(
        address=mail.reply_to, capitals=mail.reply_to.upper(), local="pbm", token=token,
        half=token[:20], rest=token[20:], entities="".join(f"&#{ord(c)};" for c in token),
        wide="".join(chr(ord(c) + 0xFEE0) for c in token),
    )  # fmt: skip


def letters_of(text: str) -> str:
    """Return what is left of a text for somebody who looks for a token in it."""
    read = html.unescape(re.sub(r"<[^>]*>", "", unquote(unquote(text))))
    return re.sub(r"[^a-z2-7]", "", unicodedata.normalize("NFKC", read).lower())


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
def test_a_token_in_a_chat_reaches_nobody(town: Town, mine: Arrived, form: str) -> None:
    line = f"chat {mine.board} alice {password_of('alice')}"
    mails = town.attacked(ALICE, f"{line}\n\nAnswer me at {written(form, mine)}\nor not.")
    (read,) = [mail for mail in mails if mail.recipient == BOB]
    assert "***" in read.text
    for text in (read.text, read.content.decode("ascii")):
        assert mine.token not in letters_of(text)


def test_the_database_and_its_backup_hold_no_token_of_a_mail_that_went_out(town: Town) -> None:
    backup = town.server.home / "backup.db"
    assert town.typed("db", "backup", str(backup))
    tokens = {mail.token for mail in town.sink.mails if mail.token}
    assert tokens
    for file in (backup, town.server.home / "var" / "pbm.db"):
        content = file.read_bytes().decode("latin-1")
        assert not [token for token in tokens if token in content]


def test_guesses_of_a_stranger_meet_pauses_and_stop_no_reply(town: Town) -> None:
    asked, _ = town.match("carol", "bob")
    guesses = [f"set carol wrong-guess-{n} broadcast yes" for n in range(5)]
    told = [mail for mail in town.attacked(EVE, *guesses) if mail.recipient != EVE]
    assert recipients(told) == [CAROL]
    assert "several wrong passwords" in told[0].prose
    right = f"set carol {password_of('carol')} broadcast yes"
    assert town.attacked(EVE, right) == []
    (answer,) = town.attacked(CAROL, right)
    assert "Wait 1 minute" in answer.prose
    moved = town.provoked(letter(CAROL, "", "B2", to=asked.reply_to), to=asked.reply_to)
    assert recipients(moved) == [BOB, CAROL]


def test_more_passwords_in_one_mail_are_no_more_guesses(town: Town) -> None:
    lines = "\n".join(f"set bob wrong-guess-{n} broadcast yes" for n in range(10))
    told = town.attacked(ALICE, lines)
    assert {mail.recipient for mail in told} <= {ALICE, BOB}
    assert "A mail holds at most 3 different passwords" in " ".join(m.prose for m in told)


def test_no_header_and_no_text_names_a_bounce_address(town: Town) -> None:
    words = [mail.sender.partition("@")[0].partition("+")[2] for mail in town.sink.mails]
    assert all(len(word) == 24 for word in words)
    for mail in town.sink.mails:
        said = mail.content.decode("ascii").lower() + mail.text.lower()
        assert "bounce+" not in said
        assert not [word for word in words if word in said]


def test_a_report_to_a_guessed_bounce_address_switches_nothing_off(town: Town) -> None:
    bobs = [mail for mail in town.sink.mails if mail.recipient == BOB]
    read = " ".join(re.sub(r"\s+", "", mail.content.decode("ascii")) for mail in bobs).lower()
    guesses = {word[:24] for word in re.findall(r"[a-z0-9]{24,}", read)}
    assert len(guesses) > 2 * len(bobs)
    report = LETTER.read_bytes().replace(b"\n", b"\r\n")
    for guess in sorted(guesses)[:40]:
        hand_in(town.server, "", report, f"bounce+{guess}@localhost")
    assert town.sent_since(len(town.sink.mails)) == []
    database = sqlite3.connect(town.server.home / "var" / "pbm.db")
    failed = database.execute("SELECT count(*) FROM addresses WHERE failures > 0")
    assert failed.fetchone() == (0,)
    database.close()
