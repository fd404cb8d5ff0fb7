"""Leagues: seasons in which everybody of a division meets everybody once, and what comes of it.

Nothing is counted when a board ends: each table is made of the boards as they are.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from itertools import groupby, pairwise

from pbm.domain.errors import NotUnderstood
from pbm.domain.invitations import Terms
from pbm.domain.match import Ending, Outcome
from pbm.domain.player import PlayerId
from pbm.engine import frozen

_NAME = re.compile(r"([a-z][a-z0-9]*(?:-[a-z][a-z0-9]*)+)(?:-([1-9][0-9]{0,3}))?")

_LONGEST_NAME = 31


class SeasonState(StrEnum):
    """The state of a season."""

    ENTRY = "entry"
    PLAY = "play"
    OVER = "over"
    DROPPED = "dropped"  # by the operator


@frozen
class Season:
    """One season of a league; `id` is 0 until it is stored.

    `size` is the most players of a division, `least` the fewest of a season, and `notice` the days
    from the end of a season to the next one. A league of `once` has one season. It begins at
    `starts_at`; None waits for enough players, or for the end of the season before.
    """

    id: int
    name: str
    number: int
    game: str
    options: Mapping[str, str]
    terms: Terms
    size: int
    least: int
    notice: int
    once: bool
    state: SeasonState
    starts_at: datetime | None

    @property
    def title(self) -> str:
        """Its name in sentences: "Olix-league 3"."""
        return f"{self.name.capitalize()} {self.number}"

    @property
    def key(self) -> str:
        """Its name in commands: "olix-league-3"."""
        return f"{self.name}-{self.number}"


def named_season(text: str) -> tuple[str, int | None] | None:
    """Return the league, and the number of the season, that "olix-league-3" names.

    A name has a dash before a letter, so that "join us" stays a sentence.
    """
    found = _NAME.fullmatch(text.lower())
    if found is None or len(found[1]) > _LONGEST_NAME:
        return None
    return found[1], int(found[2]) if found[2] else None


def check_name(name: str) -> None:
    """Raise NotUnderstood if a new league cannot have this name."""
    if named_season(name) != (name, None):
        raise NotUnderstood(
            "The name of a league is two or more words of small letters and digits with dashes "
            f"between them, each beginning with a letter, at most {_LONGEST_NAME} characters: "
            "olix-league."
        )


@frozen
class Entrant:
    """A player of a season. Without a division it has not begun, without a place it is not over."""

    player: PlayerId
    seed: int = 0
    division: int = 0
    place: int = 0
    left_at: datetime | None = None


@frozen
class LeagueBoard:
    """The state of a board as tables need it; `players` are by seat now.

    `decliner` is the player who gave it up before their first move, if that ended it.
    """

    players: tuple[PlayerId, ...]
    outcome: Outcome | None = None
    ended_at: datetime | None = None
    decliner: PlayerId | None = None


@frozen
class Pairing:
    """Two players who meet on board `number`; `board` is None until that has begun."""

    first: PlayerId
    second: PlayerId
    division: int
    number: int
    board: LeagueBoard | None = None

    def other(self, player: PlayerId) -> PlayerId:
        """Return who meets `player`."""
        return self.second if player == self.first else self.first


class Mark(StrEnum):
    """The result of a board for one player, as crosstables show it."""

    WON = "1"
    DRAWN = "="
    LOST = "0"
    GIVEN = "+"
    """Won, because the other left or declined before the first move."""
    REFUSED = "-"
    """The other side of that, or a board closed by the operator."""
    OPEN = "."

    @property
    def halves(self) -> int:
        """The points, in halves."""
        return _HALVES.get(self, 0)


_HALVES = {Mark.WON: 2, Mark.GIVEN: 2, Mark.DRAWN: 1}


class Decision(StrEnum):
    """The rule that puts one of two players with equal points before the other."""

    DIRECT = "the boards between those with equal points"
    STRENGTH = "the points of those beaten"
    WINS = "the number of wins"
    SEED = "the order at the start"


@frozen
class Row:
    """A line of a crosstable. `points` are in halves.

    `apart`: the player left early, so results with them count for nobody. `ties` are what decides
    among equal points, the best highest, in the order of `Decision`; the Sonneborn-Berger score is
    in quarters. `goes` is "up", "down", "left", or "".
    """

    player: PlayerId
    place: int
    points: int
    marks: Mapping[PlayerId, Mark]
    apart: bool
    ties: tuple[int, ...]
    goes: str = ""

    @property
    def boards_over(self) -> int:
        """The number of boards that have ended."""
        return sum(mark is not Mark.OPEN for mark in self.marks.values())


def stands(over: int, boards: int) -> bool:
    """Return whether results stay in the table of a player who leaves after `over` of them."""
    return 2 * over >= boards


def tables_of(
    entrants: Iterable[Entrant], pairings: Sequence[Pairing]
) -> dict[int, tuple[Row, ...]]:
    """Return the tables of a season that has begun, by division."""
    divided = groupby(sorted(entrants, key=lambda e: e.division), lambda e: e.division)
    tables = {number: table_of(there, pairings) for number, there in divided}
    sizes = {number: len(rows) for number, rows in tables.items()}
    return {
        number: tuple(replace(row, goes=_movement(number, row, sizes)) for row in rows)
        for number, rows in tables.items()
    }


def table_of(entrants: Iterable[Entrant], pairings: Iterable[Pairing]) -> tuple[Row, ...]:
    """Return the table of one division, the first place first.

    Once places are stored they count, whatever an operator corrects later.
    """
    there = {entrant.player: entrant for entrant in entrants}
    pairs = [pair for pair in pairings if {pair.first, pair.second} <= there.keys()]
    marks: dict[PlayerId, dict[PlayerId, Mark]] = {player: {} for player in there}
    for pair in pairs:
        for player in (pair.first, pair.second):
            marks[player][pair.other(player)] = _mark(pair, player, there)
    apart = {player for player in there if _is_apart(player, there, pairs)}
    counted = {
        player: {} if player in apart else {o: m for o, m in own.items() if o not in apart}
        for player, own in marks.items()
    }
    points = {player: sum(m.halves for m in own.values()) for player, own in counted.items()}
    rows = [
        Row(p, e.place, points[p], marks[p], p in apart, _ties(p, e.seed, counted[p], points))
        for p, e in there.items()
    ]
    rows.sort(key=lambda r: (r.place, r.apart, -r.points, [-each for each in r.ties]))
    return tuple(replace(row, place=place) for place, row in enumerate(rows, 1))


def _mark(pair: Pairing, player: PlayerId, there: Mapping[PlayerId, Entrant]) -> Mark:
    board = pair.board
    if board is None:
        gone = [each for each in (pair.first, pair.second) if there[each].left_at]
        return (Mark.REFUSED if player in gone else Mark.GIVEN) if gone else Mark.OPEN
    outcome = board.outcome
    if outcome is None:
        return Mark.OPEN
    if not outcome.counts:
        declined = outcome.ending is Ending.DECLINED
        return Mark.GIVEN if declined and board.decliner == pair.other(player) else Mark.REFUSED
    if not outcome.winners:
        return Mark.DRAWN
    return Mark.WON if player in {board.players[seat] for seat in outcome.winners} else Mark.LOST


def _is_apart(
    player: PlayerId, there: Mapping[PlayerId, Entrant], pairs: Iterable[Pairing]
) -> bool:
    """Return whether a player left before half of their boards had ended.

    A board that never began ended when the other player left.
    """
    left = there[player].left_at
    if left is None:
        return False
    ends = [
        pair.board.ended_at if pair.board else there[pair.other(player)].left_at
        for pair in pairs
        if player in (pair.first, pair.second)
    ]
    return not stands(sum(end is not None and end < left for end in ends), len(ends))


def _ties(
    player: PlayerId, seed: int, own: Mapping[PlayerId, Mark], points: Mapping[PlayerId, int]
) -> tuple[int, ...]:
    """Return what decides among equal points, of a player's `own` results that count."""
    direct = sum(mark.halves for o, mark in own.items() if points[o] == points[player])
    strength = sum(points[o] * mark.halves for o, mark in own.items())
    wins = sum(mark.halves == Mark.WON.halves for mark in own.values())
    return direct, strength, wins, -seed


