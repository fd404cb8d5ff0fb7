"""The small values that every game and the server pass to each other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeVar, dataclass_transform

from pbm.engine.errors import OptionError
from pbm.engine.notation import fold, listing, near, quote

T = TypeVar("T")

PLAYERS = "players"
"""The option of a game for so many or so many: the number of players of a match."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[T]) -> type[T]:
    """Make a dataclass with slots whose fields mypy lets nobody set.

    It is for values of which every mail makes several. Python does not check them, because it would
    call a function for each field of each value: 7 % of the CPU of a move.
    """
    return dataclass(slots=True, unsafe_hash=True)(cls)


Seat = int
"""A place at the board, counted from 0; seat 0 takes the first turn in most games."""


@dataclass(frozen=True, slots=True)
class Option:
    """A choice made when a match is set up. Values are texts, as players type them."""

    name: str
    default: str
    choices: tuple[str, ...]
    help: str


@dataclass(frozen=True, slots=True)
class Setup:
    """All that decides the first position: every option with its value, and what was `dealt`.

    That are the outcomes drawn before the first turn, in order (pbm.engine.chance).
    """

    options: Mapping[str, str]
    dealt: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "options", MappingProxyType(dict(self.options)))

    def __reduce__(self) -> tuple[type["Setup"], tuple[dict[str, str], tuple[str, ...]]]:
        # A proxy cannot be pickled, and robots think about setups in processes of their own.
        return Setup, (dict(self.options), self.dealt)

    def __getitem__(self, name: str) -> str:
        """Return the value of the option `name`."""
        return self.options[name]


@dataclass(frozen=True, slots=True)
class Result:
    """The end of a game by its rules: a draw if nobody won. `reason` is a slug of the game.

    `places` are by seat, from 1, if the game says more than who won: see `ranked`.
    """

    winners: tuple[Seat, ...]
    reason: str
    scores: tuple[int, ...] | None = None
    places: tuple[int, ...] | None = None

    @classmethod
    def ranked(
        cls, merits: Sequence[Any], reason: str, scores: tuple[int, ...] | None = None
    ) -> "Result":
        """Return the result in which the seats with greater `merits` come first.

        Equal ones share a place, such as 1, 2, 2, 4. If all are equal it is a draw.
        """
        places = tuple(1 + sum(other > own for other in merits) for own in merits)
        first = tuple(seat for seat, place in enumerate(places) if place == 1)
        return cls(first if len(first) < len(places) else (), reason, scores, places)


@frozen
class Viewer:
    """Whose eyes a board is drawn for; seat None is a spectator.

    A board may be turned towards its viewer. It hides nothing, unless the game's info says so, and
    then only until the match is `over`, which may be before the rules end it.
    """

    seat: Seat | None = None
    style: str = "default"
    over: bool = False


FAMILIES = ("connection", "territory", "lines and patterns", "capture", "race")
"""The families of games, in the order in which lists have them."""


@dataclass(frozen=True, slots=True)
class GameInfo:
    """The facts about a game that the server and the players need.

    `seats` are the sides' names in seat order and `signs` their one-character stones, the
    same order, "" if the pieces on the board belong to nobody. All seats are taken, or the first
    so many if the game has an option PLAYERS, whose choices are numbers. `reasons` maps each slug
    that a Result may carry to a clause that completes "alice won: ...". `example` is a first move
    to show in help. The first of `styles` is the usual one. `swap_after` n asks for the
    generic pie rule: once, in place of ply n + 1, the player to move may exchange seats.
    `first` are the options of somebody's first board, which is small. `summary` is one line, and
    `family` one of FAMILIES, or "" for a game unlike all of these. `chance`: something is drawn.
    `sealed`: several seats choose at the same time, and nobody knows what until all have.
    `hidden`: seats see different things, and a spectator only what all see.
    """

    key: str
    title: str
    seats: tuple[str, ...]
    signs: tuple[str, ...]
    summary: str
    reasons: Mapping[str, str]
    example: str
    aliases: tuple[str, ...] = ()
    rules_version: int = 1
    options: tuple[Option, ...] = ()
    styles: tuple[str, ...] = ("default",)
    swap_after: int | None = None
    credits: str = ""
    first: Mapping[str, str] = field(default_factory=dict)
    family: str = ""
    chance: bool = False
    sealed: bool = False
    hidden: bool = False

    @property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of players that a match can have, the usual one first."""
        asked = next((option for option in self.options if option.name == PLAYERS), None)
        usual = (asked.default, *asked.choices) if asked else (len(self.seats),)
        return tuple(dict.fromkeys(map(int, usual)))

    def players(self, setup: Setup) -> int:
        """Return the number of players of a match with this setup."""
        return int(setup.options.get(PLAYERS, len(self.seats)))

    @property
    def foreseeable(self) -> bool:
        """Whether anybody can look ahead: what comes is decided by turns that all can see."""
        return not self.chance and self.weighable

    @property
    def weighable(self) -> bool:
        """Whether a search can weigh its positions: nothing is kept secret."""
        return not (self.sealed or self.hidden)

    def setup(self, given: Mapping[str, str] | None = None, dealt: tuple[str, ...] = ()) -> Setup:
        """Return the Setup for the options `given`, the others at their defaults.

        Names and values are read in any case; a name may be shortened as long as only one
        option fits. Raises OptionError, whose message names what would work.
        """
        values = {option.name: option.default for option in self.options}
        for name, value in (given or {}).items():
            option = self._option(name)
            values[option.name] = self._value(option, value)
        return Setup(values, dealt)

    def _option(self, name: str) -> Option:
        folded = fold(name)
        fitting = [o for o in self.options if folded and o.name.startswith(folded)]
        exact = [o for o in fitting if o.name == folded]
        if exact or len(fitting) == 1:
            return (exact or fitting)[0]
        known = [o.name for o in self.options]
        if not known:
            raise OptionError(f"{self.title} has no options; {quote(name)} was read.")
        meant = [o.name for o in fitting] or near(name, known) or known
        raise OptionError(
            f"{self.title} has no option {quote(name)}; there is {listing(meant, last='and')}."
        )

    def _value(self, option: Option, value: str) -> str:
        folded = fold(value)
        for choice in option.choices:
            if fold(choice) == folded:
                return choice
        raise OptionError(
            f"The option {option.name} of {self.title} cannot be {quote(value)}; "
            f"it can be {listing(option.choices)}."
        )
