"""Boards of simulated players, and the mails that play them on, move by move.

Nobody reads the answers: the moves are played in memory too, and a reply token is made of what
the board's next mail will say. So the clients of a benchmark cost next to nothing.
"""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice

from bench.engines import seeded
from bench.report import BenchError
from pbm.bootstrap import House
from pbm.domain.invitations import Terms
from pbm.domain.mail import ReceivedMail
from pbm.domain.match import Match
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
    """A mail of a player: the envelope, all its octets, and who is told of the move in it."""

    sender: str
    recipient: str
    content: bytes
    readers: tuple[str, ...] = ()

    def received(self, at: datetime) -> ReceivedMail:
        """Return it as intake hands it on."""
        return ReceivedMail(self.sender, (self.recipient,), self.content, at)


class Line:
    """Random moves of one match from its start, found as they are asked for."""

    def __init__(self, plays: Field, now: datetime, chance: random.Random) -> None:
        game = plays.game
        seats = tuple(range(1, len(game.info.seats) + 1))
        setup = game.info.setup(plays.options, 0)
        match = Match(
            0, game.info.key, game.info.rules_version, setup, Terms(), seats, seats, now, now
        )
        self._now = now
        self._chance = chance
        self._boards = [live(match, game)]

    def after(self, plies: int) -> LiveMatch:
        """Return the match after so many plies; raise BenchError if it ends before."""
        while len(self._boards) <= plies:
            self._boards.append(random_move(self._boards[-1], self._chance, self._now))
        return self._boards[plies]

    def move(self, ply: int) -> str:
        """Return the move of a ply, counted from 1; raise BenchError if the match ends before."""
        return self.after(ply).match.log[-1].text


def random_move(board: LiveMatch, chance: random.Random, now: datetime) -> LiveMatch:
    """Return the board after a random move that does not end the match; raise BenchError."""
    legal = board.game.legal_moves(board.position.state, board.to_move[0])
    moves = list(islice(legal, _CHOICES))
    for _ in range(_TRIES):
        after = moved(board, str(chance.choice(moves)), now)
        if after.to_move:
            return after
    raise BenchError(f"A match of {board.game.info.title} ends too soon to be measured.")


def moved(board: LiveMatch, move: str, now: datetime) -> LiveMatch:
    """Return the board after a move of the seat whose turn it is."""
    return play(board, board.to_move[0], move, due=None, comment="", now=now)


class Hall:
    """Boards that are stored in `house`, each with players of its own, and played on by `mails`.

    The `name` of the players tells several halls of a house apart.
    """

    def __init__(self, house: House, plays: Field, size: int, name: str = "player") -> None:
        self._house = house
        self._name = name
        self._plays = plays
        self._chance = seeded()
        self._line = Line(plays, house.clock(), self._chance)
        self.readers = len(plays.game.info.seats)
        """How many mails each move leads to: one for each player."""
        self._letters = 0
        self._next = 0
        self._addresses = self._add_players(len(plays.game.info.seats) * size)
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
        content = reply(author, to, move, f"{board.match.number}.{self._letters}")
        readers = tuple(self._addresses[reader] for reader in board.match.players)
        return Sent(author, to, content, readers)

    def _played_on(self, board: LiveMatch) -> LiveMatch:
        """Return the board after another move."""
        now = self._house.clock()
        if self._plays.alike:
            return moved(board, self._line.move(board.due), now)
        return random_move(board, self._chance, now)

    def _add_players(self, many: int) -> dict[int, str]:
        """Open accounts without a password; return their addresses."""
        made: dict[int, str] = {}
        for first in range(0, many, AT_ONCE):
            with self._house.open_unit() as work:
                for number in range(first, min(many, first + AT_ONCE)):
                    userid = f"{self._name}{number}"
                    address = f"{userid}@d{number}.example.org"
                    player = work.players.add(userid, "", [address], self._house.clock())
                    for name, value in self._plays.settings.items():
                        work.players.set_setting(player.id, name, value)
                    made[player.id] = address
                work.commit()
        return made

    def _add_boards(self, size: int) -> list[LiveMatch]:
        """Store the boards, after the plies that have been played; return them."""
        model, players = self._line.after(self._plays.plies), list(self._addresses)
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


def _copied(match: Match, number: int, seats: tuple[int, ...]) -> Match:
    """Return the same match under another number, between others."""
    swapped = [match.starters.index(player) for player in match.players]
    now = tuple(seats[place] for place in swapped)
    return replace(match, number=number, starters=seats, players=now)


OCTETS = 3 * 1024
"""About how long a mail of the benchmarks is, with all its headers."""

_QUOTED = "\r\n".join(
    f"> {row:2} " + " ".join("+" if (row + column) % 5 else "x" for column in range(13))
    for row in range(13, 0, -1)
)
"""What such a reply quotes: a board drawn in text."""

_MAIL = (
    """\
Received: from phone.example.net (phone.example.net [192.0.2.7])
\tby mail.example.org (Postfix) with ESMTPSA id 4KcJ8b0000z1
\tfor <{to}>; Sun, 22 Nov 2026 07:40:00 +0000 (UTC)
From: {author}
To: {to}
Subject: Re: {subject}
Date: Sun, 22 Nov 2026 07:40:00 +0000
Message-ID: <{identity}@mail.example.org>
In-Reply-To: <previous@games.example.org>
References: <first@games.example.org> <previous@games.example.org>
User-Agent: A mail program
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary="=_part_of_a_benchmark"

--=_part_of_a_benchmark
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: 7bit

{text}

On Sun, 22 Nov 2026, pbm wrote:
{quoted}

--=_part_of_a_benchmark
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: 7bit

<html><body><div>{text}</div><br>
<div class="quote">On Sun, 22 Nov 2026, pbm wrote:<br>
<blockquote style="margin:0 0 0 8px;border-left:1px solid #ccc;padding-left:8px"><pre>
{quoted}
</pre>{filling}</blockquote></div></body></html>
--=_part_of_a_benchmark--
""".replace("\n", "\r\n")
    .replace("{quoted}", _QUOTED)
    .replace(
        "{filling}", "\r\n".join(["<p>The rest of the mail that is answered, in HTML.</p>"] * 18)
    )
)


def reply(author: str, to: str, text: str, identity: str, subject: str = "your move") -> bytes:
    """Return a reply whose first line is `text`, with CRLF; `identity` makes its Message-ID."""
    mail = _MAIL.format(author=author, to=to, text=text, identity=identity, subject=subject)
    return mail.encode()
