"""The front page: a match of the week, what was moved on last, who seeks, results and games."""

from collections.abc import Iterator, Mapping
from datetime import timedelta

from markupsafe import Markup

from pbm.domain.catalogue import by_family
from pbm.domain.description import terms_line
from pbm.domain.seen import SeenBoard
from pbm.engine import Viewer, counted
from pbm.render.boards.replay import replay
from pbm.site.cards import MARKDOWN, common_card
from pbm.site.facts import Site
from pbm.site.lists import Lists, Rows
from pbm.site.pages import Files, Page, Source
from pbm.store.match_reading import GameCounts, MatchRow

_SHOWN, _OF_ONE_GAME = 6, 2
"""The most boards on the front page, and of one game."""

_LEAST = 6
"""So many plies make a board worth a picture."""


def front_page(lists: Lists, moved: Rows, over: Rows, counts: Mapping[str, GameCounts]) -> Page:
    """Return the front page, with the feed of results, from what was moved on and ended last."""
    featured, tiles = _shown(lists, moved, over)
    families = [
        (family, [(game.info.key, counts[game.info.key]) for game in games])
        for family, games in by_family(lists.site.catalogue)
    ]
    seeks = [*_seeks(lists)]
    robots = any(profile.robot and profile.public for profile in lists.facts.profiles.values())

    leagues = [league for league in lists.leagues if league.goes_on]

    def make(source: Source) -> Files:
        pictures = [
            [(row, _picture(lists.site, source.board(row.number))) for row in rows]
            for rows in (featured, tiles)
        ]
        said = {"over": over, "families": families, "seeks": seeks, "robots": robots}
        page = lists.page(
            "front", "index.html", card=common_card(lists.site), featured=pictures[0],
            tiles=pictures[1], leagues=leagues, **said,
            about=Markup(MARKDOWN.render(lists.site.about)),  # noqa: S704
        )  # fmt: skip
        entries = lists.ends(over, "index.html")
        feed = lists.site.feed("feed.xml", "Results", "index.html", entries)
        return {"index.html": page, "feed.xml": feed}

    shown = (*featured, *tiles)
    inputs = lists.seen((*shown, *over)), len(featured), families, seeks, robots, leagues
    return Page(("index.html", "feed.xml"), inputs, make)


def _shown(lists: Lists, moved: Rows, over: Rows) -> tuple[Rows, Rows]:
    """Return the match of the week, if there is one, and those that were moved on last.

    That of the week is the longest of those that ended in the last one. Of each game two others are
    shown at most, and only after some moves.
    """
    rows, ended = (
        [row for row in found if row.ply >= _LEAST and lists.path(row)] for found in (moved, over)
    )
    week = [row for row in ended if row.moved_at >= ended[0].moved_at - timedelta(days=7)]
    featured = sorted(week, key=lambda row: -row.ply)[:1]
    shown: list[MatchRow] = []
    for row in rows:
        if row not in featured and sum(row.game == other.game for other in shown) < _OF_ONE_GAME:
            shown.append(row)
        if len(shown) == _SHOWN:
            break
    return featured, shown


def _picture(site: Site, board: SeenBoard) -> Markup:
    """Return the last position of a match as an SVG."""
    viewer = Viewer(None, board.game.info.styles[0])
    plotted = site.pictures.plotter.plot(board.diagram(viewer))
    title = f"{board.game.info.title} after {counted(board.ply, 'move')}"
    svg = replay([plotted], prefix=f"t{board.match.number}-", title=title)
    return Markup(svg)  # noqa: S704 - escaped there


def _seeks(lists: Lists) -> Iterator[tuple[int, str, str, str]]:
    """Yield each open seek by family: its number, the player's name and page, and the terms."""
    games = {game.info.key: game for game in lists.site.catalogue.installed}
    order = [game.info.key for _, each in by_family(games.values()) for game in each]
    known = (seek for seek in lists.facts.seeks if seek.game in games)
    for seek in sorted(known, key=lambda seek: order.index(seek.game)):
        game, who = games[seek.game], lists.facts.profiles[seek.player]
        side = "" if seek.seat is None else f" {who.name} plays {game.info.seats[seek.seat]}."
        yield seek.number, who.name, who.path, terms_line(seek, game) + side
