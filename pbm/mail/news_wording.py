"""What is said to everybody about the server: subject and context of each piece of news."""

from collections.abc import Callable, Mapping
from typing import Any

from pbm.mail import news_contexts as contexts
from pbm.mail.local_time import local_time
from pbm.mail.waiting_lines import waiting_lines
from pbm.mail.wording import Wording
from pbm.service.news_notices import NewsTold
from pbm.service.ports import News


def _news(notice: NewsTold, _address: str) -> Wording:
    return _NEWS[notice.news](notice)


def _outage(notice: NewsTold) -> Wording:
    began, until = _span(notice)
    context = contexts.OutageMail(notice.to.userid, began, until, _lines(notice), _example(notice))
    return Wording("The server was silent", context, answer=False)


def _stopped(notice: NewsTold) -> Wording:
    began, _ = _span(notice)
    return Wording("All clocks stand", contexts.StoppedMail(notice.to.userid, began), answer=False)


def _resumed(notice: NewsTold) -> Wording:
    began, until = _span(notice)
    context = contexts.ResumedMail(notice.to.userid, began, until, _lines(notice), _example(notice))
    return Wording("All clocks run again", context, answer=False)


def _corrected(notice: NewsTold) -> Wording:
    context = contexts.CorrectedMail(notice.to.userid, _lines(notice), _example(notice))
    return Wording("The right deadlines", context, answer=False)


def _span(notice: NewsTold) -> tuple[str, str]:
    """Return when the clocks began to stand and until when they did, "" if they still do."""
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

WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {NewsTold: _news}
"""What is said for each kind of notice of this subject."""
