"""Signups, mailboxes to be left alone, confirmations, followers and blocks.

A player follows a subject: the number of a board, or the key of a game, which is a name and so
never a number. Boards that have not begun can be followed too.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict
from datetime import datetime
from itertools import chain

from sqlalchemy import ColumnElement, Connection, insert, or_, select

from pbm.domain.addresses import fold_address, mailbox
from pbm.domain.confirmations import ConfirmationKind, ConfirmationRequest, Declined, Signup
from pbm.domain.player import PlayerId
from pbm.store.driver.dialects import among, replace_row
from pbm.store.driver.dialects import insert as upsert
from pbm.store.players import near_mailbox
from pbm.store.repository import Repository, by_first, columns_of
from pbm.store.tables import blocks, errands, followers, left_alone, signups

Subject = int | str
"""A subject to follow: the board of that number, or all boards of the game of that key."""


_SIGNUP = columns_of(Signup, signups)


class Signups(Repository):
    """Requests for accounts."""

    def add(
        self,
        userid: str,
        address: str,
        now: datetime,
        wish: str = "",
        inviter: PlayerId = 0,
    ) -> Signup:
        statement = (
            insert(signups)
            .values(
                userid=userid,
                address=address,
                address_folded=fold_address(address),
                made_at=now,
                wish=wish,
                inviter=inviter,
            )
            .returning(*_SIGNUP)
        )
        return Signup(*self._connection.execute(statement).one())

    def get(self, signup: int) -> Signup | None:
        row = self._unit.read(select(*_SIGNUP).where(signups.c.id == signup)).first()
        return None if row is None else Signup(*row)

    def invited(self, address: str, inviter: PlayerId) -> bool:
        """Return whether that player has invited the mailbox of the address."""
        folded = signups.c.address_folded
        theirs = *near_mailbox(folded, address), signups.c.inviter == inviter
        found = self._unit.read(select(folded).where(*theirs)).scalars()
        return any(mailbox(each) == mailbox(address) for each in found)

    def confirm(self, signup: Signup, now: datetime) -> None:
        """Mark it as confirmed, and with it all others that would open an account there.

        Other invitations of the address still wait.
        """
        folded = fold_address(signup.address)
        closed = or_(signups.c.id == signup.id, signups.c.inviter == 0)
        waiting = signups.c.address_folded == folded, signups.c.confirmed_at.is_(None)
        self._update(signups, *waiting, closed, confirmed_at=now)

    def forget(self, address: str) -> None:
        """Drop every request made for `address`."""
        self._delete(signups, signups.c.address_folded == fold_address(address))


class LeftAlone(Repository):
    """Mailboxes, as digests, whose owners want no mail from us."""

    def add(self, mailbox: str, now: datetime, *, proven: bool) -> None:
        """Leave that mailbox alone from `now` on; what was proven once stays so.

        It gets no more mails, even if a signup came from there lately.
        """
        added = upsert(self._connection, left_alone).values(
            mailbox=mailbox, since=now, proven=proven
        )
        again = {
            "since": now,
            "proven": or_(left_alone.c.proven, added.excluded.proven),
            "asking_until": None,
        }
        self._connection.execute(
            added.on_conflict_do_update(index_elements=["mailbox"], set_=again)
        )

    def find(self, mailbox: str) -> Declined | None:
        """Return how that mailbox is left alone; None if it is not."""
        kept = select(*columns_of(Declined, left_alone)).where(left_alone.c.mailbox == mailbox)
        row = self._unit.read(kept).first()
        return None if row is None else Declined(*row)

    def save(self, mailbox: str, declined: Declined) -> None:
        """Store what has become of a mailbox that is left alone."""
        self._update(left_alone, left_alone.c.mailbox == mailbox, **asdict(declined))

    def remove(self, mailbox: str) -> None:
        self._delete(left_alone, left_alone.c.mailbox == mailbox)


_MOST_REQUESTS = 100


class Confirmations(Repository):
    """Requests that wait for a reply from an account's address."""

    def add(
        self, kind: ConfirmationKind, player: PlayerId, address: str, now: datetime
    ) -> ConfirmationRequest:
        values = {"kind": kind.value, "player_id": player, "address": address, "made_at": now}
        added = insert(errands).values(values).returning(errands.c.id)
        request = self._connection.execute(added).scalar_one()
        return ConfirmationRequest(request, kind, player, address, now)

    def get(self, request: int) -> ConfirmationRequest | None:
        return next(iter(self._newest(errands.c.id == request)), None)

    def of(self, player: PlayerId) -> tuple[ConfirmationRequest, ...]:
        """Return the last 100 confirmation requests of a player, done or not, the newest first."""
        return self._newest(errands.c.player_id == player)

    def latest(self, address: str) -> ConfirmationRequest | None:
        """Return the last one that `address` (in small letters) was asked to confirm."""
        return next(iter(self._newest(errands.c.address == address, limit=1)), None)

    def done(self, request: int, now: datetime) -> None:
        self._update(errands, errands.c.id == request, done_at=now)

    def forget(self, player: PlayerId) -> None:
        """Drop a player's confirmation requests, and the addresses in them."""
        self._delete(errands, errands.c.player_id == player)

    def _newest(
        self, condition: ColumnElement[bool], limit: int = _MOST_REQUESTS
    ) -> tuple[ConfirmationRequest, ...]:
        wanted = select(*columns_of(ConfirmationRequest, errands, player=errands.c.player_id))
        found = self._unit.read(wanted.where(condition).order_by(errands.c.id.desc()).limit(limit))
        return tuple(
            ConfirmationRequest(number, ConfirmationKind(kind), *rest)
            for number, kind, *rest in found
        )


