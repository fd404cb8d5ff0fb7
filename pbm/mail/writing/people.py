"""What the mails say about blocks and reports."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pbm.engine import listing
from pbm.mail.writing.wording import Wording, utc_time
from pbm.service.letters import Attachment
from pbm.service.notices.people import BlocksShown, Reported, WrittenToPostmaster


@dataclass(frozen=True, slots=True)
class BlocksMail:
    """`blocked` are userids in a sentence, "" for none."""

    template: ClassVar[str] = "people/blocks.txt.j2"
    reader: str
    blocked: str


@dataclass(frozen=True, slots=True)
class Words:
    """What somebody wrote: `head` says who, where and when."""

    head: str
    text: str


@dataclass(frozen=True, slots=True)
class ReportedMail:
    """To the operator. `what` is "bob" or "board 104"; `reported` is a userid or ""."""

    template: ClassVar[str] = "people/reported.txt.j2"
    reporter: str
    what: str
    reported: str
    number: int | None
    text: str
    said: tuple[Words, ...]


@dataclass(frozen=True, slots=True)
class PostmasterMail:
    """To the operator; the mail itself goes with it. `subject` may be ""."""

    template: ClassVar[str] = "people/postmaster.txt.j2"
    writer: str
    subject: str


def _blocks(notice: BlocksShown, _address: str) -> Wording:
    blocked = listing(notice.blocked, last="and")
    return Wording("Whom you block", BlocksMail(notice.to.userid, blocked))


def _reported(notice: Reported, _address: str) -> Wording:
    board = f"board {notice.number}" if notice.number else ""
    what = " on ".join(filter(None, (notice.reported, board)))
    said = tuple(
        Words(f"{words.by} on board {words.number}, {utc_time(words.at)}:", words.text)
        for words in notice.said
    )
    context = ReportedMail(notice.reporter, what, notice.reported, notice.number, notice.text, said)
    return Wording(f"{notice.reporter} reports {what}", context, answer=False)


def _postmaster(notice: WrittenToPostmaster, _address: str) -> Wording:
    whole = notice.whole.decode("utf-8", "replace")
    return Wording(
        "Somebody wrote to the postmaster",
        PostmasterMail(notice.author or "Somebody", notice.subject),
        answer=False,
        files=(Attachment("mail.txt", "text/plain", whole),),
    )


WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {
    BlocksShown: _blocks,
    Reported: _reported,
    WrittenToPostmaster: _postmaster,
}
"""What is said for each kind of notice of people."""
