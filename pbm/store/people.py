"""People: what they have asked and are asked by mail, whom they keep out, and what they follow.

A player follows a subject: the number of a board, or the key of a game, which is a name and so
never a number. Boards that have not begun can be followed too.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from itertools import chain

from sqlalchemy import ColumnElement, Connection, delete, insert, or_, select, update

from pbm.domain.addresses import fold_address, mailbox
from pbm.domain.confirmations import ConfirmationKind, ConfirmationRequest, Declined, Signup
from pbm.domain.player import PlayerId
from pbm.domain.questions import Choice, Question
from pbm.engine import from_json, frozen, to_json
from pbm.store.driver.dialects import among, in_each_dialect, replace_row
from pbm.store.driver.dialects import insert as upsert
from pbm.store.errors import Conflict
from pbm.store.players import near_mailbox
from pbm.store.repository import Repository, by_first, columns_of, writes
from pbm.store.tables import bans, blocks, errands, followers, left_alone, questions, signups

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


@frozen
class BanRow:
    """A pattern of addresses that are kept out."""

    pattern: str
    made_at: datetime
    why: str


_BAN = in_each_dialect(
    bans,
    lambda start: start.on_conflict_do_nothing(index_elements=["pattern"]).returning(
        bans.c.pattern
    ),
)
_BANS = select(*columns_of(BanRow, bans)).order_by(bans.c.pattern)

_BANS_AMONG = select(bans.c.pattern).where(among(bans.c.pattern, "patterns"))


class Bans(Repository):
    """Addresses and domains that are kept out (pbm.domain.addresses)."""

    def add(self, row: BanRow) -> bool:
        """Store it; return False if the pattern is banned already."""
        added = self._connection.execute(_BAN[self._connection.dialect.name], asdict(row))
        return added.first() is not None

    def remove(self, pattern: str) -> bool:
        """Take it away; return False if it was not there."""
        return self._delete(bans, bans.c.pattern == pattern) == 1

    def listing(self) -> tuple[BanRow, ...]:
        """Return all in order of their patterns."""
        return tuple(BanRow(*row) for row in self._connection.execute(_BANS))

    def any_of(self, patterns: Sequence[str]) -> bool:
        """Return whether one of these is banned."""
        return bool(self._unit.look(find_bans, patterns))


def find_bans(connection: Connection, patterns: Collection[str]) -> dict[str, bool]:
    """Return which of these patterns are banned."""
    return dict.fromkeys(connection.scalars(_BANS_AMONG, {"patterns": patterns}), True)


KEPT_QUESTIONS = 40
"""The latest questions to one player that are kept, of those that are proven and of the others."""

_OF_PLAYERS = (
    select(*columns_of(Question, questions, player=questions.c.player_id))
    .where(among(questions.c.player_id, "players"))
    .order_by(questions.c.made_at, questions.c.id)
)

Asked = tuple[Question, ...]
"""The questions to a player, the oldest first."""


class Questions(Repository):
    """Questions of the server to players."""

    def of(self, player: PlayerId) -> Asked:
        """Return the questions to a player that are kept, the oldest first."""
        return self._unit.look(find_questions, [player]).get(player, ())

    def get(self, player: PlayerId, question: int) -> Question | None:
        """Return the question to that player with this id."""
        return next((asked for asked in self.of(player) if asked.id == question), None)

    def add(self, question: Question) -> None:
        """Store a question, and forget the oldest of its kind if there are too many."""
        like = [q.id for q in self.of(question.player) if q.proven == question.proven]
        forgotten = like[: max(0, len(like) + 1 - KEPT_QUESTIONS)]

        def changed(before: Asked | None) -> Asked:
            return (*(q for q in before or () if q.id not in forgotten), question)

        self._unit.write(
            add_questions, (question, forgotten), change=(find_questions, question.player, changed)
        )

    def answer(self, question: Question, now: datetime) -> None:
        """Mark a question as answered; it raises Conflict if somebody else was first."""
        answered = replace(question, answered_at=now)

        def changed(before: Asked | None) -> Asked:
            return tuple(answered if q.id == question.id else q for q in before or ())

        self._unit.write(
            answer_questions, answered, change=(find_questions, question.player, changed)
        )


def find_questions(connection: Connection, players: Collection[PlayerId]) -> dict[PlayerId, Asked]:
    """Return the questions to these players."""
    kept: dict[PlayerId, Asked] = {}
    for number, player, stored, *rest in connection.execute(_OF_PLAYERS, {"players": players}):
        choices = tuple(Choice(*each) for each in from_json(stored))
        kept[player] = (*kept.get(player, ()), Question(number, player, choices, *rest))
    return kept


@writes(questions)
def add_questions(
    connection: Connection, added: Sequence[tuple[Question, Collection[int]]]
) -> None:
    """Add questions, and delete those with the ids that come with each."""
    connection.execute(insert(questions), [_question_row(question) for question, _ in added])
    if forgotten := [number for _, numbers in added for number in numbers]:
        connection.execute(delete(questions).where(questions.c.id.in_(forgotten)))


def _question_row(question: Question) -> dict[str, object]:
    return {
        "id": question.id,
        "player_id": question.player,
        "choices": to_json([(choice.line, choice.comment) for choice in question.choices]),
        "proven": question.proven,
        "made_at": question.made_at,
        "board": question.board,
        "ply": question.ply,
        "undos": question.undos,
        "answers": question.answers,
        "answered_at": question.answered_at,
    }


@writes(questions)
def answer_questions(connection: Connection, answered: Sequence[Question]) -> None:
    """Mark questions as answered; raise Conflict if one is already, or is gone."""
    for question in answered:
        still = questions.c.id == question.id, questions.c.answered_at.is_(None)
        marked = update(questions).where(*still).values(answered_at=question.answered_at)
        if connection.execute(marked).rowcount != 1:
            raise Conflict("another mail has answered the same question")
