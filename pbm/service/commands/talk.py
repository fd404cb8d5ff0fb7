"""Commands that talk to other players, and that follow boards."""

from collections.abc import Callable
from dataclasses import dataclass

from pbm.domain.errors import NotUnderstood
from pbm.domain.mailings import FOLLOWED_AN_HOUR
from pbm.engine import fold
from pbm.features.seeks import names_seeks, read_want_seeks
from pbm.service.bridge import (
    AtBoard,
    Command,
    Line,
    Reading,
    Verb,
    no_board,
    read_bare_verb,
)
from pbm.service.command import Reading as NewReading


@dataclass(frozen=True, slots=True)
class Chat(AtBoard):
    """The text of the mail goes to the players and followers of a board, and is kept with it."""


@dataclass(frozen=True, slots=True)
class MessageTo(Command):
    """The text of the mail goes to these players."""

    userids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Broadcast(Command):
    """The text of the mail goes to everybody who wants broadcasts."""


@dataclass(frozen=True, slots=True)
class Follow(Command):
    """Follow boards, or all of a game; with `only_end` one mail each, when they are over."""

    numbers: tuple[int, ...]
    everything: bool = False
    only_end: bool = False


@dataclass(frozen=True, slots=True)
class Unfollow(Command):
    """Stop following them."""

    numbers: tuple[int, ...]
    everything: bool = False


def _read_chat(line: Line) -> Reading:
    return read_bare_verb(line, lambda number, _due: Chat(number))


def _read_message(line: Line) -> Reading:
    credentials = line.words.credentials(line.proven, least_rest=1)
    userids = tuple(word.rstrip(",") for word in line.words.rest)
    if not userids:
        raise NotUnderstood("message needs the userids of those it is for.", line.example)
    return MessageTo(userids), credentials


def _read_broadcast(line: Line) -> Reading:
    return Broadcast(), line.words.credentials(line.proven, least_rest=0)


def _read_boards(
    line: Line, make: Callable[[tuple[int, ...], bool], Command], *, proven: bool
) -> Reading:
    """Read `B... [userid password]`, or with a game before the verb `all [userid password]`."""
    everything = bool(line.game and line.words.rest and fold(line.words.rest[0]) == "all")
    if everything:
        del line.words.rest[0]
    numbers: list[int] = []
    while (number := line.words.board_number()[0]) is not None:
        numbers.append(number)
    if not numbers and not everything:
        if line.answered is None:
            raise no_board(line)
        numbers.append(line.answered)
    command = make(tuple(numbers[:20]), everything)
    if proven and not line.words.rest:
        return command, None
    return command, line.words.credentials(line.proven, least_rest=0)


def _read_subscribe(line: Line) -> Reading | NewReading:
    """Read `B... [userid password]`, or `GAME subscribe all [userid password]`."""
    if names_seeks(line):
        return read_want_seeks(line, wanted=True)
    return _read_boards(line, Follow, proven=False)


def _read_notify(line: Line) -> Reading | NewReading:
    if names_seeks(line):
        return read_want_seeks(line, wanted=True)
    return _read_boards(line, lambda b, e: Follow(b, e, only_end=True), proven=False)


def _read_unsubscribe(line: Line) -> Reading | NewReading:
    if names_seeks(line):
        return read_want_seeks(line, wanted=False)
    return _read_boards(line, Unfollow, proven=True)


VERBS: tuple[Verb, ...] = (
    Verb("chat", "B [userid password]", "tells the players and followers of a board your text",
         "chat 104 alice your-password", _read_chat,
         text="The text of your mail is passed on and kept with the board. It is no move. Those "
              "who follow a board read it; to write to its players, they use message."),
    Verb("message", "userid password to...", "passes your text on to other players",
         "message alice your-password bob carol", _read_message, ("msg",),
         text="Name up to ten userids. Nobody learns an address, and nobody is told who reads it: "
              "a player can block another."),
    Verb("broadcast", "userid password", "passes your text on to all who want broadcasts",
         "broadcast alice your-password", _read_broadcast,
         text="Once a day. To get broadcasts, send: set userid password broadcast yes"),
    Verb("subscribe", "B... [userid password]", "follows boards: you get their mails",
         "subscribe 104 105 alice your-password", _read_subscribe, ("follow",), least=4,
         text="You get all mails of the boards, the last one as well. GAME subscribe all userid "
              "password follows every board of a game, but for those of robots. In an hour you "
              f"get at most {FOLLOWED_AN_HOUR} mails of boards that you follow."),
    Verb("unsubscribe", "B... [userid password]", "stops following boards",
         "unsubscribe 104 alice your-password", _read_unsubscribe, ("unfollow",),
         text="GAME unsubscribe all stops following every board of a game. In a reply to any "
              "of their mails the word alone is enough. Without a password the server asks you "
              "to say it in a reply."),
    Verb("notify", "B..., or seeks [userid password]",
         "tells you when boards are over, or who looks for an opponent",
         "notify 104 alice your-password", _read_notify,
         text="One mail each, at the end. Boards that you follow send you that one anyway. GAME "
              "notify all userid password does it for every board of a game.\n"
              "GAME notify seeks userid password: a mail when somebody looks for an opponent at "
              "that game; without GAME, at any. unsubscribe seeks stops it."),
)  # fmt: skip
