"""`pbm announce`: what the operator writes reaches every player who wants it, once."""

import sqlite3
from collections import Counter
from contextlib import closing
from email import message_from_bytes
from email.header import decode_header, make_header
from email.message import Message
from pathlib import Path

import pytest

from pbm.bootstrap import House
from pbm.config import Settings
from pbm.features.announcements import ANNOUNCEMENTS, BATCH, announce
from pbm.service.audit import UNSIGNED
from pbm.service.context import context_without_mail
from tests.cli.conftest import PASSWORD
from tests.cli.terminal import done, pbm, refused

pytestmark = pytest.mark.usefixtures("home")

CROWD = 60


def open_house() -> House:
    key = Path("var/secret.key")
    return House(Settings("pbm@localhost", "sqlite:///var/pbm.db", "null:", key))


def crowd(size: int = CROWD) -> None:
    """Open accounts for carol0, carol1 and so on."""
    house = open_house()
    with house.open_unit() as work:
        for n in range(size):
            work.players.add(f"carol{n}", "", [f"carol{n}@example.com"], house.clock())
        work.commit()
    house.close()


def announcements() -> list[Message]:
    """Return the mails that went to many, as the relay got them."""
    files = Path("var/mail/new").iterdir()
    mails = [message_from_bytes(file.read_bytes()) for file in files]
    return [mail for mail in mails if mail["Precedence"] == "bulk"]


def told() -> Counter[str]:
    """Return whom the announcement has reached, and how often."""
    return Counter(mail["To"] for mail in announcements())


def test_everybody_is_told_once_and_the_audit_says_so() -> None:
    crowd()
    assert done("announce", "Tonight", "--dry-run", stdin="x") == "it would go to 62 players\n"
    printed = done("announce", "Tonight", stdin="The server moves at ten.\n")
    assert printed.startswith("on its way to 62 players; ")
    done("work")
    assert set(told().values()) == {1}
    assert len(told()) == CROWD + 2
    (act,) = pbm("audit", "--act", "announce", "--json").json
    assert (act["subject"], act["after"]["players"]) == ("Tonight", 62)


def test_a_command_that_is_killed_in_the_middle_is_finished_by_remind() -> None:
    crowd(BATCH + 20)
    house = open_house()
    with house.open_unit() as work:
        announce(work, house.clock(), UNSIGNED, "Tonight", "The server moves at ten.")
        work.commit()
    with house.open_unit() as work:
        context = context_without_mail(house.services, work, house.clock())
        assert ANNOUNCEMENTS.carry_out(context).total() == BATCH
        work.commit()
    house.close()  # and nothing more, as after a kill between two batches
    done("remind")
    done("work")
    assert set(told().values()) == {1}
    assert len(told()) == BATCH + 20 + 2


def test_who_wants_no_news_is_disabled_or_unreachable_gets_none() -> None:
    crowd()
    Path("mail.eml").write_text(
        f"From: alice@example.com\nSubject: set alice {PASSWORD} news no\n\n"
    )
    done("inject", "mail.eml")
    done("work")
    done("user", "disable", "carol1")
    with closing(sqlite3.connect("var/pbm.db")) as database, database:
        database.execute("UPDATE addresses SET failures = 3, off_at = ? WHERE address = ?",
                         ("2026-11-20T12:00:00.000000Z", "carol2@example.com"))  # fmt: skip
    assert pbm("announce", "Tonight", "--json", stdin="Hello.").json == {
        "players": 59,
        "sent": True,
    }
    done("work")
    assert len(told()) == 59
    assert not {"alice@example.com", "carol1@example.com", "carol2@example.com"} & told().keys()


def test_the_mail_says_who_writes_and_how_to_get_no_more() -> None:
    Path("letter.txt").write_text("The server moves.\n\nmove 101 alice secret C3\n")
    done("announce", "Nächste Woche: Wartung für alle Spieler", "letter.txt", "--why", "new host")
    done("work")
    mail = next(mail for mail in announcements() if mail["To"] == "bob@example.com")
    assert str(make_header(decode_header(mail["Subject"]))) == (
        "Nächste Woche: Wartung für alle Spieler"
    )
    assert mail["List-Unsubscribe"]
    letter = pbm("mail", "list", "--for", "bob@example.com", "--json").json[-1]
    text = done("mail", "show", str(letter["number"]))
    assert "The people who run pbm@localhost write to all players:" in text
    assert "set news no" in text


def test_a_reply_stops_them() -> None:
    done("announce", "Tonight", stdin="Hello.")
    done("work")
    mail = next(mail for mail in announcements() if mail["To"] == "bob@example.com")
    Path("mail.eml").write_text(
        f"From: bob@example.com\nTo: {mail['Reply-To']}\nSubject: Re: Tonight\n\nset news no\n"
    )
    done("inject", "mail.eml")
    done("work")
    assert done("announce", "Tonight", "--dry-run", stdin="x") == "it would go to 1 player\n"


@pytest.mark.parametrize(
    ("subject", "text", "sentence"),
    [
        ("", "Hello.", "A subject is one line"),
        ("one\ntwo", "Hello.", "A subject is one line"),
        ("Tonight", " \n", "The text is empty"),
        ("Tonight", "x" * 20_001, "20000 are the most"),
    ],
)
def test_what_cannot_be_sent_is_refused(subject: str, text: str, sentence: str) -> None:
    assert sentence in refused("announce", subject, stdin=text)
