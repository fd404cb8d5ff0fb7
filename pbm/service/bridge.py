"""Commands that are not in pbm.features yet, as if they were. It goes with the last of them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from types import ModuleType
from typing import Any

from pbm.domain.errors import NotUnderstood
from pbm.domain.mail import class_words
from pbm.service.command import Command as Row
from pbm.service.command import Kind, Line, Proof, no_board
from pbm.service.command import Reading as NewReading
from pbm.service.letters import Message
from pbm.service.line import Credentials
from pbm.service.tokens import TokenKind

__all__ = ["AtBoard", "Command", "Line", "Reading", "Verb", "no_board"]


class Command:
    """What a player asks for: a frozen dataclass with a handler and a row of the grammar."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class AtBoard(Command):
    """A command about one board or invitation; None: the one whose mail is replied to."""

    number: int | None


Reading = tuple[Command, Credentials | None]


@dataclass(frozen=True, slots=True)
class Verb:
    """A row of the grammar."""

    name: str
    usage: str
    summary: str
    example: str
    read: Callable[[Line], Reading | NewReading]
    aliases: tuple[str, ...] = ()
    least: int = 0
    needs_game: bool = False
    text: str = ""


def read_board_verb(
    line: Line, make: Callable[[int | None, int | None, str], Command], *, least_rest: int = 0
) -> Reading:
    """Read `B[#n] [userid password] rest[#n]`; the board may be left out in a reply."""
    number, due = line.words.board_number()
    if number is None and line.answered is None:
        raise no_board(line)
    credentials = line.words.credentials(line.proven, least_rest=least_rest)
    text, meant = line.words.text_and_ply()
    return make(number, due if meant is None else meant, text), credentials


def read_bare_verb(line: Line, make: Callable[[int | None, int | None], Command]) -> Reading:
    """Read `B[#n] [userid password]` and nothing more."""

    def take(number: int | None, due: int | None, text: str) -> Command:
        if text:
            alone = line.verb.name if number is None else f"{line.verb.name} {number}"
            raise NotUnderstood(
                f"Nothing follows {line.verb.name} but the board and who you are; what you want "
                "to say goes below it.",
                alone if line.reply else line.example,
            )
        return make(number, due)

    return read_board_verb(line, take)


PROOFS: Mapping[str, Proof] = {
    "Leave": Proof.ITS_MAIL,
    "Chat": Proof.BOARD,
}
"""The proof of each; of those that are missing it is the person."""

_CONFIRMS = {
    "Leave": TokenKind.LEAVE,
}


@cache
def row_of(kind: type[Any]) -> Row:
    """Return the command that values of this kind ask for."""
    name = kind.__name__

    def run(context: Any, value: Any = None, **given: object) -> Iterator[Message]:
        from pbm.service.handlers import handlers  # noqa: PLC0415

        value = value or kind(*given.values())
        return handlers()[kind](context, value)

    takes = {"number": Kind.BOARD} if issubclass(kind, AtBoard) else {}
    takes |= {"userids": Kind.USERIDS} if name == "MessageTo" else {}
    return Row(
        class_words(kind), "", "", "", PROOFS.get(name, Proof.PERSON), run, _never,
        takes=takes,
        confirms=_CONFIRMS.get(name),
    )  # fmt: skip


def rows(module: ModuleType) -> Iterator[Row]:
    """Yield the commands of a module of pbm.service.commands."""
    for verb in getattr(module, "VERBS", ()):
        yield _row(verb)
    for name in _CONFIRMS:
        if kind := getattr(module, name, None):
            yield row_of(kind)


def _row(verb: Verb) -> Row:
    def read(line: Line) -> NewReading:
        found = verb.read(line)
        if isinstance(found, NewReading):
            return found
        value, credentials = found
        named: Any = value
        kind: Any = type(value)
        arguments = {each.name: getattr(named, each.name) for each in fields(named)}
        return NewReading({**arguments, "value": value}, credentials, row_of(kind))

    def never(_context: object) -> Iterator[Message]:
        raise NotImplementedError

    return Row(
        verb.name, verb.usage, verb.summary, verb.example, Proof.PERSON, never, read, verb.aliases,
        verb.least, verb.needs_game, verb.text,
    )  # fmt: skip


def _never(_line: Line) -> NewReading:
    raise NotImplementedError
