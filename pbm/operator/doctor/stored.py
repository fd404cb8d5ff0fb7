"""Checks of the database: its file, its tables, and what it says about the server."""

import shutil
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import URL, Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from pbm.domain.bounces import Returns
from pbm.domain.catalogue import Catalogue
from pbm.domain.pauses import Pause, PauseKind
from pbm.engine import counted, frozen, listing
from pbm.operator.doctor.verdict import Verdict, fail, mode_of, ok, warn
from pbm.server.postfix import local_relay, read_queue
from pbm.store import migrations
from pbm.store.driver.database import (
    MISSING,
    create_engine,
    is_read_only,
    parse_url,
    sqlite_file,
)
from pbm.store.driver.sqlite import orphaned
from pbm.store.errors import StoreUnavailable
from pbm.store.operator import Figures
from pbm.store.unit import UnitOfWork

LITTLE_SPACE = 1_000_000_000
NO_SPACE = 100_000_000
"""Free bytes on the disk below which to warn and to fail."""

_BESIDE = ("-wal", "-shm", "-claims", "-host", "-wake")
"""The files that a server needs beside a SQLite file, if they exist (docs/running.md)."""

LONG_LOG = 250_000_000
"""Octets of SQLite's log that only a reader who does not end lets it reach: the server begins it
anew after 16 MB."""


def usable(database: str) -> Verdict:
    """Check that the database can be opened, read and written; create and change nothing."""
    url = parse_url(database)
    if "@" in (url.host or ""):
        # The part before the @ is the end of the password.
        return fail("special characters in the password of the URL are written as %XX, so @ is %40")
    if (file := _file_of(url)) and not file.exists():
        return fail(orphaned(file) or f"there is no {file}. {MISSING}")
    if file and is_read_only(file):
        return fail(f"the disk of {file} can only be read; back it up, and see dmesg")
    try:
        with _engine(database) as engine, engine.begin() as connection:
            hindrance = hindrance_of(connection)
    except (SQLAlchemyError, StoreUnavailable, sqlite3.Error) as error:
        return fail(f"{_shown(url)} cannot be used: {_reason(error)}")
    return fail(f"{_shown(url)}: {hindrance}") if hindrance else ok(f"{_shown(url)} is in order")


def fits(database: str) -> Verdict:
    """Check that the tables are those of this version of pbm."""
    differences = migrations.check(database)
    if differences:
        return fail("; ".join(differences))
    return ok(f"the tables are at {migrations.head()}, as this pbm needs them")


def private(database: str) -> Verdict:
    """Check that nobody else on the host can read the database, with its password hashes.

    Its owner must also have the files beside it: without one of them nothing is played.
    """
    file = _file_of(parse_url(database))
    if file is None:
        return ok("PostgreSQL guards its own files")
    if strange := _of_others(file):
        return fail(f"not all of it belongs to one user: chown --reference={file} {strange}")
    files = [path for end in ("", "-wal", "-shm") if (path := Path(f"{file}{end}")).exists()]
    modes = {path: mode_of(path) for path in files}
    for bits, verdict, who in ((0o007, fail, "everybody on this host"), (0o070, warn, "a group")):
        open_ones = [str(path) for path, mode in modes.items() if mode & bits]
        if open_ones:
            return verdict(f"{who} has access: chmod 600 {' '.join(open_ones)}")
    return ok(f"{file} is open to its owner only" if files else "there is no file yet")


def _of_others(file: Path) -> str:
    """Return which of the files beside a database do not belong to its owner, "" if all do."""
    if not file.exists():
        return ""
    owner = file.stat().st_uid
    beside = [path for end in _BESIDE if (path := Path(f"{file}{end}")).exists()]
    return " ".join(str(path) for path in beside if path.stat().st_uid != owner)


def disk_space(database: str) -> Verdict:
    """Check that the disk of the database has room, and that SQLite's log does not fill it."""
    file = _file_of(parse_url(database))
    if file is None:
        return ok("PostgreSQL has a disk of its own, which is not checked")
    folder = next(each for each in file.absolute().parents if each.exists())
    free = shutil.disk_usage(folder).free
    told = f"{free // 1_000_000} MB are free in {folder}"
    if free < NO_SPACE:
        return fail(f"{told}: make room, or mails are turned away")
    log = Path(f"{file}-wal")
    if log.exists() and (size := log.stat().st_size) > LONG_LOG:
        return warn(
            f"{told}, and {log} has grown to {size // 1_000_000} MB: another program has had a "
            f"transaction open for long, such as a shell of sqlite3. fuser -v {file} tells which; "
            "end it"
        )
    return warn(f"{told}: make room soon") if free < LITTLE_SPACE else ok(told)


