"""What a batch writes behind: the saves of many mails in one statement for each table."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sqlalchemy import Connection, delete, func, select

from pbm.service.ports import Conflict, UnitOfWork
from pbm.store.batch.journal import Played, Posted, Write
from pbm.store.fair_queue import WAITS
from pbm.store.inbox import PLAYED
from pbm.store.matches import MatchSaved, save_matches
from pbm.store.outbox import IDS, post
from pbm.store.prepared import Prepared, among
from pbm.store.tables import inbox, inbox_texts

_WAITING = Prepared(
    lambda dialect: select(func.count()).where(among(dialect, inbox.c.id, "ids"), WAITS), "ids"
)

_WIPE = Prepared(
    lambda dialect: delete(inbox_texts).where(among(dialect, inbox_texts.c.id, "ids")), "ids"
)


def check_waiting(connection: Connection, mails: Sequence[int]) -> None:
    """Raise Conflict unless these mails of the inbox still wait."""
    if _WAITING.rows(connection, mails)[0][0] != len(mails):
        raise Conflict("another worker has played the same mail")


def write(connection: Connection, work: UnitOfWork, writes: Iterable[Write]) -> None:
    """Write all this; `work` is for what is seldom. Raises Conflict."""
    saved: dict[int, list[MatchSaved]] = {}
    posts: list[Posted] = []
    played: list[Played] = []
    for each in writes:
        match each:
            case MatchSaved():
                saved.setdefault(each.after.number, []).append(each)
            case Posted():
                posts.append(each)
            case Played():
                played.append(each)
            case _:
                each(work)
    ends = [replace(several[-1], before=several[0].before) for several in saved.values()]
    ids = IDS.draw(connection, len(posts)) if posts else tuple
    if ends:
        save_matches(connection, ends)
    if posts:
        post(connection, [(each.mail, each.now, each.answers) for each in posts], ids())
    if played:
        outcomes = {each.mail: each.outcome for each in played}
        PLAYED.ask(connection, outcomes, played[-1].now)
        _WIPE.ask(connection, outcomes)
