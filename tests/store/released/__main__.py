"""Write the file of a version: `python -m tests.store.released [TREE]`, by default of this tree."""

import base64
import email
import email.policy
import json
import os
import sqlite3
import subprocess
import sys
from email.message import EmailMessage
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).parent
TREE = HERE.parents[2]
SERVER = "pbm@games.example.org"
PASSWORD = "green-apple-tree"
AWAY = "smtp://127.0.0.1:9"
"""A relay that is not there, so that mails wait for it."""


def main(tree: Path) -> None:
    """Write what the version of pbm in `tree` leaves in its database."""
    with TemporaryDirectory() as place:
        home = Path(place)
        database = home / "var" / "pbm.db"
        _play(tree, home)
        rows = _rows(database)
        (found,) = rows.pop("alembic_version")
        key = (home / "var" / "secret.key").read_text()
        file = HERE / f"{found['version_num']}.json"
        file.write_text(json.dumps({**rows, "key": key}, indent=1, sort_keys=True) + "\n")
        print(f"wrote {file}")


def _play(tree: Path, home: Path) -> None:
    """Leave a match at ply 2, and waiting: a chat for the relay, and for play a move said twice.

    It is said in a reply, and by password: not every version takes the replies of all earlier ones.
    """

    def pbm(*words: str, given: bytes = b"") -> None:
        environment = {
            "PATH": os.environ["PATH"], "PYTHONPATH": str(tree), "PBM_AS_ROOT": "1",
            "PBM_ADDRESS": SERVER,
        }  # fmt: skip
        subprocess.run(
            [sys.executable, "-m", "pbm", *words], cwd=home, env=environment, input=given,
            check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip

    pbm("db", "upgrade")
    for name in ("alice", "bob"):
        pbm("user", "add", name, PASSWORD, f"{name}@example.org")
    pbm("game", "create", "gonnect", "alice", "bob", "--option", "size=5")
    pbm("work")
    for mover, turn in (("alice", "C3"), ("bob", "B2")):
        board = _newest(home, mover)
        pbm("inject", "-", given=_letter(mover, str(board["Reply-To"]), "Re: a board", turn))
        pbm("work")
    chat = _letter("alice", SERVER, f"chat 101 alice {PASSWORD}", "Good luck to both of us.")
    pbm("inject", "-", given=chat)
    pbm("work", "--relay", AWAY)
    reply = _letter("alice", str(_newest(home, "alice")["Reply-To"]), "Re: a board", "D4")
    pbm("inject", "-", given=reply)
    move = _letter("alice", SERVER, f"gonnect move 101 alice {PASSWORD} D4", "")
    pbm("inject", "-", given=move)


def _letter(author: str, to: str, subject: str, text: str) -> bytes:
    letter = EmailMessage()
    letter["From"], letter["To"] = f"{author}@example.org", to
    letter["Subject"], letter["Message-ID"] = subject, f"<{abs(hash(text))}@example.org>"
    letter.set_content(text)
    return letter.as_bytes(policy=email.policy.SMTP)


def _newest(home: Path, reader: str) -> EmailMessage:
    """Return the mail to `reader` that came last."""
    files = sorted((home / "var" / "mail" / "new").iterdir(), key=lambda file: file.stat().st_mtime)
    mails = (
        email.message_from_bytes(file.read_bytes(), EmailMessage, policy=email.policy.default)
        for file in reversed(files)
    )
    return next(mail for mail in mails if str(mail["To"]) == f"{reader}@example.org")


def _rows(database: Path) -> dict[str, list[dict[str, object]]]:
    """Return the rows of all tables that have some, those with octets in base64."""
    with sqlite3.connect(database) as connection:
        connection.row_factory = sqlite3.Row
        names = [
            row["name"]
            for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        tables = {
            name: [dict(row) for row in connection.execute(f'SELECT * FROM "{name}"')]
            for name in names
        }
    return {
        name: [{key: _plain(value) for key, value in row.items()} for row in rows]
        for name, rows in tables.items()
        if rows
    }


def _plain(value: object) -> object:
    if isinstance(value, bytes):
        return {"base64": base64.b64encode(value).decode("ascii")}
    return value


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve() if sys.argv[1:] else TREE)
