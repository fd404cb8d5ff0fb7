"""Commands: the decorator that makes a function a command, and its data.

    @command("tip", "B [userid password]", "says how many moves a board has had",
             "tip 104 alice your-password", needs=Proof.PERSON)
    def tip(context: Context, number: BoardNumber) -> Iterator[Message]: ...

The annotations of the parameters after the context say which words follow the verb, in this order:
a board, the userid and password of the sender, then words. A command with a form of its own
brings a function that reads it (`read`), and one that writes it (`writes`).
"""

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from enum import Enum, auto
from typing import Annotated, Any, get_args, get_type_hints

from pbm.core.letters import Message
from pbm.core.tokens import TokenKind
from pbm.core.words import Credentials, Reply, Words, board_written, is_board
from pbm.domain.errors import Boardless, NotUnderstood
from pbm.domain.match import FIRST_NUMBER
from pbm.domain.player import Player
from pbm.engine import fold, frozen


class Proof(Enum):
    """The least proof that a command needs. A password is always enough."""

    NOTHING = auto()
    """It writes only to the address concerned."""
    REGISTERED = auto()
    """A From of some account: it only looks, and the answer goes to that account's address."""
    ITS_MAIL = auto()
    """The reply to the very mail that asks for it."""
    FRESH_REPLY = auto()
    """A reply to a mail of that board, as it still is; or of that person, if so recent."""
    BOARD = auto()
    """A reply to a mail of that board while the match lasts, or one that proves the person."""
    PERSON = auto()
    """A recent reply to any mail, or an authenticated From."""
    PASSWORD = auto()
    """The password itself, because the account could be taken over."""


class Parameter(Enum):
    """The kinds of parameters, by the words that they take from the line."""

    BOARD = auto()
    INVITATION = auto()
    FINISHED = auto()
    BOARDS = auto()
    COUNT = auto()
    LEVEL = auto()
    PLY = auto()
    MOVE = auto()
    USERID = auto()
    USERIDS = auto()
    ADDRESSES = auto()


_BOARDS = frozenset({Parameter.BOARD, Parameter.INVITATION, Parameter.FINISHED})

BoardNumber = Annotated[int | None, Parameter.BOARD]
"""`B` or `B#n`. In a reply it may be left out; None means the board whose mail is answered."""

InvitationNumber = Annotated[int | None, Parameter.INVITATION]
"""The number of an invitation or a seek, which may be a board by now; otherwise as BoardNumber."""

FinishedBoard = Annotated[int | None, Parameter.FINISHED]
"""The number of a board that is over; otherwise as BoardNumber."""

Ply = Annotated[int | None, Parameter.PLY]
"""The n of `B#n`, or of `MOVE#n`: the ply that the sender means, if they said it."""

MoveText = Annotated[str, Parameter.MOVE]
"""The rest of the line, as one text: a move."""

Userid = Annotated[str, Parameter.USERID]
"""One userid."""

Userids = Annotated[tuple[str, ...], Parameter.USERIDS]
"""One userid or more."""

Count = Annotated[int, Parameter.COUNT]
"""A count; the types below are read by the commands themselves."""

RobotName = Annotated[str, Parameter.LEVEL]
"""The name of a robot, by its level, or "robot" for any."""

Addresses = Annotated[tuple[str, ...], Parameter.ADDRESSES]
"""Mail addresses."""


