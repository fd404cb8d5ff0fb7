"""The messages of the server and a program that plays: JSON, one object a line, in ASCII.

The server writes `Hello`, `NewMatch`, `PositionAsked` and `Quit`. The program answers the first by
`Ready` and each position by an `Answer`, or by `{"error": "a sentence"}`. Both ignore fields that
they do not know, and the program also ignores messages that it does not know. docs/robots.md
explains it to authors.
"""

import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from pbm.engine import MOVE_LENGTH_LIMIT, Seat, Setup, Turn, quote


class ProtocolError(Exception):
    """A line that is not what the protocol asks for; `str()` is a sentence that says why."""


class Fields:
    """An object that was read. A field that is null is as good as one that is not there.

    Each method raises ProtocolError if the field is missing or of another type.
    """

    def __init__(self, plain: Mapping[str, Any], within: str = "") -> None:
        self.plain = plain
        self._within = within

    @classmethod
    def of(cls, line: bytes) -> "Fields":
        """Return the object that a line of UTF-8 holds."""
        try:
            plain = json.loads(line, parse_constant=_no_number)
        except (ValueError, RecursionError) as error:
            shown = quote(line[:200].decode("utf-8", "replace"))
            raise ProtocolError(f"The line {shown} cannot be read as JSON.") from error
        if not isinstance(plain, dict):
            shown = quote(line[:200].decode("utf-8", "replace"))
            raise ProtocolError(f"The line {shown} is not a JSON object.")
        return cls(plain)

    def __contains__(self, name: str) -> bool:
        return self.plain.get(name) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self.plain)

    def text(self, name: str, default: str | None = None) -> str:
        """Return a text, or the default if there is one and the field is missing."""
        value = self.plain.get(name)
        found = default if value is None else value
        return found if isinstance(found, str) else self._refuse(name, "a text")

    def number(self, name: str) -> int:
        """Return a whole number from 0."""
        value = self.plain.get(name)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            self._refuse(name, "a whole number from 0")
        return value

    def share(self, name: str) -> float:
        """Return a number from 0 to 1."""
        value = self.plain.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            self._refuse(name, "a number from 0 to 1")
        return value

    def duration(self, name: str) -> float:
        """Return a number above 0."""
        value = self.plain.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            self._refuse(name, "a number")
        return value if 0 < value < math.inf else self._refuse(name, "a number above 0")

    def truth(self, name: str) -> bool:
        """Return true or false."""
        value = self.plain.get(name)
        return value if isinstance(value, bool) else self._refuse(name, "true or false")

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts."""
        values = self._items(name)
        if not all(isinstance(value, str) for value in values):
            self._refuse(name, "a list of texts")
        return tuple(values)

    def numbers(self, name: str) -> tuple[int, ...]:
        """Return a list of whole numbers."""
        values = self._items(name)
        if not all(isinstance(value, int) and not isinstance(value, bool) for value in values):
            self._refuse(name, "a list of whole numbers")
        return tuple(values)

    def objects(self, name: str) -> tuple["Fields", ...]:
        """Return a list of objects."""
        values = self._items(name)
        if not all(isinstance(value, dict) for value in values):
            self._refuse(name, "a list of objects")
        return tuple(Fields(value, name) for value in values)

    def inner(self, name: str) -> "Fields":
        """Return an object."""
        value = self.plain.get(name)
        return Fields(value, name) if isinstance(value, dict) else self._refuse(name, "an object")

    def _items(self, name: str) -> list[Any]:
        value = self.plain.get(name)
        return value if isinstance(value, list) else self._refuse(name, "a list")

    def _refuse(self, name: str, wanted: str) -> NoReturn:
        where = f' in "{self._within}"' if self._within else ""
        if name not in self:
            raise ProtocolError(f'"{name}" is missing{where}; it must be {wanted}.')
        shown = quote(json.dumps(self.plain[name]))
        raise ProtocolError(f'"{name}"{where} must be {wanted}, and is {shown}.')


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


PROTOCOL = 1
"""The version. It changes only if a program that was written for the last one would not work."""

LONGEST_ANSWER = 4096
"""Octets of a line that a program may write."""

LONGEST_MESSAGE = 16 * 1024 * 1024
"""Octets of a line that the server writes; a match of ours stays below a hundredth of it."""

LONGEST_WHY = 200
"""Characters of a reason that are kept."""


@dataclass(frozen=True, slots=True)
class Hello:
    """The first message: which protocol is spoken. The program answers it when it is ready."""

    protocol: int = PROTOCOL


@dataclass(frozen=True, slots=True)
class NewMatch:
    """The beginning of a match: the game and its options, and the names of its seats.

    `game` is the game's key. `level` is how well to play, "" if that was not said.
    """

    game: str
    rules_version: int
    setup: Setup
    seats: tuple[str, ...]
    level: str = ""


@dataclass(frozen=True, slots=True)
class PositionAsked:
    """A position in which the program is to move for `seat`.

    `ply` is how many plies were played, `turns` which. `own_seats` are all seats that it has, which
    the pie rule may change. `state` is the position as the game's canonical JSON. `moves` are the
    legal moves, or None if they are too many to list; `may_swap` says whether a swap is open, which
    is not among them. It may think for `seconds`.
    """

    ply: int
    seat: Seat
    own_seats: tuple[Seat, ...]
    turns: tuple[Turn, ...]
    state: str
    moves: tuple[str, ...] | None
    may_swap: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class Quit:
    """The last message: nothing else will be asked."""


@dataclass(frozen=True, slots=True)
class Ready:
    """The answer to Hello: the program speaks that protocol."""

    protocol: int = PROTOCOL


@dataclass(frozen=True, slots=True)
class Answer:
    """A move in any form that the game reads, and what a hint may say about it.

    `why` is one short line. `worth` is how much of the game the mover expects after it, from 0, a
    loss, to 1, a win. `ply` is the position that it is an answer to.
    """

    move: str
    why: str = ""
    worth: float | None = None
    ply: int | None = None


Message = Hello | NewMatch | PositionAsked | Quit


def written(said: Message | Ready | Answer) -> bytes:
    """Return it as a line; what an Answer leaves out is not in it."""
    return _line(_WRITERS[type(said)](said))


def written_error(sentence: str) -> bytes:
    """Return the line by which a program says that it cannot answer, and why."""
    return _line({"error": sentence[:LONGEST_WHY]})


def read_message(line: bytes) -> Message | None:
    """Return what the server says, or None if it is a message of a later day, to be ignored.

    Raises ProtocolError.
    """
    fields = _fields(line, LONGEST_MESSAGE)
    reader = _READERS.get(fields.text("message"))
    return reader(fields) if reader else None


def read_ready(line: bytes) -> Ready:
    """Return the answer to Hello; raise ProtocolError, also if it is another protocol's."""
    fields = _answered(line)
    protocol = fields.number("protocol")
    if protocol != PROTOCOL:
        raise ProtocolError(f"It speaks protocol {protocol}, and the server {PROTOCOL}.")
    return Ready(protocol)


