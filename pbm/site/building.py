"""A build: read what is published, make the pages that have changed, and write their files.

`.pbm-site.json` in the folder has the digest of each page as it was last written. It is written at
the end, so a build that was killed is followed by one that makes a little more than it needs to.
`.pbm-site.files` lists our files before they are written. Nothing else is ever removed.
"""

import fcntl
import json
import logging
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from itertools import chain
from pathlib import Path

from pbm.core.boards import LoadedBoards
from pbm.core.bugs import trace_of
from pbm.domain.errors import NotAllowed, Refusal
from pbm.domain.pages import BUILT
from pbm.engine import frozen
from pbm.site.board_pages import board_pages
from pbm.site.facts import Facts, Site, read_facts
from pbm.site.league_pages import LeagueFacts, league_pages, read_leagues
from pbm.site.list_pages import list_pages
from pbm.site.pages import Files, Page
from pbm.site.rules_pages import rules_pages
from pbm.store.unit import UnitOfWork
from pbm.system import folder, package

_LOCK = ".pbm-site.lock"

_FILES = ".pbm-site.files"

_PART = ".part"
"""The end of the name of a file that is being written."""

_BATCH = 50
"""Pages that are made in one transaction."""

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
        with _locked(self.into / _LOCK):
            with self.open_reading() as work:
                facts = read_facts(work, self.site.catalogue, public=self.public)
                leagues = read_leagues(work)
            pages = {page.paths[0]: page for page in all_pages(facts, self.site, leagues)}
            digests = {name: page.digest for name, page in pages.items()}
            program = _program(self.site)
            known = {} if everything else _read_state(self.into / BUILT, program)
            wanted = {path for page in pages.values() for path in page.paths}
            removed = _replace_files(self.into, wanted)
            stale = [page for name, page in pages.items() if digests[name] != known.get(name)]
            written, failed = self._write(stale)
            for page in failed:
                del digests[page.paths[0]]  # and try again in the next build
            _write_list(self.into, wanted)
            _write_state(self.into / BUILT, program, digests)
        return Built(len(pages), len(stale), written, removed)

    def _write(self, pages: Sequence[Page]) -> tuple[int, Sequence[Page]]:
        """Write pages; return how many files have changed, and the pages that failed."""
        written, failed = 0, []
        for start in range(0, len(pages), _BATCH):
            with self.open_reading() as work:
                for page in pages[start : start + _BATCH]:
                    files = self._made(page, work)
                    if files is None:
                        failed.append(page)
                    else:
                        written += sum(write(self.into / path, files[path]) for path in files)
        return written, failed

    def _made(self, page: Page, work: UnitOfWork) -> Files | None:
        """Return the files of a page, or None if a game has failed: what is there then stays."""
        boards = LoadedBoards(work, self.site.catalogue, self.clock())
        try:
            with self.time_limited():
                return page.make({number: boards.get(number) for number in page.numbers})
        except Refusal as error:
            log.error("%s: %s", page.paths[0], error)  # noqa: TRY400 - no bug
        except Exception as bug:  # noqa: BLE001 - whatever a third-party game does
            log.error("%s cannot be made:\n%s", page.paths[0], trace_of(bug))  # noqa: TRY400 - no values
        return None


def all_pages(facts: Facts, site: Site, leagues: tuple[LeagueFacts, ...]) -> Iterator[Page]:
    """Return all pages of the site."""
    return chain(
        board_pages(facts, site), rules_pages(site), list_pages(facts, site, leagues),
        league_pages(facts, site, leagues),
    )  # fmt: skip


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _program(site: Site) -> str:
    """Return a digest of what makes pages, besides their inputs: code, templates, games."""
    made_by = blake2b(repr((site.address, site.url, site.index)).encode())
    for game in site.catalogue:
        info = game.info
        made_by.update(f"{info.key} {info.rules_version}".encode())
        made_by.update(site.catalogue.help_page(info.key).encode())
    for file in sorted((*package().rglob("*.py"), *(folder("templates") / "site").iterdir())):
        made_by.update(file.read_bytes())
    return made_by.hexdigest()[:16]


def _read_state(path: Path, program: str) -> Mapping[str, str]:
    """Return the digests of the pages that `program` has written; {} if it was another."""
    try:
        state = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    pages: Mapping[str, str] = state["pages"] if state.get("program") == program else {}
    return pages


def _write_state(path: Path, program: str, digests: Mapping[str, str]) -> None:
    state = json.dumps({"program": program, "pages": digests}).encode()
    if not write(path, state):
        os.utime(path)


def write(path: Path, content: str | bytes) -> bool:
    """Write a file in one step unless it has this content already; return whether it was written.

    So a reader sees the file as it was or as it is, and what is unchanged keeps its time.
    """
    octets = content.encode() if isinstance(content, str) else content
    with suppress(OSError):
        if path.read_bytes() == octets:
            return False
    path.parent.mkdir(parents=True, exist_ok=True)
    part = _part_of(path)
    part.write_bytes(octets)
    part.replace(path)
    return True


def _part_of(path: Path) -> Path:
    return path.with_name(f".{path.name}{_PART}")


def _replace_files(root: Path, wanted: Collection[str]) -> int:
    """Make room for the files `wanted` and remove our others; return how many.

    Raises NotAllowed if the folder is not ours, or a link leads out of it.
    """
    ours = _listed(root)
    _check_links(root, ours | set(wanted))
    _write_list(root, ours | set(wanted))
    return sum(_remove(root / path) for path in ours - set(wanted))


def _check_links(root: Path, paths: Iterable[str]) -> None:
    """Raise NotAllowed if one of the folders of these files is a symbolic link."""
    folders = {Path(place) for place in set(map(os.path.dirname, paths))}
    for place in sorted(folders.union(*(each.parents for each in folders)) - {Path()}):
        if (root / place).is_symlink():
            raise NotAllowed(
                f"{root / place} is a symbolic link, and pages are not written through one. "
                "Remove it, or build into another folder."
            )


def _remove(path: Path) -> bool:
    """Remove a file, and what a killed build has left of it; return whether it was there."""
    _part_of(path).unlink(missing_ok=True)
    there = path.exists()
    path.unlink(missing_ok=True)
    return there


_OWN = ("b", "g", "l", "p", "s")
"""The folders of the site. A build without a list owned all that was in them."""


def _listed(root: Path) -> set[str]:
    """Return the paths of our files below `root`; raise NotAllowed if others' files are there."""
    with suppress(FileNotFoundError):
        return set((root / _FILES).read_text("utf-8").splitlines())
    if (root / BUILT).exists():  # an earlier version has built it
        found = chain.from_iterable(os.walk(root / top) for top in _OWN)
        return {
            os.path.relpath(Path(place, name), root) for place, _, names in found for name in names
        }
    if others := sorted(each.name for each in root.iterdir() if each.name != _LOCK):
        raise NotAllowed(
            f"{root} holds {others[0]}, and pbm has never built pages there. Name an empty folder."
        )
    return set()


def _write_list(root: Path, paths: Iterable[str]) -> None:
    write(root / _FILES, "".join(f"{path}\n" for path in sorted(paths)))
