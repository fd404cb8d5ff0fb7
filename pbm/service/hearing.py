"""Whose words reach whom: what was written on a board, as each reader may hear it."""

from collections.abc import Callable
from dataclasses import replace

from pbm.domain.player import PlayerId
from pbm.service.board_messages import Event, Happening
from pbm.service.ports import UnitOfWork

Hearing = Callable[[Happening, PlayerId], Happening | None]
"""Tells how a player hears of a happening: as it is, without its words, or not at all."""


def _as_it_is(happening: Happening, _reader: PlayerId) -> Happening:
    return happening


def hearing(work: UnitOfWork, happenings: tuple[Happening, ...]) -> Hearing:
    """Return how each player hears of these happenings, which were written to all there.

    The store is asked only about those who wrote something.
    """
    writers = {h.actor for h in happenings if h.comment and h.actor is not None}
    if not writers:
        return _as_it_is
    blockers = {writer: work.blocks.blockers_of(writer) for writer in writers}

    def heard(happening: Happening, reader: PlayerId) -> Happening | None:
        if happening.actor is None or reader not in blockers.get(happening.actor, ()):
            return happening
        return None if happening.event is Event.CHATTED else replace(happening, comment="")

    return heard
