"""Robots: who thinks for them, and what there is to think about."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime, timedelta

from sqlalchemy import (
    ColumnElement,
    Connection,
    String,
    bindparam,
    case,
    cast,
    func,
    literal,
    select,
    update,
)

from pbm.domain.player import PlayerId
from pbm.domain.robots import Brain, Thought, ThoughtKind
from pbm.engine import frozen
from pbm.store.driver.dialects import insert, replace_row
from pbm.store.driver.waking import Wakes, makes_work
from pbm.store.repository import Repository, columns_of, writes
from pbm.store.tables import matches, players, robots, seats, tallies, thoughts


@frozen
class ThoughtCounts:
    """Thoughts that are due and wait, those being thought, and since when the oldest waits."""

    waiting: int
    held: int
    oldest: datetime | None


NEWCOMERS, NEWCOMER_FOR = "newcomers", timedelta(days=7)
"""All whose account is younger than that come next as if they were one person: it costs little."""


def tally_of(payer: PlayerId | str) -> str:
    """Return the key of the tally of milliseconds that were thought for `payer`, by day."""
    return f"{TALLY}{payer}"


TALLY = "thinking:"
"""The beginning of the keys of these tallies."""


def _used(payer: ColumnElement[str]) -> ColumnElement[int]:
    """Return how much was thought for `payer` since the day began."""
    found = select(tallies.c.events).where(
        tallies.c.key == literal(TALLY) + payer, tallies.c.began_at == bindparam("day")
    )
    return func.coalesce(found.scalar_subquery(), 0)


_PAYER = cast(thoughts.c.payer_id, String)

_SHARERS = case((players.c.created_at > bindparam("newest"), NEWCOMERS), else_=_PAYER)

_CLAIM = (
    select(thoughts.c.id)
    .join(players, players.c.id == thoughts.c.payer_id)
    .where(thoughts.c.owner.is_(None), thoughts.c.due_at <= bindparam("now"))
    .order_by(_used(_SHARERS), _used(_PAYER), thoughts.c.due_at, thoughts.c.id)
    .limit(1)
    # SQLite ignores the lock: it has one writer at a time.
    .with_for_update(skip_locked=True, of=thoughts)
)


_BRAIN = columns_of(Brain, robots)

_THOUGHT = columns_of(Thought, thoughts, player=thoughts.c.player_id, payer=thoughts.c.payer_id)


class Robots(Repository):
    """The brains of the players who are robots."""

    def all(self) -> dict[PlayerId, Brain]:
        """Return them all; a server has few."""
        rows = select(robots.c.player_id, *_BRAIN).order_by(robots.c.player_id)
        return {player: Brain(*brain) for player, *brain in self._unit.read(rows)}

    def get(self, player: PlayerId) -> Brain | None:
        row = self._unit.read(select(*_BRAIN).where(robots.c.player_id == player)).first()
        return Brain(*row) if row else None

    def boards_with(self, player: PlayerId) -> int:
        """Return on how many boards that are not over `player` sits with a robot."""
        theirs = select(seats.c.match_number).where(seats.c.player_id == player)
        counted = (
            select(func.count(matches.c.number.distinct()))
            .join_from(matches, seats)
            .join(robots, robots.c.player_id == seats.c.player_id)
            .where(matches.c.over.is_(False), matches.c.number.in_(theirs))
        )
        return int(self._unit.read(counted).scalar_one())

    def save(self, player: PlayerId, brain: Brain) -> None:
        """Add the brain of a new robot, or replace one."""
        replace_row(self._connection, robots, {"player_id": player, **asdict(brain)})


class Thoughts(Repository):
    """The thoughts that wait. The same one waits once, however often it is asked."""

    def add(
        self,
        kind: ThoughtKind,
        number: int,
        player: PlayerId,
        now: datetime,
        payer: PlayerId | None = None,
    ) -> None:
        """Ask. It is thought in the share of `payer`, who is `player` if nobody is named.

        What is asked already is thought about anew if it is being thought about now, because what
        was found may be out of date.
        """
        self._unit.write(
            ask_for_thoughts, (kind, number, player, now, player if payer is None else payer)
        )

    def claim(self, owner: str, now: datetime, day: datetime) -> Thought | None:
        """Return what comes next of what is due, which is `owner`'s from the commit on.

        First come those for whom least was thought since `day`, newcomers as if they were one, and
        of these what has waited longest.
        """
        times = {"now": now, "day": day, "newest": now - NEWCOMER_FOR}
        found = self._connection.scalar(_CLAIM, times)
        if found is None:
            return None
        mine = update(thoughts).where(thoughts.c.id == found).values(owner=owner)
        number, kind, *rest = self._connection.execute(mine.returning(*_THOUGHT)).one()
        return Thought(number, ThoughtKind(kind), *rest)

    def done(self, thought: Thought) -> bool:
        """Forget a claimed thought that is carried out; return False if it was taken away.

        If it was asked again since it was claimed, it waits again, and is due now.
        """
        unasked = (*_held(thought), thoughts.c.asked == thought.asked)
        return bool(self._delete(thoughts, *unasked)) or self.put_off(thought, thought.due_at)

    def put_off(self, thought: Thought, due_at: datetime, tries: int = 0) -> bool:
        """Give a claimed thought back, to be looked at again from `due_at` on, after `tries`.

        Return False if it was taken away.
        """
        makes_work(self._connection, Wakes.THINK)
        given_back = {"owner": None, "due_at": due_at, "tries": tries}
        return bool(self._update(thoughts, *_held(thought), **given_back))

    def owners(self) -> tuple[str, ...]:
        """Return who thinks about anything now."""
        held = select(thoughts.c.owner).where(thoughts.c.owner.is_not(None))
        return tuple(self._connection.scalars(held.distinct().order_by(thoughts.c.owner)))

    def release(self, owner: str) -> None:
        """Give back all that `owner` thinks about."""
        self._update(thoughts, thoughts.c.owner == owner, owner=None)
        makes_work(self._connection, Wakes.THINK)

    def counts(self, now: datetime) -> ThoughtCounts:
        due = thoughts.c.owner.is_(None) & (thoughts.c.due_at <= now)
        row = self._connection.execute(
            select(
                func.count().filter(due),
                func.count(thoughts.c.owner),
                func.min(thoughts.c.due_at).filter(due),
            )
        ).one()
        return ThoughtCounts(*row)


@writes(thoughts)
def ask_for_thoughts(
    connection: Connection,
    asked: Sequence[tuple[ThoughtKind, int, PlayerId, datetime, PlayerId]],
) -> None:
    """Store what is to be thought about; what waits already is asked once more."""
    for kind, number, player, now, payer in asked:
        connection.execute(
            insert(connection, thoughts)
            .values(
                kind=kind.value, number=number, player_id=player, asked_at=now, due_at=now,
                payer_id=payer,
            )
            .on_conflict_do_update(
                index_elements=["number", "player_id", "kind"],
                set_={"asked": thoughts.c.asked + 1, "asked_at": now},
            )
        )  # fmt: skip
    makes_work(connection, Wakes.THINK)


def _held(thought: Thought) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions that the claimed `thought` is there, and still its owner's."""
    return thoughts.c.id == thought.id, thoughts.c.owner == thought.owner
