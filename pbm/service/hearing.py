"""Whose words reach whom: what was written on a board, as each reader may hear it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from pbm.domain.play import LiveMatch
from pbm.domain.player import PlayerId
from pbm.service.notices.happenings import Event, Happening
from pbm.service.ports import UnitOfWork

Hearing = Callable[[Happening, PlayerId], Happening | None]
"""Tells how a player hears of a happening: as it is, without its words, or not at all."""


@dataclass(frozen=True, slots=True)
class _Silences:
    """Who hears nothing of whom at a board, and who wants no talk of those without a seat."""

    seated: tuple[PlayerId, ...]
    blockers: Mapping[PlayerId, frozenset[PlayerId]]
    muters: frozenset[PlayerId]

    def __call__(self, happening: Happening, reader: PlayerId) -> Happening | None:
        actor = happening.actor
        if actor is None or actor == reader:
            return happening
        talk = happening.event is Event.CHATTED
        if talk and actor not in self.seated and reader in self.muters:
            return None
        if reader not in self.blockers.get(actor, ()):
            return happening
        return None if talk else replace(happening, comment="")


def _as_it_is(happening: Happening, _reader: PlayerId) -> Happening:
    return happening


def hearing(work: UnitOfWork, board: LiveMatch, happenings: tuple[Happening, ...]) -> Hearing:
    """Return how each player hears of these happenings, which were written to all there.

    The store is asked only about those who wrote something.
    """
    writers = {h.actor for h in happenings if h.comment and h.actor is not None}
    if not writers:
        return _as_it_is
    seated = board.match.players
    from_outside = bool(writers.difference(seated))
    return _Silences(
        seated,
        {writer: work.blocks.blockers_of(writer) for writer in writers},
        work.blocks.muters_of(board.match.number) if from_outside else frozenset(),
    )
