"""The pages that list: the front page, games, players; their feeds, and files for programs.

A page is made again when the number or the version of a match on it changes, or a name there. The
pages of a player's older boards are full, and counted from the oldest, so that they do not change.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from html import escape
from itertools import chain, islice
from operator import attrgetter

from pbm.domain.description import outcome_clause, terms_line
from pbm.domain.player import PlayerId
from pbm.domain.ratings import Rating
from pbm.engine import AnyGame, listing
from pbm.render.rating_curve import rating_curve
from pbm.site.facts import Facts, Profile, Site
from pbm.site.feeds import MOST, FeedItem, feed
from pbm.site.league_pages import LeagueFacts
from pbm.site.pages import Boards, Files, Page
from pbm.store.match_reading import MatchRow

_ROWS = 100
"""The most rows of a table."""

_SHOWN = 6
"""Boards on the front page."""

_STANDINGS = 200
"""The most people in standings."""

_DAYS = 100
"""The most points of a curve."""

_ADDRESSES = 50_000
"""The most addresses in a sitemap (sitemaps.org)."""

Rows = Sequence[MatchRow]

Point = tuple[date, float, float]
"""A day, with a rating and its deviation."""

Tally = Counter[str]


def list_pages(facts: Facts, site: Site, leagues: Sequence[LeagueFacts] = ()) -> Iterator[Page]:
    """Yield all pages but those of matches, rules and leagues."""
    lists = Lists(facts, site, leagues)
    yield _front(lists)
    for game in site.catalogue:
        yield from _game(lists, game)
    for profile in facts.profiles.values():
        if profile.public:
            yield from _player(lists, profile)
    yield _plain(lists)
    yield _sitemap(lists)


class Lists:
    """The matches of everybody, each game and each player, latest first, with words for pages."""

    def __init__(self, facts: Facts, site: Site, leagues: Sequence[LeagueFacts]) -> None:
        self.facts, self.site, self.leagues, self.most = facts, site, leagues, _ROWS
        self.rows = sorted(facts.boards.values(), key=lambda row: (row.moved_on, row.number))[::-1]
        self.by_game = defaultdict[str, list[MatchRow]](list)
        self.by_player = defaultdict[PlayerId, list[MatchRow]](list)
        for row in self.rows:
            self.by_game[row.game].append(row)
            for player in dict.fromkeys(row.players):
                self.by_player[player].append(row)

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

    def page(self, template: str, root: str, **shown: object) -> str:
        """Return the page that a template makes; `root` leads from there to the front page."""
        found = self.site.environment.get_template(f"site/{template}.html.j2")
        return found.render(root=root, site=self.site, lists=self, **shown)

    def entry(self, row: MatchRow, page: str, said: str, day: date, what: object) -> FeedItem:
        """Return news about a match, which lead to `page` if the match has none."""
        title = f"{self.title(row)}, {self.names(row)}: {said}"
        return FeedItem(title, self.path(row) or page, day, f"#{row.number}-{what}")

    def ends(self, rows: Iterable[MatchRow], page: str) -> Iterator[FeedItem]:
        """Yield an entry for the result of each match."""
        return (self.entry(row, page, self.state(row), row.moved_on, "end") for row in rows)


def _split(rows: Rows) -> tuple[Rows, Rows]:
    """Return the matches that are not over, and those that are."""
    return [row for row in rows if not row.over], [row for row in rows if row.over]


def _front(lists: Lists) -> Page:
    """Return the front page, with the feed of all results."""
    shown = [*islice(filter(lists.path, lists.rows), _SHOWN)]
    over = [*islice((row for row in lists.rows if row.over), MOST)]
    keys = [game.info.key for game in lists.site.catalogue]
    games = [(key, *map(len, _split(lists.by_game[key]))) for key in keys]
    seeks = [*_seeks(lists)]
    robots = any(profile.robot and profile.public for profile in lists.facts.profiles.values())
    leagues = [league for league in lists.leagues if league.goes_on]

    def make(_: Boards) -> Files:
        said = {"shown": shown, "over": over, "games": games, "seeks": seeks, "leagues": leagues}
        entries = lists.ends(over, "index.html")
        return {
            "index.html": lists.page("front", "", robots=robots, **said),
            "feed.xml": feed(lists.site.url, "feed.xml", "Latest results", "index.html", entries),
        }

    inputs = lists.seen((*shown, *over)), games, seeks, robots, leagues
    return Page(("index.html", "feed.xml"), inputs, make)


def _seeks(lists: Lists) -> Iterator[tuple[int, str, str, str]]:
    """Yield each open seek: its number, the player's name and page, and the terms."""
    for seek in lists.facts.seeks:
        if game := lists.site.catalogue.find(seek.game):
            who = lists.facts.profiles[seek.player]
            side = "" if seek.seat is None else f" {who.name} plays {game.info.seats[seek.seat]}."
            yield seek.number, who.name, who.path, terms_line(seek, game) + side


