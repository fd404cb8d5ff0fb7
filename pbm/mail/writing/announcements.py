"""Mails to all players: what the operator writes, and news about all clocks."""

import base64
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from pbm.domain.mailings import Leaving, Mailing
from pbm.domain.settings import NEWS
from pbm.mail.writing.wording import Wording, local_time, waiting_lines
from pbm.service.notices.announcements import Announced, NewsTold
from pbm.service.ports import News


@dataclass(frozen=True, slots=True)
class AnnouncedMail:
    """The operator's `text`, under a line that says who writes; `stop` is how to get no more."""

    template: ClassVar[str] = "announcements/announced.txt.j2"
    server: str
    text: str
    stop: str


def _announced(notice: Announced, address: str) -> Wording:
    stop = f"set {NEWS.name} no"
    context = AnnouncedMail(address, notice.text, stop)
    subject = encoded(notice.subject)
    return Wording(
        subject, context, "News from pbm", answer=False, leave=Leaving(Mailing.NEWS), bulk=True
    )


def encoded(subject: str) -> str:
    """Return a subject as a header has it: as it is, or in encoded words (RFC 2047 section 2)."""
    if subject.isascii():
        return subject
    pieces = (subject[at : at + _LETTERS] for at in range(0, len(subject), _LETTERS))
    words = (base64.b64encode(piece.encode()).decode() for piece in pieces)
    return " ".join(f"=?utf-8?b?{word}?=" for word in words)


_LETTERS = 11
"""So few that an encoded word has at most 75 octets, whatever letters they are."""


@dataclass(frozen=True, slots=True)
class OutageMail:
    """The server was silent; `lines` list the boards that wait for the reader's move.

    `example` shows the most urgent of them, "" if none waits.
    """

    template: ClassVar[str] = "announcements/outage.txt.j2"
    reader: str
    began: str
    until: str
    lines: tuple[str, ...]
    example: str


@dataclass(frozen=True, slots=True)
class StoppedMail:
    """The operator has stopped all clocks."""

    template: ClassVar[str] = "announcements/stopped.txt.j2"
    reader: str
    began: str


@dataclass(frozen=True, slots=True)
class ResumedMail:
    """All clocks run again; `lines` and `example` as in OutageMail."""

    template: ClassVar[str] = "announcements/resumed.txt.j2"
    reader: str
    began: str
    until: str
    lines: tuple[str, ...]
    example: str


@dataclass(frozen=True, slots=True)
class CorrectedMail:
    """Deadlines in earlier mails may have been wrong; `lines` and `example` as in OutageMail."""

    template: ClassVar[str] = "announcements/corrected.txt.j2"
    reader: str
    lines: tuple[str, ...]
    example: str


def _news(notice: NewsTold, _address: str) -> Wording:
    return replace(_NEWS[notice.news](notice), leave=Leaving(Mailing.NEWS))


def _outage(notice: NewsTold) -> Wording:
    began, until = _span(notice)
    context = OutageMail(notice.to.userid, began, until, _lines(notice), _example(notice))
    return Wording("The server was silent", context, answer=False)


def _stopped(notice: NewsTold) -> Wording:
    began, _ = _span(notice)
    return Wording("All clocks stand", StoppedMail(notice.to.userid, began), answer=False)


def _resumed(notice: NewsTold) -> Wording:
    began, until = _span(notice)
    context = ResumedMail(notice.to.userid, began, until, _lines(notice), _example(notice))
    return Wording("All clocks run again", context, answer=False)


def _corrected(notice: NewsTold) -> Wording:
    context = CorrectedMail(notice.to.userid, _lines(notice), _example(notice))
    return Wording("The right deadlines", context, answer=False)


def _span(notice: NewsTold) -> tuple[str, str]:
    """Return when the clocks stopped and until when they stood, "" if they still stand."""
    pause = notice.pause
    until = local_time(pause.until, notice.to) if pause.until else ""
    return local_time(pause.began_at, notice.to), until


def _lines(notice: NewsTold) -> tuple[str, ...]:
    return waiting_lines(notice.boards, notice.people, notice.to, notice.more)


def _example(notice: NewsTold) -> str:
    return f"show {notice.boards[0].match.number}" if notice.boards else ""


_NEWS: Mapping[News, Callable[[NewsTold], Wording]] = {
    News.OUTAGE: _outage,
    News.STOPPED: _stopped,
    News.RESUMED: _resumed,
    News.CORRECTED: _corrected,
}


WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {Announced: _announced, NewsTold: _news}
"""What is said for each kind of notice to all players."""
