"""The state that a build leaves to the next one: `.pbm-site.json`, written at its end.

A look at a hundred thousand matches takes a second because it reads none of them that is as it was:
each thousand numbers have a seal, and so have the matches of each player.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from os.path import commonprefix
from pathlib import Path
from typing import NamedTuple

from pbm.domain.player import PlayerId
from pbm.engine import frozen
from pbm.site.facts import Profile
from pbm.store.unit import UnitOfWork


class Person(NamedTuple):
    """A player: digests of what names them, and of the rest."""

    names: str
    rest: str


@dataclass(slots=True)
class State:
    """All that was built.

    `seals` are those of each thousand numbers of matches. `scopes` have pages, as JSON, because a
    build reads few of them: "" is looked at by each one, "p7" when player 7 changes, "c0" when a
    match among the first thousand numbers does.
    """

    program: str
    people: dict[PlayerId, Person] = field(default_factory=dict)
    seals: dict[int, tuple[int, int]] = field(default_factory=dict)
    scopes: dict[str, str] = field(default_factory=dict)

    def pages(self, scope: str) -> dict[str, str]:
        """Return the digests of pages by their keys."""
        found: dict[str, str] = json.loads(self.scopes.get(scope, "{}"))
        return found

    def page_keys(self) -> Iterator[str]:
        """Yield the keys of all pages."""
        for scope in self.scopes:
            yield from self.pages(scope)


def key_of(files: Sequence[str]) -> str:
    """Return "b/104. html json png xml" for the files of a page."""
    stem = commonprefix(files)  # noqa: RUF071 - also within names
    return " ".join([stem, *(file.removeprefix(stem) for file in files)])


def files_of(keys: Iterable[str]) -> set[str]:
    """Return the files of pages."""
    return {stem + end for stem, *ends in (key.split(" ") for key in keys) for end in ends}


def read_state(path: Path, program: str) -> State:
    """Return what `program` has built; nothing if it was another one."""
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return State(program)
    if found["program"] != program:
        return State(program)
    people = {int(player): Person(*digests) for player, digests in found["people"].items()}
    seals = {int(chunk): tuple(seal) for chunk, seal in found["seals"].items()}
    return State(program, people, seals, found["scopes"])


def state_text(state: State) -> bytes:
    """Return the state as it is stored."""
    found = {name: getattr(state, name) for name in ("program", "people", "seals", "scopes")}
    return json.dumps(found).encode()


@frozen
class Changes:
    """The changes since a build: thousands of match numbers, and players.

    `renamed` are the matches of players who are shown by another name.
    """

    chunks: frozenset[int]
    renamed: frozenset[int]
    players: frozenset[PlayerId]


def find_changes(before: State, now: State, work: UnitOfWork) -> Changes:
    """Return what has changed between two states."""
    changed = {p for p in before.people | now.people if before.people.get(p) != now.people.get(p)}
    known = {p: before.people[p].names for p in changed & before.people.keys()}
    named = {p: now.people[p].names for p in changed & now.people.keys()}
    met = work.matches.met([p for p, names in known.items() if names != named.get(p)])
    renamed = frozenset(number for number, _ in met)
    chunks = {chunk for chunk, seal in now.seals.items() if before.seals.get(chunk) != seal}
    chunks.update(number // 1000 for number in renamed)
    return Changes(frozenset(chunks), renamed, frozenset(changed.union(p for _, p in met)))


def people_of(profiles: Mapping[PlayerId, Profile]) -> dict[PlayerId, Person]:
    """Return players as the state has them."""
    return {
        player: Person(_digest((each.name, each.path)), _digest(each))
        for player, each in profiles.items()
    }


def _digest(value: object) -> str:
    return blake2b(repr(value).encode(), digest_size=6).hexdigest()