def _game(lists: Lists, game: AnyGame) -> Iterator[Page]:
    """Yield the page of a game with its feed, and the list of its matches for programs."""
    key, (running, over) = game.info.key, _split(lists.by_game[game.info.key])
    begun = sorted((*running, *over), key=lambda row: -row.number)
    page, news, manifest = f"g/{key}/index.html", f"g/{key}/feed.xml", f"g/{key}/matches.json"
    standings, robots = _rated(lists, key)
    paragraphs = lists.site.catalogue.help_page(key).split("\n\n")
    about = next((each for each in paragraphs if each[:1].isalnum()), game.info.summary)

    leagues = [league for league in lists.leagues if league.goes_on and league.season.game == key]

    def make(_: Boards) -> Files:
        said = {"running": running, "over": over, "standings": standings, "robots": robots}
        starts = (
            lists.entry(row, page, "begun", row.started_at.date(), "begun") for row in begun[:MOST]
        )
        entries = (*lists.ends(over[:MOST], page), *starts)
        return {
            page: lists.page(
                "game", "../../", game=game.info, about=about, leagues=leagues, **said
            ),
            news: feed(lists.site.url, news, game.info.title, page, entries),
        }

    rated = [(p.name, p.level, p.ratings[key]) for p in (*standings, *robots)]
    seen = lists.seen((*running[:_ROWS], *over[:_ROWS], *begun[:MOST]))
    yield Page((page, news), (len(running), len(over), seen, rated, leagues), make)
    known = (
        lists.seen(over),
        [(row.number, lists.facts.names(row)) for row in begun if not row.over],
    )
    yield Page((manifest,), known, lambda _: {manifest: _manifest(lists, begun)})


def _rated(lists: Lists, key: str) -> tuple[Sequence[Profile], Sequence[Profile]]:
    """Return the people who have played a rated match of a game, and the robots, best first."""
    rated = [p for p in lists.facts.profiles.values() if p.active and key in p.ratings]
    rated.sort(key=lambda profile: -profile.ratings[key].rating)
    people = [p for p in rated if not p.robot and p.ratings[key].matches]
    return people[:_STANDINGS], [p for p in rated if p.robot]


def _manifest(lists: Lists, rows: Rows) -> str:
    """Return matches as JSON, with one line for each."""
    return "[\n" + ",\n".join(json.dumps(_line(lists, row)) for row in rows) + "\n]\n"


def _line(lists: Lists, row: MatchRow) -> Mapping[str, object]:
    return {
        "board": row.number,
        "players": lists.facts.names(row),
        "begun": row.started_at.date().isoformat(),
        "ended": row.moved_on.isoformat() if row.over else None,
        "result": lists.state(row) if row.over else None,
        "record": f"b/{row.number}.json" if lists.path(row) else None,
    }


def _player(lists: Lists, profile: Profile) -> Iterator[Page]:
    """Yield the page of a player with its feed, and the pages of older boards.

    Those are full, from the oldest on, so they do not change.
    """
    running, over = _split(lists.by_player[profile.id])
    page, stem, older = profile.path, profile.path.removesuffix(".html"), ""
    for number, start in enumerate(range(0, len(over) - _ROWS, _ROWS), 1):
        path = f"{stem}~{number}.html"  # no userid has a "~"
        yield _archive(lists, profile, path, over[::-1][start : start + _ROWS][::-1], older)
        older = path
    places = [(each, place) for each in lists.leagues if (place := each.place_of(profile.id))]

    def make(_: Boards) -> Files:
        said = {"profile": profile, "running": running, "over": over, "older": older}
        ratings, against = [*_ratings(lists, profile, over)], _against(lists, profile, over)
        turns = (row for row in running if profile.id in {row.players[s] for s in row.to_move})
        moves = (lists.entry(row, page, lists.state(row), row.moved_on, row.ply) for row in turns)
        entries = (*moves, *lists.ends(over[:MOST], page))
        return {
            page: lists.page(
                "player", "../", ratings=ratings, against=against, places=places, **said
            ),
            f"{stem}.xml": feed(lists.site.url, f"{stem}.xml", profile.name, page, entries),
        }

    inputs = profile.name, profile.level, profile.ratings, lists.seen((*running, *over)), places
    yield Page((page, f"{stem}.xml"), inputs, make)


