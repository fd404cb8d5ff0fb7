"""What people write who have read no help is carried out, passed on, answered or put right.

There are too many of them for conversations: sentences.txt and corrections.txt list them.
"""

import re
from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.conversations.conversation import address, prepare
from tests.house import HouseUnderTest, text_of
from tests.readings import answers

ALICE = "alice@example.org"
CORRECTIONS = Path(__file__).with_name("corrections.txt").read_text("utf-8")

SECTION = re.compile(
    r"^== (?P<title>.+) ==\n(?P<before>(?:.+\n)+?)(?P<name>\w+) answers(?: (?P<back>\d) before)?:\n"
    r"(?P<sentences>(?:.+\n)+)",
    re.MULTILINE,
)
SECTIONS = [*SECTION.finditer(Path(__file__).with_name("sentences.txt").read_text("utf-8"))]
_GROUP = re.compile(r"((?:^\S.*\n)+)((?:^  .*\n)+)", re.MULTILINE)


def sentences(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each sentence, and words of the newest mail that each person gets."""
    for written, expected in _GROUP.findall(text):
        words = dict(re.findall(r"  (\w+): (.*)", expected))
        for line in written.splitlines():
            yield line.replace("\\n", "\n").replace("(nothing)", ""), words


def send(house: HouseUnderTest, answered: EmailMessage, text: str) -> list[EmailMessage]:
    if not text.startswith("subject: "):
        return house.reply(answered, text)
    to = str(answered["Reply-To"]).strip("<>")
    return house.mail(str(answered["To"]), text.removeprefix("subject: "), "", to)


def fault(house: HouseUnderTest, answered: EmailMessage, text: str, words: dict[str, str]) -> str:
    """Answer the mail with this text; return what is wrong with the mails that result, or ""."""
    newest = {mail["To"]: mail for mail in send(house, answered, text)}
    read = {to: " ".join(f"{mail['From']} {text_of(mail)}".split()) for to, mail in newest.items()}
    wanted = {address(name): part.replace("...", " ".join(text.split()))
              for name, part in words.items()}  # fmt: skip
    right = read.keys() == wanted.keys() and all(part in read[to] for to, part in wanted.items())
    return "" if right else f"{text!r}: {wanted}, but {read}"


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section["title"])
def test_a_sentence_of_somebody_who_has_read_no_help_does_what_it_says(
    section: re.Match[str], tmp_path: Path
) -> None:
    (tmp_path / "begun").mkdir()
    begun = HouseUnderTest(tmp_path / "begun")
    begun.add("alice", "bob", "carol")
    prepare(begun, section["before"])
    received = [mail for mail in begun.sent if mail["To"] == address(section["name"])]
    faults = []
    for number, (text, words) in enumerate(sentences(section["sentences"])):
        (tmp_path / str(number)).mkdir()
        house = begun.twin(tmp_path / str(number))
        faults.append(fault(house, received[-1 - int(section["back"] or 0)], text, words))
        house.house.close()
    assert "".join(faults) == ""


def test_each_line_of_the_list_is_read() -> None:
    assert len([line for section in SECTIONS for line in sentences(section["sentences"])]) > 200
    assert len(SECTIONS) == 14


def test_a_signature_with_the_name_of_the_mail_program_reaches_the_other_whole(
    tmp_path: Path,
) -> None:
    house = HouseUnderTest(tmp_path)
    house.add("alice", "bob")
    house.begin_match()
    named = "=?utf-8?q?Alice_M=C3=BCller?= <alice@example.org>"
    house.reply(house.last_to(ALICE), "B4\n\nHave fun!\n\nAlice M\u00fcller", named)
    assert "Alice M\u00fcller" in text_of(house.last_to("bob@example.org"))


@pytest.fixture(scope="module")
def refusing(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    """Return a house where alice is to move on boards 101 and 102, against bob and Ben."""
    house = HouseUnderTest(tmp_path_factory.mktemp("corrections"))
    house.add("alice", "bob", "Ben")
    house.begin_match()
    prepare(house, "alice> gonnect challenge alice alice-pw Ben -size=5\nben replies> accept")
    return house


def test_a_refusal_repeats_what_its_sender_wrote_put_right_and_never_a_password(
    refusing: HouseUnderTest,
) -> None:
    replied = next(mail for mail in refusing.sent if mail["Reply-To"] and mail["To"] == ALICE)

    def answer(*columns: str) -> str:
        refusing.clock.now += timedelta(hours=1)
        (mail,) = mails = refusing.mail(ALICE, columns[-1])
        if columns[1:]:
            mails += refusing.reply(replied, columns[-1])
            return "repeated" if any("alice-pw" in text_of(mail) for mail in mails) else "***"
        works = re.search(r"^ *A line that works: *(.*)", text_of(mail), re.MULTILINE)
        return works[1].strip() if works else ""

    assert answers(CORRECTIONS, answer) == CORRECTIONS
