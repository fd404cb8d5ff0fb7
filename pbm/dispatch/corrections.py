"""Corrections of refused lines: complete, and put right where that is certain.

Of the words of a line only these go out: names of games, verbs and options, numbers of boards,
userids that exist, moves that can be played or begun, and mail addresses that do not follow a
userid. In place of a password, or what may be one, there is `your-password`; what is missing is
named by what it is, such as `opponent`.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from pbm.core.budget import QUERY
from pbm.core.command import Command, Parameter, Proof
from pbm.core.context import Context
from pbm.core.grammar import ORDINARY, find_verb, verb_words
from pbm.core.robots import level_in, robots_named
from pbm.core.words import Options, Words, is_board, split_options
from pbm.dispatch.moves import begun_form
from pbm.domain.addresses import is_address
from pbm.domain.errors import UnknownName
from pbm.domain.invitations import Terms
from pbm.domain.player import Player, fold_userid
from pbm.domain.robots import ANYBODY, LEVELS
from pbm.engine import AnyGame, fold, frozen, near
from pbm.features.invitations import challenge

PASSWORD = "your-password"  # noqa: S105 - the words in place of one

OPPONENT = "opponent"
"""The word in place of a userid that a line does not name."""

PLACEHOLDERS = frozenset(
    {PASSWORD, OPPONENT, "GAME", "board-number", "its-number", "new-password", "userid",
     "your-move", "your-new-address"}
)  # fmt: skip
"""The words in place of what a line does not say: one with such a word cannot be carried out."""

MOST_WORDS = 12
"""Words of a line that are looked at; no command needs more."""


@frozen
class _Parts:
    """The parts of a line: `words` follow the verb, without the options `given`."""

    context: Context
    reader: Player
    game: AnyGame | None
    verb: Command
    words: tuple[str, ...]
    given: Options


def corrected(context: Context, line: str, reader: Player) -> tuple[str, ...]:
    """Return the line put right, with the password as `your-password`; () if nothing is certain.

    If it lacks the name of a game, that is a line for each game.
    """
    if not context.budget.try_charge(QUERY * 4):
        return ()
    parts = _parts_of(context, line, reader)
    written = _written(parts) if parts else None
    if parts is None or written is None:
        return ()
    asked = parts.verb.needs_game and not parts.game
    usual = context.services.periods.terms
    return tuple(
        " ".join([*([game.info.key] if game else []), parts.verb.name, *written,
                  *_options(game, parts.given, usual)])
        for game in (context.catalogue if asked else [parts.game])
    )  # fmt: skip


def meant_options(context: Context, line: str) -> tuple[str, ...]:
    """Return the options of `line` that lack their dash, as they must be written."""
    options = split_options(line.split()[:MOST_WORDS])
    game = context.catalogue.find(options.words[0]) if options.words else None
    pairs = (word.partition("=") for word in options.words if "=" in word)
    return tuple(filter(None, (_option(game, name, value) for name, _, value in pairs)))


def _parts_of(context: Context, line: str, reader: Player) -> _Parts | None:
    options = split_options(line.split()[:MOST_WORDS])
    catalogue = context.catalogue
    words = [word for word in options.words if "=" not in word]
    if not words:
        return None
    known = () if fold(words[0]) in ORDINARY else (*verb_words(), *catalogue.names)
    first = _put_right(words[0], known)
    game = catalogue.find(first)
    rest = words if game is None else words[1:]
    said = first if game is None else rest[0] if rest else ""
    verb = find_verb(said) or (find_verb(_put_right(said, _verbs_after(game))) if known else None)
    if verb is None and game is not None and rest:
        # "gonnect bob" is short for the most usual thing to do with a game and somebody.
        return _Parts(context, reader, game, challenge, tuple(rest), options)
    typed = words[0] if game is None else said
    if verb is None or (verb.final and find_verb(typed) is not verb):
        return None
    return _Parts(context, reader, game, verb, tuple(rest[1:]), options)


def _verbs_after(game: AnyGame | None) -> tuple[str, ...]:
    """Return the names of the verbs that may be meant; after a game, of those that need one."""
    if game is None:
        return verb_words()
    return tuple(n for n in verb_words() if (verb := find_verb(n)) and verb.needs_game)


def _put_right(word: str, known: Sequence[str]) -> str:
    """Return the one of the `known` names that is like `word`, or `word` itself."""
    meant = near(word, known)
    return meant[0] if len(meant) == 1 and fold(word) not in map(fold, known) else word


def _options(game: AnyGame | None, options: Options, usual: Terms) -> tuple[str, ...]:
    """Return the options as they must be written, without those that cannot be meant."""
    given = [*options.game.items(), *options.match.items()]
    given += [(n, v) for n, _, v in (w.partition("=") for w in options.words if "=" in w)]
    words = tuple(dict.fromkeys(word for n, v in given if (word := _option(game, n, v))))
    terms = dict(word.removeprefix("--").partition("=")[::2] for word in words if word[:2] == "--")
    try:
        usual.read(terms)
    except UnknownName:
        return tuple(word for word in words if word[:2] != "--")
    return words


def _option(game: AnyGame | None, name: str, value: str) -> str:
    """Return "-size=9" or "--nagtime=3" if there is such an option with such a value, else ""."""
    name = fold(name)
    choices = {option.name: option.choices for option in game.info.options} if game else {}
    name = _put_right(name, tuple(choices))
    if name in choices:
        return f"-{name}={value}" if value in choices[name] else ""
    with suppress(UnknownName):
        Terms().read({name: value})
        return f"--{name}={value}" if value else f"--{name}"
    return ""


def _who(parts: _Parts, words: Sequence[str]) -> tuple[list[str], Sequence[str], bool]:
    """Return the credentials as they go out, the other words, and whether those are safe.

    They are safe if no password can be among them, because it followed the own userid.
    """
    reply = parts.context.reply
    proven = reply is not None and reply.writes_to is None
    credentials = [] if proven else [parts.reader.userid, PASSWORD]
    if not words or fold_userid(words[0]) != fold_userid(parts.reader.userid):
        return credentials, words, proven
    names_two = parts.verb is challenge and len(words) == 2
    opponent = names_two and _userid(parts, words[1])
    return credentials, words[1:] if opponent else words[2:], True


def _userid(parts: _Parts, word: str) -> str:
    """Return the userid of the active player that `word` names, "" if there is none.

    A challenge may also name any robot, or a mail address.
    """
    if parts.verb is challenge and (fold(word) == ANYBODY or is_address(word)):
        return fold(word)
    player = parts.context.work.players.by_userid(word.strip(",;"))
    return player.userid if player and player.active and player.id != parts.reader.id else ""


def _names(parts: _Parts, words: Sequence[str], *, safe: bool) -> list[str]:
    """Return the players that `words` name, or seem to name if they are `safe`."""
    found: list[str] = []
    for word in words:
        name = _userid(parts, word)
        if not name and safe:
            similar = near(word, parts.context.work.players.similar(word))
            name = _userid(parts, similar[0]) if len(similar) == 1 else ""
        found += [name] if name and name not in found else []
    return found


def _written(parts: _Parts) -> list[str] | None:
    """Return the words after the verb, by its parameters, or None if nothing is certain."""
    kinds = set(parts.verb.takes.values())
    if parts.verb.name == "change":
        return _changed(parts)
    if parts.verb.needs in (Proof.NOTHING, Proof.REGISTERED):
        boards = kinds & {Parameter.BOARD, Parameter.BOARDS} and Parameter.MOVE not in kinds
        return _shown(parts) if boards else _looked_at(parts) if kinds & _NAMES else None
    if parts.verb.needs_game and not kinds:
        credentials, rest, _ = _who(parts, parts.words)
        return None if rest else credentials
    write = next((write for kind, write in _WRITERS.items() if kind in kinds), None)
    return write(parts) if write else None


_NAMES = frozenset({Parameter.USERID, Parameter.USERIDS})


def _of_person(parts: _Parts) -> list[str]:
    """Write `userid password name...`; a word for what is missing is in place of the names."""
    credentials, words, safe = _who(parts, robots_named(parts.words))
    most = 9 if Parameter.USERIDS in parts.verb.takes.values() else 1
    missing = OPPONENT if parts.verb is challenge else "userid"
    return [*credentials, *(_names(parts, words, safe=safe)[:most] or [missing])]


def _of_board(parts: _Parts) -> list[str]:
    """Write `B userid password MOVE`."""
    kinds = set(parts.verb.takes.values())
    number, words = _number(parts, invitation=Parameter.INVITATION in kinds)
    credentials, rest, _ = _who(parts, words)
    move = [_move(parts, number, " ".join(rest)) or "your-move"] if Parameter.MOVE in kinds else []
    return [*number, *credentials, *move]


def _move(parts: _Parts, written: Sequence[str], text: str) -> str:
    """Return the move in `text` if it can be played or begun on the board `written`, else ""."""
    number, _ = Words(written).board_number()
    board = parts.context.boards.find(number or parts.context.answered)
    return (begun_form(board, parts.reader, text) if board else None) or ""


def _robot(parts: _Parts) -> list[str]:
    """Write `GAME LEVEL userid password`; what was not said is left out."""
    found = (parts.context.catalogue.find(word) for word in parts.words)
    game = next(filter(None, found), None)
    levels = [level for level in map(level_in, parts.words) if level in map(str, LEVELS)]
    named = [game.info.key] if game and not parts.game else []
    return [*named, *levels[:1], *_who(parts, parts.words)[0]]


def _number(parts: _Parts, *, invitation: bool) -> tuple[list[str], tuple[str, ...]]:
    """Return the number of the board as a list, [] if the reply names it, and the words after it.

    If it is missing, it is that of the reader's only board. An invitation is not guessed.
    """
    if parts.words and is_board(parts.words[0]):
        return [parts.words[0].rstrip(",")], parts.words[1:]
    if parts.context.answered is not None:
        return [], parts.words
    return ["its-number" if invitation else _only_board(parts)], parts.words


def _only_board(parts: _Parts) -> str:
    matches = parts.context.work.matches
    rows = matches.listing(None, [parts.reader.id], over=False, to_move=False, limit=2)
    return str(rows[0].number) if len(rows) == 1 else "board-number"


def _looked_at(parts: _Parts) -> list[str] | None:
    """Write `userid`, which needs no proof; return None if there is no such player."""
    return _names(parts, parts.words[:1], safe=True) or None


def _shown(parts: _Parts) -> list[str]:
    """Write `B...`."""
    numbers = [word.rstrip(",") for word in parts.words if is_board(word)]
    return numbers or _number(parts, invitation=False)[0]


def _counted(parts: _Parts) -> list[str] | None:
    """Write `N userid password`, where N is a count; return None if it is needed and missing."""
    number = [word for word in parts.words[:1] if word.isascii() and word.isdigit()]
    if not number and not parts.verb.usage.startswith("["):
        return None
    return [*number, *_who(parts, parts.words[len(number) :])[0]]


def _addresses(parts: _Parts) -> list[str]:
    """Write `userid password address...`; a reply proves too little to change an address."""
    own = fold_userid(parts.reader.userid)
    found = [
        word.strip("<>,;")
        for before, word in zip(("", *parts.words), parts.words, strict=False)
        if is_address(word.strip("<>,;")) and fold_userid(before) != own
    ]
    return [parts.reader.userid, PASSWORD, *(found or ["your-new-address"])]


def _changed(parts: _Parts) -> list[str] | None:
    """Write the words after `change`, or return None if it is not clear what to change."""
    said = [fold(word) for word in parts.words]
    if "password" in said:
        return ["password", parts.reader.userid, PASSWORD, "new-password"]
    if any(is_address(word) or "mail" in word or near(word, ["address"]) for word in said):
        return ["address", *_addresses(parts)]
    return None


_WRITERS: Mapping[Parameter, Callable[[_Parts], list[str] | None]] = {
    Parameter.ADDRESSES: _addresses,
    Parameter.COUNT: _counted,
    Parameter.LEVEL: _robot,
    Parameter.USERIDS: _of_person,
    Parameter.USERID: _of_person,
    Parameter.BOARDS: _of_board,
    Parameter.BOARD: _of_board,
    Parameter.INVITATION: _of_board,
}
"""The writers of commands with a parameter of this kind; the first that fits is used."""
