"""Input that no player would type is refused or shown harmlessly, and never meets a bug.

Whatever a subject or a text contains, the house answers with sound mails, evaluates nothing,
and goes on playing. No header of an answer is made of what a mail holds, however it is encoded.
"""

import base64
import quopri
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.house import ADDRESS, HouseUnderTest, text_of
from tests.readings import rows, sections
from tests.sent_mails import SentMail

pytestmark = pytest.mark.slow

HOUR = timedelta(hours=1)
ALICE, BOB = "alice@example.org", "bob@example.org"
LONG = "x" * 3000

words, speeches, frames = sections(Path(__file__).with_name("bad_input.txt")).values()
WORDS, SPEECHES, FRAMES = [LONG, *rows(words)], rows(speeches), rows(frames)

EACH = 2
"""The number of parts of the test; each part fills every frame with two words."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")

TEXT = st.lists(
    st.one_of(
        st.text(max_size=20),
        st.sampled_from(WORDS),
        st.sampled_from(["move", "101", "alice", "alice-pw", "gonnect", "show", "challenge", "if"]),
    ),
    max_size=8,
).map(" ".join)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    """Return a house where alice is to move on board 101."""
    house = HouseUnderTest(tmp_path_factory.mktemp("begun"), operator="operator@example.org")
    house.add("alice", "bob")
    house.begin_match()
    return house


@pytest.fixture
def house(begun: HouseUnderTest, tmp_path: Path) -> Iterator[HouseUnderTest]:
    """Yield a copy of that house; check after the test that no mail met a bug."""
    house = begun.twin(tmp_path)
    house.sent = house.mail(ALICE, "show 101")
    yield house
    assert house.shunted() == ()
    house.clock.now += HOUR
    (mail,) = house.mail(ALICE, "show 101")
    assert "Board - " in mail["From"], text_of(mail)
    house.house.close()


def check(mails: list[EmailMessage]) -> None:
    """Check that the mails are sound, go only to these people, and that nothing was evaluated."""
    for mail in mails:
        assert isinstance(mail, SentMail)
        head, _, _ = mail.content.partition(b"\r\n\r\n")
        assert head.isascii()
        for name, value in mail.items():
            assert not re.search(r"[\r\n\x00-\x08\x0b-\x1f\x7f]", str(value)), name
        assert mail["To"] in (ALICE, BOB, "stranger@example.org")
        text = text_of(mail)
        assert not re.search(
            r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x9b\u202a-\u202e\u2066-\u2069]", text
        )
        assert max(map(len, text.splitlines())) <= 998
        for trace in ("Traceback", "sqlalchemy", "jinja", "0x7f", "Error(", '", line '):
            assert trace not in text
        assert "49" not in text.replace("49 ", "")
        assert "alice-pw" not in text


@pytest.mark.parametrize("start", range(EACH))
def test_every_word_in_every_kind_of_place_is_refused_or_harmless(
    start: int, house: HouseUnderTest
) -> None:
    for number, frame in enumerate(FRAMES):
        for word in WORDS[(number + start) % len(WORDS) :: len(WORDS) // 2]:
            house.clock.now += HOUR
            line = frame.format(w=word)
            subject = "Hello" if _CONTROL.search(line) else line
            check(house.mail(ALICE, subject, line if subject == "Hello" else ""))


IN_A_REPLY = ("{w}", "move {w}", "C3 {w}", "queue C3 if {w}", "draw {w}")
"""Places for such a word in a reply; each part of the test begins with another word."""


@pytest.mark.parametrize("start", range(5))
def test_every_word_in_a_reply_is_refused_or_harmless(start: int, house: HouseUnderTest) -> None:
    mail = house.last_to(ALICE)
    for number, word in enumerate(WORDS[start::5]):
        house.clock.now += HOUR
        for frame in ("{w}", IN_A_REPLY[1 + number % 4], IN_A_REPLY[1 + (number + 1) % 4]):
            check(house.reply(mail, frame.format(w=word)))


@given(subject=TEXT, text=st.lists(TEXT, max_size=5), by_reply=st.booleans())
@settings(
    max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
def test_any_mail_is_refused_or_harmless(
    house: HouseUnderTest, subject: str, text: list[str], by_reply: bool
) -> None:
    house.clock.now += HOUR
    if by_reply:
        check(house.reply(house.sent[0], "\n".join(text)))
    else:
        check(house.mail(ALICE, re.sub(r"[\r\n\x85\u2028\u2029]", " ", subject), "\n".join(text)))
        check(house.mail("stranger@example.org", subject.partition("\n")[0]))


def test_what_players_write_comes_back_as_it_was(house: HouseUnderTest) -> None:
    speech = "\n".join(SPEECHES)
    house.reply(house.sent[0], f"C3\n{speech}")
    house.reply(house.last_to(BOB), f"chat\n{speech}")
    house.mail(ALICE, "message alice alice-pw bob", speech)
    told = [text_of(mail) for mail in house.sent if mail["To"] == BOB][-3:]
    for text in told:
        assert "\n".join(f"  {line}" for line in SPEECHES) in text.replace("\r\n", "\n")
    with house.house.open_reading() as work:
        found = work.matches.get(101)
    assert found is not None
    assert [entry.comment for entry in found[0].log] == [speech, speech]


def test_an_answer_to_a_long_word_is_short(house: HouseUnderTest) -> None:
    for line in (LONG, f"gonnect {LONG}", f"signup {LONG} secret", f"help {LONG}"):
        (mail,) = house.mail(ALICE, line)
        assert LONG[:200] not in text_of(mail)


# ---- headers

ENDS = ("\r\n", "\n", "\r", "\n ", "\r\n\t", "\u2028", "\x0b", "\x85", "\x00", "%0d%0a", "\\r\\n")
"""Characters that somebody may take for the end of a line."""

HEADER = re.compile(rb"(?P<name>[A-Z][A-Za-z-]*): [\x20-\x7e]+")

KNOWN = {
    b"From", b"To", b"Reply-To", b"Subject", b"Date", b"Message-ID", b"In-Reply-To", b"References",
    b"Auto-Submitted", b"X-Auto-Response-Suppress", b"X-PBM-Loop", b"List-Id", b"List-Unsubscribe",
    b"Precedence", b"MIME-Version", b"Content-Type", b"Content-Transfer-Encoding",
}  # fmt: skip
"""Every header that a mail of ours may have."""


def in_base64(text: str) -> str:
    return f"=?utf-8?B?{base64.b64encode(text.encode()).decode()}?="


def in_quoted_printable(text: str) -> str:
    encoded = quopri.encodestring(text.encode(), header=True).decode()
    escaped = encoded.replace("=\n", "").replace("\r", "=0D").replace("\n", "=0A")
    return f"=?iso-8859-1?Q?{escaped}?="


def in_utf16(text: str) -> str:
    return f"=?utf-16-be?B?{base64.b64encode(text.encode('utf-16-be')).decode()}?="


ENCODINGS: tuple[Callable[[str], str], ...] = (str, in_base64, in_quoted_printable, in_utf16)

evil = st.builds(
    lambda said, end, more, encode: encode(f"{said}{end}Bcc: evil@example.org{end}{more}"),
    st.sampled_from(["", "help", "show 101", "hello", "x" * 1200]) | st.text(max_size=8),
    st.sampled_from(ENDS),
    st.sampled_from(["", "\r\n\r\nEvil", "X-Evil: 1"]),
    st.sampled_from(ENCODINGS),
)


@given(
    subject=evil,
    name=evil,
    answered=evil,
    ident=evil,
    author=st.sampled_from(["alice", "stranger"]),
    text=st.sampled_from(["help", "show 101 alice alice-pw", "hello", "help help"]),
)
@settings(
    max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
def test_no_header_is_made_of_what_came_in(
    house: HouseUnderTest,
    subject: str, name: str, answered: str, ident: str, author: str, text: str,
) -> None:  # fmt: skip
    house.clock.now += timedelta(days=1)
    head = (
        f'From: "{name}" <{author}@example.org>\r\nTo: {ADDRESS}\r\nSubject: {subject}\r\n'
        f"Message-ID: <{ident}@example.org>\r\nIn-Reply-To: <{answered}>\r\n"
        f"References: <{answered}> {answered}\r\n\r\n{text}\r\n"
    )
    before = len(house.wire)
    house.take(head.encode("utf-8", "replace"), f"{author}@example.org")
    for content in house.wire[before:]:
        check_header(content)


def check_header(content: bytes) -> None:
    """Assert that a mail has our headers, one line each, and no bare CR or LF."""
    assert content.isascii()
    assert content.count(b"\r") == content.count(b"\n") == content.count(b"\r\n")
    assert max(map(len, content.split(b"\r\n"))) <= 998
    head, _, _ = content.partition(b"\r\n\r\n")
    assert b"evil" not in head.lower()
    names = []
    for line in head.split(b"\r\n"):
        found = HEADER.fullmatch(line)
        assert found, line
        names.append(found["name"])
    assert len(set(names)) == len(names)
    assert set(names) <= KNOWN


@pytest.mark.parametrize("encode", ENCODINGS[1:], ids=lambda encode: encode.__name__)
def test_a_hostile_mail_is_answered_all_the_same(
    encode: Callable[[str], str], house: HouseUnderTest
) -> None:
    """Were it never answered, nothing would be known about the headers of answers."""
    house.clock.now += timedelta(days=1)
    subject, ident = encode("Hello\r\nBcc: evil@example.org"), encode("<a@b>\r\nX-Evil: 1")
    before = len(house.wire)
    house.mail("alice@example.org", subject, "help", headers=f"In-Reply-To: {ident}\n")
    (content,) = house.wire[before:]
    check_header(content)
