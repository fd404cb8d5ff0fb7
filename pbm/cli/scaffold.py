"""The skeleton of a game, from the files in pbm/cli/skeleton: what `pbm dev new-game` writes.

`game/` is the game's own folder: rules, help page, playthroughs. `package/` is what surrounds
it when the game is a package of its own. A file is written under its name without ".tmpl", with
KEY in the name replaced by the game's key.
"""

import keyword
import re
from collections.abc import Iterable, Iterator, Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template

from pbm.engine import quote
from pbm.engine.laws import is_reserved
from pbm.errors import PlainError

_KEY = re.compile(r"[a-z][a-z0-9_]{1,19}")
_SUFFIX = ".tmpl"


class ScaffoldError(PlainError):
    """A skeleton that cannot be written; `str()` is a sentence that says why."""


def write_package(key: str, parent: Path, taken: Iterable[str]) -> tuple[Path, ...]:
    """Write the package pbm-KEY into `parent`; return its files.

    `taken` are the names of the existing games. Raises ScaffoldError.
    """
    _check_key(key, taken)
    package = f"pbm_{key}"
    root = parent / f"pbm-{key}"
    return _write(
        root,
        {
            **_rendered("package", key, package),
            **{f"{package}/{name}": text for name, text in _rendered("game", key, package).items()},
        },
    )


def write_in_tree(key: str, tree: Path, taken: Iterable[str]) -> tuple[Path, ...]:
    """Write the folder games/KEY into the source tree of pbm; return its files.

    Raises ScaffoldError, also if `tree` is not that source tree.
    """
    _check_key(key, taken)
    if not all((tree / name / "__init__.py").is_file() for name in ("games", "pbm/engine")):
        raise ScaffoldError(f"{tree.resolve()} is not pbm's source tree, with games/ and pbm/.")
    return _write(tree / "games" / key, _rendered("game", key, f"games.{key}"))


def _check_key(key: str, taken: Iterable[str]) -> None:
    if not _KEY.fullmatch(key) or keyword.iskeyword(key):
        raise ScaffoldError(
            f"A game cannot be called {quote(key)}: its name is 2 to 20 small letters, digits "
            "and underscores, begins with a letter, and is not a Python keyword."
        )
    if is_reserved(key):
        raise ScaffoldError(
            f'A game cannot be called "{key}": that is a command, and a mail that begins with it '
            "is read as one."
        )
    if key in taken:
        raise ScaffoldError(f"There is already a game called {key}.")


def _rendered(part: str, key: str, package: str) -> Mapping[str, str]:
    """Return the files of one part by their paths, every placeholder filled in."""
    names = {"key": key, "package": package, "title": key.replace("_", " ").title()}
    source = resources.files("pbm.cli") / "skeleton" / part
    return {
        path.replace("KEY", key).removesuffix(_SUFFIX): Template(text).substitute(names)
        for path, text in _files(source)
    }


def _files(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, str]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _files(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(_SUFFIX):
            yield f"{prefix}{entry.name}", entry.read_text("utf-8")


def _write(root: Path, files: Mapping[str, str]) -> tuple[Path, ...]:
    try:
        root.mkdir()
    except FileExistsError as error:
        raise ScaffoldError(f"{root} already exists; nothing was written.") from error
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return tuple(root / name for name in files)
