"""People whom somebody does not want to hear, and the operator, whom all can tell of them."""

import re
from email.message import EmailMessage, Message
from pathlib import Path

import pytest

from pbm.domain.match import MOST_BLOCKED
from tests.conversations.conversation import Section, mails_of, sections_of
from tests.house import HouseUnderTest, text_of

ALICE, BOB, MALLORY = (f"{name}@example.org" for name in ("alice", "bob", "mallory"))
OPERATOR = "operator@example.org"
WORD = "Quisling"
"""Words of mallory that alice does not want to read."""

WAYS = sections_of((Path(__file__).parent / "blocked_words.txt").read_text())


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    """Return a house where alice plays mallory on board 101, and bob plays carol on 102."""
    house = HouseUnderTest(tmp_path_factory.mktemp("begun"), operator=OPERATOR)
    house.add("alice", "bob", "mallory", "carol")
    for one, other in (("alice", "mallory"), ("bob", "carol")):
        house.mail(f"{one}@example.org", f"gonnect challenge {one} {one}-pw {other} -size=5")
        house.reply(house.last_to(f"{other}@example.org"), "accept")
    house.mail(ALICE, "olix challenge alice alice-pw mallory")
    return house


def read_by(reader: str, mails: list[EmailMessage]) -> list[str]:
    """Return all that `reader` reads of these mails, files included."""
    return [
        "\n".join(_content(p) for p in mail.walk() if p.get_content_maintype() in _READ)
        for mail in mails
        if mail["To"] == reader
    ]


_READ = ("text", "application")


def _content(part: Message) -> str:
    """Return the text of a part without what differs anyway: the tokens and the mail's own name."""
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return re.sub(r"mailto:pbm\+[a-z2-7]+@|cid:[^\"]+", "", content.decode())


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.title)
def test_no_word_of_somebody_blocked_arrives_and_they_cannot_tell(
    begun: HouseUnderTest, tmp_path: Path, way: Section
) -> None:
    """A law: two houses differ only in whether alice blocks mallory, who sees the same in both."""
    said: list[list[EmailMessage]] = []
    for name in ("heard", "unheard"):
        (tmp_path / name).mkdir()
        house = begun.twin(tmp_path / name)
        if name == "unheard":
            house.mail(ALICE, "block alice alice-pw mallory")
        said.append(mails_of(house, way))
    heard, unheard = said
    assert any(WORD in text for text in read_by(ALICE, heard)), "the attack does nothing"
    assert not any(WORD in text for text in read_by(ALICE, unheard))
    for other in (MALLORY, BOB):
        assert read_by(other, unheard) == read_by(other, heard)


def test_blocks_have_a_bound(house: HouseUnderTest) -> None:
    """It is too high to be reached by mails."""
    with house.house.open_unit() as work:
        alice = work.players.by_userid("alice")
        assert alice is not None
        for n in range(MOST_BLOCKED):
            other = work.players.add(f"other{n}", "", [f"o{n}@example.org"], house.clock())
            work.blocks.block(alice.id, other.id)
        work.commit()
    (blocked,) = house.mail(ALICE, "block alice alice-pw mallory")
    assert "You already block 200 players. Unblock one first." in text_of(blocked)


def test_a_report_holds_neither_password_nor_reply_address(house: HouseUnderTest) -> None:
    token = str(house.last_to(ALICE)["Reply-To"]).strip("<>")
    text = f"See {token}\nalice alice-pw\nmove 101 alice alice-pw C3\nRude!"
    mails = house.mail(ALICE, "report 101 alice alice-pw", text)
    (told,) = read_by(OPERATOR, mails)
    assert "Rude!" in told
    assert "alice-pw" not in told
    assert token not in told
    (mail,) = (mail for mail in mails if mail["To"] == OPERATOR)
    assert [mail[name] for name in ("Reply-To", "In-Reply-To", "References")] == [None] * 3


def test_without_an_operator_a_report_says_so(tmp_path: Path) -> None:
    house = HouseUnderTest(tmp_path)
    house.add("alice", "mallory")
    (answer,) = house.mail(ALICE, "report alice alice-pw mallory", "She is rude.")
    assert answer["To"] == ALICE
    assert "Your report cannot be sent, because this server has no operator" in text_of(answer)


def test_the_operator_gets_a_mail_to_the_postmaster_as_it_came_and_a_bound_is_logged(
    house: HouseUnderTest, caplog: pytest.LogCaptureFixture
) -> None:
    to = "postmaster@games.example.org"
    [mail] = house.mail("carol@example.net", "Spam from you", "Please stop.", to)
    assert (mail["To"], mail["Auto-Submitted"]) == (OPERATOR, "auto-generated")
    [attached] = mail.iter_attachments()
    assert "From: carol@example.net" in attached.get_content()
    assert "Please stop." in attached.get_content()
    assert house.take(house.wire[-1], "", to) == [], "a mail of ours comes back"
    report = "Content-Type: multipart/report; boundary=b\r\nFrom: x@example.net\r\n\r\n--b\r\n"
    [mail] = house.take(report.encode(), "", to)
    assert mail["To"] == OPERATOR
    for _ in range(20):
        house.mail("carol@example.net", "Spam", "", to)
    assert [record.message for record in caplog.records] == [
        "the postmaster gets no more mails in this hour: there were 20"
    ]
