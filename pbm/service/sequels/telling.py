"""Mails to many readers: a batch of them at a time, in the order of their accounts."""

from pbm.domain.errors import UnknownName
from pbm.domain.settings import BROADCAST
from pbm.service.board_messages import Event, Happening
from pbm.service.context import Context, audience, notices_for
from pbm.service.notices.talk import Passed
from pbm.service.ports import Sequel
from pbm.service.schedule import Part
from pbm.service.tokens import message_token

BATCH = 12
"""Readers in one part: a part of the largest boards takes a tenth of a second."""


def tell_followers(context: Context, sequel: Sequel) -> Part:
    """Tell the followers of a board what has happened there, who were too many to be told at once.

    They see the board as it is by now, and can follow it no more if it has gone.
    """
    happenings = tuple(_happening(facts) for facts in sequel.facts["happenings"])
    try:
        board = context.boards.get(sequel.number or 0)
    except UnknownName:
        return Part((), None)
    there = audience(context, board, happenings)
    after = sequel.done_up_to
    batch = sorted(reader for reader in there.listening if reader > after)[:BATCH]
    notices = notices_for(context, board, happenings, batch, there.followers)
    return Part(tuple(notices), batch[-1] if batch else None)


def _happening(facts: dict[str, object]) -> Happening:
    return Happening(**{**facts, "event": Event(facts["event"])})  # type: ignore[arg-type]


def tell_listeners(context: Context, sequel: Sequel) -> Part:
    """Pass a broadcast on to those who want them, without those who block its author."""
    author = sequel.player or 0
    deaf = context.work.blocks.blockers_of(author) | {author}
    after = sequel.done_up_to
    batch = context.work.players.with_setting(BROADCAST.name, "yes", after=after, limit=BATCH)
    userid, words = sequel.facts["userid"], sequel.facts["words"]
    readers = (reader for reader in batch if reader.id not in deaf)
    notices = (
        Passed(reader, userid, words, broadcast=True, reply=message_token(author, reader.id))
        for reader in readers
    )
    return Part(tuple(notices), batch[-1].id if batch else None)