@frozen
class Command:
    """A command: its function and its data.

    `usage` is what follows the word, `summary` one line for the list of commands, `text` the rest
    of its help page, a paragraph a line, `example` a line as players type it, with GAME for the
    key of any game. `least` is the smallest number of letters to which the word may be shortened;
    0: never. `takes` are the kinds of its parameters, by name.

    The others are for the core. `writes` returns the words after the verb of a request; see
    `grammar.line_of`. `echo`, of a command that only looks, returns the request that is shown above
    the answer. `needs_when` returns the proof that it needs at a board,
    given the context, the reply and the request. `usual` returns a line that works for a reader,
    given the context and the reader. `new_password` is the parameter that must be hashed.
    `confirms` is the kind of token whose mail is answered by it. `private`: the text of the mail is
    for this command, and not for other players. `in_letters`: it may be written in reply to a
    message of a player. `final`: a misspelt word never suggests it. `boardless`: it is not about a
    board, not even the one whose mail is answered. `locks`: it writes what a batch of mails does
    not keep in memory, so its mail is carried out in a transaction from the beginning. `opens`, of
    a command whose word may also begin a sentence, returns whether a line is meant as the command.
    """

    name: str
    usage: str
    summary: str
    example: str
    needs: Proof
    run: Callable[..., Iterator[Message]]
    read: Callable[["CommandLine"], "Request"]
    aliases: tuple[str, ...] = ()
    least: int = 0
    needs_game: bool = False
    text: str = ""
    takes: Mapping[str, Parameter] = field(default_factory=dict, compare=False)
    writes: Callable[["Request"], tuple[str, ...]] | None = None
    echo: Callable[["Request"], "Request"] | None = None
    needs_when: Callable[..., Proof] | None = None
    usual: Callable[..., str] | None = None
    new_password: str = ""
    confirms: TokenKind | None = None
    private: bool = False
    in_letters: bool = False
    final: bool = False
    boardless: bool = False
    locks: bool = False
    opens: Callable[[str], bool] | None = None

    @property
    def words(self) -> tuple[str, ...]:
        """All words for it: the name, the aliases, and long enough beginnings of the name."""
        lengths = range(self.least, len(self.name)) if self.least else ()
        return (self.name, *self.aliases, *(self.name[:length] for length in lengths))

    @property
    def typed(self) -> bool:
        """Whether a player can type it; the answers to some mails are not typed."""
        return bool(self.usage or self.summary)

    @property
    def form(self) -> str:
        """The form of a line, as help shows it: "GAME seek [userid password]"."""
        return f"{'GAME ' * self.needs_game}{self.name} {self.usage}".rstrip()

    @property
    def about_board(self) -> bool:
        """Whether it is about one board or invitation."""
        return not _BOARDS.isdisjoint(self.takes.values())

    def example_for(self, game: str) -> str:
        """Return the example with the key `game` in place of GAME."""
        return self.example.replace("GAME", game)


@frozen
class Request:
    """The request of one line: a command, its arguments, the game named and the credentials given.

    `verb` is the name of the command whose word was typed, for error texts. `game` is a key.
    """

    verb: str = field(compare=False)
    command: Command
    arguments: Mapping[str, Any] = field(repr=False)
    game: str | None = None
    credentials: Credentials | None = None

    @property
    def number(self) -> int | None:
        """The board that the line named, for a command about one."""
        found: int | None = self.first(*_BOARDS)
        return found

    @property
    def who(self) -> tuple[str, ...]:
        """The userid and password that the line named, as two words; () if it named none."""
        given = self.credentials
        return (given.userid, given.password) if given else ()

    @property
    def move(self) -> str:
        """The text that is meant as a move; "" for a command without one."""
        return self.first(Parameter.MOVE) or ""

    def board(self, reply: Reply | None) -> int | None:
        """Return the number of the board that it is about, which may be that of the reply."""
        return reply.number if self.number is None and reply is not None else self.number

    def words(self, *names: str) -> tuple[str, ...]:
        """Return these arguments as words of a line; None and "" are left out."""
        found = (self.arguments[name] for name in names)
        several = (each if isinstance(each, tuple) else (each,) for each in found)
        return tuple(str(word) for words in several for word in words if word not in (None, ""))

    @property
    def options(self) -> tuple[str, ...]:
        """The terms of the match and the options of the game, as words that can be split off."""
        terms, options = self.arguments.get("terms", {}), self.arguments["options"]
        named = (f"--{name}={value}" if value else f"--{name}" for name, value in terms.items())
        return (*named, *(f"-{name}={value}" for name, value in options.items()))

    def first(self, *wanted: Parameter) -> Any:
        """Return the argument of one of these kinds, or None."""
        names = (name for name, kind in self.command.takes.items() if kind in wanted)
        return self.arguments.get(next(names, ""))


def as_asked(request: Request) -> Request:
    """Return the request as it is, for an `echo` that shows all its words."""
    return request


