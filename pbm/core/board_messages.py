"""Messages on what has happened on a board, and facts of letters that are drawn."""

import re
from collections.abc import Callable, Iterable
from dataclasses import field, replace
from datetime import datetime
from typing import Any, ParamSpec, TypeVar

from pbm.core.events import Effect, Happening, SeenHappening
from pbm.core.letters import Letter, Message, answer
from pbm.core.tokens import Token
from pbm.domain.plans import PrivateNotes
from pbm.domain.player import People, Player, PlayerId
from pbm.domain.questions import Choice
from pbm.domain.seen import SeenBoard
from pbm.engine import AnyGame, frozen

P = ParamSpec("P")
T = TypeVar("T")

MOST_PICTURES = 3
"""The most boards of one mail that are shown as pictures; more are text alone."""


class Common:
    """Values that the mails of one event share, made for the first reader and kept for the others.

    A value is found again by the function that made it and the very objects that it was made of,
    so boards and people need not be compared. It keeps these objects. A message with another board
    or moment gets its own values.
    """

    __slots__ = ("_made",)

    def __init__(self) -> None:
        self._made: dict[tuple[object, ...], tuple[object, Any]] = {}

    def once(self, make: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """Return what `make` makes of these objects; it is called only the first time."""
        key = (make, *map(id, given), *map(id, named.values()))
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = ((given, named), make(*given, **named))
        made: T = found[1]
        return made


@frozen
class Followers:
    """The followers of a board without a seat there: some by name, and the number of others."""

    names: tuple[PlayerId, ...] = ()
    more: int = 0


@frozen
class BoardMessage(Message):
    """A board after what has happened on it, in order; `to` may be a follower.

    `private` are the reader's notes on the board. `digest`: it is the digest of its reader, so it
    is not kept back again. The first `late` happenings were kept back from an earlier mail.
    The messages of one event share what is `common` to their mails: all but the reader, the
    happenings that concern the reader, and the token.
    """

    to: Player
    happenings: tuple[Happening, ...]
    board: SeenBoard
    people: People
    now: datetime
    followers: Followers = Followers()
    private: PrivateNotes = PrivateNotes()
    common: Common = field(default_factory=Common, compare=False, repr=False)
    digest: bool = False
    late: int = 0

    @property
    def follows(self) -> bool:
        """Whether its reader follows the board without a seat there."""
        return self.to.id not in self.board.match.players

    @property
    def seen(self) -> tuple[SeenHappening, ...]:
        """The happenings as the reader sees them."""
        return tuple([SeenHappening(h, self.to, self.board, self.people) for h in self.happenings])

    @property
    def idle(self) -> bool:
        return all(h.event.effect is Effect.PRIVATE for h in self.happenings)

    @property
    def thread(self) -> int:
        return self.board.match.number


class DrawnFact:
    """A fact of a letter that is drawn for its reader."""

    __slots__ = ()


@frozen
class DrawnBoard(DrawnFact):
    """A board that a letter draws for its reader, as one of its facts.

    `example` is the move that the letter suggests; "" leaves the choice to the board. `begun` are
    the ways to go on with a turn that the reader has begun. `private` are the reader's notes on the
    board. It has all its moves if it is `whole`. `earlier`: the match has gone on since.
    `several`: it is one of several boards, so that a reply does not say which is meant.
    """

    board: SeenBoard
    people: People
    now: datetime
    example: str = ""
    begun: tuple[str, ...] = ()
    private: PrivateNotes = PrivateNotes()
    whole: bool = False
    earlier: bool = False
    several: bool = False


@frozen
class DrawnBoards(DrawnFact):
    """Several boards that a letter draws, as one of its facts."""

    boards: tuple[DrawnBoard, ...]


@frozen
class DrawnPosition(DrawnFact):
    """A position that a letter draws for its reader, who cannot play there."""

    board: SeenBoard


@frozen
class HelpPage(DrawnFact):
    """The help page of a game, in Markdown, whose examples a letter draws."""

    game: AnyGame
    text: str


@frozen
class WaitingBoards(DrawnFact):
    """Boards that wait for the reader of a letter, the most urgent first, as one of its facts.

    The letter draws the first ones.
    """

    messages: tuple[BoardMessage, ...]


@frozen
class WaitingList(DrawnFact):
    """The boards that wait for a player, the most urgent first, and the number of others.

    `people` are the players there. A letter lists the boards.
    """

    player: Player
    boards: tuple[SeenBoard, ...] = ()
    more: int = 0
    people: People = field(default_factory=dict)


def refusal_letter(
    to: Player,
    sentence: str,
    examples: tuple[str, ...] = (),
    drawn: DrawnBoard | None = None,
    candidates: tuple[str, ...] = (),
    choices: tuple[Choice, ...] = (),
    ways: tuple[tuple[str, str], ...] = (),
    *,
    reply: Token | None = None,
) -> Letter:
    """Return the letter that says why a request was not carried out, and lines that would work.

    The board it was about is `drawn` if the reader may answer from there. `candidates` complete an
    unfinished move. `choices` are the answers to the question that the sentence asks; a yes to the
    only one carries it out. `ways` are lines that one can reply, each with what it does.
    """
    asked = [choice.line for choice in choices]
    sent = [bool(reply) and (line in asked or bool(_SENT.fullmatch(line))) for line in examples]
    refused = answer(
        to, "boards/refused", sentence=sentence, candidates=candidates, ways=ways,
        examples=tuple(zip(examples, sent, strict=True)),
        yes=len(choices) == 1 and not ways, drawn=drawn and replace(drawn, begun=candidates),
        board=drawn.board.match.number if drawn else None, reply=reply,
    )  # fmt: skip
    return replace(refused, choices=choices)


_SENT = re.compile(r"[a-z]+(?: \d+)?|(?:\d+ )?\S*\d\S*")
"""An example with nothing to fill in: a verb, with a board or without one, or a move."""


def goes_on(message: Message) -> bool:
    """Return whether a message answers a part of a move, with the ways to go on."""
    return isinstance(message, Letter) and bool(message.facts.get("candidates"))


def merged(messages: Iterable[Message]) -> list[Message]:
    """Return the messages with those about one board to one reader joined into one.

    It reports all that has happened, in order, and shows the board and what its reader keeps for
    it as they are at the end.
    """
    found: dict[object, Message] = {}
    for message in messages:
        if isinstance(message, BoardMessage):
            key = (message.to.id, message.board.match.number)
            found[key] = _joined(found.pop(key, None), message)
        else:
            found[id(message)] = message
    return list(found.values())


def _joined(earlier: Message | None, later: BoardMessage) -> BoardMessage:
    if not isinstance(earlier, BoardMessage):
        return later
    newer = {h.event for h in later.happenings if h.event.effect is Effect.PRIVATE}
    before = (h for h in earlier.happenings if h.event not in newer)
    return replace(later, happenings=(*before, *later.happenings))


def commented_in(messages: Iterable[Message]) -> frozenset[int]:
    """Return the numbers of the boards whose messages pass on a comment."""
    return frozenset(
        message.board.match.number
        for message in messages
        if isinstance(message, BoardMessage) and any(h.comment for h in message.happenings)
    )
