"""Which board mails their reader wants at once: what `set echo` and `set digest` do to the post."""

from pbm.domain.settings import ECHO, chosen
from pbm.domain.timekeeping import players_to_move
from pbm.service.notices.happenings import Event
from pbm.service.notices.play import BoardNotice

TURNS = frozenset({Event.MOVED, Event.SWAPPED})
"""The events that are a turn and no more."""


def is_echo(notice: BoardNotice) -> bool:
    """Return whether the mail tells only of turns that its reader played, and they want none such.

    If it is their turn again they need the mail, because they answer it.
    """
    mine = all(h.event in TURNS and h.actor == notice.to.id for h in notice.happenings)
    return mine and chosen(ECHO, notice.to.settings) == "no" and not _waits_for_reader(notice)


def _waits_for_reader(notice: BoardNotice) -> bool:
    return notice.to.id in players_to_move(notice.board)
