"""Outgoing mails: headers, threads, tokens and links of every kind of mail."""

import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from email.message import EmailMessage
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from pbm.core import plies
from pbm.core.words import Reply
from pbm.domain.mail import OutgoingMail, ReceivedMail, unflowed
from pbm.domain.seen import seen
from pbm.features.offers import OFFERED
from pbm.mail.reading.incoming import read
from pbm.mail.reading.mime import unflow
from pbm.mail.writing.outgoing import MailComposer
from pbm.plugins import installed_games
from pbm.render.templates import Templates
from pbm.system import folder
from tests.domain.matches import ALICE, BOB, NOW, PEOPLE, after
from tests.engine.noughts import CELLS
from tests.links import links_of
from tests.mail.writing.samples import (
    ADDRESS,
    COMPOSER,
    KINDS,
    MINT,
    MOVED,
    NOTICES,
    REPLY,
    SITE,
    TO,
    Answers,
    BoardMessage,
    DatedToken,
    Event,
    Happening,
    Letter,
    Message,
    TokenKind,
    refusal_letter,
    sample,
    sent,
)
from tests.sent_mails import SentMail
from tests.service.houses import GRAMMAR, PLAYER

BULK = ("announcements/written", "talk/broadcast", "seeks/announced")

UNDERSTOOD = {
    None: {"stop"},
    TokenKind.SIGNUP: {"yes", "no"},
    TokenKind.CONFIRMATION: {"yes", "no"},
    TokenKind.BOARD: {"I resign"},
    TokenKind.PLAYER: {"yes", "I resign"},
}
"""Answers that are understood without a verb, by the mail that they answer."""

UID = "a1b2c3d4e5f6a1b2c3d4e5f6"
RETURNS = "f6e5d4c3b2a1f6e5d4c3b2a1"


def composed(notice: Message, answers: str | None = None) -> OutgoingMail:
    return sent(notice, UID, RETURNS, answers)


def parsed(notice: Message, answers: str | None = None) -> EmailMessage:
    return SentMail(composed(notice, answers).content)


@cache
def mails() -> list[tuple[Message, OutgoingMail]]:
    return [(notice, composed(notice)) for notice in NOTICES]


def every_mail() -> Iterator[tuple[Message, OutgoingMail, EmailMessage]]:
    """Yield every notice with its mail, as the relay gets it and parsed."""
    for notice, outgoing in mails():
        yield notice, outgoing, SentMail(outgoing.content)


def text_in(mail: EmailMessage) -> str:
    part = mail.get_body(("plain",))
    assert part is not None
    assert part.get_param("format") == "flowed"
    return str(part.get_content()).replace("\r\n", "\n")


def text_of(notice: Message) -> str:
    return unflowed(text_in(parsed(notice)))


def test_there_is_a_sample_of_every_kind_of_notice() -> None:
    assert {type(notice) for notice in NOTICES} == KINDS | {Letter, Answers}


def test_a_mail_is_well_formed_fits_a_terminal_and_is_the_same_when_tried_again() -> None:
    for notice, outgoing, mail in every_mail():
        content = outgoing.content
        assert content.isascii(), notice
        assert content.count(b"\r") == content.count(b"\n") == content.count(b"\r\n"), notice
        assert max(map(len, content.split(b"\r\n"))) <= 998, notice
        assert not mail.defects, notice
        names = [name.lower() for name in mail]
        assert len(names) == len(set(names)), notice
        assert max(map(len, unflowed(text_in(mail)).split("\n"))) <= 72, notice
        assert composed(notice) == outgoing, notice


def test_a_mail_says_who_sends_it_and_that_a_machine_does() -> None:
    for notice, outgoing, mail in every_mail():
        (sender,) = mail["From"].addresses
        assert sender.addr_spec == ADDRESS
        assert mail["To"] == outgoing.recipient
        assert outgoing.sender == f"bounce+{RETURNS}@games.example.org"
        assert mail["Message-ID"] == outgoing.message_id == f"<{UID}@games.example.org>"
        assert mail["Date"] == "Fri, 20 Nov 2026 12:00:00 +0000"
        assert mail["Auto-Submitted"] in ("auto-replied", "auto-generated")
        assert mail["X-Auto-Response-Suppress"] == "All"
        assert mail["X-PBM-Loop"] == ADDRESS
        to_many = isinstance(notice, Letter) and notice.template in BULK
        assert mail["Precedence"] == ("bulk" if to_many else None), notice


