"""The state that a build leaves to the next one: `.pbm-site.json`, written at its end.

A look at a hundred thousand matches takes a second because it reads none of them that is as it was:
each thousand numbers have a seal, and only where it is another one their versions are compared.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from pbm.domain.player import PlayerId
from pbm.engine import frozen
from pbm.site.board_pages import board_paths
from pbm.site.facts import Profile
from pbm.store.changed_matches import Presence

Pages = dict[str, str]
"""The digest of each page, by its paths, with spaces between them."""


class Person(NamedTuple):
    """A player: digests of what names them and of the rest, days of their presence, and boards."""

    names: str
    rest: str
    presence: Sequence[Any] | None

    def present(self) -> Presence | None:
        """Return when the player played first and last, and on how many boards."""
        if self.presence is None:
            return None
        since, last, boards = self.presence
        return Presence(date.fromisoformat(since), date.fromisoformat(last), boards)


@frozen
class Known:
    """A match as it was last built: its version, and whether it is over, and has a page."""

    version: int
    over: bool
    shown: bool


@dataclass(slots=True)
class Chunk:
    """The matches of a thousand numbers: a seal, and in one text "101:5os 102:7": see `Known`."""

    seal: tuple[int, int]
    matches: str

    def read(self) -> dict[int, Known]:
        """Return the matches by number."""
        found = {}
        for each in self.matches.split():
            number, _, rest = each.partition(":")
            version = int(rest.rstrip("os"))
            found[int(number)] = Known(version, "o" in rest, "s" in rest)
        return found


def written(matches: Mapping[int, Known]) -> str:
    """Return matches as the text of a chunk."""
    return " ".join(
        f"{number}:{known.version}{'o' * known.over}{'s' * known.shown}"
        for number, known in sorted(matches.items())
    )


@dataclass(slots=True)
class State:
    """All that was built.

    `pages` are those of each
    scope but matches: "" is made at each look, "p7" when player 7 changes, "c0" when a match among
    the first thousand numbers ends.
    """

    program: str
    people: dict[PlayerId, Person] = field(default_factory=dict)
    pages: dict[str, Pages] = field(default_factory=dict)
    chunks: dict[int, Chunk] = field(default_factory=dict)

    def paths(self) -> Iterator[str]:
        """Yield the paths of all files."""
        for pages in self.pages.values():
            for paths in pages:
                yield from paths.split()
        for chunk in self.chunks.values():
            for number, known in chunk.read().items():
                yield from board_paths(number) if known.shown else ()

    def count(self) -> int:
        """Return how many pages there are."""
        boards = sum(chunk.matches.count("s") for chunk in self.chunks.values())
        return boards + sum(map(len, self.pages.values()))


def read_state(path: Path, program: str) -> State:
    """Return what `program` has built; nothing if it was another one."""
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return State(program)
    if found.get("program") != program:
        return State(program)
    return State(
        program,
        {int(player): Person(*rest) for player, rest in found["people"].items()},
        found["pages"],
        {int(key): Chunk(tuple(seal), text) for key, (seal, text) in found["chunks"].items()},
    )


def state_text(state: State) -> bytes:
    """Return the state as it is stored."""
    chunks = {key: (chunk.seal, chunk.matches) for key, chunk in state.chunks.items()}
    found = {"program": state.program, "people": state.people, "pages": state.pages}
    return json.dumps({**found, "chunks": chunks}).encode()


def person(profile: Profile) -> Person:
    """Return what pages were made of about a player."""
    names, rest = (
        (profile.name, profile.path),
        (profile.active, profile.level, profile.ratings, profile.places),
    )
    presence = profile.presence
    days = (*map(str, presence[:2]), presence.boards) if presence else None
    return Person(_digest(names), _digest(rest), days)


def _digest(value: object) -> str:
    return blake2b(repr(value).encode(), digest_size=6).hexdigest()
