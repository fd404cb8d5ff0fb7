"""A whole match by SMTP with `pbm serve`, and what every mail of it must look like."""

import re
from email.utils import parsedate_to_datetime

from tests.e2e.conftest import PASSWORD, Table
from tests.e2e.people import begin_match, take_turn
from tests.sink import Arrived


def play_to_the_end(table: Table) -> list[Arrived]:
    """Play with a comment, the pie rule and a refused move, to a chain from west to east.

    Returns the mails of the match.
    """
    alice, bob = table.alice, table.bob
    mail, _ = begin_match(alice, bob, PASSWORD, "gonnect", "-size=5")
    mail = take_turn(alice, bob, mail, "C3\n\nGrüße, and have fun!")
    assert "Grüße, and have fun!" in mail.text
    bob.answer(mail, "C3")
    mail = bob.next("C3 is already occupied")
    mail = take_turn(bob, alice, mail, "swap")
    players = [alice, bob]
    for number, move in enumerate(("C4", "B3", "B4", "D3", "D4", "A3", "E4")):
        mover, other = players[number % 2], players[1 - number % 2]
        mail = take_turn(mover, other, mail, move)
    bob.answer(mail, "E3")
    bob.next("You won: a chain joins two opposite sides.")
    alice.next("You lost; bob won: a chain joins two opposite sides.")
    return [other for other in table.sink.mails if other.board == mail.board]


def check_envelope_and_headers(mail: Arrived) -> None:
    message = mail.message
    assert re.fullmatch(r"bounce\+[a-z0-9]+@localhost", mail.sender)
    assert message["Auto-Submitted"] in ("auto-replied", "auto-generated")
    assert message["X-Auto-Response-Suppress"] == "All"
    assert "Precedence" not in message
    assert parsedate_to_datetime(message["Date"]).tzinfo is not None
    assert re.fullmatch(r"<[!-;=?-~]+@localhost>", message["Message-ID"])
    assert message["To"] == mail.recipient
    assert [a.addr_spec for a in message["From"].addresses] == ["pbm@localhost"]
    local = mail.reply_to.rpartition("@")[0]
    assert len(local) <= 64
    assert local == local.lower()
    for name in ("From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted"):
        assert len(message.get_all(name, [])) == 1, name


def check_octets(content: bytes) -> None:
    assert b"\n" not in content.replace(b"\r\n", b"")
    assert b"\r" not in content.replace(b"\r\n", b"")
    assert max(map(len, content.split(b"\r\n"))) <= 998
    assert content.partition(b"\r\n\r\n")[0].isascii()


def test_a_match_is_played_to_its_end_by_mail_alone(table: Table) -> None:
    play_to_the_end(table)
    for mail in table.sink.mails:
        check_envelope_and_headers(mail)
        check_octets(mail.content)
    ids = [mail.message_id for mail in table.sink.mails]
    assert len(set(ids)) == len(ids)
    assert table.server.pbm("verify").endswith(" 0 with faults\n")


def test_all_mails_of_a_match_are_one_thread_under_one_subject(table: Table) -> None:
    of_the_match = play_to_the_end(table)
    assert len(of_the_match) == 2 + 2 + 2 * 10 + 1  # invited, begun, ten turns, one refusal
    board = of_the_match[0].board
    assert {mail.subject for mail in of_the_match} == {f"[Gonnect {board}] alice - bob"}
    root = {(mail.message["References"], mail.message["In-Reply-To"]) for mail in of_the_match}
    ((references, in_reply_to),) = root
    assert references == in_reply_to
    assert references not in {mail.message_id for mail in of_the_match}
