"""Playing at a terminal: what `pbm mail` lists, shows and answers. README's match uses all of it.

The maildir is filled as by the relay: no server sends mails as odd as some of these.
"""

from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbm.cli.terminal import LetterError, full, letter, letters, reply
from pbm.domain.mail import OutgoingMail, ReceivedMail
from pbm.mail.reading.incoming import read
from pbm.server.relay import open_relay

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
HOUSE = "pbm@games.example.org"
TOKEN = "k3v9qd7xw2mz4t8hc6yfa5rn1e"

HERE = Path(__file__).parent
BOARD = (HERE / "board.eml").read_text("utf-8")
SHOWN = (HERE / "board.txt").read_text("utf-8")

PLAIN = f"""\
From: {HOUSE}
To: {{to}}
Subject: {{subject}}
Date: Fri, 20 Nov 2026 18:20:00 +0100
Message-ID: <{{to}}@games.example.org>

{{text}}
"""


def outgoing(text: str, recipient: str = "bob@example.net") -> OutgoingMail:
    content = text.replace("\n", "\r\n").encode()
    message_id = next(line for line in text.splitlines() if line.startswith("Message-ID: "))
    return OutgoingMail("bounce+x@games.example.org", recipient, message_id[12:], content)


def plain(to: str, text: str = "hello", subject: str = "Welcome") -> OutgoingMail:
    return outgoing(PLAIN.format(to=to, text=text, subject=subject), to)


@pytest.fixture
def maildir(tmp_path: Path) -> Path:
    return tmp_path / "mail"


def arrive(maildir: Path, *mails: OutgoingMail) -> None:
    list(open_relay(f"maildir:{maildir}", "h.example").deliver(mails))


def test_a_listing_can_be_limited_to_one_reader_and_to_the_newest_mails(maildir: Path) -> None:
    arrive(maildir, *(plain(f"{name}@x.example") for name in ("a", "b", "c")), outgoing(BOARD))
    (second,) = letters(maildir, "B@x.example")
    assert (second.number, second.first_line) == (2, "hello")
    assert [one.number for one in letters(maildir, last=2)] == [3, 4]


def test_a_maildir_that_is_not_there_yet_or_just_being_made_is_empty(maildir: Path) -> None:
    assert letters(maildir) == ()
    for folder in ("tmp", "new"):
        (maildir / folder).mkdir(parents=True)
        assert letters(maildir) == ()
    with pytest.raises(LetterError, match="There is no mail 7 in"):
        letter(maildir, 7)


def test_a_number_means_the_same_mail_tomorrow(maildir: Path) -> None:
    arrive(maildir, plain("a@x.example"), outgoing(BOARD), plain("c@x.example"))
    (first,) = (maildir / "new").glob("000001*")
    first.unlink()
    (second,) = (maildir / "new").glob("000002*")
    second.rename(maildir / "cur" / f"{second.name}:2,RS")
    arrive(maildir, plain("d@x.example"))
    assert letter(maildir, 2).subject == "[Gonnect 104] alice - bob"
    assert [one.number for one in letters(maildir)] == [2, 3, 4]


def test_a_letter_is_shown_with_the_headers_that_matter_and_its_text(maildir: Path) -> None:
    arrive(maildir, outgoing(BOARD))
    assert full(letter(maildir, 1)).rstrip() == SHOWN.rstrip()


def test_a_reply_is_read_by_the_server_as_the_one_line_that_was_typed(maildir: Path) -> None:
    arrive(maildir, outgoing(BOARD))
    answer = reply(letter(maildir, 1), "D4\n", NOW, "w0rd")
    assert answer.sender == "bob@example.net"
    assert answer.recipient == f"pbm+{TOKEN}@games.example.org"
    incoming = read(ReceivedMail(answer.sender, (answer.recipient,), answer.content, NOW), HOUSE)
    assert (incoming.lines, incoming.author) == (("D4",), "bob@example.net")
    assert incoming.plus_words == (TOKEN,)
    assert incoming.subject == "[Gonnect 104] alice - bob"
    assert incoming.message_id == answer.message_id == "<w0rd@example.net>"
    assert incoming.silence is None


def replied(maildir: Path, mail: OutgoingMail, line: str = "D4") -> EmailMessage:
    """Return the reply to a mail, which is a line of ASCII after the other."""
    arrive(maildir, mail)
    content = reply(letters(maildir)[-1], line, NOW, "w0rd").content
    assert content.count(b"\n") == content.count(b"\r\n") == content.count(b"\r")
    assert content.isascii()
    message = message_from_bytes(content, _class=EmailMessage, policy=policy.default)
    assert message.defects == []
    return message


def test_a_reply_is_what_a_mail_program_sends(maildir: Path) -> None:
    message = replied(maildir, outgoing(BOARD))
    assert message["Subject"] == "Re: [Gonnect 104] alice - bob"
    assert message["Date"] == "Sat, 21 Nov 2026 09:30:00 +0000"
    assert message["In-Reply-To"] == "<k3v9@games.example.org>"
    above = ["<board-104@games.example.org>", "<k3v9@games.example.org>"]
    assert message["References"].split() == above
    assert message.get_content().replace("\r\n", "\n") == (
        "D4\n\nOn Fri, 20 Nov 2026 18:20:00 +0100, Gonnect 104: your move wrote:\n"
        "> alice played C4. It's your move (move 2). You play Ohs (o).\n>\n"
        ">   4  . .(x). .\n> alice writes: Grüße!\n"
    )
    # A reply to a reply has one Re, and other letters survive.
    assert replied(maildir, plain("a@x.example", subject="RE: Welcome"))["Subject"] == "Re: Welcome"
    umlauts = plain("b@x.example", subject="=?utf-8?q?Gr=C3=BC=C3=9Fe?=")
    assert replied(maildir, umlauts, "ä\r\nb\nc")["Subject"] == "Re: Grüße"


def test_ids_that_hide_a_line_end_add_no_header_to_a_reply(maildir: Path) -> None:
    ids = "=?utf-8?q?=3Ca=40b=3E=0D=0ABcc=3A_eve=40x=2Eexample?= <c@d>"
    evil = PLAIN.format(to="a@x.example", subject="x", text="hi").replace(
        "Subject: x", f"References: {ids}"
    )
    message = replied(maildir, outgoing(evil, "a@x.example"))
    assert message["Bcc"] is None
    assert "bcc" not in str(message.items()).lower()
    assert "<c@d>" in message["References"]


def test_a_mail_without_an_address_cannot_be_answered(maildir: Path) -> None:
    arrive(maildir, outgoing("From: nobody\nMessage-ID: <m@x>\n\nhi\n"))
    with pytest.raises(LetterError, match="Mail 1 has no address to reply to"):
        reply(letter(maildir, 1), "x", NOW, "w")
