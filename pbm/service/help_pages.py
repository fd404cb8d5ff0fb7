"""Which help page a topic asks for, and what it has to tell; pbm.mail puts it into words."""

from dataclasses import dataclass

from pbm.domain.catalogue import Catalogue
from pbm.engine import AnyGame, near
from pbm.service.grammar import VERBS, Verb, find_verb, verb_names


@dataclass(frozen=True, slots=True)
class Introduction:
    """The first page that a player reads.

    `unknown` says that there is no page on what was asked for, and `meant` what may have been.
    """

    games: tuple[AnyGame, ...]
    unknown: bool = False
    meant: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tutorial:
    """A first match, mail by mail, at one game."""

    game: AnyGame


@dataclass(frozen=True, slots=True)
class CommandList:
    """All commands, a line each."""

    verbs: tuple[Verb, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """All commands with all their words: the whole language."""

    verbs: tuple[Verb, ...]


@dataclass(frozen=True, slots=True)
class VerbPage:
    """One command, from its row of the grammar; `game` is one to show in its example."""

    verb: Verb
    game: AnyGame


@dataclass(frozen=True, slots=True)
class GamePage:
    """A game: its own page, and its options as a challenge takes them."""

    game: AnyGame
    text: str


Page = Introduction | Tutorial | CommandList | Reference | VerbPage | GamePage


def help_page(catalogue: Catalogue, topic: str) -> Page:
    """Return the page on `topic`: commands, reference, tutorial, a game, a verb; or the introduction."""
    word = topic.split(maxsplit=1)[0].lower() if topic.split() else ""
    games = tuple(catalogue)
    if not word:
        return Introduction(games)
    if word in ("command", "commands"):
        return CommandList(VERBS)
    if word == "reference":
        return Reference(VERBS)
    if word == "tutorial":
        return Tutorial(games[0])
    game = catalogue.find(word)
    if game:
        return GamePage(game, catalogue.help_page(game.info.key))
    verb = find_verb(word)
    if verb:
        return VerbPage(verb, games[0])
    known = (*verb_names(), *catalogue.names, "commands", "reference", "tutorial")
    return Introduction(games, unknown=True, meant=near(word, known))
