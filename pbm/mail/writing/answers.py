"""What the mail says that answers several lines of one mail."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from pbm.engine import counted
from pbm.mail.writing.pictures import Figure
from pbm.mail.writing.wording import Wording
from pbm.render.templates import Context
from pbm.service.notices.answers import Answers, AskedTooMuch, NoMoreAnswers


@dataclass(frozen=True, slots=True)
class OneAnswer:
    """What would be a mail of its own, below the line that it answers; "" if nobody knows that."""

    template: ClassVar[str] = "answers/answer.txt.j2"
    asked: str
    answer: Context | str


@dataclass(frozen=True, slots=True)
class AnswersMail:
    """The answers, each the context of its own part."""

    template: ClassVar[str] = "answers/answers.txt.j2"
    answers: tuple[OneAnswer, ...]


@dataclass(frozen=True, slots=True)
class TooMuchMail:
    """Why no more answers come for a while."""

    template: ClassVar[str] = "answers/too_much.txt.j2"
    proven: bool


@dataclass(frozen=True, slots=True)
class NoMoreMail:
    """Why replies that do nothing get no more answers today."""

    template: ClassVar[str] = "answers/no_more.txt.j2"
    replies: int


def together(notice: Answers, words: Sequence[Wording]) -> Wording:
    """Return several answers, each in words already, as one mail."""
    parts = tuple(
        OneAnswer(answer.asked, said.context)
        for answer, said in zip(notice.answers, words, strict=True)
    )
    files = tuple(file for said in words for file in said.files)
    # A reply to this mail does not say which board it is about.
    boards = (
        replace(figure, seat=None, several=True) if isinstance(figure, Figure) else figure
        for said in words
        for figure in said.figures
    )
    subject = f"Your {counted(len(parts), 'answer')}"
    context = AnswersMail(parts)
    return Wording(subject, context, "As asked - pbm", files=files, figures=tuple(boards))


def _too_much(notice: AskedTooMuch, _address: str) -> Wording:
    return Wording("No more answers for a while", TooMuchMail(notice.proven))


def _no_more(notice: NoMoreAnswers, _address: str) -> Wording:
    return Wording("No more answers today", NoMoreMail(notice.replies))


WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {
    AskedTooMuch: _too_much,
    NoMoreAnswers: _no_more,
}
"""What is said for each kind of notice of answers."""
