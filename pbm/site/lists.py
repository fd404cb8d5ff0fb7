"""Players and matches as pages list them."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from pbm.domain.description import outcome_clause
from pbm.domain.player import PlayerId
from pbm.domain.ratings import Rating
from pbm.engine import AnyGame, listing
from pbm.site.facts import Facts, Profile, Site
from pbm.site.feeds import FeedItem
from pbm.site.league_pages import LeagueFacts
from pbm.store.match_reading import MatchRow

MOST_ROWS = 100
"""The most rows of a table."""

Rows = Sequence[MatchRow]

Leagues = tuple[LeagueFacts, ...]


class Lists:
    """Words of pages for players and matches."""

    def __init__(self, facts: Facts, site: Site, leagues: Leagues = ()) -> None:
        self.facts, self.site, self.most = facts, site, MOST_ROWS
        self.leagues = leagues

    def path(self, row: MatchRow) -> str:
        """Return the address of a match, or "" if it has no page."""
        return row.path if self.facts.published(row) else ""

    def players(self, row: MatchRow) -> Sequence[Profile]:
        """Return the players of a match by seat."""
        return [self.facts.profiles[player] for player in row.players]

    def title(self, row: MatchRow) -> str:
        """Return "Olix 104"."""
        return f"{self._game(row).info.title} {row.number}"

    def names(self, row: MatchRow) -> str:
        """Return "alice - bob"."""
        return " - ".join(self.facts.names(row))

    def state(self, row: MatchRow) -> str:
        """Return "alice won: a row of five", or "bob to move"."""
        names = self.facts.names(row)
        if row.outcome:
            return outcome_clause(row.outcome, names, self._game(row))
        return f"{listing((names[seat] for seat in row.to_move), last='and')} to move"

    def _game(self, row: MatchRow) -> AnyGame:
        return self.site.catalogue.get(row.game)

    def seen(self, rows: Iterable[MatchRow]) -> object:
        """Return what changes whenever something that pages show of these matches does."""
        rows = tuple(rows)
        players = sorted({player for row in rows for player in row.players})
        versions = tuple([(row.number, row.version) for row in rows])
        return versions, tuple([self.facts.profiles[player].name for player in players])

    def installed(self, rows: Iterable[MatchRow]) -> Rows:
        """Return the matches of games that are installed."""
        catalogue = self.site.catalogue
        return [row for row in rows if catalogue.rules(row.game, row.rules_version)]

    def page(self, template: str, path: str, **shown: object) -> str:
        """Return the page at `path` that a template makes of lists."""
        return self.site.page(template, path, lists=self, **shown)

    def rated(self, profile: Profile) -> Sequence[tuple[AnyGame, Rating]]:
        """Return the games in which a player has rated matches, or plays as a robot.

        The one with the most of them comes first.
        """
        known = ((self.site.catalogue.find(key), each) for key, each in profile.ratings.items())
        rated = [(g, each) for g, each in known if g and (each.matches or profile.robot)]
        return sorted(rated, key=lambda found: -found[1].matches)

    def turns(self, player: PlayerId, rows: Iterable[MatchRow]) -> Rows:
        """Return those of the matches on which a player is to move."""
        return [row for row in rows if player in {row.players[seat] for seat in row.to_move}]

    def entry(self, row: MatchRow, page: str, said: str, day: date, what: object) -> FeedItem:
        """Return news about a match, which lead to `page` if the match has none."""
        title = f"{self.title(row)}, {self.names(row)}: {said}"
        return FeedItem(title, self.path(row) or page, day, f"#{row.number}-{what}")

    def ends(self, rows: Iterable[MatchRow], page: str) -> Iterator[FeedItem]:
        """Yield an entry for the result of each match."""
        return (self.entry(row, page, self.state(row), row.moved_on, "end") for row in rows)
