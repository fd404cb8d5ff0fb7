"""Which help page a topic asks for, and what it tells; pbm.mail puts it into words."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pbm.domain.catalogue import Catalogue
from pbm.domain.invitations import Terms
from pbm.domain.settings import USUAL_PERIODS, Periods
from pbm.engine import AnyGame
from pbm.service.command import Command
from pbm.service.grammar import find_verb, near_names, verbs
from pbm.service.letters import ToPlayer


@dataclass(frozen=True, slots=True)
class Introduction:
    """The first page that a player reads.

    `unread` says that the mail held no command. `unknown` says that there is no page on the topic
    asked for, and `meant` are topics that may have been meant.
    """

    games: tuple[AnyGame, ...]
    unread: bool = False
    unknown: bool = False
    meant: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tutorial:
    """A first match, mail by mail, at one game."""

    game: AnyGame


@dataclass(frozen=True, slots=True)
class Clocks:
    """How time is kept, with the usual terms of a match, and how long things last here."""

    terms: Terms
    periods: Periods


@dataclass(frozen=True, slots=True)
class FewerMails:
    """How to get fewer mails, or none; `game` is one to show in an example."""

    game: AnyGame


@dataclass(frozen=True, slots=True)
class CommandList:
    """All commands, a line each."""

    verbs: tuple[Command, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """All commands with all their words: the whole language."""

    verbs: tuple[Command, ...]


@dataclass(frozen=True, slots=True)
class VerbPage:
    """One command, from its row of the grammar; `game` is one to show in its example."""

    verb: Command
    game: AnyGame


@dataclass(frozen=True, slots=True)
class GamePage:
    """A game with its own page in Markdown, and its options as a challenge takes them."""

    game: AnyGame
    text: str


Page = Introduction | Tutorial | Clocks | FewerMails | CommandList | Reference | VerbPage | GamePage

_ON_TIME = (
    "time", "clock", "deadline", "nag", "nagtime", "forfeit", "forfeittime", "totaltime", "zone",
)  # fmt: skip
"""The topics of the page on time, each in the plural as well."""

_TOPICS: Mapping[str, Callable[[tuple[AnyGame, ...], Periods], Page]] = {
    "": lambda games, _periods: Introduction(games),
    "command": lambda _games, _periods: CommandList(verbs()),
    "commands": lambda _games, _periods: CommandList(verbs()),
    "reference": lambda _games, _periods: Reference(verbs()),
    "tutorial": lambda games, _periods: Tutorial(games[0]),
    "stop": lambda games, _periods: FewerMails(games[0]),
    **{
        f"{topic}{plural}": lambda _games, periods: Clocks(Terms(), periods)
        for topic in _ON_TIME
        for plural in ("", "s")
    },
}


def help_page(catalogue: Catalogue, topic: str, periods: Periods = USUAL_PERIODS) -> Page:
    """Return the page on `topic`: a general topic, a game or a verb; else the introduction.

    A topic may have the dashes of an option, as in --totaltime. `periods` are the server's.
    """
    word = topic.split(maxsplit=1)[0].lower().lstrip("-") if topic.split() else ""
    games = tuple(catalogue)
    if word in _TOPICS:
        return _TOPICS[word](games, periods)
    game = catalogue.find(word)
    if game:
        return GamePage(game, catalogue.help_page(game.info.key))
    verb = find_verb(word)
    if verb:
        return VerbPage(verb, games[0])
    meant = near_names(word, (*catalogue.names, *filter(None, _TOPICS)))
    return Introduction(games, unknown=True, meant=meant)


@dataclass(frozen=True, slots=True)
class HelpPage(ToPlayer):
    """A page of help."""

    idle = True

    page: Page
