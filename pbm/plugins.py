"""Find the installed games: folders of `games`, and other packages by entry point."""

import importlib
import pkgutil
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from importlib import metadata, resources
from traceback import extract_tb

import games
from pbm.domain.catalogue import Catalogue, InstalledGame
from pbm.engine import AnyGame

GROUP = "pbm.games"
"""The entry point group; a value names the game object, like `hex = "pbm_hex:game"`."""


class GameLoadError(Exception):
    """An installed game that cannot be used; `str()` says which and why."""


def installed_games() -> Catalogue:
    """Return every game in the tree and from other packages; raise GameLoadError."""
    found: list[InstalledGame] = []
    called: dict[str, str] = {}
    for origin, load in (*_from_tree(), *_from_entry_points()):
        installed = _loaded(origin, load)
        for name in (installed.game.info.key, *installed.game.info.aliases):
            if name in called:
                raise GameLoadError(
                    f"Two games are called {name}: {called[name]} and {origin}. "
                    "Uninstall one, or give it another key or alias."
                )
            called[name] = origin
        found.append(installed)
    return Catalogue(found)


def game_names() -> list[str]:
    """Return what the installed games are called where they are installed, which is their keys."""
    of_tree = (module.name for module in pkgutil.iter_modules(games.__path__))
    return sorted({*of_tree, *(point.name for point in metadata.entry_points(group=GROUP))})


def help_text(game: AnyGame) -> str:
    """Return the game's help page as its author wrote it, in Markdown: help.md.

    A game that has no page yet is described by its one-line summary.
    """
    package = type(game).__module__.rpartition(".")[0] or type(game).__module__
    page = resources.files(package).joinpath("help.md")
    if not page.is_file():
        return f"# {game.info.title}\n\n{game.info.summary}\n"
    return page.read_text("utf-8")


def _loaded(origin: str, load: Callable[[], AnyGame]) -> InstalledGame:
    """Return the game that `load` returns; raise GameLoadError if anything about it is broken."""
    try:
        game = load()
        return InstalledGame(game, help_text(game))
    except Exception as error:  # whatever the module of a game raises
        raise GameLoadError(
            f"The game {origin} cannot be loaded: {type(error).__name__}, {error}{_place(error)}. "
            "Mend it or take it away: boards of a game that is missing wait until it is back."
        ) from error


def _place(error: Exception) -> str:
    """Return where in a game's own files an exception was raised, if it was, after a sentence."""
    frames = extract_tb(error.__traceback__)
    loaders = ("<frozen", __file__, str(importlib.__file__))
    files = [at for at in frames if not at.filename.startswith(loaders)]
    return f" ({files[-1].filename}, line {files[-1].lineno})" if files else ""


def _from_tree() -> Iterator[tuple[str, Callable[[], AnyGame]]]:
    for module in pkgutil.iter_modules(games.__path__):
        name = f"games.{module.name}"
        yield name, partial(_of_module, name)


def _of_module(name: str) -> AnyGame:
    game: AnyGame = importlib.import_module(name).game
    return game


@lru_cache(1)
def _entry_points(path: tuple[str, ...]) -> tuple[metadata.EntryPoint, ...]:
    """Return the entry points of games on `path`: to read those of all packages takes a while."""
    del path
    return tuple(metadata.entry_points(group=GROUP))


def _from_entry_points() -> Iterator[tuple[str, Callable[[], AnyGame]]]:
    for point in _entry_points((*sys.path,)):
        yield point.value, point.load
