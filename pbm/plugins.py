"""Find what is installed: games in folders of `games`, games and robots in other packages."""

import importlib
import pkgutil
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from importlib import metadata
from importlib.util import find_spec
from traceback import extract_tb
from typing import TYPE_CHECKING

from pbm.domain.catalogue import BrokenGame, Catalogue, InstalledGame
from pbm.engine import AnyGame, MissingPackageError, fold
from pbm.engine.laws import folder_of
from pbm.errors import PlainError

if TYPE_CHECKING:
    from pbm.robots.others import Choose

GAMES = importlib.import_module("pbm.games" if find_spec("pbm.games") else "games")
"""The package of our own games: inside pbm in a wheel, beside it in the tree."""

GROUP = "pbm.games"
"""The entry point group; a value names the game object, like `gomoku = "pbm_gomoku:game"`."""


ROBOTS = "pbm.robots"
"""The entry point group of robots; a value names a function, like `first = "pbm_first:choose"`."""


class GameLoadError(PlainError):
    """Games as they are installed cannot be used; `str()` says which and why."""


def installed_games() -> Catalogue:
    """Return every game in the tree and from other packages.

    One that cannot be loaded is among the broken ones. Raises GameLoadError if all are, or if two
    have the same name: nobody could tell which of them the boards of that name began with.
    """
    found: list[InstalledGame] = []
    broken: list[BrokenGame] = []
    called: dict[str, str] = {}
    for place, origin, load in (*_from_tree(), *_from_entry_points()):
        try:
            installed = _loaded(origin, load)
        except (GameLoadError, MissingPackageError) as error:
            can_wait = isinstance(error, MissingPackageError)
            broken.append(BrokenGame(place, str(error), can_wait))
            continue
        for name in _names_of(installed.game):
            if name in called:
                raise GameLoadError(
                    f"Two games are called {name}: {called[name]} and {origin}. "
                    "Uninstall one, or give it another key or alias."
                )
            called[name] = origin
        found.append(installed)
    if broken and not found:
        raise GameLoadError(broken[0].why)
    return Catalogue(found, broken)


def installed_game(name: str) -> AnyGame:
    """Return the game called `name`; raise GameLoadError if it is broken, else UnknownName."""
    catalogue = installed_games()
    for each in catalogue.broken:
        if fold(each.name) == fold(name) and catalogue.find(name) is None:
            raise GameLoadError(each.why)
    return catalogue.get(name)


def game_names() -> list[str]:
    """Return what the installed games are called where they are installed, which is their keys."""
    of_tree = (module.name for module in pkgutil.iter_modules(GAMES.__path__))
    return sorted({*of_tree, *(point.name for point in metadata.entry_points(group=GROUP))})


def robot_names() -> list[str]:
    """Return the names of the robots in installed packages, none of which is imported."""
    return sorted({point.name for point in metadata.entry_points(group=ROBOTS)})


def robot_called(name: str) -> "Choose":
    """Return the function of a robot of others; raise LookupError if there is none."""
    for point in metadata.entry_points(group=ROBOTS, name=name):
        choose: Choose = point.load()
        return choose
    raise LookupError(f"no installed package has a robot called {name}")


def help_text(game: AnyGame) -> str:
    """Return the game's help page as its author wrote it, in Markdown: help.md.

    A game that has no page yet is described by its one-line summary.
    """
    page = folder_of(game) / "help.md"
    if not page.is_file():
        return f"# {game.info.title}\n\n{game.info.summary}\n"
    return page.read_text("utf-8")


def _loaded(origin: str, load: Callable[[], AnyGame]) -> InstalledGame:
    """Return the game that `load` returns; raise GameLoadError if anything about it is broken."""
    try:
        game = load()
        _names_of(game)
        return InstalledGame(game, help_text(game))
    except MissingPackageError:
        raise
    except Exception as error:  # whatever the module of a game raises
        raise GameLoadError(
            f"The game {origin} cannot be loaded: {type(error).__name__}, {error}{_place(error)}. "
            "Mend it and start pbm again: until then its boards wait, and all other games go on."
        ) from error


def _names_of(game: AnyGame) -> tuple[str, ...]:
    return game.info.key, *game.info.aliases


def _place(error: Exception) -> str:
    """Return where in a game's own files an exception was raised, if it was, after a sentence."""
    frames = extract_tb(error.__traceback__)
    loaders = ("<frozen", __file__, str(importlib.__file__))
    files = [at for at in frames if not at.filename.startswith(loaders)]
    return f" ({files[-1].filename}, line {files[-1].lineno})" if files else ""


_Found = tuple[str, str, Callable[[], AnyGame]]
"""The name of a game where it is installed, that place, and a function that loads it."""


def _from_tree() -> Iterator[_Found]:
    for module in pkgutil.iter_modules(GAMES.__path__):
        name = f"{GAMES.__name__}.{module.name}"
        yield module.name, name, partial(_of_module, name)


def _of_module(name: str) -> AnyGame:
    game: AnyGame = importlib.import_module(name).game
    return game


@lru_cache(1)
def _entry_points(path: tuple[str, ...]) -> tuple[metadata.EntryPoint, ...]:
    """Return the entry points of games on `path`: to read those of all packages takes a while."""
    del path
    return tuple(metadata.entry_points(group=GROUP))


def _from_entry_points() -> Iterator[_Found]:
    for point in _entry_points((*sys.path,)):
        yield point.name, point.value, point.load