def test_nothing_in_a_mail_names_the_address_where_reports_on_it_come_back() -> None:
    for notice, outgoing, _ in every_mail():
        head, _, _ = outgoing.content.partition(b"\r\n\r\n")
        assert b"bounce" not in head.lower(), notice
        assert RETURNS.encode() not in outgoing.content, notice


def test_a_mail_that_comes_back_is_neither_executed_nor_answered() -> None:
    """More than one sign says so, because some hosts drop headers or rewrite addresses."""
    for notice, outgoing, _ in every_mail():
        for gone in (b"X-PBM-Loop", b"Auto-Submitted"):
            lines = outgoing.content.split(b"\r\n")
            kept = b"\r\n".join(line for line in lines if not line.startswith(gone))
            back = ReceivedMail("someone@example.net", (ADDRESS,), kept, NOW)
            assert read(back, ADDRESS).silence, notice


def test_a_token_is_in_the_reply_address_and_in_links_to_it_and_nowhere_else() -> None:
    for notice, outgoing, mail in every_mail():
        token = notice.reply
        if token is None:
            assert "Reply-To" not in mail, notice
            continue
        (address,) = mail["Reply-To"].addresses
        local, _, word = address.username.partition("+")
        assert (local, address.domain) == ("pbm", "games.example.org")
        assert MINT.read(word) == DatedToken(token, NOW)
        assert len(address.username) <= 64
        assert word == MINT.issue(token, NOW)
        assert word.encode() not in COMPOSER.compose(notice, UID, RETURNS, NOW).content
        head, _, body = outgoing.content.partition(b"\r\n\r\n")
        assert head.count(word.encode()) == 1
        assert f"\r\nReply-To: <pbm+{word}@".encode() in head
        assert body.count(word.encode()) == body.count(f'"mailto:pbm+{word}@'.encode()), notice
        assert word not in text_in(mail), notice


def test_every_link_is_a_command_to_the_address_of_the_token() -> None:
    for notice, _, mail in every_mail():
        token = notice.reply
        reply = Reply(PLAYER, token.number, token.ply) if token and token.player else None
        address = ADDRESS.replace("@", f"+{MINT.issue(token, NOW)}@") if token else ADDRESS
        understood = UNDERSTOOD.get(token.kind if token else None, set())
        for link in links_of(mail):
            assert (link.to, link.subject) == (address, "Re:"), notice
            if link.text in CELLS:
                assert token, "a move needs the token of its board"
                assert token.kind is TokenKind.BOARD
            elif link.text not in understood:
                assert GRAMMAR.begins_command(link.text), link
                GRAMMAR.read(link.text, reply)  # raises if a word is wrong, or a proof is missing


def test_the_subject_of_an_answer_is_no_command() -> None:
    for _, _, mail in every_mail():
        assert not GRAMMAR.begins_command(str(mail["Subject"])), mail["Subject"]


def test_what_concerns_a_board_is_in_its_thread_and_in_the_list_of_its_game() -> None:
    for notice in NOTICES:
        mail = parsed(notice, answers="<letter@example.org>")
        thread, game = mail["In-Reply-To"], mail["List-Id"]
        assert mail["References"] == thread, "a star around the root, not a chain"
        if notice.threadless:
            assert (thread, game) == (None, None), "a stranger is not shown a word of the sender's"
        elif game is None:
            assert thread == "<letter@example.org>", notice
        else:
            assert game == "<noughts.games.example.org>"
            assert thread in ("<board-104@games.example.org>", "<board-105@games.example.org>")
        pages = {*re.findall(rf"On the web: ({SITE}b/\d+\.html)", text_of(notice))}
        about_one = len(pages) == 1 and not isinstance(notice, Answers)
        assert mail["List-Archive"] == (f"<{pages.pop()}>" if about_one else None), notice


def test_a_mail_that_answers_none_has_no_thread() -> None:
    mail = parsed(NOTICES[-1])
    assert "In-Reply-To" not in mail
    assert "References" not in mail


def is_soft(line: str) -> bool:
    return line.endswith(" ") and line != "-- "


