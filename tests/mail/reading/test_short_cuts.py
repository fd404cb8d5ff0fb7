"""What is decided at one look gives the answer of the whole table."""

from functools import partial
from random import Random

from hypothesis import assume, given
from hypothesis import strategies as st

from pbm.mail.reading import mime
from pbm.mail.reading.charsets import decode_charset
from pbm.mail.reading.decoding import one_line
from pbm.mail.reading.headers import read_headers, value_of
from pbm.mail.reading.introductions import head
from pbm.mail.reading.nuisance import Signs, first_sign, reason_for_silence
from pbm.mail.reading.our_mails import OurMails
from tests.mail.reading.received import ADDRESS, received
from tests.mail.reading.test_silence import FROM_A_MACHINE, MARKED_BY_A_HEADER

ORDINARY = "bob@example.net"

FIELDS = [
    *(header for headers in MARKED_BY_A_HEADER.values() for header in headers),
    "Auto-Submitted: no",
    "Precedence: first-class",
    "X-Apple-Action: JUNK",
    "Content-Class: urn:content-classes:calendarmessage",
    "Content-Class: urn:content-classes:message",
    "Content-Type: text/html",
    "Content-Type: multipart/mixed; boundary=b",
    "Content-Type: multipart/alternative; boundary=b",
    "Content-Type: text/calendar; method=REPLY",
    "Content-Type: application/ms-tnef",
    "Content-Type: message/disposition-notification",
    "User-Agent: a mail program",
]

BODIES = [
    "D4\n",
    "METHOD:REPLY\n",
    "IPM.Note.Rules.Oof\n",
    "boxbe.com\n",
    "--b\n\nD4\n--b\nContent-Type: text/calendar\n\nMETHOD:REPLY\n--b--\n",
    "--b\nContent-Type: message/delivery-status\n\nStatus: 5.1.1\n--b--\n",
    "--b\nContent-Type: application/ms-tnef\n\nREPORT.IPM.Note\n--b--\n",
]

WRITERS = [
    *(author for authors in FROM_A_MACHINE.values() for author in authors),
    *("", "<>", ORDINARY, f"<{ORDINARY}>", "x@BoxBe.com", "x@a.spamarrest.com", "x@mailinblack.co"),
    *("bob@games.example.org", "bounce@games.example.org", "BOUNCE+k3v9@games.example.org"),
]

RECIPIENTS = [
    *("pbm@games.example.org", "pbm+k3v9@games.example.org", "postmaster@games.example.org"),
    *("Abuse@games.example.org", "<BOUNCE+k3v9@games.example.org>", "abuse", "bob+bounce@x"),
]

SUBJECTS = [
    *("", "Re: [Gonnect 104] alice - bob", "AW: hello", "Automatic reply", "Automatic reply: x"),
    *("Read: [Gonnect 104] alice - bob", "Accepted: [Gonnect 104] alice - bob", "Accepted: x"),
    *("verify#4711", "Re: hello (Action Required)", "out of office\uff1a x", "Abwesend: "),
]


MIXTURES = 2000


def signs(chance: Random) -> Signs:
    """Return what the table looks at in mails of people and of machines, in any mixture."""
    mostly = partial(_mostly, chance)
    fields = chance.sample(FIELDS, chance.choice((0, 0, 1, 2)))
    mail = received("\n".join((*fields, "", mostly("D4\n", BODIES))))
    headers, body_at = read_headers(mail.content)
    part = mime.parse(headers, mail.content[body_at:])
    return Signs(
        headers,
        chance.choice((part, part, part, None)),
        mostly(ORDINARY, WRITERS),
        mostly(ORDINARY, WRITERS).strip("<>").lower() or None,
        chance.choice((ADDRESS, ADDRESS, "postmaster@games.example.org", "PBM@example.net")),
        tuple(mostly(ADDRESS, RECIPIENTS) for _ in range(chance.randint(0, 2))),
        chance.choice(((), ("k3v9",))),
        mostly("Re: hello", SUBJECTS),
    )


def _mostly(chance: Random, ordinary: str, others: list[str]) -> str:
    """Draw the ordinary value as often as all of the others."""
    return ordinary if chance.random() < 0.5 else chance.choice(others)


def test_a_mail_is_silenced_for_the_first_reason_of_the_table() -> None:
    chance = Random(104)  # Hypothesis takes ten times as long for such a mixture
    for _ in range(MIXTURES):
        mail = signs(chance)
        assert reason_for_silence(mail) == first_sign(mail), mail


@given(
    st.binary(max_size=30)
    | st.text(" \t\na\u00e9\u200b\u200c\u2003\x85", max_size=12).map(str.encode)
)
def test_a_plain_field_is_read_as_any_other(value: bytes) -> None:
    assert value_of(value) == one_line(decode_charset(value))


@given(st.text("ab;=\"* '%1", max_size=24))
def test_parameters_in_one_piece_are_read_as_those_beside_pieces(field: str) -> None:
    beside_pieces = dict(mime.parameters(f"; x*=y {field}"))
    assert beside_pieces.pop("x").startswith("y")
    assert mime.parameters(field) == beside_pieces


OURS = [
    *("Reply 9", "with a move, for example G7", "9 Reply with a move, for example", " G7", "9"),
    *("alice 9", "9 invites you, bob, to a match of ", "is alice's turn: you wait, move 3", "It"),
    *("9 It", "Your move, bob: you are white, move 3", "12 a b c 12", "11 a b c 11", " 9 a b 9"),
    *("[Gonnect 104] alice - bob", "Re: [Gonnect 104] alice - bob", "4 - Gonnect 104 wrote 12:30:"),
    *("<board-104@games.example.org>", "From 9: <pbm@games.example.org>", "G7", "see you at 12:30"),
]


@given(st.lists(st.sampled_from(OURS), min_size=1, max_size=3))
def test_a_line_without_marks_is_still_known_to_begin_a_mail_of_ours(lines: list[str]) -> None:
    assume(any(map(str.isdecimal, lines[0])))
    ours = OurMails.of(ADDRESS)
    assert head(lines, 0, ours) or not ours.begins_quote(lines, 0)
