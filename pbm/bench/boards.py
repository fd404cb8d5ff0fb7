"""Boards of simulated players, and the mails that play them on, move by move.

Nobody reads the answers: the moves are played in memory too, and a reply token is made of what
the board's next mail will say. So the clients of a benchmark cost next to nothing.
"""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice

from pbm.bench.errors import BenchError
from pbm.bench.letters import reply
from pbm.bootstrap import House
from pbm.domain.mail import ReceivedMail
from pbm.domain.match import Match, Terms
from pbm.domain.play import LiveMatch, live, play
from pbm.engine import AnyGame
from pbm.service.boards import Boards
from pbm.service.context import board_token

AT_ONCE = 500
"""Boards or players stored in one transaction."""

_CHOICES = 300
"""Legal moves of which one is chosen."""

_TRIES = 20
"""Moves tried to find one that does not end the match."""


@dataclass(frozen=True, slots=True)
class Field:
    """What is played: `game` with `options`, by players with these `settings`.

    `alike`: all boards have the same moves, so that the pictures of one serve for the others.
    `plies`: as many have been played on each board before.
    """

    game: AnyGame
    options: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    alike: bool = False
    plies: int = 0


@dataclass(frozen=True, slots=True)
class Sent:
    """A mail of a player: the envelope, and all its octets."""

    sender: str
    recipient: str
    content: bytes

    def received(self, at: datetime) -> ReceivedMail:
        """Return it as intake hands it on."""
        return ReceivedMail(self.sender, (self.recipient,), self.content, at)


class Hall:
    """Boards that are stored in `house`, each with players of its own, and played on by `mails`."""

    def __init__(self, house: House, plan: Field, size: int, seed: int = 0) -> None:
        self._house = house
        self._plan = plan
        self._chance = random.Random(seed)  # noqa: S311 - reproducible play, no secret
        self._line: dict[int, str] = {}
        self._letters = 0
        self._next = 0
        self._addresses = self._add_players(len(plan.game.info.seats) * size)
        self._boards = self._add_boards(size)

    def mails(self, many: int) -> Iterator[Sent]:
        """Yield the next so many moves, board after board, as mails."""
        for _ in range(many):
            place = self._next % len(self._boards)
            before, self._next = self._boards[place], self._next + 1
            self._boards[place] = after = self._played_on(before)
            yield self._mail(before, after.match.log[-1].text)

    def _mail(self, board: LiveMatch, move: str) -> Sent:
        player = board.match.players[board.to_move[0]]
        token = self._house.services.mint.write(board_token(board, player), self._house.clock())
        local, at, domain = self._house.settings.address.partition("@")
        author, to = self._addresses[player], f"{local}+{token}{at}{domain}"
        self._letters += 1
        return Sent(author, to, reply(author, to, move, f"{board.match.number}.{self._letters}"))

    def _played_on(self, board: LiveMatch) -> LiveMatch:
        """Return the board after another move; of `alike` boards, that of the first one there."""
        if not self._plan.alike:
            return self._random_move(board)
        known = self._line.get(board.due)
        after = self._random_move(board) if known is None else self._play(board, known)
        self._line[board.due] = after.match.log[-1].text
        return after

    def _random_move(self, board: LiveMatch) -> LiveMatch:
        """Return the board after a random move that does not end the match; raise BenchError."""
        legal = board.game.legal_moves(board.position.state, board.to_move[0])
        moves = list(islice(legal, _CHOICES))
        for _ in range(_TRIES):
            after = self._play(board, str(self._chance.choice(moves)))
            if after.to_move:
                return after
        raise BenchError(f"A match of {board.game.info.title} ends too soon to be measured.")

    def _play(self, board: LiveMatch, move: str) -> LiveMatch:
        now = self._house.clock()
        return play(board, board.to_move[0], move, due=None, comment="", now=now)

    def _add_players(self, many: int) -> dict[int, str]:
        """Open accounts without a password; return their addresses."""
        made: dict[int, str] = {}
        for first in range(0, many, AT_ONCE):
            with self._house.open_unit() as work:
                for number in range(first, min(many, first + AT_ONCE)):
                    address = f"player{number}@d{number}.example.org"
                    player = work.players.add(f"player{number}", "", [address], self._house.clock())
                    for name, value in self._plan.settings.items():
                        work.players.set_setting(player.id, name, value)
                    made[player.id] = address
                work.commit()
        return made

    def _add_boards(self, size: int) -> list[LiveMatch]:
        """Store the boards, after the plies that have been played; return them."""
        model, players = self._model(), list(self._addresses)
        many = len(model.match.players)
        boards: list[LiveMatch] = []
        for first in range(0, size, AT_ONCE):
            with self._house.open_unit() as work:
                stored = Boards(work, self._house.catalogue, self._house.clock())
                for place in range(first, min(size, first + AT_ONCE)):
                    seats = tuple(players[place * many : (place + 1) * many])
                    boards.append(stored.add(_copied(model.match, work.next_number(), seats)))
                work.commit()
        return boards

    def _model(self) -> LiveMatch:
        """Return a match after the plies that have been played."""
        game, now = self._plan.game, self._house.clock()
        seats = tuple(range(1, len(game.info.seats) + 1))
        setup = game.info.setup(self._plan.options, 0)
        match = Match(
            0, game.info.key, game.info.rules_version, setup, Terms(), seats, seats, now, now
        )
        board = live(match, game)
        for _ in range(self._plan.plies):
            board = self._played_on(board)
        return board


def _copied(match: Match, number: int, seats: tuple[int, ...]) -> Match:
    """Return the same match under another number, between others."""
    swapped = [match.starters.index(player) for player in match.players]
    now = tuple(seats[place] for place in swapped)
    return replace(match, number=number, starters=seats, players=now)
