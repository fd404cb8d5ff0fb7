"""Which words reach whom: nobody reads what a player they block wrote on a board."""

from collections.abc import Callable
from dataclasses import replace

from pbm.domain.player import PlayerId
from pbm.service.board_messages import Event, Happening
from pbm.service.ports import UnitOfWork

Visibility = Callable[[Happening, PlayerId], Happening | None]
"""Returns a happening as a player may see it: as it is, without its words, or not at all."""


def visibility(work: UnitOfWork, happenings: tuple[Happening, ...]) -> Visibility:
    """Return the function that shows these happenings of one board to each player.

    The store is asked only about those who wrote something.
    """
    writers = {h.actor for h in happenings if h.comment and h.actor is not None}
    if not writers:
        return _as_it_is
    blockers = {writer: work.blocks.blockers_of(writer) for writer in writers}

    def visible(happening: Happening, reader: PlayerId) -> Happening | None:
        if happening.actor is None or reader not in blockers.get(happening.actor, ()):
            return happening
        return None if happening.event is Event.CHATTED else replace(happening, comment="")

    return visible


def _as_it_is(happening: Happening, _reader: PlayerId) -> Happening:
    return happening
