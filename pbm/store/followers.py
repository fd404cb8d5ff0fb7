"""The followers of boards, or of all boards of a game.

A subject is what people write: the number of a board, or the key of a game, which is a name
and so never a number. Boards that have not begun can be followed too.
"""

from collections.abc import Iterable

from sqlalchemy import bindparam, delete, select

from pbm.domain.player import PlayerId
from pbm.store.dialects import replacing
from pbm.store.repository import Repository
from pbm.store.tables import followers

_OF = select(followers.c.subject, followers.c.player_id, followers.c.only_end).where(
    followers.c.subject.in_((bindparam("board"), bindparam("game")))
)
_FOLLOW = replacing(followers)
_UNFOLLOW = delete(followers).where(
    followers.c.subject == bindparam("followed"), followers.c.player_id == bindparam("player")
)
_CHOICE = select(followers.c.only_end).where(
    followers.c.subject == bindparam("followed"), followers.c.player_id == bindparam("player")
)
_FOLLOWED = select(followers.c.subject).where(followers.c.player_id == bindparam("player"))


class SqlFollowers(Repository):
    """`pbm.service.ports.Followers`."""

    def of(self, number: int, game: str | None) -> dict[PlayerId, bool]:
        rows = self._connection.execute(_OF, {"board": str(number), "game": game})
        return merged((row.player_id, row.only_end) for row in rows)

    def choice(self, player: PlayerId, *, number: int | None, game: str | None) -> bool | None:
        wanted = {"followed": _subject(number, game), "player": player}
        return self._connection.scalar(_CHOICE, wanted)

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
        subjects = self._connection.scalars(_FOLLOWED, {"player": player})
        return tuple(sorted(subjects, key=_boards_first))


def merged(choices: Iterable[tuple[PlayerId, bool]]) -> dict[PlayerId, bool]:
    """Return who follows, in order; True for those of whom each choice is only the end."""
    found: dict[PlayerId, bool] = {}
    for player, only_end in sorted(choices):
        found[player] = found.get(player, True) and only_end
    return found


def _subject(number: int | None, game: str | None) -> str:
    if (number is None) == (game is None):
        raise ValueError("a player follows a board or a game, one of them")
    return str(number) if game is None else game


def _boards_first(subject: str) -> tuple[bool, int, str]:
    is_game = not subject.isdecimal()
    return is_game, 0 if is_game else int(subject), subject
