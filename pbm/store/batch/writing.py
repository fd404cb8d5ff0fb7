"""What a batch writes behind: the saves of many mails in one statement for each table."""

from collections.abc import Iterable, Sequence
from operator import itemgetter

from sqlalchemy import Connection, delete, func, select

from pbm.domain.match import Match
from pbm.service.ports import Conflict, UnitOfWork
from pbm.store.batch.journal import MatchSaved, Played, Posted, Write
from pbm.store.bulk import Bulk, Changes
from pbm.store.dialects import replaces
from pbm.store.inbox import PLAYED
from pbm.store.match_saves import SAVED, SEATED, entry_rows, save, saving, seat, seating
from pbm.store.outbox import IDS, post
from pbm.store.prepared import Prepared, among
from pbm.store.schedule import WAITS
from pbm.store.tables import inbox, inbox_texts, log, matches, seats, snapshots

_WAITING = Prepared(
    lambda dialect: select(func.count()).where(among(dialect, inbox.c.id, "ids"), WAITS), "ids"
)

_WIPE = Prepared(
    lambda dialect: delete(inbox_texts).where(among(dialect, inbox_texts.c.id, "ids")), "ids"
)

SAVES = Changes(SAVED, save, matches.c.number)

SEATS = Changes(SEATED, seat, seats.c.match_number)

_ENTRY = ("match_number", "position", "kind", "seat", "text", "comment", "at")

_APPEND = Bulk(log, *_ENTRY)

_SET_SNAPSHOTS = Bulk(snapshots, "match_number", "ply", "state", finish=replaces(snapshots))


_entry = itemgetter(*_ENTRY)


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
    ends = [(several[0].before, several[-1]) for several in saved.values()]
    ids = IDS.draw(connection, len(posts)) if posts else tuple
    if ends:
        _save(connection, ends)
    if posts:
        post(connection, [(each.mail, each.now, each.answers) for each in posts], ids())
    if played:
        outcomes = {each.mail: each.outcome for each in played}
        PLAYED.ask(connection, outcomes, played[-1].now)
        _WIPE.ask(connection, outcomes)


def _save(connection: Connection, ends: Sequence[tuple[Match, MatchSaved]]) -> None:
    """Write matches, each as it was before and after its last save; raise Conflict."""
    rows = [saving(before, last.after, last.snapshot) for before, last in ends]
    if SAVES.make(connection, rows).changed != len(rows):
        raise Conflict("another worker has saved the same board")
    entries = [row for before, last in ends for row in entry_rows(last.after, len(before.log))]
    _APPEND.add(connection, [_entry(row) for row in entries])
    SEATS.make(connection, [row for _, last in ends for row in seating(last.after, last.to_move)])
    shots = [(last.after.number, last.snapshot.ply, last.snapshot.state) for _, last in ends]
    _SET_SNAPSHOTS.add(connection, shots)
