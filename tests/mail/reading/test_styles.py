"""What is read from letters in several hundred client styles and in over forty languages."""

from collections.abc import Callable
from email.message import EmailMessage
from email.utils import parseaddr

import pytest

from pbm.dispatch.reading import LineReader, read_script
from tests.house import HouseUnderTest, text_of
from tests.mail.reading.received import reading
from tests.mail.reading.styles.corpus import MOVE, Letter, letters
from tests.service.houses import GRAMMAR, REPLY


@pytest.fixture(scope="module")
def board_mail(tmp_path_factory: pytest.TempPathFactory) -> EmailMessage:
    """Return a board mail of ours, with a command in the opponent's remark."""
    house = HouseUnderTest(tmp_path_factory.mktemp("house"))
    house.add("alice", "bob")
    house.mail("alice@example.org", "gonnect challenge alice alice-pw bob")
    house.reply(house.last_to("bob@example.org"), "accept")
    house.reply(house.last_to("alice@example.org"), "F13\n\nresign\nGood luck!")
    return house.last_to("bob@example.org")


def failure(letter: Letter) -> tuple[str, str]:
    """Return which of "move" and "comment" is read wrongly, and what was read; "" if none is."""
    mail = reading(letter.content)
    script = read_script(
        mail, LineReader(GRAMMAR, REPLY), lambda line: line if line == MOVE else None
    )
    if script.commands != (letter.move,):
        return "move", f"{letter.style}: {script.commands}"
    if script.comment != letter.comment:
        return "comment", f"{letter.style}: {script.comment!r} for {letter.comment!r}"
    return "", ""


def sent_text_of(mail: EmailMessage) -> str:
    """Return the text of a mail as a client quotes it that knows nothing of format=flowed."""
    part = mail.get_body(("plain",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


@pytest.mark.parametrize("quoted", [text_of, sent_text_of])
def test_every_move_and_every_comment_is_read_in_several_hundred_client_styles(
    board_mail: EmailMessage, quoted: Callable[[EmailMessage], str]
) -> None:
    name, _ = parseaddr(str(board_mail["From"]))
    corpus = letters(name, quoted(board_mail))
    failures = [found for found in map(failure, corpus) if found[0]]
    moves = [told for kind, told in failures if kind == "move"]
    told = "\n".join(f"{kind} {what}" for kind, what in failures)
    print(f"{len(corpus)} letters; {len(moves)} moves, {len(failures)} in all read wrongly\n{told}")
    assert len({letter.style for letter in corpus}) == len(corpus) >= 300
    assert not moves, told
    assert len(failures) <= len(corpus) // 100, told
