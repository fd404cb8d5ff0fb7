"""Seasons of leagues, their entrants, and who meets whom on which board."""

from collections.abc import Iterable
from dataclasses import asdict, fields, replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, insert, or_, select

from pbm.domain.invitations import Terms
from pbm.domain.leagues import Entrant, LeagueBoard, Pairing, Season, SeasonState
from pbm.domain.logs import PLIES, EntryKind
from pbm.domain.match import Outcome
from pbm.domain.player import PlayerId
from pbm.engine import from_json, from_plain, to_json, to_plain
from pbm.store.driver.dialects import AnyRow, among, replace_row
from pbm.store.repository import Repository, columns_of
from pbm.store.tables import entrants, log, matches, pairings, seasons, seats

_GOING_ON = seasons.c.state.in_([SeasonState.ENTRY.value, SeasonState.PLAY.value])

_IN_ORDER = (seasons.c.name, seasons.c.number)

_LEFT = select(entrants.c.player_id).where(
    entrants.c.season_id == pairings.c.season_id,
    entrants.c.player_id.in_([pairings.c.first_id, pairings.c.second_id]),
    entrants.c.left_at.is_not(None),
)

_WAITS = matches.c.number.is_(None) & ~_LEFT.exists()
"""A pairing whose board has not begun and will."""

_PAIRED = select(
    pairings.c.first_id, pairings.c.second_id, pairings.c.division, pairings.c.match_number,
    matches.c.number, matches.c.outcome, matches.c.ended_at,
).outerjoin_from(pairings, matches, matches.c.number == pairings.c.match_number
).order_by(pairings.c.match_number)  # fmt: skip

_SEATED = (
    select(seats.c.match_number, seats.c.player_id)
    .where(among(seats.c.match_number, "numbers"))
    .order_by(seats.c.match_number, seats.c.seat)
)

_RESIGNED = (
    select(log.c.match_number, log.c.seat)
    .where(among(log.c.match_number, "numbers"), log.c.kind == EntryKind.RESIGN.value)
    .order_by(log.c.match_number, log.c.position)
)


