"""What servers find that have begun before: database and key, made once and copied.

At its first start a server makes its tables and its robots, and people open their accounts by two
mails each. That takes longer than what most tests are about.
"""

import shutil
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from pbm.bootstrap import House
from pbm.config import Settings
from pbm.operator.administration import Administration
from tests.databases import migrated_file
from tests.house import QUICK_PASSWORDS

Accounts = tuple[tuple[str, str], ...]
"""Players and their passwords; each writes from their name at example.com."""

_FILES = ("pbm.db", "secret.key")


def put_begun(folder: Path, accounts: Accounts = ()) -> None:
    """Put the database and the key of a server into `folder`: its robots are there, and accounts.

    The passwords are checked at the lowest cost.
    """
    for name in _FILES:
        shutil.copy(_begun(accounts) / name, folder / name)
        (folder / name).chmod(0o600)


@cache
def _begun(accounts: Accounts) -> Path:
    folder = Path(mkdtemp())
    database, key = (folder / name for name in _FILES)
    shutil.copyfile(migrated_file(), database)
    settings = Settings("pbm@localhost", f"sqlite:///{database}", "null:", key)
    house = House(settings, passwords=QUICK_PASSWORDS)
    house.robots.make()
    with house.open_unit() as work:
        operator = Administration(house.services, work, datetime.now(UTC))
        for userid, password in accounts:
            operator.add_player(userid, password, [f"{userid}@example.com"])
        work.commit()
    # The last connection to close empties SQLite's log into the file.
    house.close()
    return folder
