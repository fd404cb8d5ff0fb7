"""A small model of a crowd at many boards: whose turn it is, and who must be told.

It holds positions of the engine and userids, and knows nothing of the server.
"""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from pbm.engine import AnyGame, MoveError, Position, Setup, advance, begin, is_swap, may_swap
from pbm.plugins import installed_games
from tests.house import HouseUnderTest

NAMES = [f"player{n}" for n in range(20)]
OPEN = [game for game in installed_games() if not (game.info.chance or game.info.hidden)]

GAMES = sorted(OPEN, key=lambda game: game.info.key)
BOARDS = 40


@dataclass
class Board:
    """A board in the model; `players` are userids by seat.

    `offer` is ("draw" or "undo", who made it). `queued` has at most one move per player.
    `followers` are those of this board; True means that they only want to hear of its end.
    """

    game: AnyGame
    players: list[str]
    position: Position[Any]
    over: bool = False
    rated: bool = True
    past: list[tuple[str, Position[Any], list[str]]] = field(default_factory=list)
    offer: tuple[str, str] | None = None
    queued: dict[str, str] = field(default_factory=dict)
    followers: dict[str, bool] = field(default_factory=dict)

    @property
    def mover(self) -> str:
        (seat,) = self.game.to_move(self.position.state)
        return self.players[seat]

    def other(self, name: str) -> str:
        return next(player for player in self.players if player != name)

    def moves(self) -> list[str]:
        """Return what the player to move may play, including the pie rule."""
        state = self.position.state
        (seat,) = self.game.to_move(state)
        swap = ["swap"] if may_swap(self.game, self.position) else []
        return [*map(str, self.game.legal_moves(state, seat)), *swap]

    def listeners(self) -> list[str]:
        """Return everybody who is told of what happens now, each once."""
        following = [name for name, only_end in self.followers.items() if self.over or not only_end]
        return [*self.players, *following]

    def play(self, text: str) -> None:
        """Play a turn, and then the queued moves of whoever is to move next."""
        self._turn(text)
        while not self.over and (text := self.queued.pop(self.mover, "")):
            try:
                self._turn(text)
            except MoveError:
                continue  # the queued move is dropped

    def _turn(self, text: str) -> None:
        mover, (seat,) = self.mover, self.game.to_move(self.position.state)
        position, turn = advance(self.game, self.position, seat, text)
        self.past.append((mover, self.position, list(self.players)))
        self.position = position
        if is_swap(turn.text):
            self.players.reverse()
        if self.offer and self.offer[1] != mover:
            self.offer = None
        self.over = self.game.result(position.state) is not None

    def later_moves(self, name: str) -> Iterator[str]:
        """Yield moves that `name`, who is not to move, could play after the next turn."""
        state = self.position.state
        (seat,) = self.game.to_move(state)
        for reply in islice(self.game.legal_moves(state, seat), 3):
            after, _ = advance(self.game, self.position, seat, str(reply))
            movers = self.game.to_move(after.state)
            if self.game.result(after.state) is None and [self.players[m] for m in movers] == [
                name
            ]:
                yield from map(str, islice(self.game.legal_moves(after.state, movers[0]), 5))

    def has_moved(self, name: str) -> bool:
        return any(mover == name for mover, _, _ in self.past)

    def take_back(self, name: str) -> None:
        """Undo the last move of `name` and everything after it."""
        while self.past:
            mover, self.position, self.players = self.past.pop()
            if mover == name:
                break
        self.queued.clear()
        self.offer = None


def address(name: str) -> str:
    return f"{name}@example.org"


@cache
def _crowd() -> tuple[HouseUnderTest, dict[int, Board]]:
    """Make, once, a house with all players and boards, because hashing takes time."""
    house = HouseUnderTest(Path(mkdtemp(prefix="crowd")))
    house.add(*NAMES, text_alone=True)
    boards: dict[int, Board] = {}
    for n in range(BOARDS):
        game, pair = GAMES[n % len(GAMES)], [NAMES[n % 20], NAMES[(n * 7 + 3) % 20]]
        rated = n % 4 != 3
        terms = {} if rated else {"unrated": ""}
        number = house.create_match(*pair, game=game.info.key, terms=terms, options={})
        setup: Setup = game.info.setup()
        boards[number] = Board(game, pair, begin(game, setup), rated=rated)
    house.play()
    return house, boards


def crowd_in(folder: Path) -> tuple[HouseUnderTest, dict[int, Board]]:
    """Return a copy of the house in `folder`, and the model of its boards."""
    house, boards = _crowd()
    copied = {
        number: deepcopy(board, {id(board.game): board.game}) for number, board in boards.items()
    }
    return house.twin(folder), copied
