"""A build: find what has changed, make its pages, and write their files.

The state is written at the end, so a build that was killed is followed by one that makes a little
more than it needs to.
"""

import fcntl
import json
import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import blake2b
from pathlib import Path

from pbm.core.boards import LoadedBoards
from pbm.core.bugs import trace_of
from pbm.domain.errors import Refusal
from pbm.domain.pages import BUILT
from pbm.domain.play import Board
from pbm.domain.player import PlayerId
from pbm.domain.seen import SeenBoard, course, seen
from pbm.engine import frozen
from pbm.site.board_pages import board_page
from pbm.site.facts import Site, read_facts
from pbm.site.feeds import MOST
from pbm.site.folders import LOCK, Writer, check_ours, listed, remove, write_list, write_state
from pbm.site.front_page import front_page
from pbm.site.game_pages import GameRows, chunk_pages, game_page, manifest
from pbm.site.league_pages import league_pages, places_in, read_leagues
from pbm.site.lists import MOST_ROWS, Leagues, Lists
from pbm.site.pages import Page
from pbm.site.people_pages import people_pages
from pbm.site.player_pages import PlayerRows, player_pages
from pbm.site.rules_pages import rules_pages
from pbm.site.sitemap import sitemap
from pbm.site.state import (
    State,
    files_of,
    find_changes,
    key_of,
    read_state,
    state_now,
    state_text,
)
from pbm.store.match_reading import MatchRow
from pbm.store.unit import UnitOfWork
from pbm.system import folder, package

_REPORT = timedelta(seconds=10)
"""Seconds between two lines about how far a long build is."""

_COUNTED = 1000
"""The most matches that the ratings and results on the page of a player are made of."""

_BROKEN = ""
"""A seal that no scope has: the next build looks into it."""

_ALWAYS = ""
"""The scope of the pages that each build looks at."""

log = logging.getLogger("pbm.site")


@frozen
class Built:
    """The result of a build: all pages, those it made, the files it wrote and removed."""

    pages: int
    made: int
    written: int
    removed: int


@dataclass(frozen=True)
class Builder:
    """Builds the site into a folder. Players who have not chosen are shown if `public`."""

    site: Site
    into: Path
    open_reading: Callable[[], UnitOfWork]
    clock: Callable[[], datetime]
    time_limited: Callable[[], AbstractContextManager[None]]
    public: bool

    def build(self, *, everything: bool = False) -> Built:
        """Bring the folder up to date; make `everything` anew. Another build is waited for.

        Raises NotAllowed if the folder has files of others in place of ours.
        """
        self.into.mkdir(parents=True, exist_ok=True)
        with _locked(self.into / LOCK):
            check_ours(self.into)
            with self.open_reading() as work:
                leagues = read_leagues(work)
                site = replace(self.site, leagues=any(league.goes_on for league in leagues))
                program = _program(site)
                before = State(program) if everything else read_state(self.into / BUILT, program)
                build = _Build(replace(self, site=site), leagues, before, work)
            return build.run()


class _Build:
    """One build: the scopes `changed` since the one `before`, and the state that it leaves."""

    def __init__(self, builder: Builder, leagues: Leagues, before: State, work: UnitOfWork) -> None:
        places = places_in(leagues)
        facts = read_facts(work, builder.site.catalogue, places, public=builder.public)
        self.builder, self.lists, self.before = builder, Lists(facts, builder.site, leagues), before
        seals = work.matches.seals()
        self.now = state_now(before, facts, seals)
        self.changed, self.renamed = find_changes(before, self.now, work)
        self.made = self.written = 0
        self.writer = Writer(builder.into)
        self.gone: set[str] = set()
        self.reported = builder.clock()
        self.always = [*_always(self.lists, work)]
        boards = sum(many for chunk, (many, _) in seals.items() if f"c{chunk}" in self.changed)
        self.expected = boards + len(self.changed) + len(self.always)

    def run(self) -> Built:
        """Make the pages that have changed, and write the state."""
        for scope in sorted(self.changed):
            pages_of = self._chunk if scope.startswith("c") else self._player
            if not self._make(scope, pages_of(int(scope[1:]))):
                self.now.seals[scope] = _BROKEN
        self._make(_ALWAYS, self.always)
        self.writer.finish()
        removed = self._remove_old()
        write_state(self.builder.into / BUILT, state_text(self.now))
        pages = sum(1 for _ in self.now.page_keys())
        return Built(pages, self.made, self.written, removed)

    def _chunk(self, chunk: int) -> Iterator[Page]:
        """Yield the pages of a thousand numbers."""
        with self.builder.open_reading() as work:
            rows = self.lists.installed(work.matches.of_chunk(chunk))
        yield from (board_page(self.lists, row) for row in rows if self.lists.path(row))
        yield from chunk_pages(self.lists, chunk, [row for row in rows if row.over])

    def _player(self, player: PlayerId) -> Iterator[Page]:
        """Yield the pages of a player, if they are shown."""
        profile = self.lists.facts.profiles.get(player)
        if profile and profile.public:
            with self.builder.open_reading() as work:
                rows = _rows_of(self.lists, player, work)
            yield from player_pages(self.lists, profile, rows)

    def _make(self, scope: str, pages: Iterable[Page]) -> bool:
        """Make the pages of a scope that have changed; return whether all could be made."""
        before, now = self.before.pages(scope), dict[str, str]()
        for page in pages:
            key, digest = key_of(self._paths(page)), page.digest
            stale = digest != before.get(key) or self.renamed & {*page.numbers}
            if key:
                now[key] = digest if not stale or self._write(page) else _FAILED
        self.gone |= files_of(before) - files_of(now)
        self.now.scopes[scope] = json.dumps(now)
        return _FAILED not in now.values()

    def _write(self, page: Page) -> bool:
        """Write the files of a page; return False if a game has failed: what is there stays."""
        paths = self._paths(page)
        self.made += 1
        self._report()
        with self.builder.open_reading() as work:
            try:
                with self.builder.time_limited():
                    files = page.make(_Source(work, self.lists, self.builder.clock()))
            except Refusal as error:
                log.error("%s: %s", paths[0], error)  # noqa: TRY400 - no bug
                return False
            except Exception as bug:  # noqa: BLE001 - whatever a third-party game does
                log.error("%s cannot be made:\n%s", paths[0], trace_of(bug))  # noqa: TRY400
                return False
        self.written += self.writer.write({path: files[path] for path in paths})
        return True

    def _paths(self, page: Page) -> Sequence[str]:
        """Return the files of a page. Feeds and sitemaps need to know where they are."""
        return [path for path in page.paths if self.lists.site.url or not path.endswith(".xml")]

    def _remove_old(self) -> int:
        """Remove the files that are no longer pages; return how many."""
        into, whole = self.builder.into, not self.before.scopes
        if whole or self.gone:
            ours = listed(into)
            gone = ours - files_of(self.now.page_keys()) if whole else self.gone
            removed = remove(into, gone)
            write_list(into, ours - gone)
            return removed
        return 0

    def _report(self) -> None:
        """Say how far a long build is."""
        if (now := self.builder.clock()) - self.reported > _REPORT:
            self.reported = now
            log.info("%d pages made so far, of about %d", self.made, self.expected)


