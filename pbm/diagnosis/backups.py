"""Check of the copies of the database."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from pbm.diagnosis.verdict import Verdict, ok, warn

LATE = timedelta(hours=36)
"""How old the newest copy may be: a night may be late, but not left out."""


def backups(folder: str | None, now: datetime) -> Verdict:
    """Check that there is a copy of last night."""
    if not folder:
        return warn("no folder for them is configured: see deploy/README.md, step 9")
    place = Path(folder)
    if not place.is_dir():
        return warn(f"there is no {place}: install -d -o pbm -g pbm -m 700 {place}")
    found = [(file.stat().st_mtime, file) for file in place.glob("pbm-*.d*")]
    if not found:
        return warn(f"there is none in {place}: systemctl enable --now pbm-backup.timer")
    modified, file = max(found)
    at = datetime.fromtimestamp(modified, UTC)
    if now - at > LATE:
        return warn(f"the newest, {file}, is of {at:%Y-%m-%d}: does pbm-backup.timer run?")
    return ok(f"the newest is {file}, of {file.stat().st_size // 1000} kB")