@frozen
class CommandLine:
    """A line on its way to a request: the words after the verb, and their context.

    `said` is the word that named the verb.
    """

    verb: Command
    words: Words
    game: str | None
    reply: Reply | None
    said: str

    @property
    def example(self) -> str:
        """A line of the right form, for refusals."""
        return self.verb.example_for(self.game or "GAME")

    @property
    def answered(self) -> int | None:
        """The number of the board whose mail this answers, which may be left out."""
        return self.reply.number if self.reply else None

    @property
    def proven(self) -> Player | None:
        """The player that a reply token proves, and who needs no userid and password."""
        return self.reply.player if self.reply else None

    def who(self, *, least_rest: int = 0) -> Credentials | None:
        """Take `userid password` from the words; they may be missing in a reply."""
        return self.words.credentials(self.proven, least_rest=least_rest)

    def request(
        self,
        credentials: Credentials | None = None,
        command: Command | None = None,
        **arguments: Any,
    ) -> Request:
        """Return the request for a command, or for that of the verb, with these arguments."""
        meant = command or self.verb
        return Request(self.verb.name, meant, arguments, self.game, credentials)


def command(
    name: str,
    usage: str,
    summary: str,
    example: str,
    *,
    needs: Proof,
    read: Callable[[CommandLine], Request] | None = None,
    **more: Any,
) -> Callable[[Callable[..., Iterator[Message]]], Command]:
    """Return the decorator that makes a function a command; see `Command` for what it takes.

    It raises TypeError for a parameter that the command's reader does not fill.
    """

    def make(run: Callable[..., Iterator[Message]]) -> Command:
        hints = get_type_hints(run, include_extras=True)
        kinds = {name: _kind(hints[name]) for name in list(inspect.signature(run).parameters)[1:]}
        takes = {name: kind for name, kind in kinds.items() if kind}
        if (usage or summary) and read is None:
            _check_filled(run, kinds)
        how = read or (lambda line: _read(line, takes))
        return Command(name, usage, summary, example, needs, run, how, takes=takes, **more)

    return make


def reply_command(
    name: str, *, needs: Proof, **more: Any
) -> Callable[[Callable[..., Iterator[Message]]], Command]:
    """Return the decorator for commands that are not typed: answers to certain mails, second forms.

    `name` is for the log.
    """
    return command(name, "", "", "", needs=needs, **more)


def _kind(hint: Any) -> Parameter | None:
    """Return the kind that an annotation names, also as one of several types."""
    hints = (hint, *get_args(hint))
    marks = (mark for each in hints for mark in getattr(each, "__metadata__", ()))
    return next((mark for mark in marks if isinstance(mark, Parameter)), None)


_SEVERAL_WORDS = (Parameter.USERIDS, Parameter.ADDRESSES)

_WORDS = (Parameter.MOVE, Parameter.USERID, Parameter.USERIDS)

_READ = (*_BOARDS, Parameter.PLY, *_WORDS)
"""The kinds of parameters that `_read` fills."""


def _check_filled(run: Callable[..., Any], kinds: Mapping[str, Parameter | None]) -> None:
    """Raise TypeError for a parameter that `_read` does not fill."""
    for name, kind in kinds.items():
        if kind not in _READ:
            raise TypeError(
                f"{run.__qualname__} in {run.__module__}: no word of the line fills the parameter "
                f"{name}. Annotate it as BoardNumber, InvitationNumber, FinishedBoard, Ply, "
                "MoveText, Userid or Userids, or read the line yourself: @command(..., read=...)."
            )


def _read(line: CommandLine, takes: Mapping[str, Parameter]) -> Request:
    """Read `B[#n] [userid password] words`, as far as there are parameters for it."""
    follows = any(kind in _WORDS for kind in takes.values())
    number, due, text, credentials = read_board_text(line, least_rest=int(follows))
    if text and not follows:
        raise _nothing_follows(line, number)
    values: dict[Parameter, Any] = {
        Parameter.BOARD: number,
        Parameter.INVITATION: number,
        Parameter.FINISHED: number,
        Parameter.PLY: due,
        Parameter.MOVE: text,
    }
    if Parameter.USERID in takes.values():
        values[Parameter.USERID] = one_userid(line)
    if Parameter.USERIDS in takes.values():
        values[Parameter.USERIDS] = _userids(line)
    return line.request(credentials, **{name: values[kind] for name, kind in takes.items()})


