"""The matches of one unit of work: loaded once, kept in memory, saved with their snapshot."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any

from pbm.core.budget import BOARD_LOADED, ENTRY_LOADED, PLY_REPLAYED, Budget, boundless
from pbm.domain.addresses import mailbox
from pbm.domain.catalogue import Catalogue
from pbm.domain.errors import NotNow, Refusal, UnknownName
from pbm.domain.invitations import InvitationState
from pbm.domain.match import Match, Outcome
from pbm.domain.play import Board, check_ply, live, match_at, positions
from pbm.domain.player import Player, PlayerId
from pbm.domain.ratings import Rating, rating_changes
from pbm.domain.robots import ThoughtKind
from pbm.domain.timekeeping import next_look, players_to_move
from pbm.engine import AnyGame, Position, Seat, decode, encode
from pbm.store.match_reading import MatchRow, Snapshot
from pbm.store.unit import UnitOfWork


def settle_ratings(work: UnitOfWork, before: Board, after: Board) -> Board:
    """Return `after` with the rating changes of its end, and store the new ratings.

    If a match was over and goes on, its changes are taken back. Raises Conflict if another match of
    these players has ended at the same time.
    """
    if before.match.over and not after.match.over:
        _take_back(work, before.match)
    if after.match.over and not before.match.over:
        return replace(after, match=_rated(work, after.match))
    return after


RATED_A_DAY = 3
"""Matches of the same players that are rated in a day: a second account costs little."""


def _rated(work: UnitOfWork, match: Match) -> Match:
    outcome, now = match.outcome, match.ended_at
    if outcome is None or now is None or not outcome.counts or not match.terms.rated:
        return match
    people = work.players.by_ids(match.players)
    mailboxes = [set(map(mailbox, player.addresses)) for player in people.values()]
    # Two players who share a mailbox count as one.
    shared = sum(map(len, mailboxes)) > len(set().union(*mailboxes))
    if shared or len(people) < len(match.players):
        return match
    if _count_rated(work, match, now) > RATED_A_DAY:
        return match
    known = work.ratings.of(match.game, match.players)
    ratings = [known.get(player, Rating()) for player in match.players]
    unmoved = _unmoved(work, [people[player] for player in match.players], now)
    changes = rating_changes(ratings, outcome.order(len(ratings)), now, unmoved)
    for player, change in zip(match.players, changes, strict=True):
        after = replace(change.after, updated_at=now)
        if change.moves:
            work.ratings.save(match.game, player, known.get(player), after)
    return replace(match, outcome=replace(outcome, ratings=changes))


def _unmoved(work: UnitOfWork, players: Sequence[Player], now: datetime) -> tuple[Seat, ...]:
    """Return the seats whose ratings a match does not move, because another account proves little.

    That one is young, or has no other opponent in rated matches. Ten accounts that somebody opens
    in a day would lift another one otherwise. Among such accounts all ratings move, or a new
    server would have none.
    """
    young = [player.is_young(now) and not player.is_robot for player in players]
    if all(young):
        return ()
    known = work.matches.rated_with_others([player.id for player in players])
    proven = [
        player.is_robot or (player.id in known and not is_young)
        for player, is_young in zip(players, young, strict=True)
    ]
    return () if all(proven) else tuple(seat for seat, is_proven in enumerate(proven) if is_proven)


def _count_rated(work: UnitOfWork, match: Match, ended_at: datetime, more: int = 1) -> int:
    """Count a rated match of these players on the day of its end; return how many there are."""
    pair = "-".join(map(str, sorted(match.players)))
    day = ended_at.replace(hour=0, minute=0, second=0, microsecond=0)
    return work.tally(f"rated:{pair}", day, more)


def _take_back(work: UnitOfWork, match: Match) -> None:
    """Give the players the ratings that they would have without the end of `match`.

    The changes of later matches that were built on it are made again, in the order in which they
    ended: those of its players, of their later opponents, and so on.
    """
    if match.outcome is None or match.ended_at is None or not match.outcome.ratings:
        return
    _count_rated(work, match, match.ended_at, -1)
    right: dict[PlayerId, Rating] = {
        player: replace(change.before, updated_at=match.ended_at)
        for player, change in zip(match.players, match.outcome.ratings, strict=True)
    }
    for later in work.matches.ended_after(match.game, match.ended_at, match.number):
        outcome = later.outcome
        if outcome and outcome.ratings and not right.keys().isdisjoint(later.players):
            _rate_again(work, later, outcome, right)
    known = work.ratings.of(match.game, right)
    for player, rating in right.items():
        work.ratings.save(match.game, player, known.get(player), rating)


def _rate_again(
    work: UnitOfWork, row: MatchRow, outcome: Outcome, right: dict[PlayerId, Rating]
) -> None:
    """Make the changes of a match again from the `right` ratings, and update these."""
    befores = [
        right.get(player, replace(change.before, updated_at=row.moved_at))
        for player, change in zip(row.players, outcome.ratings, strict=True)
    ]
    unmoved = [seat for seat, change in enumerate(outcome.ratings) if not change.moves]
    changes = rating_changes(befores, outcome.order(len(befores)), row.moved_at, unmoved)
    for player, change in zip(row.players, changes, strict=True):
        right[player] = replace(change.after, updated_at=row.moved_at)
    work.matches.set_outcome(row.number, replace(outcome, ratings=changes))


class LoadedBoards:
    """Live matches by board number.

    A board is read several times while one mail is played (is this line a move? play it;
    show it with the refusal), but loaded once. After a rollback call `forget`.
    """

    def __init__(
        self, work: UnitOfWork, catalogue: Catalogue, now: datetime, budget: Budget | None = None
    ) -> None:
        self._work = work
        self._budget = budget or boundless(work, now)
        self._catalogue = catalogue
        self._now = now
        self._loaded: dict[int, Board] = {}
        self._replays: dict[int, _Replay] = {}

    def get(self, number: int, game: str | None = None) -> Board:
        """Return the match on board `number`.

        Raises UnknownName if there is none, or if it is not a match of `game` (a key),
        NotNow if its rules are missing, and TooMuch if the mail may not load one more board.
        """
        board = self._loaded.get(number) or self._load(number)
        self._loaded[number] = board
        if game not in (None, board.match.game):
            raise UnknownName(
                f"Board {number} is a match of {board.game.info.title}.",
                f"{board.match.game} show {number}",
            )
        return board

    def find(self, number: int | None) -> Board | None:
        """Return the match on board `number`, or None if there is none or it cannot be loaded."""
        try:
            return None if number is None else self.get(number)
        except Refusal:
            return None

    def position_at(self, board: Board, ply: int) -> Board:
        """Return a match as it was after `ply` plies, without its outcome if it has gone on.

        A log is replayed once, however many of its positions are asked for. Raises NotNow if
        fewer plies have been played, TooMuch if the replay is more than the mail may cost.
        """
        check_ply(board, ply)
        number = board.match.number
        replay = self._replays.get(number)
        if replay is None or replay.board is not board:
            replay = self._replays[number] = _Replay(board)
        self._budget.charge(PLY_REPLAYED * replay.missing(ply))
        return match_at(board, replay.at(ply))

    def add(self, match: Match) -> Board:
        """Store a new match and return it at its first position."""
        board = live(match, self._rules_of(match))
        match = replace(match, look_at=next_look(board, self._now))
        board = Board(match, board.game, board.position)
        self._work.matches.add(match, snapshot_of(board), board.to_move)
        self._ask_robots(board)
        return board

    def save(self, before: Board, after: Board) -> Board:
        """Store the change, and return the match as stored, which is the one to show.

        Every match that ends or opens again is saved here, so it is rated here.
        Raises Conflict if another worker was faster.
        """
        after = settle_ratings(self._work, before, after)
        if after.match.over or after.position.ply < before.position.ply:
            self._forget_intentions(before.match)
        look_at = next_look(after, self._now)
        match = replace(after.match, look_at=look_at, version=before.match.version + 1)
        snapshot = snapshot_of(after)
        match = self._work.matches.save(before.match, match, snapshot, after.to_move)
        saved = self._loaded[match.number] = Board(match, after.game, after.position)
        self._ask_robots(saved)
        return saved

    def _ask_robots(self, board: Board) -> None:
        """Ask the robots that are to move, by a thought."""
        match = board.match
        if not board.to_move:
            return
        people = self._work.players.by_ids(match.players)
        robots = [player for player in players_to_move(board) if people[player].is_robot]
        for player in robots:
            persons = (player for player in match.players if not people[player].is_robot)
            payer = next(persons, player)
            self._work.thoughts.add(ThoughtKind.MOVE, match.number, player, self._now, payer)

    def _forget_intentions(self, match: Match) -> None:
        """Drop the plans for turns that will not come, or will be different."""
        plans = self._work.plans
        for player in plans.queuers(match.number):
            plans.set_queued(match.number, player, ())
        for player in match.players:
            plans.set_submitted(match.number, player, None)

    def forget(self) -> None:
        """Drop the loaded matches, because some may have been rolled back."""
        self._loaded.clear()
        self._replays.clear()

    def _load(self, number: int) -> Board:
        """Return the stored match, its position from the snapshot if that is of the last ply.

        Otherwise the log, which is the truth, is replayed.
        """
        self._budget.charge_step(BOARD_LOADED)
        found = self._work.matches.get(number)
        if found is None:
            raise self._missing(number)
        match, snapshot = found
        self._budget.record(ENTRY_LOADED * len(match.log.recent))
        game = self._rules_of(match)
        if (
            snapshot is not None
            and snapshot.ply == match.log.ply
            and (position := stored_position(game, snapshot)) is not None
        ):
            return Board(match, game, position)
        self._budget.charge_step(PLY_REPLAYED * len(match.log))
        return live(match, game)

    def _rules_of(self, match: Match) -> AnyGame:
        """Return the game as its rules were when the match began.

        Raises NotNow if the game is not installed, or only other rules of it are.
        """
        if game := self._catalogue.rules(match.game, match.rules_version):
            return game
        other, board = self._catalogue.find(match.game), f"Board {match.number}"
        if other is None:
            lack = f"{board} is a match of {match.game}, a game that this server does not have"
        else:
            lack = (
                f"{board} was begun under version {match.rules_version} of the rules of "
                f"{other.info.title}, which this server does not have"
            )
        said = f"{lack} at the moment. The match waits, and nothing of it is lost."
        raise NotNow(said, "list")

    def _missing(self, number: int) -> UnknownName:
        invitation = self._work.invitations.get(number)
        if invitation and invitation.state is InvitationState.OPEN:
            return UnknownName(
                f"{number} is an invitation that not everybody has accepted.", f"accept {number}"
            )
        if invitation:
            return UnknownName(
                f"Invitation {number} {invitation.state.fate}: there is no such board.", "games"
            )
        return UnknownName(f"There is no board {number}.", "games")


class _Replay:
    """The positions of one match, replayed as far as they have been asked for."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._found: list[Position[Any]] = []
        self._coming: Iterator[Position[Any]] = positions(board)

    def missing(self, ply: int) -> int:
        """Return how many plies must be replayed to reach `ply`."""
        return max(0, ply + 1 - len(self._found))

    def at(self, ply: int) -> Position[Any]:
        """Return the position after `ply` plies, of which there are enough."""
        while self.missing(ply):
            self._found.append(next(self._coming))
        return self._found[ply]


def stored_position(game: AnyGame, snapshot: Snapshot) -> Position[Any] | None:
    """Return the position in a snapshot; None if the game stores its states in another form now.

    The form of an earlier version lacks a key.
    """
    with suppress(KeyError):
        return Position(decode(game, snapshot.state), snapshot.ply)
    return None


def snapshot_of(board: Board) -> Snapshot:
    """Return the present position as it is stored."""
    return Snapshot(board.position.ply, encode(board.game, board.position.state))
