"""Boards of simulated players, and the mails that play them on, move by move.

Nobody reads the answers: the moves are played in memory too, and a reply token is made of what
the board's next mail will say. So the clients of a benchmark cost next to nothing.
"""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from pathlib import Path

from bench.report import BenchError, Plan
from pbm.core.boards import LoadedBoards
from pbm.core.context import board_token
from pbm.domain.invitations import Terms
from pbm.domain.mail import ReceivedMail
from pbm.domain.match import Match
from pbm.domain.play import Board, live, play
from pbm.engine import AnyGame, any_of, deal
from pbm.server.assembly import App

_CHOICES = 300
"""Legal moves of which one is chosen."""

_TRIES = 20
"""Moves tried to find one that does not end the match."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A mail of a player: the envelope, all its octets, and who is mailed the move in it."""

    sender: str
    recipient: str
    content: bytes
    readers: tuple[str, ...] = ()

    def received(self, at: datetime) -> ReceivedMail:
        """Return it as intake hands it on."""
        return ReceivedMail(self.sender, (self.recipient,), self.content, at)


_MAIL = Path(__file__).with_name("reply.eml").read_text("utf-8").replace("\n", "\r\n")
"""A reply of 3 KB as a phone writes it, which quotes a board."""


def reply(author: str, to: str, text: str, identity: str) -> bytes:
    """Return a reply whose first line is `text`, with CRLF; `identity` makes its Message-ID."""
    return _MAIL.format(author=author, to=to, text=text, identity=identity).encode()


@dataclass(frozen=True, slots=True)
class Field:
    """The matches to play: `game` with `options`, by players who get mails as `text` or `html`.

    `alike`: all boards have the same moves, so that the pictures of one serve for the others.
    `plies`: as many have been played on each board before.
    """

    game: AnyGame
    options: Mapping[str, str]
    form: str
    alike: bool
    plies: int = 0


def field_of(form: str, plan: Plan) -> Field:
    """Return what is played where players get mails of `form`."""
    return Field(plan.game, plan.options, form, alike=form == "html")


def seeded() -> random.Random:
    """Return chance that is the same in every run."""
    return random.Random(0)  # noqa: S311 - reproducible play, no secret


class Line:
    """Random moves of one match from its start, found as they are asked for."""

    def __init__(self, plays: Field, now: datetime, chance: random.Random) -> None:
        info = plays.game.info
        seats = tuple(range(1, len(info.seats) + 1))
        setup = deal(plays.game, info.setup(plays.options), any_of)
        match = Match(0, info.key, info.rules_version, setup, Terms(), seats, seats, now, now)
        self._now = now
        self._chance = chance
        self._boards = [live(match, plays.game)]

    def after(self, plies: int) -> Board:
        """Return the match after so many plies; raise BenchError if it ends before."""
        while len(self._boards) <= plies:
            self._boards.append(random_move(self._boards[-1], self._chance, self._now))
        return self._boards[plies]


def random_move(board: Board, chance: random.Random, now: datetime) -> Board:
    """Return the board after a random move that does not end the match; raise BenchError."""
    legal = board.game.legal_moves(board.position.state, board.to_move[0])
    moves = list(islice(legal, _CHOICES))
    for _ in range(_TRIES):
        after = moved(board, str(chance.choice(moves)), now)
        if after.to_move:
            return after
    raise BenchError(f"A match of {board.game.info.title} ends too soon to be measured.")


def moved(board: Board, move: str, now: datetime) -> Board:
    """Return the board after a move of the seat whose turn it is."""
    return play(board, board.to_move[0], move, due=None, comment="", now=now, draw=any_of)


class Hall:
    """Boards that are stored in `app`, each with players of its own, and played on by `mails`.

    The `name` of the players tells several halls of a app apart. If `played` is given, only so
    many of the boards are played on, at equal distances.
    """

    def __init__(
        self, app: App, plays: Field, size: int, name: str = "player", played: int = 0
    ) -> None:
        self._app = app
        self._plays = plays
        self._chance = seeded()
        self._line = Line(plays, app.clock(), self._chance)
        self.readers = len(plays.game.info.seats)
        """The mails that each move leads to: one for each player."""
        self._next = 0  # counts the mails
        self._addresses = self._add_players(self.readers * size, name)
        boards = self._add_boards(size)
        self._boards = boards[:: max(1, size // played)] if played else boards

    def mails(self, many: int) -> Iterator[Sent]:
        """Yield the next so many moves, board after board, as mails."""
        for _ in range(many):
            self._next += 1
            place = self._next % len(self._boards)
            before = self._boards[place]
            self._boards[place] = after = self._played_on(before)
            yield self._mail(before, after.match.log[-1].text)

    def _mail(self, board: Board, move: str) -> Sent:
        player = board.match.players[board.to_move[0]]
        token = self._app.services.mint.issue(board_token(board, player), self._app.clock())
        local, at, domain = self._app.settings.address.partition("@")
        author, to = self._addresses[player], f"{local}+{token}{at}{domain}"
        content = reply(author, to, move, f"{board.match.number}.{self._next}")
        readers = tuple(self._addresses[reader] for reader in board.match.players)
        return Sent(author, to, content, readers)

    def _played_on(self, board: Board) -> Board:
        """Return the board after another move."""
        now = self._app.clock()
        if self._plays.alike:
            return moved(board, self._line.after(board.due).match.log[-1].text, now)
        return random_move(board, self._chance, now)

    def _add_players(self, many: int, name: str) -> dict[int, str]:
        """Open accounts without a password; return their addresses."""
        made: dict[int, str] = {}
        with self._app.open_unit() as work:
            for number in range(many):
                address = f"{name}{number}@d{number}.example.org"
                player = work.players.add(f"{name}{number}", "", [address], self._app.clock())
                if self._plays.form == "text":
                    work.players.set_setting(player.id, "format", "text")
                made[player.id] = address
            work.commit()
        return made

    def _add_boards(self, size: int) -> list[Board]:
        """Store the boards, after the plies that have been played; return them."""
        model, players = self._line.after(self._plays.plies), iter(self._addresses)
        boards: list[Board] = []
        with self._app.open_unit() as work:
            stored = LoadedBoards(work, self._app.catalogue, self._app.clock())
            for _ in range(size):
                seats = tuple(islice(players, self.readers))
                boards.append(stored.add(_copied(model.match, work.next_number(), seats)))
            work.commit()
        return boards


def _copied(match: Match, number: int, seats: tuple[int, ...]) -> Match:
    """Return the same match under another number, between others."""
    swapped = [match.starters.index(player) for player in match.players]
    now = tuple(seats[place] for place in swapped)
    return replace(match, number=number, starters=seats, players=now)