@frozen
class Stored:
    """The part of the database that tells how the server is doing.

    The fingerprints of the `keys` that have signed, the pauses of everybody, the mails that came
    back within a day by provider, and how many boards are open, by game and version of its rules.
    """

    keys: tuple[str, ...]
    figures: Figures
    pauses: tuple[Pause, ...]
    returns: tuple[Returns, ...]
    open_rules: Mapping[tuple[str, int], int]


def read(database: str, now: datetime) -> Stored:
    """Return what is stored at `now`."""
    with _engine(database) as engine, UnitOfWork(engine, write=False) as work:
        return Stored(
            work.token_keys.all(),
            work.statistics.figures(now),
            work.pauses.of(None),
            work.undelivered.returns(now - timedelta(days=1)),
            work.statistics.open_rules(),
        )


@contextmanager
def _engine(database: str) -> Iterator[Engine]:
    engine = create_engine(database)
    try:
        yield engine
    finally:
        engine.dispose()


def hindrance_of(connection: Connection) -> str | None:
    """Return what keeps pbm from working with a database in which a write has begun."""
    if connection.dialect.name == "postgresql":
        read_only = connection.exec_driver_sql("SHOW transaction_read_only").scalar_one()
        encoding = connection.exec_driver_sql("SHOW server_encoding").scalar_one()
        if encoding != "UTF8":
            return f"its encoding is {encoding}; make it anew by createdb --encoding UTF8"
        return "it can only be read; is it a standby?" if read_only == "on" else None
    mode = connection.exec_driver_sql("PRAGMA journal_mode").scalar_one()
    return None if mode == "wal" else f"its journal is {mode}, not WAL; put it on a local disk"


def _file_of(url: URL) -> Path | None:
    return sqlite_file(url) if url.get_backend_name() == "sqlite" else None


def _shown(url: URL) -> str:
    return str(_file_of(url) or url.set(query={}).render_as_string(hide_password=True))


def _reason(error: BaseException) -> str:
    """Return the driver's message in one line; neither driver repeats a password."""
    while error.__cause__ is not None:
        error = error.__cause__
    return " ".join(str(error).split())


RECENT = timedelta(days=7)
"""The age of the oldest outage that is reported."""

LATE = timedelta(hours=2)
"""The longest time that a clock may go unchecked, or a mail wait, without a warning.

Cron may run pbm remind only once an hour.
"""


LATE_THOUGHT = timedelta(minutes=10)
"""The longest wait of a robot for a process that thinks; it usually answers within a minute."""


def signs_of_life(figures: Figures) -> Verdict:
    """Check that every part of the server has given its sign in time."""
    signs = figures.signs_of_life
    if not signs:
        return warn("no server has run yet; start pbm serve, or pbm work by cron")
    texts = []
    silent = [sign for sign in signs if sign.silent and not sign.failing]
    if silent:
        told = listing((f"{sign.part} since {_written(sign.at)}" for sign in silent), last="and")
        texts.append(f"no sign of {told}: is pbm serve running, or pbm work by cron?")
    texts += [
        f"{sign.part} has taken no mails since {_written(sign.at)}: see pbm outbox list."
        for sign in signs
        if sign.failing
    ]
    if texts:
        return (fail if any(sign.silent for sign in signs) else warn)(" ".join(texts))
    return ok(f"{', '.join(sign.part for sign in signs)} have given theirs in time")


def clocks(figures: Figures, pauses: Iterable[Pause]) -> Verdict:
    """Check that clocks run, and that they are checked in time."""
    for pause in pauses:
        if pause.kind is PauseKind.MAINTENANCE and pause.covers(figures.at):
            return warn(f"all have stood since {_written(pause.began_at)}; pbm resume starts them")
    found = figures.clocks
    if found.next_due is not None and figures.at - found.next_due > LATE:
        return fail(
            f"{counted(found.overdue, 'board')} should have been checked, the first on "
            f"{_written(found.next_due)}: does pbm remind run, or pbm serve with the role remind?"
        )
    return ok("they are checked in time")


