"""The repositories of a batch: what moves on boards ask for, read ahead and kept in memory.

Each is the repository of its kind with some methods that need no transaction. So do the methods
of any repository that read by `_reader`. All the others reach for the connection, and the batch
answers that with NeedsTransaction.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Protocol, TypeVar

from pbm.domain.mail import OutgoingMail
from pbm.domain.match import Match
from pbm.domain.plans import QueuedMove
from pbm.domain.player import Player, PlayerId
from pbm.domain.ratings import Rating
from pbm.domain.robots import ThoughtKind
from pbm.service.ports import Conflict, Snapshot
from pbm.store.batch.journal import Journal, Known, Played, Posted
from pbm.store.inbox import SqlInbox
from pbm.store.match_reading import MatchesAhead
from pbm.store.matches import MatchSaved, SqlMatches, next_version
from pbm.store.operator import SqlBans, find_bans
from pbm.store.outbox import SqlOutbox
from pbm.store.people import SqlFollowers, find_followers, merged, subjects_of
from pbm.store.plans import Queues, SqlPlans, find_queues
from pbm.store.players import SqlPlayers, find_players
from pbm.store.ratings import SqlRatings
from pbm.store.repository import Connected
from pbm.store.robots import SqlThoughts

Finish = Callable[[], None]
"""Takes what was asked; on PostgreSQL all that was asked before is then answered as well."""

K = TypeVar("K")
V = TypeVar("V")


def _nothing() -> None:
    """Take nothing, because nothing was asked."""


def _fill(known: dict[K, V], asked: Collection[K], found: Mapping[K, V], *, missing: V) -> None:
    """Note what was found of what was asked, and what was not found as `missing`."""
    known.update({key: found.get(key, missing) for key in asked})


class BatchOfMails(Connected, Protocol):
    """What the repositories use of their batch."""

    @property
    def journal(self) -> Journal:
        """Where to save."""


class BatchMatches(SqlMatches):
    """Matches that are saved in memory."""

    def __init__(self, batch: BatchOfMails) -> None:
        super().__init__(batch)
        self._batch = batch
        self._known: Known[int, tuple[Match, Snapshot | None] | None] = Known()

    def read_ahead(self, numbers: Collection[int]) -> MatchesAhead:
        """Begin to read these matches."""
        return MatchesAhead(self._reader, numbers)

    def finish(self, ahead: MatchesAhead, numbers: Collection[int]) -> Finish:
        """Go on reading them."""
        found = ahead.find(self.earlier)
        return lambda: _fill(self._known, numbers, found(), missing=None)

    def get(self, number: int) -> tuple[Match, Snapshot | None] | None:
        if number not in self._known:
            self.finish(self.read_ahead([number]), [number])()
        return self._known[number]

    def save(
        self, before: Match, after: Match, snapshot: Snapshot, to_move: Sequence[int]
    ) -> Match:
        saved = next_version(before, after)
        known = self.get(before.number)
        if known is None or known[0].version != before.version:
            raise Conflict(f"board {before.number} has been saved by another")
        entry = MatchSaved(before, saved, snapshot, tuple(to_move))
        self._batch.journal.add(entry, self._known.put(before.number, (saved, snapshot)))
        return saved


class BatchPlayers(SqlPlayers):
    """Players as they were when the batch began; what changes them needs a transaction."""

    def __init__(self, batch: BatchOfMails) -> None:
        super().__init__(batch)
        self._known: dict[PlayerId, Player | None] = {}

    def read_ahead(self, ids: Collection[PlayerId]) -> Finish:
        """Ask for these players."""
        if not ids:
            return _nothing
        found = find_players(self._reader, ids)
        return lambda: _fill(self._known, ids, found(), missing=None)

    def by_ids(self, ids: Iterable[PlayerId]) -> dict[PlayerId, Player]:
        wanted = set(ids)
        if missing := wanted.difference(self._known):
            self.read_ahead(missing)()
        return {id_: player for id_ in sorted(wanted) if (player := self._known[id_])}


class BatchBans(SqlBans):
    """Who was kept out when the batch began."""

    def __init__(self, batch: BatchOfMails) -> None:
        super().__init__(batch)
        self._known: dict[str, bool] = {}

    def read_ahead(self, patterns: Collection[str]) -> Finish:
        """Ask which of these patterns are banned."""
        if not patterns:
            return _nothing
        found = find_bans(self._reader, patterns)
        return lambda: _fill(self._known, patterns, dict.fromkeys(found(), True), missing=False)

    def any_of(self, patterns: Sequence[str]) -> bool:
        if missing := set(patterns).difference(self._known):
            self.read_ahead(missing)()
        return any(map(self._known.__getitem__, patterns))


class BatchFollowers(SqlFollowers):
    """Who followed boards when the batch began."""

    def __init__(self, batch: BatchOfMails) -> None:
        super().__init__(batch)
        self._known: dict[str, Mapping[PlayerId, bool]] = {}

    def read_ahead(self, subjects: Collection[str]) -> Finish:
        """Ask who follows these boards and games."""
        if not subjects:
            return _nothing
        found = find_followers(self._reader, subjects)
        return lambda: _fill(self._known, subjects, found(), missing={})

    def of(self, number: int, game: str | None) -> dict[PlayerId, bool]:
        subjects = subjects_of(number, game)
        if missing := set(subjects).difference(self._known):
            self.read_ahead(missing)()
        return merged(self._known, subjects)


class BatchPlans(SqlPlans):
    """Queued moves, kept in memory; submitted ones, that are withdrawn when a match is over."""

    def __init__(self, batch: BatchOfMails) -> None:
        super().__init__(batch)
        self._batch = batch
        self._known: Known[int, Queues] = Known()

    def read_ahead(self, numbers: Collection[int]) -> Finish:
        """Ask for the moves queued on these boards."""
        if not numbers:
            return _nothing
        found = find_queues(self._reader, numbers)
        return lambda: _fill(self._known, numbers, found(), missing={})

    def set_queued(self, number: int, player: PlayerId, moves: Sequence[QueuedMove]) -> None:
        kept = tuple(moves)
        undo = self._known.put(number, {**self._on(number), player: kept})
        self._batch.journal.add(lambda work: work.plans.set_queued(number, player, kept), undo)

    def set_submitted(self, number: int, player: PlayerId, move: tuple[int, str] | None) -> None:
        self._batch.journal.add(lambda work: work.plans.set_submitted(number, player, move))

    def _on(self, number: int) -> Queues:
        if number not in self._known:
            self.read_ahead([number])()
        return self._known[number]


class BatchRatings(SqlRatings):
    """Ratings, which change at the end of a match."""

    def __init__(self, batch: BatchOfMails) -> None:
        super().__init__(batch)
        self._batch = batch
        self._known: Known[tuple[str, PlayerId], Rating | None] = Known()

    def of(self, game: str, players: Iterable[PlayerId]) -> dict[PlayerId, Rating]:
        wanted = set(players)
        missing = [player for player in wanted if (game, player) not in self._known]
        found = super().of(game, missing) if missing else {}
        self._known.update({(game, player): found.get(player) for player in missing})
        ratings = ((player, self._known[game, player]) for player in sorted(wanted))
        return {player: rating for player, rating in ratings if rating}

    def save(self, game: str, player: PlayerId, before: Rating | None, after: Rating) -> None:
        if self.of(game, [player]).get(player) != before:
            raise Conflict("a rating has been changed by another match")
        undo = self._known.put((game, player), after)
        self._batch.journal.add(lambda work: work.ratings.save(game, player, before, after), undo)


class BatchThoughts(SqlThoughts):
    """What robots are asked."""

    def __init__(self, batch: BatchOfMails) -> None:
        super().__init__(batch)
        self._batch = batch

    def add(
        self,
        kind: ThoughtKind,
        number: int,
        player: PlayerId,
        now: datetime,
        payer: PlayerId | None = None,
    ) -> None:
        self._batch.journal.add(lambda work: work.thoughts.add(kind, number, player, now, payer))


class BatchInbox(SqlInbox):
    """The inbox, whose mails are done at the commit."""

    def __init__(self, batch: BatchOfMails) -> None:
        super().__init__(batch)
        self._batch = batch

    def done(self, mail: int, outcome: str = "", now: datetime | None = None) -> None:
        self._batch.journal.add(Played(mail, outcome, now))


class BatchOutbox(SqlOutbox):
    """The outbox, where mails come at the commit."""

    def __init__(self, batch: BatchOfMails) -> None:
        super().__init__(batch)
        self._batch = batch

    def add(self, mails: Sequence[OutgoingMail], now: datetime, answers: int | None = None) -> None:
        for mail in mails:
            self._batch.journal.add(Posted(mail, now, answers))
