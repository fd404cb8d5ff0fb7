"""The server's secret: a key in a file that only its owner can read."""

import os
import secrets
from pathlib import Path

KEY_BYTES = 32


def load_key(path: Path) -> bytes:
    """Return the key in `path`; create it and sync it to disk first if there is none.

    Two processes that start at once get the same key: the file appears complete, by a link
    that fails if another process was faster. Raises OSError if the folder cannot be written.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        _create(path)
    return bytes.fromhex(path.read_text("ascii").strip())


def _create(path: Path) -> None:
    fresh = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(secrets.token_hex(KEY_BYTES) + "\n")
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(fresh, path)
    except FileExistsError:
        pass
    finally:
        fresh.unlink()
