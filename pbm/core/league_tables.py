"""Tables of leagues as they are now: those of a season, and the place after a board has ended."""

from collections.abc import Iterator

from pbm.core.events import Effect, Event, Happening
from pbm.domain.leagues import Row, Season, SeasonState, tables_of
from pbm.domain.match import Match
from pbm.engine import counted
from pbm.store.unit import UnitOfWork

PLACED = Event("league_place", lambda seen: seen.text, Effect.OTHER)


def tables_now(work: UnitOfWork, season: Season) -> dict[int, tuple[Row, ...]]:
    """Return the tables of a season that has begun, by division."""
    return tables_of(work.leagues.entrants(season.id), work.leagues.pairings(season.id))


def points_written(halves: int) -> str:
    """Return "2.5" for five halves."""
    return f"{halves / 2:g}"


def places_after(work: UnitOfWork, before: Match, after: Match) -> Iterator[Happening]:
    """Yield, if a board of a league has just ended, the place of each of its players for them."""
    found = None if before.over or not after.over else work.leagues.division_of(after.number)
    if found is None:
        return
    season, division = found
    if season.state is not SeasonState.PLAY:
        return
    rows = tables_now(work, season)[division]
    for row in rows:
        if row.player in after.players and not row.apart:
            said = (
                f"You are {row.place} of {len(rows)} in division {division} of {season.title}, "
                f"with {points_written(row.points)} of {counted(row.boards_over, 'point')}."
            )
            yield Happening(PLACED, text=said, only_for=row.player)