class Leagues(Repository):
    """Seasons of leagues."""

    def add(self, season: Season) -> Season:
        """Store a new season; return it with its id."""
        plain = {
            "options": to_json(dict(season.options)), "terms": to_json(to_plain(season.terms)),
            "state": season.state.value,
        }  # fmt: skip
        names = [each.name for each in fields(Season) if each.name != "id"]
        row = {name: getattr(season, name) for name in names} | plain
        added = insert(seasons).values(row).returning(seasons.c.id)
        return replace(season, id=self._connection.execute(added).scalar_one())

    def of(self, league: str) -> tuple[Season, ...]:
        """Return all seasons of a league, in order."""
        return self._seasons(seasons.c.name == league)

    def all(self) -> tuple[Season, ...]:
        """Return all seasons, by league and number."""
        return self._seasons()

    def going_on(self) -> tuple[Season, ...]:
        """Return the seasons that can be entered or are played, by league and number."""
        return self._seasons(_GOING_ON)

    def entered(self, player: PlayerId) -> tuple[Season, ...]:
        """Return the seasons that go on which a player has entered and not left."""
        theirs = select(entrants.c.season_id).where(
            entrants.c.player_id == player, entrants.c.left_at.is_(None)
        )
        return self._seasons(_GOING_ON, seasons.c.id.in_(theirs))

    def due(self, now: datetime) -> tuple[Season, ...]:
        """Return the seasons that must begin."""
        return self._seasons(seasons.c.state == SeasonState.ENTRY.value, seasons.c.starts_at <= now)

    def finished(self) -> tuple[Season, ...]:
        """Return the seasons in play of which no board is open or still to begin."""
        open_boards = (
            select(pairings.c.match_number)
            .outerjoin(matches, matches.c.number == pairings.c.match_number)
            .where(pairings.c.season_id == seasons.c.id, or_(matches.c.over.is_(False), _WAITS))
        )
        return self._seasons(seasons.c.state == SeasonState.PLAY.value, ~open_boards.exists())

    def locked(self, season: int) -> Season:
        """Return the season as it is now; nobody else changes it until the transaction ends."""
        own = select(seasons).where(seasons.c.id == season).with_for_update()
        return _season(self._connection.execute(own).one())

    def save(self, season: Season) -> None:
        """Store a new state, or another beginning, of a season that is `locked`."""
        changed = {"state": season.state.value, "starts_at": season.starts_at}
        self._update(seasons, seasons.c.id == season.id, **changed)

    def entrants(self, season: int) -> tuple[Entrant, ...]:
        """Return the players of a season, in the order of the beginning."""
        found = select(*_ENTRANT).where(entrants.c.season_id == season)
        rows = self._unit.read(found.order_by(entrants.c.seed, entrants.c.player_id))
        return tuple(Entrant(*row) for row in rows)

    def set_entrants(self, season: int, there: Iterable[Entrant]) -> None:
        """Store players of a season, who may be there already."""
        for entrant in there:
            row = asdict(entrant)
            keys = {"season_id": season, "player_id": row.pop("player")}
            replace_row(self._connection, entrants, {**keys, **row})

    def withdraw(self, season: int, players: Iterable[PlayerId]) -> None:
        """Remove players from a season that has not begun."""
        those = entrants.c.player_id.in_(sorted(players))
        self._delete(entrants, entrants.c.season_id == season, those)

    def pair(self, season: int, pairs: Iterable[Pairing]) -> None:
        """Store who meets whom; no two may meet twice in a season."""
        rows = [
            {
                "season_id": season, "first_id": pair.first, "second_id": pair.second,
                "division": pair.division, "match_number": pair.number,
            }
            for pair in pairs
        ]  # fmt: skip
        if rows:
            self._connection.execute(insert(pairings), rows)

    def to_begin(self, season: int, after: int, limit: int) -> tuple[Pairing, ...]:
        """Return pairings whose boards above number `after` have not begun."""
        own = pairings.c.season_id == season, pairings.c.match_number > after
        return self._pairings(_PAIRED.where(*own, _WAITS).limit(limit))

    def pairings(self, season: int) -> tuple[Pairing, ...]:
        """Return the pairings of a season, with their boards as they are."""
        return self._pairings(_PAIRED.where(pairings.c.season_id == season))

    def division_of(self, number: int) -> tuple[Season, int] | None:
        """Return the season and the division that a board belongs to."""
        found = select(pairings.c.season_id, pairings.c.division)
        row = self._unit.read(found.where(pairings.c.match_number == number)).first()
        return (self._seasons(seasons.c.id == row.season_id)[0], row.division) if row else None

    def have_played(self, season: int) -> frozenset[PlayerId]:
        """Return the players who have played a turn in a season.

        Before a swap seats are as at the start, and after it both have played.
        """
        turns = select(log.c.position).where(
            log.c.match_number == seats.c.match_number,
            log.c.seat == seats.c.seat,
            log.c.kind.in_([kind.value for kind in PLIES]),
        )
        own = select(pairings.c.match_number).where(pairings.c.season_id == season)
        theirs = select(seats.c.starter_id).where(seats.c.match_number.in_(own), turns.exists())
        return frozenset(self._unit.read(theirs).scalars())

    def _seasons(self, *conditions: ColumnElement[bool]) -> tuple[Season, ...]:
        found = self._unit.read(select(seasons).where(*conditions).order_by(*_IN_ORDER))
        return tuple(map(_season, found))

    def _pairings(self, wanted: Select[Any]) -> tuple[Pairing, ...]:
        rows = self._unit.read(wanted).all()
        numbers = [row.number for row in rows if row.number is not None]
        seated: dict[int, list[PlayerId]] = {number: [] for number in numbers}
        for row in self._unit.read(_SEATED, {"numbers": numbers}):
            seated[row.match_number].append(row.player_id)
        resigned = self._unit.read(_RESIGNED, {"numbers": numbers})
        decliners = {row.match_number: seated[row.match_number][row.seat] for row in resigned}
        return tuple(_pairing(row, seated, decliners) for row in rows)


_ENTRANT = columns_of(Entrant, entrants, player=entrants.c.player_id)


def _season(row: AnyRow) -> Season:
    values = row._asdict()
    values["options"] = from_json(row.options)
    values["terms"] = from_plain(Terms, from_json(row.terms))
    return Season(**{**values, "state": SeasonState(row.state)})


def _pairing(
    row: AnyRow, seated: dict[int, list[PlayerId]], decliners: dict[int, PlayerId]
) -> Pairing:
    """Return a pairing with its board; the last to resign a board has declined it, if anybody."""
    board = None
    if row.number is not None:
        outcome = from_plain(Outcome, from_json(row.outcome)) if row.outcome else None
        players = tuple(seated[row.number])
        board = LeagueBoard(players, outcome, row.ended_at, decliners.get(row.number))
    return Pairing(row.first_id, row.second_id, row.division, row.match_number, board)