def outages(pauses: Iterable[Pause], now: datetime) -> Verdict:
    """Check for outages in the last week, during which all clocks were stopped."""
    told = [
        f"{_written(pause.began_at)} to {_written(pause.until)}"
        for pause in pauses
        if pause.kind is PauseKind.OUTAGE
        and pause.until is not None
        and pause.until > max(pause.began_at, now - RECENT)
    ]
    return warn("; ".join(told)) if told else ok("none in the last week")


def inbox(figures: Figures) -> Verdict:
    """Check that mails are played, and that none has met a bug."""
    box = figures.inbox
    if box.shunted:
        return warn(f"{counted(box.shunted, 'mail')} met a bug: see pbm shunt list")
    if box.oldest_waiting is not None and figures.at - box.oldest_waiting > LATE:
        return warn(
            f"{counted(box.waiting, 'mail')} waiting, the oldest since "
            f"{_written(box.oldest_waiting)}: does pbm serve run with the role play?"
        )
    return ok("no mail has met a bug or waits long")


def outbox(figures: Figures) -> Verdict:
    """Check that mails go out, and that none has been given up."""
    box, stopped = figures.outbox, figures.players.undelivered
    if stopped:
        return warn(
            f"mail to {counted(stopped, 'player')} is not taken by the relay, so their clocks are "
            "stopped: pbm outbox list shows what it says"
        )
    if box.dead:
        return warn(f"{counted(box.dead, 'mail')} given up: see pbm outbox list")
    if box.next_due is not None and figures.at - box.next_due > LATE:
        return warn(
            f"{counted(box.waiting, 'mail')} waiting, the first due since "
            f"{_written(box.next_due)}: does pbm serve run with the role deliver?"
        )
    return ok("no mail is given up or waits long")


def returned(returns: Sequence[Returns]) -> Verdict:
    """Check that at no provider most of the mails of the last day came back."""
    told = "; ".join(map(str, returns))
    if any(each.are_most for each in returns):
        return warn(f"mails came back within a day: {told}. Their readers' clocks are stopped")
    return ok(f"a few came back within a day: {told}" if told else "no mail came back within a day")


def host_queue(relay: str, now: datetime) -> Verdict:
    """Check that no mail waits long in the queue of this host's Postfix, if that is the relay."""
    queue = read_queue() if local_relay(relay) else ()
    if not queue:
        return ok("no mail waits in the queue of a Postfix of this host")
    oldest = min(queue, key=lambda mail: mail.arrived_at)
    told = f"{counted(len(queue), 'mail')} in the queue of this host's Postfix, the oldest since "
    told += _written(oldest.arrived_at)
    if now - oldest.arrived_at < LATE:
        return ok(told)
    return warn(f"{told}: {oldest.reason or 'it was not tried'}. See postqueue -p")


def thoughts(figures: Figures) -> Verdict:
    """Check that somebody thinks for the robots."""
    found = figures.thoughts
    if found.oldest_due is not None and figures.at - found.oldest_due > LATE_THOUGHT:
        told = f"{counted(found.waiting, 'thought')} of robots waiting, the oldest since "
        told += _written(found.oldest_due)
        if found.held:
            return warn(f"{told}: robots have more to think about than they can; see pbm stats")
        return warn(
            f"{told}, and no process thinks: does pbm serve run with the role think, or pbm work "
            "by cron?"
        )
    return ok("robots are not late")


def boards(open_rules: Mapping[tuple[str, int], int], catalogue: Catalogue) -> Verdict:
    """Check that the games of all open boards are installed, under the rules they began with."""
    missing = [
        f"{counted(number, 'open board')} of {_rules_told(key, version, catalogue)}"
        for (key, version), number in open_rules.items()
        if catalogue.rules(key, version) is None
    ]
    if missing:
        return fail(f"{', '.join(missing)}, which is not installed; install it again")
    return ok(f"{sum(open_rules.values())} open, each of a game that is installed")


def _rules_told(key: str, version: int, catalogue: Catalogue) -> str:
    return key if catalogue.find(key) is None else f"version {version} of {key}"


def _written(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"
