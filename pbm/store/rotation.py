"""Copies of the database one after the other in a folder, of which the old ones go."""

import os
import re
import subprocess
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import URL

from pbm.store import backup
from pbm.store.database import StoreError, parse_url
from pbm.system import sync

_NAME = re.compile(r"pbm-(\d{8}T\d{6}Z)\.(?:db|dump)")
_TIME = "%Y%m%dT%H%M%SZ"

FEWEST = 3
"""Copies that stay however old they are: a clock that leaps ahead must not cost all of them."""

_LONGEST = 4 * 3600.0
"""Seconds after which pg_dump is given up."""


def copy_into(url: str, folder: Path, now: datetime) -> Path:
    """Write a checked copy of the database to a new file in `folder`; return the file.

    Only its owner can read it. PostgreSQL's is in the custom format of pg_dump. Raises StoreError.
    """
    parsed = parse_url(url)
    sqlite = parsed.get_backend_name() == "sqlite"
    file = folder / f"pbm-{now.strftime(_TIME)}.{'db' if sqlite else 'dump'}"
    if not folder.is_dir():
        raise StoreError(f"There is no folder {folder}; it must belong to the user of pbm.")
    if sqlite:
        backup.backup(url, file)
    else:
        _dump(parsed, file)
    return file


def copies(folder: Path) -> list[tuple[datetime, Path]]:
    """Return the copies in `folder` with their times, the newest first."""
    found = ((_NAME.fullmatch(file.name), file) for file in folder.iterdir())
    return sorted(((_moment(name[1]), file) for name, file in found if name), reverse=True)


def drop_old(folder: Path, keep: timedelta, now: datetime) -> int:
    """Remove the copies that are older than `keep`, but for the newest; return how many."""
    old = [file for at, file in copies(folder)[FEWEST:] if now - at > keep]
    for file in old:
        file.unlink()
    return len(old)


def _moment(text: str) -> datetime:
    return datetime.strptime(f"{text}+0000", f"{_TIME}%z")


def _dump(url: URL, file: Path) -> None:
    """Let pg_dump write to `file`, and pg_restore look whether it can be read."""
    unfinished = file.with_name(f"{file.name}.unfinished")
    # The password goes by the environment, because everybody on the host sees arguments.
    source = url.set(drivername="postgresql", password=None).render_as_string()
    secret = {"PGPASSWORD": str(url.password)} if url.password else {}
    try:
        unfinished.unlink(missing_ok=True)
        unfinished.touch(mode=0o600)
        _run(["pg_dump", "--format=custom", f"--file={unfinished}", f"--dbname={source}"], secret)
        _run(["pg_restore", "--list", str(unfinished)], {})
        sync(unfinished)
        unfinished.rename(file)
        sync(file.parent)
    except OSError as reason:
        raise StoreError(f"The backup to {file} failed: {reason}.") from reason
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def _run(words: list[str], secret: dict[str, str]) -> None:
    """Run one of PostgreSQL's tools, whose errors name no password."""
    try:
        done = subprocess.run(  # noqa: S603 - no shell, and the words are ours
            words, env={**os.environ, **secret}, capture_output=True, text=True,
            timeout=_LONGEST, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except FileNotFoundError:
        raise StoreError(f"There is no {words[0]}; install postgresql-client.") from None
    except subprocess.TimeoutExpired:
        raise StoreError(f"{words[0]} took more than {_LONGEST:.0f} s.") from None
    if done.returncode:
        told = " ".join(done.stderr.split()) or f"status {done.returncode}"
        raise StoreError(f"{words[0]} failed: {told}")
