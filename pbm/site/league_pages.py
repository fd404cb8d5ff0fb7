"""The pages of leagues: crosstables of each season, and the same for programs."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping

from pbm.core.league_tables import points_written, tables_now
from pbm.domain.leagues import Row, Season, SeasonState
from pbm.domain.player import PlayerId
from pbm.engine import AnyGame, frozen
from pbm.site.cards import card_of
from pbm.site.facts import Facts, Place, Profile, Site
from pbm.site.pages import Files, Page, Source
from pbm.store.unit import UnitOfWork


@frozen
class LeagueFacts:
    """A season as pages show it: its players, its tables by division, and boards by players."""

    season: Season
    players: tuple[PlayerId, ...]
    tables: Mapping[int, tuple[Row, ...]]
    boards: Mapping[tuple[PlayerId, PlayerId], int]

    @property
    def path(self) -> str:
        """The address of its page below the root of the site."""
        return f"l/{self.season.key}.html"

    @property
    def goes_on(self) -> bool:
        """Whether it can be entered or is played."""
        return self.season.state in (SeasonState.ENTRY, SeasonState.PLAY)


def read_leagues(work: UnitOfWork) -> tuple[LeagueFacts, ...]:
    """Return the seasons that pages show, the newest first."""
    found = []
    for season in work.leagues.all()[::-1]:
        if season.state is not SeasonState.DROPPED:
            entry = season.state is SeasonState.ENTRY
            pairs = work.leagues.pairings(season.id)
            boards = {(p.first, p.second): p.number for p in pairs if p.board}
            boards |= {(two, one): number for (one, two), number in boards.items()}
            players = tuple(entrant.player for entrant in work.leagues.entrants(season.id))
            tables = {} if entry else tables_now(work, season)
            found.append(LeagueFacts(season, players, tables, boards))
    return tuple(found)


def places_in(leagues: tuple[LeagueFacts, ...]) -> Mapping[PlayerId, tuple[Place, ...]]:
    """Return the places of players in these leagues."""
    places = defaultdict[PlayerId, tuple[Place, ...]](tuple)
    for each in leagues:
        for division, rows in each.tables.items():
            for row in rows:
                if not row.apart:
                    place = f"{row.place} of {len(rows)} in division {division}"
                    places[row.player] += (Place(each.path, each.season.title, place),)
    return places


def league_pages(facts: Facts, site: Site, leagues: tuple[LeagueFacts, ...]) -> Iterator[Page]:
    """Yield the page of each season."""
    for league in leagues:
        if game := site.catalogue.find(league.season.game):
            earlier = [each for each in leagues if each.season.name == league.season.name]
            yield _page(facts, site, league, game, earlier)


def _page(
    facts: Facts, site: Site, league: LeagueFacts, game: AnyGame, earlier: list[LeagueFacts]
) -> Page:
    path, program = league.path, f"l/{league.season.key}.json"
    profiles = {player: facts.profiles[player] for player in league.players}
    published = {
        number
        for pair, number in league.boards.items()
        if all(profiles[p].public for p in pair) and not game.info.hidden
    }

    def make(_: Source) -> Files:
        page = site.page(
            "league", path, card=card_of(site, game), league=league, season=league.season,
            game=game.info.title, profiles=profiles, published=published, earlier=earlier,
            points=points_written,
        )  # fmt: skip
        return {path: page, program: json.dumps(_plain(league, profiles), indent=1) + "\n"}

    named = [(profile.name, profile.path) for profile in profiles.values()]
    inputs = league, named, sorted(published), [each.path for each in earlier]
    return Page((path, program), inputs, make)


def _plain(league: LeagueFacts, profiles: Mapping[PlayerId, Profile]) -> object:
    """Return a season for programs: a list of its divisions, each a list of its rows."""
    return [
        [
            {
                "place": row.place, "player": profiles[row.player].name, "points": row.points / 2,
                "results": [row.marks.get(other.player) for other in rows], "goes": row.goes,
            }
            for row in rows
        ]
        for rows in league.tables.values()
    ]  # fmt: skip
