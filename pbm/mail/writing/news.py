"""What the mails to everybody about the server itself say."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pbm.mail.writing.local_time import local_time
from pbm.mail.writing.wording import Wording, waiting_lines
from pbm.service.notices.news import NewsTold
from pbm.service.ports import News


@dataclass(frozen=True, slots=True)
class OutageMail:
    """The server was silent; `lines` list the boards that wait for the reader's move.

    `example` shows the most urgent of them, "" if none waits.
    """

    template: ClassVar[str] = "news/outage.txt.j2"
    reader: str
    began: str
    until: str
    lines: tuple[str, ...]
    example: str


@dataclass(frozen=True, slots=True)
class StoppedMail:
    """The operator has stopped all clocks."""

    template: ClassVar[str] = "news/stopped.txt.j2"
    reader: str
    began: str


@dataclass(frozen=True, slots=True)
class ResumedMail:
    """All clocks run again; `lines` and `example` as in OutageMail."""

    template: ClassVar[str] = "news/resumed.txt.j2"
    reader: str
    began: str
    until: str
    lines: tuple[str, ...]
    example: str


@dataclass(frozen=True, slots=True)
class CorrectedMail:
    """Deadlines in earlier mails may have been wrong; `lines` and `example` as in OutageMail."""

    template: ClassVar[str] = "news/corrected.txt.j2"
    reader: str
    lines: tuple[str, ...]
    example: str


def _news(notice: NewsTold, _address: str) -> Wording:
    return _NEWS[notice.news](notice)


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
    return waiting_lines(notice.boards, notice.people, notice.to)


def _example(notice: NewsTold) -> str:
    return f"show {notice.boards[0].match.number}" if notice.boards else ""


_NEWS: Mapping[News, Callable[[NewsTold], Wording]] = {
    News.OUTAGE: _outage,
    News.STOPPED: _stopped,
    News.RESUMED: _resumed,
    News.CORRECTED: _corrected,
}

WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {
    NewsTold: _news,
}
"""What is said for each kind of notice of news."""
