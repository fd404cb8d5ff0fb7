"""The changes since the last build, found without reading all the rest."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pbm.domain.player import PlayerId
from pbm.engine import frozen
from pbm.site.facts import Profile
from pbm.site.state import Chunk, Known, Person, State, person, written
from pbm.store.unit import UnitOfWork

Profiles = Mapping[PlayerId, Profile]

_FEW = 500
"""The most players who are looked up one by one."""


@frozen
class Changes:
    """The changes since a build, and the chunks of matches and the players as they are now.

    `numbers` are the matches that have changed, by chunk, `renamed` those of players who are shown
    by another name, and `players` those whose pages must be made.
    """

    numbers: Mapping[int, Sequence[int]]
    renamed: frozenset[int]
    players: frozenset[PlayerId]
    chunks: dict[int, Chunk]
    profiles: Profiles


def find_changes(before: State, profiles: Profiles, work: UnitOfWork) -> Changes:
    """Return what has changed since the build that left `before`."""
    known = before.people
    changed = {player for player, profile in profiles.items() if _differs(known, profile)}
    changed |= known.keys() - profiles.keys()
    others = [p for p in changed & known.keys() if _names(profiles, p) != known[p].names]
    renamed = work.matches.of_any(others) if others else frozenset()
    numbers, chunks = {}, {}
    for chunk, seal in work.matches.seals().items():
        there = frozenset(number for number in renamed if number // 1000 == chunk)
        chunks[chunk], numbers[chunk] = _compared(
            before.chunks.get(chunk), seal, there, chunk, work
        )
    for found in numbers.values():
        changed |= work.matches.sitting(found) if found else set()
    few = len(changed) <= _FEW and bool(known)
    present = work.matches.presence(changed if few else None)
    old = {p: known[p].present() for p in known if few and p not in changed}
    now = {
        player: replace(profile, presence=old[player] if player in old else present.get(player))
        for player, profile in profiles.items()
    }
    return Changes(numbers, renamed, frozenset(changed), chunks, now)


def _differs(known: Mapping[PlayerId, Person], profile: Profile) -> bool:
    return profile.id not in known or known[profile.id][:2] != person(profile)[:2]


def _names(profiles: Profiles, player: PlayerId) -> str:
    return person(profiles[player]).names if player in profiles else ""


def _compared(
    before: Chunk | None, seal: tuple[int, int], renamed: frozenset[int], chunk: int,
    work: UnitOfWork,
) -> tuple[Chunk, Sequence[int]]:  # fmt: skip
    """Return the matches of a chunk as they are now, and the numbers of those that have changed."""
    if before and before.seal == seal and not renamed:
        return before, ()
    known = before.read() if before else {}
    now = {
        number: Known(version, over, number in known and known[number].shown)
        for number, (version, over) in work.matches.versions(chunk).items()
    }
    changed = [n for n in now if n in renamed or now[n] != known.get(n)]
    return Chunk(seal, written(now)), changed
