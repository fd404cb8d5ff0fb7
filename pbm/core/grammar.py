"""The grammar: it finds the command that a line asks for, and reads and writes its words.

A line is `[game] verb words...`, in any case. The commands come from pbm.features, one module for
each feature.
"""

import pkgutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, partial
from importlib import import_module

from pbm import features
from pbm.core.command import Command, CommandLine, Request, written_words
from pbm.core.tokens import TokenKind
from pbm.core.words import Reply, Words, options_last
from pbm.domain.catalogue import Catalogue
from pbm.domain.errors import Gameless, NotLike, NotUnderstood
from pbm.engine import fold, listing, near, quote

MOVE = "move"
"""The command for a line without a verb."""

CHAT = "chat"
"""The command for words to the others at a board."""

MESSAGE = "message"
"""The command for the answer to a message of a player."""


@cache
def commands() -> tuple[Command, ...]:
    """Return all commands, in the order in which help lists them."""
    found = (module.name for module in pkgutil.iter_modules(features.__path__))
    modules = [f"{features.__name__}.{name}" for name in dict.fromkeys((*features.ORDER, *found))]
    values = ((name, value) for name in modules for value in vars(import_module(name)).values())
    return tuple(v for name, v in values if isinstance(v, Command) and v.run.__module__ == name)


@cache
def verbs() -> tuple[Command, ...]:
    """Return the commands that a player can type."""
    return tuple(command for command in commands() if command.typed)


@cache
def confirming(kind: TokenKind) -> Command:
    """Return the command for the answer to a mail with a token of this kind."""
    return next(command for command in commands() if command.confirms is kind)


@cache
def _by_word() -> Mapping[str, Command]:
    return {word: verb for verb in verbs() for word in verb.words}


ORDINARY = frozenset(
    {"about", "and", "answer", "at", "back", "begin", "black", "can", "cancel", "day", "delete",
     "did", "do", "first", "for", "from", "great", "have", "he", "her", "hi", "his",
     "holiday", "how", "i'd", "i'm", "if", "in", "is", "it", "last", "let", "like", "look",
     "love", "me", "might", "monday", "more", "must", "my", "name", "no", "not", "now", "off",
     "one", "or", "our", "out", "play", "please", "put", "quit", "read", "remove", "reset",
     "restart", "same", "second", "see", "she", "should", "skip", "so", "some", "sorry",
     "speed", "start", "take", "that", "the", "them", "then", "there", "they", "think",
     "this", "time", "to", "today", "tomorrow", "two", "want", "was", "week", "what", "what's",
     "whats", "when", "where", "which", "white", "who", "who's", "why", "with", "write"}
)  # fmt: skip
"""Words that begin sentences more often than they are misspelt commands."""


def find_verb(word: str) -> Command | None:
    """Return the command that `word` names, in any case."""
    return _by_word().get(fold(word))


def verb_words() -> tuple[str, ...]:
    """Return the names and aliases of all verbs."""
    return tuple(name for verb in verbs() for name in (verb.name, *verb.aliases))


def near_names(word: str, others: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the verbs and `others` that are spelled like `word`, the nearest first.

    For an alias that is near, its verb is returned.
    """
    if fold(word) in ORDINARY:
        return ()
    found, words = near(word, (*verb_words(), *others)), _by_word()
    return tuple(dict.fromkeys(words[name].name if name in words else name for name in found))


@dataclass(frozen=True)
class Grammar:
    """The language of one server: the commands and the names of its games."""

    catalogue: Catalogue

    def __post_init__(self) -> None:
        # Imports all features: a wrong one stops the server at its start, and not the first mail.
        commands()

    @cached_property
    def _beginnings(self) -> frozenset[str]:
        # The names of broken games are among them: they will begin commands when these are mended.
        return frozenset((*_by_word(), *self.catalogue.names)) | self.catalogue.broken_names

    def begins_command(self, line: str) -> bool:
        """Return whether the first word of `line` is a verb or a game, and meant as one."""
        words = line.split(maxsplit=1)
        if not words:
            return False
        # A word that begins with a dash may be an option, and the verb comes after it.
        first = words[0] if words[0][0].isalnum() else options_last(line.split())[0]
        if fold(first) not in self._beginnings:
            return False
        verb = find_verb(first)
        return verb is None or verb.opens is None or verb.opens(line)

    def resembles_command(self, line: str) -> tuple[str, ...]:
        """Return the names that may be meant by the first word of `line`."""
        first = line.split(maxsplit=1)[:1]
        return near_names(first[0], self.catalogue.names) if first else ()

    def read(self, line: str, reply: Reply | None) -> Request:
        """Return the request in a line that `begins_command`; raise NotUnderstood."""
        words = options_last(line.split())
        if not words:
            raise NotUnderstood("There is no command in an empty line.")
        game = self.catalogue.find(words[0])
        if fold(words[0]) in self.catalogue.broken_names and not find_verb(words[0]):
            raise NotUnderstood(_OUT_OF_ORDER, "games")
        # `swap` could be a game's name some day; a verb in second place settles what is meant.
        named = game is not None and (len(words) > 1 or not find_verb(words[0]))
        if named and game is not None:
            words = options_last(words[1:])
        verb = self._verb(words, game.info.title if named and game else "")
        if verb.needs_game and not named:
            raise Gameless(
                f"Which game: {listing(g.info.key for g in self.catalogue)}?",
                verb.example_for(next(iter(self.catalogue)).info.key),
            )
        key = game.info.key if named and game else None
        said = words[0] if words else verb.name
        return verb.read(CommandLine(verb, Words(words[1:]), key, reply, said))

    def read_move(self, line: str, reply: Reply | None) -> Request:
        """Return the request in `line`, a move, as if "move" were written before it."""
        verb = _by_word()[MOVE]
        return verb.read(CommandLine(verb, Words(line.split()), None, reply, MOVE))

    def _verb(self, words: list[str], title: str) -> Command:
        if not words:
            return verbs()[0]  # a game's name alone asks for its help page
        verb = find_verb(words[0])
        if verb is None:
            raise NotLike(partial(_no_verb, words[0], title))
        return verb


def line_of(request: Request) -> str:
    """Return the line that `Grammar.read` reads as this request, in a mail of the same kind."""
    command = request.command
    verb = command.name if command.typed else request.verb
    words = (command.writes or written_words)(request)
    return " ".join(filter(None, (request.game, verb, *words)))


_OUT_OF_ORDER = (
    "This game is out of order at the moment. Its matches wait, and nothing of them is lost. The "
    "other games go on."
)


def _no_verb(word: str, title: str) -> str:
    """Return the sentence for a `word` that is no verb, after the title of a game if not ""."""
    meant = near_names(word)
    if meant:
        return f"There is no such command; did you mean {listing(meant)}?"
    if title:
        return (
            f"There is no such command after {quote(title)}. To invite somebody, write challenge "
            "and their userid there; seek finds somebody, and robot begins at once."
        )
    return f"There is no such command. There is {listing((v.name for v in verbs()), last='and')}."