def _archive(lists: Lists, profile: Profile, path: str, over: Rows, older: str) -> Page:
    def make(_: Boards) -> Files:
        said = {
            "running": (),
            "ratings": (),
            "against": (),
            "places": (),
            "over": over,
            "older": older,
        }
        return {path: lists.page("player", "../", profile=profile, **said)}

    return Page((path,), (profile.name, lists.seen(over)), make)


def _ratings(
    lists: Lists, profile: Profile, over: Rows
) -> Iterator[tuple[AnyGame, Rating, Sequence[Point], str]]:
    """Yield each game in which a player has a rating: the rating, its course, and the curve."""
    for key, rating in profile.ratings.items():
        game = lists.site.catalogue.find(key)
        if game and (rating.matches or profile.robot):
            points = _course([row for row in over if row.game == key], profile.id)
            yield game, rating, points, rating_curve(points) if points[1:] else ""


def _course(rows: Rows, player: PlayerId) -> Sequence[Point]:
    """Return the rating and deviation at the end of each day, or of each so many days."""
    days = {}
    for row in sorted((row for row in rows if row.ended_at), key=attrgetter("ended_at")):
        if row.outcome and row.outcome.ratings:
            after = row.outcome.ratings[row.players.index(player)].after
            days[row.moved_on] = (row.moved_on, after.rating, after.deviation)
    points = [*days.values()]
    return points[:: -1 - len(points) // _DAYS][::-1]


def _against(lists: Lists, profile: Profile, over: Rows) -> Sequence[tuple[Profile, Tally]]:
    """Return the results against the opponents who were met most; all who are hidden are one."""
    tallies, met = defaultdict[str, Tally](Counter), {}
    for row in over:
        if row.outcome and row.outcome.counts:
            winners = {row.players[seat] for seat in row.outcome.winners}
            result = "won" if profile.id in winners else "lost" if winners else "drawn"
            for other in lists.players(row):
                if other.id != profile.id:
                    tallies[other.name][result] += 1
                    met[other.name] = other
    most = sorted(tallies, key=lambda name: (-tallies[name].total(), name))[:_ROWS]
    return [(met[name], tallies[name]) for name in most]


def _plain(lists: Lists) -> Page:
    """Return the pages that show nobody."""
    url = lists.site.url

    def make(_: Boards) -> Files:
        return {
            "about.html": lists.page("about", ""),
            "404.html": lists.page("404", url),  # it is shown at any address
            "robots.txt": f"User-agent: *\nDisallow:\nSitemap: {url}sitemap.xml\n",
        }

    return Page(("about.html", "404.html", "robots.txt"), (), make)


def _sitemap(lists: Lists) -> Page:
    """Return the list of pages for search engines, the newest boards first."""
    games = (f"g/{g.info.key}/{page}.html" for g in lists.site.catalogue for page in _OF_A_GAME)
    players = (profile.path for profile in lists.facts.profiles.values() if lists.site.index)
    boards = (lists.path(row) for row in reversed([*lists.facts.boards.values()]))
    paths = filter(None, chain(("index.html", "about.html"), games, players, boards))
    listed = [*islice(paths, _ADDRESSES)]

    def make(_: Boards) -> Files:
        urls = (f"<url><loc>{escape(lists.site.url + path)}</loc></url>\n" for path in listed)
        return {"sitemap.xml": f"{_URLS}{''.join(urls)}</urlset>\n"}

    return Page(("sitemap.xml",), listed, make)


_OF_A_GAME = ("index", "rules")

_URLS = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
