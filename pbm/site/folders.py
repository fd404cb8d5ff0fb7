"""The folder of the site: files written in one step, a list of ours, and nothing else removed."""

import os
from collections.abc import Collection, Iterable
from contextlib import suppress
from itertools import chain
from pathlib import Path

from pbm.domain.errors import NotAllowed
from pbm.domain.pages import BUILT

LOCK = ".pbm-site.lock"

_FILES = ".pbm-site.files"
"""The list of our files. A file is in it before it is written."""

_PART = ".part"
"""The end of the name of a file that is being written."""

_OWN = ("b", "g", "l", "p", "s")
"""The folders of the site. A build without a list owned all that was in them."""


def write(path: Path, content: str | bytes) -> bool:
    """Write a file in one step unless it has this content already; return whether it was written.

    So a reader sees the file as it was or as it is, and what is unchanged keeps its time.
    """
    octets = content.encode() if isinstance(content, str) else content
    with suppress(OSError):
        if path.read_bytes() == octets:
            return False
    path.parent.mkdir(parents=True, exist_ok=True)
    part = _part_of(path)
    part.write_bytes(octets)
    part.replace(path)
    return True


def _part_of(path: Path) -> Path:
    return path.with_name(f".{path.name}{_PART}")


def announce(root: Path, paths: Collection[str]) -> None:
    """Note that these files are ours, before they are written.

    Raises NotAllowed if a link leads out of the folder.
    """
    _check_links(root, paths)
    if new := [path for path in paths if not (root / path).exists()]:
        with (root / _FILES).open("a", encoding="utf-8") as file:
            file.writelines(f"{path}\n" for path in new)


def remove(root: Path, paths: Collection[str]) -> int:
    """Remove files, and what a killed build has left of them; return how many were there."""
    _check_links(root, paths)
    return sum(_remove(root / path) for path in paths)


def _remove(path: Path) -> bool:
    _part_of(path).unlink(missing_ok=True)
    there = path.exists()
    path.unlink(missing_ok=True)
    return there


def _check_links(root: Path, paths: Iterable[str]) -> None:
    """Raise NotAllowed if one of the folders of these files is a symbolic link."""
    folders = {Path(place) for place in set(map(os.path.dirname, paths))}
    for place in sorted(folders.union(*(each.parents for each in folders)) - {Path()}):
        if (root / place).is_symlink():
            raise NotAllowed(
                f"{root / place} is a symbolic link, and pages are not written through one. "
                "Remove it, or build into another folder."
            )


def check_ours(root: Path) -> None:
    """Raise NotAllowed if the folder has files, and none of them is ours."""
    if (root / _FILES).exists():
        return
    if (root / BUILT).exists():
        write_list(root, listed(root))
    elif others := sorted(each.name for each in root.iterdir() if each.name != LOCK):
        raise NotAllowed(
            f"{root} holds {others[0]}, and pbm has never built pages there. Name an empty folder."
        )


def listed(root: Path) -> set[str]:
    """Return the paths of our files below `root`."""
    with suppress(FileNotFoundError):
        return set((root / _FILES).read_text("utf-8").splitlines())
    found = chain.from_iterable(os.walk(root / top) for top in _OWN)
    return {os.path.relpath(Path(place, name), root) for place, _, names in found for name in names}


def write_list(root: Path, paths: Iterable[str]) -> None:
    """Write the list of our files."""
    write(root / _FILES, "".join(f"{path}\n" for path in sorted(paths)))
