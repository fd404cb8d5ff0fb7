"""Files that outlast a power cut: their content is on the disk, and so are their names."""

import os
from pathlib import Path


def write(path: Path, content: bytes, *, new: bool) -> None:
    """Write a file for its owner alone, and return once its content is on the disk.

    Its name is there once its folder is synced. Raises OSError, of which FileExistsError if it
    must be `new` and there is one; otherwise that is overwritten.
    """
    flags = os.O_WRONLY | os.O_CREAT | (os.O_EXCL if new else os.O_TRUNC)
    with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync(path: Path) -> None:
    """Return once a file, or the names in a folder, are on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