def one_userid(line: CommandLine) -> str:
    """Return the rest of a line, which must be one userid."""
    if len(line.words.rest) != 1:
        raise NotUnderstood(f"{line.verb.name} needs one userid.", line.example)
    return line.words.rest[0]


def _userids(line: CommandLine) -> tuple[str, ...]:
    userids = tuple(word.rstrip(",") for word in line.words.rest)
    if not userids:
        raise NotUnderstood(f"{line.verb.name} needs the userids of those it is for.", line.example)
    return userids


def _nothing_follows(line: CommandLine, number: int | None) -> NotUnderstood:
    """Return the refusal of words after a verb that takes only a board and credentials.

    A sentence may begin with such a verb: "Resign? Never!" is not a resignation.
    """
    verb = line.verb.name
    if not line.verb.about_board:
        return NotUnderstood(f"Nothing follows {verb} but who you are.", line.example)
    alone = verb if number is None else f"{verb} {number}"
    return NotUnderstood(
        f"Nothing follows {verb} but the board and who you are; what you want to say goes below "
        "it.",
        alone if line.reply else line.example,
    )


def no_board(line: CommandLine) -> Boardless:
    """Return the refusal of a line without a board, if the mail does not answer one either.

    In a reply to a mail about several boards, the example is made by pbm.dispatch.refusals, which
    finds these boards.
    """
    example = "" if line.reply else line.example
    return Boardless(f"{line.verb.name} needs the number of a board.", example)


def read_board_text(
    line: CommandLine, *, least_rest: int = 0
) -> tuple[int | None, int | None, str, Credentials | None]:
    """Read `B[#n] [userid password] text[#n]`; return the board, the ply, the text, and who.

    The board may be left out in a reply; a command that is not about a board has none.
    """
    number, due = _board_number(line) if line.verb.about_board else (None, None)
    if line.verb.about_board and number is None and line.answered is None:
        raise no_board(line)
    credentials = line.who(least_rest=least_rest)
    text, meant = line.words.text_and_ply()
    return number, due if meant is None else meant, text, credentials


def _board_number(line: CommandLine) -> tuple[int | None, int | None]:
    """Take `B` or `B#n` from the words; return the board and the ply.

    In a reply, a number before a move that no board has is that of the move, as in "move 7 D4".
    Without a move behind it, it is left to be a part of one.
    """
    number, due = line.words.board_number()
    kinds = line.verb.takes.values()
    of_move = line.answered is not None and (Parameter.MOVE in kinds or Parameter.PLY in kinds)
    if number is None or number >= FIRST_NUMBER or not of_move:
        return number, due
    if line.words.rest or Parameter.MOVE not in kinds:
        return None, number
    line.words.rest.append(str(number))
    return None, None


def written_words(request: Request) -> tuple[str, ...]:
    """Return `B[#n] userid password words`, as far as a request has them; `_read` reads them."""
    number, due, words = (
        request.number,
        request.first(Parameter.PLY),
        request.first(*_SEVERAL_WORDS),
    )
    boards = (
        request.first(Parameter.BOARDS) or () if number is None else (board_written(number, due),)
    )
    ply = f"#{due}" if number is None and due is not None else ""
    text = request.move or request.first(Parameter.USERID) or " ".join(words or ())
    # A number before a move is that of the move, and counts less than the one behind it.
    numbered = request.move and not (boards or request.who) and is_board(text.partition(" ")[0])
    first = ("0",) if numbered and (ply or " " in text) else ()
    return (*map(str, boards), *request.who, *first, *filter(None, [f"{text}{ply}"]))


def read_bare(line: CommandLine) -> Request:
    """Read `[B] [userid password]` and nothing more, as for a function that takes no more."""
    return _read(line, {"number": Parameter.BOARD} if line.verb.about_board else {})


def read_who(line: CommandLine) -> Request:
    """Read `[userid password]`, whatever follows."""
    return line.request(line.who())


def join_second_word(line: CommandLine, first: str, second: str) -> None:
    """Take the second word of a command that may be written as two, such as "log out"."""
    if fold(line.said) == first:
        if fold("".join(line.words.rest[:1])) != second:
            raise NotUnderstood(f"{first} is followed by {second}.", line.example)
        del line.words.rest[0]