_FAILED = "failed"
"""The digest of a page that could not be made: the next build tries again."""


@frozen
class _Source:
    """The matches of a transaction, for the pages that are made in it."""

    work: UnitOfWork
    lists: Lists
    now: datetime

    def course(self, number: int) -> tuple[SeenBoard, ...]:
        """Return a match at ply 0, 1, 2, ... as anybody may know it."""
        return course(self._loaded(number), None)

    def board(self, number: int) -> SeenBoard:
        """Return a match as anybody may know it now."""
        return seen(self._loaded(number), None)

    def _loaded(self, number: int) -> Board:
        return LoadedBoards(self.work, self.lists.site.catalogue, self.now).get(number)

    def rows(self, numbers: Collection[int]) -> Sequence[MatchRow]:
        """Return matches as lists have them, in the order of these numbers."""
        rows = {row.number: row for row in self.work.matches.numbered(numbers)}
        return [rows[number] for number in numbers]


def _always(lists: Lists, work: UnitOfWork) -> Iterator[Page]:
    """Yield the pages of which each build looks whether they have changed."""
    counts, parts = work.matches.census(), work.matches.finished_parts()
    moved, over = work.matches.latest(_MOVED), work.matches.history(None, (), limit=MOST)
    yield from rules_pages(lists.site)
    yield front_page(lists, lists.installed(moved), lists.installed(over), counts)
    for game in lists.site.catalogue.installed:
        key = game.info.key
        rows = GameRows(
            lists.installed(work.matches.latest(MOST_ROWS, key, over=False)),
            lists.installed(work.matches.history(key, (), limit=MOST_ROWS)),
            lists.installed(work.matches.newest(key, MOST)),
            counts[key],
        )
        yield game_page(lists, game, rows)
        yield manifest(key, parts.get(key, ()))
    yield from people_pages(lists)
    yield from league_pages(lists.facts, lists.site, lists.leagues)
    yield sitemap(lists, sorted({chunk for chunks in parts.values() for chunk in chunks}))


_MOVED = 60
"""The matches that were moved on last, of which the front page shows some."""


def _rows_of(lists: Lists, player: PlayerId, work: UnitOfWork) -> PlayerRows:
    """Return the matches that the page of a player shows."""
    those = [player]
    return PlayerRows(
        lists.installed(work.matches.latest(MOST_ROWS, players=those, over=False)),
        work.matches.count(players=those, over=False),
        lists.installed(work.matches.history(None, those, limit=_COUNTED)),
        work.matches.ended(player),
    )


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _program(site: Site) -> str:
    """Return a digest of what makes pages, besides their inputs: code, templates, games."""
    made_by = blake2b(
        repr((site.address, site.url, site.index, site.name, site.about, site.leagues)).encode()
    )
    for game in site.catalogue.installed:
        info = game.info
        made_by.update(f"{info.key} {info.rules_version}".encode())
        made_by.update(site.catalogue.help_page(info.key).encode())
    for file in sorted((*package().rglob("*.py"), *(folder("templates") / "site").iterdir())):
        made_by.update(file.read_bytes())
    return made_by.hexdigest()[:16]
