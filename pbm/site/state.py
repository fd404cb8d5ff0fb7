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

from pbm.site.facts import Facts
from pbm.store.unit import UnitOfWork


@dataclass(slots=True)
class State:
    """All that was built, by scope.

    A scope is "c0" for the matches of the first thousand numbers, "p7" for player 7, or "" for what
    each build looks at. Its pages are made again when its seal is another one. `names` are digests
    of what names a player. `scopes` have pages, as JSON, because a build reads few of them.
    """

    program: str
    seals: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
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
    return State(**found) if found.get("program") == program else State(program)


def state_text(state: State) -> bytes:
    """Return the state as it is stored."""
    return json.dumps({name: getattr(state, name) for name in State.__slots__}).encode()


def state_now(before: State, facts: Facts, seals: Mapping[int, object]) -> State:
    """Return the state to build, with the pages of the one before; `seals` are those of chunks."""
    profiles = {f"p{player}": profile for player, profile in facts.profiles.items()}
    sealed = {f"c{chunk}": str(seal) for chunk, seal in seals.items()}
    sealed |= {scope: _digest(profile) for scope, profile in profiles.items()}
    names = {scope: _digest((each.name, each.path)) for scope, each in profiles.items()}
    return State(before.program, sealed, names, dict(before.scopes))


def find_changes(before: State, now: State, work: UnitOfWork) -> tuple[set[str], frozenset[int]]:
    """Return the scopes that have changed, and the matches of players with another name."""
    changed = {s for s in before.seals | now.seals if before.seals.get(s) != now.seals.get(s)}
    renamed = [int(s[1:]) for s, names in before.names.items() if names != now.names.get(s)]
    met = work.matches.met(renamed)
    for number, player in met:
        changed |= {f"c{number // 1000}", f"p{player}"}
    return changed, frozenset(number for number, _ in met)


def _digest(value: object) -> str:
    return blake2b(repr(value).encode(), digest_size=6).hexdigest()
