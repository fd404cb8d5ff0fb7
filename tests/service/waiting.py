"""Boards that wait for a player, begun without a mail, and what later mails say about them."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from email.message import EmailMessage
from tempfile import TemporaryDirectory

from pbm.core.boards import LoadedBoards, snapshot_of
from pbm.domain.invitations import Terms
from pbm.domain.match import Match
from pbm.domain.play import Board
from pbm.domain.player import Player, PlayerId
from pbm.server.assembly import App
from tests.house import Work, text_of

__all__ = ["snapshot_of"]

NAG, WARNING = "NAG", "WARNING"

NO_OPTIONS: Mapping[str, str] = {}

_WHEN = r"\w{3} (\d+ \w{3} \d{4} \d\d:\d\d) UTC"
_DEADLINE = re.compile(rf"(?:do not move by|(?:You have|has) [^.,:]+, until) {_WHEN}")
_LINE = re.compile(
    rf"Board (\d+), [^:]*:[^:]* You have [^.,:]+, until {_WHEN}(?:; [^.]+)?\.( This is the last)?"
)


def quick_folder() -> TemporaryDirectory[str]:
    """Return a folder in memory if possible, because thousands of commits would wait for a disk."""
    memory = "/dev/shm"
    return TemporaryDirectory(prefix="pbm", dir=memory if os.access(memory, os.W_OK) else None)


def address(name: str) -> str:
    return f"{name}@example.org"


def add_players(work: Work, names: Iterable[str], now: datetime) -> list[Player]:
    """Open accounts without usable passwords, because hashing takes time."""
    return [work.players.add(name, "no password", (address(name),), now) for name in names]


def seat(
    house: App, work: Work, game: str, players: Sequence[PlayerId], terms: Terms,
    options: Mapping[str, str] = NO_OPTIONS,
) -> int:  # fmt: skip
    """Begin a match without a mail, the first of `players` to move; return its number."""
    number, now, info = work.next_number(), house.clock(), house.catalogue.get(game).info
    match = Match(
        number=number, game=game, rules_version=info.rules_version, setup=info.setup(options),
        terms=terms, starters=tuple(players), players=tuple(players), started_at=now,
        turn_since=now,
    )  # fmt: skip
    boards_of(house, work).add(match)
    return number


def boards_of(house: App, work: Work) -> LoadedBoards:
    """Return the boards as they are now in this transaction."""
    return LoadedBoards(work, house.catalogue, house.clock())


def table_of(house: App, number: int) -> Board:
    """Return a board as it is stored."""
    with house.open_reading() as work:
        return boards_of(house, work).get(number)


def words(mail: EmailMessage) -> str:
    """Return the text of a mail with every run of white space as one space."""
    return " ".join(text_of(mail).split())


def number_of(mail: EmailMessage) -> int:
    """Return the number of the board that a mail is about; 0 if it is about none or several."""
    found = re.match(r"\[.+ (\d+)\]", str(mail["Subject"]))
    return int(found[1]) if found else 0


def deadlines(mail: EmailMessage) -> list[datetime]:
    """Return the moments at which a player forfeits, according to a mail about a board."""
    return [_moment(told) for told in _DEADLINE.findall(words(mail))]


def reminders(mail: EmailMessage) -> dict[int, tuple[str, datetime]]:
    """Return each board that a mail reminds of, with the kind of reminder and the moment named."""
    return dict(_reminders(mail))


def _reminders(mail: EmailMessage) -> Iterator[tuple[int, tuple[str, datetime]]]:
    if not number_of(mail):
        for number, told, last in _LINE.findall(words(mail)):
            yield int(number), (WARNING if last else NAG, _moment(told))
    elif "reminder" in str(mail["From"]):
        (named,) = set(deadlines(mail))
        last = "Last reminder" in str(mail["From"])
        yield number_of(mail), (WARNING if last else NAG, named)


def tells_of_a_forfeit(mail: EmailMessage) -> bool:
    """Return whether a mail about a board says that a player ran out of time."""
    return str(mail["From"]).startswith(("You won", "You lost")) and "ran out of time" in words(
        mail
    )


def _moment(told: str) -> datetime:
    return datetime.strptime(told, "%d %b %Y %H:%M").replace(tzinfo=UTC)