def read_answer(line: bytes) -> Answer:
    """Return the answer to a position; whether the move is legal is not looked at here.

    A `why` is made one line of printable characters, and shortened. Raises ProtocolError.
    """
    fields = _answered(line)
    move = fields.text("move")
    if not move.strip() or len(move) > MOVE_LENGTH_LIMIT:
        raise ProtocolError(f'"move" must be a text of 1 to {MOVE_LENGTH_LIMIT} characters.')
    ply = fields.number("ply") if "ply" in fields else None
    worth = fields.share("worth") if "worth" in fields else None
    return Answer(move, _one_line(fields.text("why", "")), worth, ply)


def _line(fields: Mapping[str, Any]) -> bytes:
    return json.dumps(fields, separators=(",", ":")).encode("ascii") + b"\n"


def _hello(hello: Hello) -> dict[str, Any]:
    return {"message": "hello", "protocol": hello.protocol}


def _new(match: NewMatch) -> dict[str, Any]:
    level = {"level": match.level} if match.level else {}
    return {
        "message": "new",
        "game": match.game,
        "rules_version": match.rules_version,
        "options": dict(match.setup.options),
        "seed": match.setup.seed,
        "seats": match.seats,
    } | level


def _position(asked: PositionAsked) -> dict[str, Any]:
    return {
        "message": "position",
        "ply": asked.ply,
        "seat": asked.seat,
        "own_seats": asked.own_seats,
        "turns": [{"seat": turn.seat, "move": turn.text} for turn in asked.turns],
        "state": json.loads(asked.state),
        "moves": asked.moves,
        "may_swap": asked.may_swap,
        "seconds": asked.seconds,
    }


def _quit(_: Quit) -> dict[str, Any]:
    return {"message": "quit"}


def _ready(ready: Ready) -> dict[str, Any]:
    return {"protocol": ready.protocol}


def _answer(answer: Answer) -> dict[str, Any]:
    why = answer.why or None
    fields = {"move": answer.move, "why": why, "worth": answer.worth, "ply": answer.ply}
    return {name: value for name, value in fields.items() if value is not None}


_WRITERS: dict[type, Callable[[Any], dict[str, Any]]] = {
    Hello: _hello,
    NewMatch: _new,
    PositionAsked: _position,
    Quit: _quit,
    Ready: _ready,
    Answer: _answer,
}


def _read_hello(fields: Fields) -> Hello:
    return Hello(fields.number("protocol"))


def _read_new(fields: Fields) -> NewMatch:
    options = fields.inner("options")
    return NewMatch(
        fields.text("game"),
        fields.number("rules_version"),
        Setup({name: options.text(name) for name in options}, fields.number("seed")),
        fields.texts("seats"),
        fields.text("level", ""),
    )


def _read_position(fields: Fields) -> PositionAsked:
    return PositionAsked(
        fields.number("ply"),
        fields.number("seat"),
        fields.numbers("own_seats"),
        tuple(Turn(turn.number("seat"), turn.text("move")) for turn in fields.objects("turns")),
        json.dumps(fields.inner("state").plain, sort_keys=True, separators=(",", ":")),
        fields.texts("moves") if "moves" in fields else None,
        fields.truth("may_swap"),
        fields.duration("seconds"),
    )


def _read_quit(_: Fields) -> Quit:
    return Quit()


_READERS: dict[str, Callable[[Fields], Message]] = {
    "hello": _read_hello,
    "new": _read_new,
    "position": _read_position,
    "quit": _read_quit,
}


def _answered(line: bytes) -> Fields:
    """Return the fields of a program's line; raise ProtocolError if it reports an error."""
    fields = _fields(line, LONGEST_ANSWER)
    if "error" in fields:
        raise ProtocolError(f"It reports an error: {quote(fields.text('error'), LONGEST_WHY)}.")
    return fields


def _fields(line: bytes, longest: int) -> Fields:
    if len(line) > longest:
        raise ProtocolError(f"A line has {len(line)} octets; {longest} are the most.")
    return Fields.of(line)


def _one_line(text: str) -> str:
    return quote(text, LONGEST_WHY).removeprefix('"').removesuffix('"')
