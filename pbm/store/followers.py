"""The followers of boards, or of all boards of a game.

A subject is what people write: the number of a board, or the key of a game, which is a name
and so never a number. Boards that have not begun can be followed too.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import chain

from sqlalchemy import Connection, bindparam, delete, select

from pbm.domain.player import PlayerId
from pbm.store.dialects import replacing
from pbm.store.prepared import Prepared, among, by_first
from pbm.store.repository import Repository
from pbm.store.tables import followers

_OF = Prepared(
    lambda dialect: select(followers.c.subject, followers.c.player_id, followers.c.only_end).where(
        among(dialect, followers.c.subject, "subjects")
    ),
    "subjects",
)
_FOLLOW = replacing(followers)
_UNFOLLOW = delete(followers).where(
    followers.c.subject == bindparam("followed"), followers.c.player_id == bindparam("player")
)
_CHOICE = select(followers.c.only_end).where(
    followers.c.subject == bindparam("followed"), followers.c.player_id == bindparam("player")
)
_FOLLOWED = select(followers.c.subject).where(followers.c.player_id == bindparam("player"))

Choices = Mapping[str, Mapping[PlayerId, bool]]
"""By subject, the players who follow it, and whether they are told of ends only."""


class SqlFollowers(Repository):
    """`pbm.service.ports.Followers`."""

    def of(self, number: int, game: str | None) -> dict[PlayerId, bool]:
        subjects = subjects_of(number, game)
        return merged(find_followers(self._reader, subjects)(), subjects)

    def choice(self, player: PlayerId, *, number: int | None, game: str | None) -> bool | None:
        wanted = {"followed": _subject(number, game), "player": player}
        return self._reader.scalar(_CHOICE, wanted)

    def follow(
        self, player: PlayerId, *, number: int | None, game: str | None, only_end: bool = False
    ) -> None:
        self._connection.execute(
            _FOLLOW[self._connection.dialect.name],
            {"subject": _subject(number, game), "player_id": player, "only_end": only_end},
        )

    def unfollow(self, player: PlayerId, *, number: int | None, game: str | None) -> bool:
        removed = self._connection.execute(
            _UNFOLLOW, {"followed": _subject(number, game), "player": player}
        )
        return removed.rowcount == 1

    def followed_by(self, player: PlayerId) -> tuple[str, ...]:
        subjects = self._reader.scalars(_FOLLOWED, {"player": player})
        return tuple(sorted(subjects, key=_boards_first))


def subjects_of(number: int, game: str | None) -> tuple[str, ...]:
    """Return the subjects under which a board is followed."""
    return (str(number),) if game is None else (str(number), game)


def find_followers(connection: Connection, subjects: Collection[str]) -> Callable[[], Choices]:
    """Ask who follows these boards and games."""
    asked = _OF.ask(connection, subjects)
    return lambda: {
        subject: {row[1]: bool(row[2]) for row in rows}
        for subject, rows in by_first(asked.rows).items()
    }


def merged(choices: Choices, subjects: Iterable[str]) -> dict[PlayerId, bool]:
    """Return who follows, in order; True for those of whom each choice is only the end."""
    found: dict[PlayerId, bool] = {}
    those = (choices.get(subject, {}).items() for subject in subjects)
    for player, only_end in sorted(chain.from_iterable(those)):
        found[player] = found.get(player, True) and only_end
    return found


def _subject(number: int | None, game: str | None) -> str:
    if (number is None) == (game is None):
        raise ValueError("a player follows a board or a game, one of them")
    return str(number) if game is None else game


def _boards_first(subject: str) -> tuple[bool, int, str]:
    is_game = not subject.isdecimal()
    return is_game, 0 if is_game else int(subject), subject
