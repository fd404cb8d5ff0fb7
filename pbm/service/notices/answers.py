"""What is told when one mail has asked several things."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from pbm.service.letters import Message, ToPlayer
from pbm.service.tokens import player_token


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one line of a mail; `asked` says which, in words that hold no secret."""

    asked: str
    notice: Message


@dataclass(frozen=True, slots=True)
class Answers(ToPlayer):
    """The answers to the lines of one mail, one below the other.

    If the reader plays on one of the boards shown, a reply that names a board needs no password.
    """

    idle = True

    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class AskedTooMuch(ToPlayer):
    """The reader has asked for more than is answered within an hour.

    `proven`: they had proven who they are. Otherwise anybody may have asked in their name.
    """

    idle = True

    proven: bool


@dataclass(frozen=True, slots=True)
class NoMoreAnswers(ToPlayer):
    """So many `replies` of the reader did nothing today that no more of them are answered."""

    idle = True

    replies: int


def together(notices: Iterable[Message]) -> list[Message]:
    """Return the notices with all answers for one reader in one mail, each answer once.

    A single answer is a mail of its own, as if nothing else had been asked.
    """
    found: dict[object, Message] = {}
    for notice in notices:
        if isinstance(notice, Answers):
            found[notice.to.id] = _joined(found.get(notice.to.id), notice)
        else:
            found[id(notice)] = notice
    return [_as_mail(notice) for notice in found.values()]


def _joined(earlier: Message | None, later: Answers) -> Answers:
    if not isinstance(earlier, Answers):
        return later
    new = tuple(answer for answer in later.answers if answer not in earlier.answers)
    return replace(earlier, answers=(*earlier.answers, *new))


def _as_mail(notice: Message) -> Message:
    """Return a single answer as it is; several with one token for all boards in them."""
    if not isinstance(notice, Answers):
        return notice
    if len(notice.answers) == 1:
        return notice.answers[0].notice
    answerable = any(answer.notice.reply for answer in notice.answers)
    return replace(notice, reply=player_token(notice.to.id) if answerable else None)
