"""The messages that go out, before they are written as mails.

Nearly all are letters: the name of a template and its facts. What has happened on a board, and the
answers to several lines of a mail, are messages of their own classes until pbm.mail.writing makes
letters of them, too.
"""

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from typing import Any

from pbm.core.tokens import Token, player_token
from pbm.domain.mail import Leaving
from pbm.domain.player import Player
from pbm.domain.questions import Choice
from pbm.engine import frozen


@frozen
class Message:
    """One mail to one reader: a player, or a bare address.

    `reply` is the token that the mail's Reply-To carries: with it the mail can be answered
    without a password.
    """

    to: Player | str
    reply: Token | None = field(default=None, kw_only=True)

    threadless = False
    """Whether the mail stays out of all threads, even that of the mail that it answers."""

    @property
    def idle(self) -> bool:
        """Whether it reports nothing done: it only answers, and such answers are limited."""
        return False

    @property
    def thread(self) -> int | None:
        """The number of the board or invitation whose thread it belongs to."""
        return None

    @property
    def reader(self) -> Player | None:
        """The player who reads it, or None if it goes to a bare address."""
        return None if isinstance(self.to, str) else self.to

    @property
    def recipient(self) -> str | None:
        """The address that the mail goes to, or None if its reader cannot be reached."""
        return self.to if isinstance(self.to, str) else self.to.address


@frozen
class Attachment:
    """A text file that goes with a mail; `kind` is its media type, such as text/plain."""

    name: str
    kind: str
    text: str


@frozen
class Letter(Message):
    """A mail that a template makes of facts.

    `template` is the name of a file in templates/, without its ending. It begins with the header of
    the mail. `idle`, `thread` and `threadless` are as in Message; `leave` is what the unsubscribe
    button of the mail stops. `choices` are the answers to a question that it asks. It is `proven`
    that the reader, and nobody in their name, has written what led to the question.
    """

    template: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    idle: bool = False
    thread: int | None = None
    leave: Leaving | None = None
    files: tuple[Attachment, ...] = ()
    threadless: bool = False
    choices: tuple[Choice, ...] = ()
    proven: bool = False


def letter(
    to: Player | str,
    template: str,
    *,
    reply: Token | None = None,
    board: int | None = None,
    leave: Leaving | None = None,
    files: tuple[Attachment, ...] = (),
    threadless: bool = False,
    **facts: object,
) -> Letter:
    """Return a letter that reports something done; `board` names the thread that it joins.

    `reader` and `server` are facts of every letter: the userid of the reader, and the address of
    the server.
    """
    return Letter(
        to, template, facts, thread=board, leave=leave, files=files, threadless=threadless,
        reply=reply,
    )  # fmt: skip


def answer(to: Player | str, template: str, **more: Any) -> Letter:
    """Return a letter that only answers: nothing was done, and its reader's hour pays for it."""
    return replace(letter(to, template, **more), idle=True)


_NOTE = "answers/noted"


def noted(to: Player, sentence: str, *, reply: Token | None = None) -> Letter:
    """Return a letter of one sentence, which says what was done."""
    return letter(to, _NOTE, sentence=sentence, reply=reply)


def is_note(message: Letter, to: Player) -> bool:
    """Return whether the letter is one of a sentence to this player."""
    return message.to == to and message.template == _NOTE


@frozen
class Answer:
    """The answer to one line of a mail; `asked` repeats the line, without secrets."""

    asked: str
    message: Message


@frozen
class Answers(Message):
    """The answers to the lines of one mail, one below the other.

    If the reader plays on one of the boards shown, a reply that names a board needs no password.
    """

    idle = True

    to: Player
    answers: tuple[Answer, ...]


def together(messages: Iterable[Message]) -> list[Message]:
    """Return the messages with all answers for one reader in one mail, each answer once.

    A single answer is a mail of its own, as if nothing else had been asked.
    """
    found: dict[object, Message] = {}
    for message in messages:
        if isinstance(message, Answers):
            found[message.to.id] = _joined(found.get(message.to.id), message)
        else:
            found[id(message)] = message
    return [_as_mail(message) for message in found.values()]


def _joined(earlier: Message | None, later: Answers) -> Answers:
    if not isinstance(earlier, Answers):
        return later
    new = tuple(answer for answer in later.answers if answer not in earlier.answers)
    return replace(earlier, answers=(*earlier.answers, *new))


def _as_mail(message: Message) -> Message:
    """Return a single answer as it is; several with one token for all boards in them."""
    if not isinstance(message, Answers):
        return message
    if len(message.answers) == 1:
        return message.answers[0].message
    answerable = any(answer.message.reply for answer in message.answers)
    return replace(message, reply=player_token(message.to.id) if answerable else None)
