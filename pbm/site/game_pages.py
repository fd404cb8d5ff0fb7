"""The page of a game, its feed, and the lists of its finished matches for programs."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from pbm.engine import AnyGame, frozen
from pbm.site.cards import card_of
from pbm.site.facts import Profile
from pbm.site.feeds import MOST
from pbm.site.lists import Lists, Rows
from pbm.site.pages import Files, Page, Source
from pbm.site.sitemap import sitemap_of, sitemap_part
from pbm.store.match_reading import GameCounts, MatchRow

_STANDINGS = 200
"""The most people in standings."""


@frozen
class GameRows:
    """The matches of a game that its page shows, and how many there are.

    `running` and `over` are those that were moved on last, `begun` the newest.
    """

    running: Rows
    over: Rows
    begun: Rows
    counts: GameCounts


def game_page(lists: Lists, game: AnyGame, rows: GameRows) -> Page:
    """Return the page of a game, with its feed."""
    key, info = game.info.key, game.info
    page, news = f"g/{key}/index.html", f"g/{key}/feed.xml"
    standings, robots = _rated(lists, key)
    paragraphs = lists.site.catalogue.help_page(key).split("\n\n")
    about = next((each for each in paragraphs if each[:1].isalnum()), info.summary)

    leagues = [league for league in lists.leagues if league.goes_on and league.season.game == key]

    def make(_: Source) -> Files:
        said = {
            "rows": rows, "standings": standings, "robots": robots, "about": about,
            "leagues": leagues,
        }  # fmt: skip
        starts = (
            lists.entry(row, page, "begun", row.started_at.date(), "begun") for row in rows.begun
        )
        entries = (*lists.ends(rows.over[:MOST], page), *starts)
        card = card_of(lists.site, game)
        return {
            page: lists.page("game", page, game=info, card=card, **said),
            news: lists.site.feed(news, info.title, page, entries),
        }

    rated = [(p.name, p.level, p.ratings[key]) for p in (*standings, *robots)]
    seen = lists.seen((*rows.running, *rows.over, *rows.begun))
    return Page((page, news), (rows.counts, seen, rated, leagues), make)


def _rated(lists: Lists, key: str) -> tuple[Sequence[Profile], Sequence[Profile]]:
    """Return the people who have played a rated match of a game, and the robots, best first."""
    rated = [p for p in lists.facts.profiles.values() if p.active and key in p.ratings]
    rated.sort(key=lambda profile: -profile.ratings[key].rating)
    people = [p for p in rated if not p.robot and p.ratings[key].matches]
    return people[:_STANDINGS], [p for p in rated if p.robot]


def manifest(key: str, chunks: Sequence[int]) -> Page:
    """Return the list of the lists of finished matches of a game, for programs."""
    path = f"g/{key}/matches.json"
    parts = [_part(key, chunk) for chunk in chunks]
    found = {"format": _FORMAT, "game": key, "parts": parts}
    return Page((path,), found, lambda _: {path: json.dumps(found) + "\n"})


_FORMAT = 2
"""The version of these lists; the first was one list with all matches of a game."""


def chunk_pages(lists: Lists, chunk: int, over: Rows) -> Iterator[Page]:
    """Yield the lists of the finished matches of a chunk, and their part of the sitemap."""
    for key in dict.fromkeys(row.game for row in over):
        rows, path = [row for row in over if row.game == key], _part(key, chunk)
        yield Page((path,), lists.seen(rows), partial(_listed, lists, path, rows))
    shown = [row for row in over if lists.path(row)]
    if shown:
        path, dated = sitemap_part(chunk), [(lists.path(row), row.moved_on) for row in shown]
        yield Page((path,), dated, lambda _: {path: sitemap_of(lists.site.url, dated)})


def _part(key: str, chunk: int) -> str:
    return f"g/{key}/matches~{chunk}.json"


def _listed(lists: Lists, path: str, rows: Rows, source: Source) -> Files:
    """Return matches as JSON, with one line for each, the newest first."""
    del source
    lines = (json.dumps(_line(lists, row)) for row in reversed(rows))
    return {path: "[\n" + ",\n".join(lines) + "\n]\n"}


def _line(lists: Lists, row: MatchRow) -> Mapping[str, object]:
    outcome = row.outcome
    return {
        "board": row.number,
        "players": lists.facts.names(row),
        "begun": row.started_at.date().isoformat(),
        "ended": row.moved_on.isoformat(),
        "result": lists.state(row),
        "winners": outcome and outcome.winners,
        "ending": outcome and outcome.ending.value,
        "reason": outcome and outcome.reason,
        "plies": row.ply,
        "options": row.options,
        "rules_version": row.rules_version,
        "record": f"b/{row.number}.json" if lists.path(row) else None,
    }