def decided(one: Row, other: Row) -> Decision | None:
    """Return what puts one of two rows before the other; None if it is the points."""
    if one.points != other.points or one.apart or other.apart:
        return None
    rules = zip(Decision, one.ties, other.ties, strict=True)
    return next((rule for rule, a, b in rules if a != b), Decision.SEED)


def exchanged(below: int) -> int:
    """Return how many change places between a division of `below` players and the one above."""
    return -(-below // 4)


def _movement(division: int, row: Row, sizes: Mapping[int, int]) -> str:
    if row.apart:
        return "left"
    if division > 1 and row.place <= exchanged(sizes[division]):
        return "up"
    below = exchanged(sizes.get(division + 1, 0))
    return "down" if row.place > sizes[division] - below else ""


def order(
    before: Iterable[Entrant], entered: Collection[PlayerId], ratings: Mapping[PlayerId, float]
) -> tuple[PlayerId, ...]:
    """Return those who have `entered` a season, the strongest first.

    They are in the order of the last season, `before`, after some have changed their division;
    newcomers come below, by rating.
    """
    placed = sorted((e for e in before if e.place), key=lambda e: (e.division, e.place))
    ranks = [[e.player for e in group] for _, group in groupby(placed, lambda e: e.division)]
    for above, below in pairwise(ranks):
        many = exchanged(len(below))
        above[-many:], below[:many] = below[:many], above[-many:]
    known = [player for rank in ranks for player in rank if player in entered]
    new = [player for player in entered if player not in known]
    return (*known, *sorted(new, key=lambda player: (-ratings.get(player, 0.0), player)))


def divisions(players: Sequence[PlayerId], size: int) -> tuple[tuple[PlayerId, ...], ...]:
    """Return the players in as few divisions as `size` allows, as equal as can be."""
    many = max(1, -(-len(players) // size))
    least, larger = divmod(len(players), many)
    ends = [(n + 1) * least + min(n + 1, larger) for n in range(many)]
    return tuple(tuple(players[a:b]) for a, b in pairwise([0, *ends]))


def round_robin(players: Sequence[PlayerId]) -> Iterator[tuple[PlayerId, PlayerId]]:
    """Yield all pairs once, the first seat first: each has it as often as others, or once more."""
    many = len(players)
    for n, player in enumerate(players):
        for ahead in range(1, many // 2 + 1):
            if 2 * ahead != many or n < ahead:
                yield player, players[(n + ahead) % many]
