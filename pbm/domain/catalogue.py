"""The games that a server has, found by any of their names."""

from collections.abc import Iterable, Iterator
from itertools import chain

from pbm.domain.errors import UnknownName
from pbm.engine import FAMILIES, AnyGame, fold, frozen, listing, near, quote


@frozen
class InstalledGame:
    """A game with its help page as its author wrote it, in Markdown."""

    game: AnyGame
    help_page: str


@frozen
class BrokenGame:
    """A game that is installed and cannot be loaded, so that its names are unknown.

    `name` is what it is called where it is installed, which mostly is its key; `why` is a
    sentence for the operator. It `can_wait` if it only needs a package that operators may leave
    out.
    """

    name: str
    why: str
    can_wait: bool = False


def by_family(games: Iterable[AnyGame]) -> list[tuple[str, list[AnyGame]]]:
    """Return the families of `games`, each with its games; those that name none are "other"."""
    found: dict[str, list[AnyGame]] = {family: [] for family in (*FAMILIES, "other")}
    for game in games:
        found[game.info.family or "other"].append(game)
    return [(family, members) for family, members in found.items() if members]


class Catalogue:
    """The installed games by key and alias, in any case; those that are `broken` are not offered.

    The boards of a broken game wait like those of a game that is not installed. If the server has
    chosen games, only these are offered; boards of the others are played to their end.
    """

    def __init__(
        self,
        installed: Iterable[InstalledGame],
        broken: Iterable[BrokenGame] = (),
        chosen: Iterable[str] = (),
    ) -> None:
        self.broken = tuple(broken)
        self._installed = {each.game.info.key: each for each in installed}
        self._rules = {
            (game.info.key, game.info.rules_version): game
            for each in self._installed.values()
            for game in (each.game, *getattr(each.game, "earlier", ()))
        }
        self._keys = {
            fold(name): key
            for key, each in self._installed.items()
            for name in (key, *each.game.info.aliases)
        }

        self._offered = {*self._installed}
        there = (name for name in chosen if fold(name) not in self.broken_names)
        self._offered = {self.get(name).info.key for name in there} or self._offered

    def __iter__(self) -> Iterator[AnyGame]:
        """Yield the games on offer by their families, and there by their keys.

        Where nothing is hidden comes first: the first game is the example in answers.
        """
        games = [self._installed[key].game for key in sorted(self._offered)]
        games.sort(key=lambda game: game.info.hidden)
        return chain.from_iterable(members for _, members in by_family(games))

    @property
    def installed(self) -> tuple[AnyGame, ...]:
        """The games in order of their keys, on offer or not."""
        return tuple(self._installed[key].game for key in sorted(self._installed))

    def offering(self, names: Iterable[str]) -> "Catalogue":
        """Return the catalogue with only these games on offer, all if there are none.

        Raises UnknownName.
        """
        return Catalogue(self._installed.values(), self.broken, names)

    def on_offer(self, game: AnyGame) -> AnyGame:
        """Return `game` if matches of it can begin; else raise UnknownName."""
        if game.info.key in self._offered:
            return game
        known = listing(sorted(self._offered))
        raise UnknownName(f"No new matches of {game.info.title} begin here; there is {known}.")

    @property
    def names(self) -> tuple[str, ...]:
        """Every key and alias."""
        return tuple(self._keys)

    def find(self, name: str) -> AnyGame | None:
        """Return the game called `name`, or None."""
        key = self._keys.get(fold(name))
        return self._installed[key].game if key else None

    def __contains__(self, folded: str) -> bool:
        """Return whether a name that is folded already is that of a game."""
        return folded in self._keys

    @property
    def broken_names(self) -> frozenset[str]:
        """The probable names of broken games, folded, without the names of other games."""
        return frozenset(fold(each.name) for each in self.broken) - self._keys.keys()

    def get(self, name: str) -> AnyGame:
        """Return the game called `name`; raise UnknownName, naming what there is."""
        game = self.find(name)
        if game is None:
            known = near(name, self.names) or sorted(self._offered)
            raise UnknownName(f"There is no game {quote(name)}; there is {listing(known)}.")
        return game

    def rules(self, key: str, version: int) -> AnyGame | None:
        """Return the game with that key as its rules were in that version, or None."""
        return self._rules.get((key, version))

    def help_page(self, key: str) -> str:
        """Return the help page of the game with that key."""
        return self._installed[key].help_page