def test_what_has_columns_and_the_end_of_a_paragraph_do_not_flow() -> None:
    for notice, _, mail in every_mail():
        lines = text_in(mail).splitlines()
        for line, below in pairwise((*lines, "")):
            flows = line[:1] != " " and below.strip() and below[0] != " "
            assert not is_soft(line) or flows, (notice, line)
        drawn = [line for line in unflowed(text_in(mail)).splitlines() if line.startswith(" ")]
        assert [line[1:] for line in lines if line.startswith(" ")] == drawn, notice


def test_a_phone_gets_each_paragraph_of_prose_as_one_line() -> None:
    lines = text_in(parsed(sample("signups/welcome"))).splitlines()
    assert sum(map(is_soft, lines)) > 1
    assert unflow("\n".join(lines)).count("\n") + 1 == len(lines) - sum(map(is_soft, lines))


def board(*turns: str, to: int, event: Event = plies.MOVED) -> BoardMessage:
    board = seen(after(*turns), None)
    return BoardMessage(PEOPLE[to], (Happening(event, ALICE, turns[-1]),), board, PEOPLE, NOW)


def test_a_board_mail_begins_with_a_title() -> None:
    title, _, _ = text_of(board("b2", to=BOB)).partition("\n\n")
    assert title == "Your move - Noughts and Crosses 104 against alice"
    title, _, _ = text_of(board("b2", to=PEOPLE[3].id)).partition("\n\n")
    assert title == "bob to move - Noughts and Crosses 104 between alice and bob"
    title, _, _ = text_of(board("b2", to=ALICE)).partition("\n\n")
    assert title == "bob to move - Noughts and Crosses 104"


@pytest.mark.parametrize(("comment", "to", "above"), [
    ("Good luck!", BOB, True), ("x" * 38 * 5, BOB, False), ("x" * 38 * 5, ALICE, True),
])  # fmt: skip
def test_a_long_comment_does_not_push_the_board_that_waits_off_the_screen(
    comment: str, to: int, above: bool
) -> None:
    moved = board("b2", to=to)
    said = replace(moved, happenings=(replace(moved.happenings[0], comment=comment),))
    text = text_of(said)
    assert (text.index("alice writes:") < text.index("a b c")) == above


def test_a_list_of_mails_shows_the_move_and_the_time_left_below_the_subject() -> None:
    hidden = 'overflow:hidden;mso-hide:all">'

    def below(notice: Message) -> str:
        page = parsed(notice).get_body(("html",))
        assert page is not None
        return str(page.get_content()).partition(hidden)[2].partition("<")[0]

    assert below(board("a1", to=BOB)) == "alice played a1. 21 days left."
    assert below(board("a1", to=ALICE)) == "You played a1. 21 days left."
    assert below(board("a1", to=BOB, event=OFFERED)) == "21 days left."


def test_the_movers_own_copy_is_a_reply_and_the_others_is_not() -> None:
    assert parsed(board("b2", to=ALICE))["Auto-Submitted"] == "auto-replied"
    assert parsed(board("b2", to=BOB))["Auto-Submitted"] == "auto-generated"


def test_a_player_without_an_address_cannot_be_written_to() -> None:
    with pytest.raises(ValueError, match="without an address"):
        composed(replace(MOVED, to=replace(TO, addresses=())))


def test_long_names_and_sides_stand_apart_in_the_list_of_moves() -> None:
    people = {
        number: replace(person, userid="abcdefghijklmno" + "xyz"[number - 1])
        for number, person in PEOPLE.items()
    }
    lines = text_of(replace(MOVED, people=people)).split("\n")
    assert ["abcdefghijklmnoy", "abcdefghijklmnox"] in [line.split() for line in lines]


def test_no_line_of_a_mail_with_many_links_is_longer_than_hosts_take() -> None:
    ways = tuple(f"m13-{letter}5:l4,j{n}" for n in range(10, 15) for letter in "abcdef")
    content = composed(refusal_letter(TO, "word " * 500, candidates=ways, reply=REPLY)).content
    assert content.count(b"<a href=") >= 20
    assert max(map(len, content.split(b"\r\n"))) <= 998


def test_a_composer_that_is_prepared_needs_no_template_from_the_disk(tmp_path: Path) -> None:
    templates = tmp_path / "templates"
    shutil.copytree(folder("templates"), templates)
    composer = MailComposer(Templates(templates), MINT, ADDRESS)
    composer.prepare(installed_games())
    shutil.rmtree(templates)
    mail = composer.compose(MOVED, "uid", "r", NOW)
    assert b"It's bob's turn" in mail.content