_FOLLOWERS = select(followers.c.subject, followers.c.player_id, followers.c.only_end).where(
    among(followers.c.subject, "subjects")
)

Choices = Mapping[str, Mapping[PlayerId, bool]]
"""By subject, the players who follow it, and whether they are told of ends only."""


class FollowerRows(Repository):
    """The players who follow boards, or all boards of a game, without playing there."""

    def of(self, number: int, game: str | None) -> dict[PlayerId, bool]:
        """Return the followers of a board, and of its game; True for those who want only its end.

        None for the game: only those of the board itself. Who follows the board or its game wants
        all of it, whatever else they have asked for.
        """
        subjects = (str(number),) if game is None else (str(number), game)
        return _merged(self._unit.look(find_followers, subjects), subjects)

    def choice(self, player: PlayerId, subject: Subject) -> bool | None:
        """Return whether the player wants only the end of it; None if they do not follow it."""
        return self._unit.read(
            select(followers.c.only_end).where(*_theirs(player, subject))
        ).scalar()

    def follow(self, player: PlayerId, subject: Subject, *, only_end: bool = False) -> None:
        """Follow a board, or all of a game; if repeated, the last `only_end` counts."""
        row = {"subject": str(subject), "player_id": player, "only_end": only_end}
        replace_row(self._connection, followers, row)

    def unfollow(self, player: PlayerId, subject: Subject) -> bool:
        """Stop following it; return False if the player did not follow it."""
        return self._delete(followers, *_theirs(player, subject)) == 1

    def followed_by(self, player: PlayerId) -> tuple[str, ...]:
        """Return what a player follows: board numbers and keys of games, as text."""
        followed = select(followers.c.subject).where(followers.c.player_id == player)
        subjects = self._unit.read(followed).scalars()
        return tuple(sorted(subjects, key=_boards_first))


def _theirs(player: PlayerId, subject: Subject) -> tuple[ColumnElement[bool], ...]:
    return followers.c.subject == str(subject), followers.c.player_id == player


def find_followers(
    connection: Connection, subjects: Collection[str]
) -> dict[str, dict[PlayerId, bool]]:
    """Return who follows these boards and games."""
    rows = connection.execute(_FOLLOWERS, {"subjects": subjects}).all()
    return {
        subject: {row[1]: bool(row[2]) for row in found}
        for subject, found in by_first(rows).items()
    }


def _merged(choices: Choices, subjects: Iterable[str]) -> dict[PlayerId, bool]:
    """Return who follows, in order; True for those of whom each choice is only the end."""
    found: dict[PlayerId, bool] = {}
    those = (choices.get(subject, {}).items() for subject in subjects)
    for player, only_end in sorted(chain.from_iterable(those)):
        found[player] = found.get(player, True) and only_end
    return found


def _boards_first(subject: str) -> tuple[bool, int, str]:
    is_game = not subject.isdecimal()
    return is_game, 0 if is_game else int(subject), subject


class Blocks(Repository):
    """The players whose words other players do not want."""

    def block(self, player: PlayerId, blocked: PlayerId) -> bool:
        """Let no word of `blocked` reach `player`; return False if it is so already."""
        added = upsert(self._connection, blocks).values(player_id=player, blocked_id=blocked)
        is_new = added.on_conflict_do_nothing().returning(blocks.c.player_id)
        return self._connection.scalar(is_new) is not None

    def unblock(self, player: PlayerId, blocked: PlayerId) -> bool:
        """End that; return False if there was no block."""
        block = blocks.c.player_id == player, blocks.c.blocked_id == blocked
        return self._delete(blocks, *block) == 1

    def blocked_by(self, player: PlayerId) -> frozenset[PlayerId]:
        """Return whom `player` blocks."""
        theirs = select(blocks.c.blocked_id).where(blocks.c.player_id == player)
        return frozenset(self._unit.read(theirs).scalars())

    def blockers_of(self, player: PlayerId) -> frozenset[PlayerId]:
        """Return those who block `player`."""
        against = select(blocks.c.player_id).where(blocks.c.blocked_id == player)
        return frozenset(self._unit.read(against).scalars())

    def forget(self, player: PlayerId) -> None:
        """Drop a player's blocks, and those of others against them."""
        self._delete(blocks, or_(blocks.c.player_id == player, blocks.c.blocked_id == player))
