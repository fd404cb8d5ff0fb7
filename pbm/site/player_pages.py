"""The pages of players: ratings, boards, results, older boards on pages of their own; feeds."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from operator import attrgetter

from pbm.domain.player import PlayerId
from pbm.domain.ratings import Rating
from pbm.engine import AnyGame, frozen
from pbm.render.rating_curve import rating_curve
from pbm.site.cards import card_of, common_card
from pbm.site.facts import Profile
from pbm.site.feeds import MOST
from pbm.site.lists import MOST_ROWS, Lists, Rows
from pbm.site.pages import Files, Page, Source

_DAYS = 100
"""The most points of a curve."""

Point = tuple[date, float, float]
"""A day, with a rating and its deviation."""

Tally = Counter[str]


@frozen
class PlayerRows:
    """The matches of a player that their page shows: those that were moved on last, latest first.

    `open` is how many are not over. `ended` has number and version of all that are, oldest first.
    """

    running: Rows
    open: int
    over: Rows
    ended: Sequence[tuple[int, int]]


def player_pages(lists: Lists, profile: Profile, rows: PlayerRows) -> Iterator[Page]:
    """Yield the page of a player with its feed, and the pages of older matches.

    Those are full, from the oldest on, so they do not change.
    """
    page, stem, older = profile.path, profile.path.removesuffix(".html"), ""
    for number, start in enumerate(range(0, len(rows.ended) - MOST_ROWS, MOST_ROWS), 1):
        path = f"{stem}~{number}.html"  # no userid has a "~"
        yield _archive(lists, profile, path, rows.ended[start : start + MOST_ROWS], older)
        older = path

    def make(_: Source) -> Files:
        turns, over = lists.turns(profile.id, rows.running), rows.over
        moves = (lists.entry(row, page, lists.state(row), row.moved_on, row.ply) for row in turns)
        entries = (*moves, *lists.ends(over[:MOST], page))
        ratings, against = [*_ratings(lists, profile, over)], _against(lists, profile, over)
        said = {"rows": rows, "older": older, "turns": turns, "ratings": ratings}
        return {
            page: _rendered(lists, profile, page, against=against, **said),
            f"{stem}.xml": lists.site.feed(f"{stem}.xml", profile.name, page, entries),
        }

    inputs = profile, lists.seen((*rows.running, *rows.over))
    yield Page((page, f"{stem}.xml"), inputs, make)


def _archive(
    lists: Lists, profile: Profile, path: str, ended: Sequence[tuple[int, int]], older: str
) -> Page:
    numbers = tuple([number for number, _ in reversed(ended)])

    def make(source: Source) -> Files:
        over = source.rows(numbers)
        rows = PlayerRows((), 0, lists.installed(over), ended)
        said = {"ratings": (), "against": (), "turns": (), "older": older}
        return {path: _rendered(lists, profile, path, rows=rows, **said)}

    return Page((path,), (profile.name, ended), make, numbers)


def _rendered(lists: Lists, profile: Profile, path: str, **said: object) -> str:
    """Return a page of a player; the picture is of the game that they play most."""
    rated, catalogue = lists.rated(profile), lists.site.catalogue
    card = card_of(lists.site, rated[0][0]) if rated else common_card(lists.site)
    games = [game.info for game in catalogue if len(game.info.seats) == 2]
    stem = profile.path.removeprefix("p/").removesuffix(".html")
    return lists.page(
        "player", path, profile=profile, card=card, challenges=games, stem=stem, **said
    )


@frozen
class _Rated:
    """A game in which a player has a rating: the rating, its course, and the curve."""

    game: AnyGame
    rating: Rating
    points: Sequence[Point]
    curve: str


def _ratings(lists: Lists, profile: Profile, over: Rows) -> Iterator[_Rated]:
    """Yield the games in which a player has a rating."""
    for game, rating in lists.rated(profile):
        points = _course([row for row in over if row.game == game.info.key], profile.id)
        yield _Rated(game, rating, points, rating_curve(points) if points[1:] else "")


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
    most = sorted(tallies, key=lambda name: (-tallies[name].total(), name))[:MOST_ROWS]
    return [(met[name], tallies[name]) for name in most]
