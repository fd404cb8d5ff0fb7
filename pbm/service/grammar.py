"""The command language: one table that is the parser, the help text and the reference.

A line is `[game] verb words...`, in any case. commands.md is the specification.
"""

from collections.abc import Callable
from dataclasses import dataclass

from pbm.domain.catalogue import Catalogue
from pbm.domain.commands import (
    Accept,
    Challenge,
    Command,
    Credentials,
    Decline,
    Games,
    Help,
    Move,
    Request,
    Resign,
    Show,
    Signup,
    Swap,
)
from pbm.domain.errors import NotUnderstood
from pbm.domain.player import Player, fold_userid
from pbm.engine import fold, listing, near, quote
from pbm.service.words import Words, split_options


@dataclass(frozen=True, slots=True)
class Reply:
    """What a reply token adds to a line: the player it proves and the board it answers."""

    player: Player
    number: int
    ply: int


@dataclass(frozen=True, slots=True)
class Line:
    """A line on its way to a request: the words after the verb, and what is known beside them."""

    verb: "Verb"
    words: Words
    game: str | None
    reply: Reply | None

    @property
    def example(self) -> str:
        """A line of the right form, for refusals."""
        return self.verb.example


Reading = tuple[Command, Credentials | None]


@dataclass(frozen=True, slots=True)
class Verb:
    """A row of the grammar.

    `usage` is what follows the verb, `summary` one line for the list of commands, `text`
    the rest of its help page, `example` a line as players type it. `least` is the number
    of letters from which on the name may be shortened; 0: never.
    """

    name: str
    usage: str
    summary: str
    example: str
    read: Callable[[Line], Reading]
    aliases: tuple[str, ...] = ()
    least: int = 0
    needs_game: bool = False
    text: str = ""

    def is_called(self, word: str) -> bool:
        """Return whether `word` (folded) is the name, an alias, or a long enough beginning."""
        shortened = 0 < self.least <= len(word) and self.name.startswith(word)
        return word == self.name or word in self.aliases or shortened


def _read_help(line: Line) -> Reading:
    return Help(" ".join(line.words.rest[:2]) if not line.game else line.game), None


def _read_signup(line: Line) -> Reading:
    if len(line.words.rest) < 2:
        raise NotUnderstood("signup needs a userid and a password of your choice.", line.example)
    userid, password = line.words.rest[:2]
    return Signup(userid, password), None


def _read_challenge(line: Line) -> Reading:
    """Read `[userid password] opponent...`, or `userid1 userid2` to invite on others' behalf."""
    options = split_options(line.words.rest)
    words = Words(options.words)
    credentials: Credentials | None = None
    players: tuple[str, ...]
    if line.reply:
        words.credentials(line.reply.player, least_rest=2)
        me = line.reply.player.userid
        players = (me, *(w for w in words.rest if fold_userid(w) != fold_userid(me)))
    elif len(words.rest) == 2:
        players = tuple(words.rest)
    else:
        credentials = words.credentials(None, least_rest=1)
        players = (credentials.userid if credentials else "", *words.rest)
    if len(players) < 2:
        raise NotUnderstood("challenge needs the userid of your opponent.", line.example)
    return Challenge(line.game or "", players, options.game, options.match), credentials


def _read_board_verb(
    line: Line, make: Callable[[int | None, int | None, str], Command], *, least_rest: int = 0
) -> Reading:
    """Read `B[#n] [userid password] rest[#n]`; the board may be left out in a reply."""
    number, due = line.words.board()
    if number is None and not line.reply:
        raise NotUnderstood(f"{line.verb.name} needs the number of a board.", line.example)
    player = line.reply.player if line.reply else None
    credentials = line.words.credentials(player, least_rest=least_rest)
    text, meant = line.words.text_and_ply()
    return make(number, meant or due, text), credentials


_MOVE_WORDS: dict[str, Callable[[int | None, int | None], Command]] = {
    "swap": Swap,
    "pie": Swap,
    "resign": lambda board, due: Resign(board),  # noqa: ARG005 - one signature for all
}


def _read_move(line: Line) -> Reading:
    def make(board: int | None, due: int | None, text: str) -> Command:
        special = _MOVE_WORDS.get(fold(text))
        return special(board, due) if special else Move(board, text, due)

    return _read_board_verb(line, make, least_rest=1)


def _read_swap(line: Line) -> Reading:
    return _read_board_verb(line, lambda board, due, _: Swap(board, due))


def _read_resign(line: Line) -> Reading:
    return _read_board_verb(line, lambda board, _due, _text: Resign(board))


def _read_accept(line: Line) -> Reading:
    return _read_board_verb(line, lambda board, _due, _text: Accept(board))


def _read_decline(line: Line) -> Reading:
    return _read_board_verb(line, lambda board, _due, _text: Decline(board))


def _read_show(line: Line) -> Reading:
    boards = []
    while line.words.rest:
        number, ply = line.words.board()
        if number is None:
            raise NotUnderstood("show needs numbers of boards.", line.example)
        boards.append((number, ply))
    if not boards and line.reply:
        boards.append((line.reply.number, None))
    if not boards:
        raise NotUnderstood("show needs the number of a board.", line.example)
    return Show(tuple(boards[:20])), None


_WHICH = ("all", "active", "inactive", "next")


def _read_games(line: Line) -> Reading:
    which = [fold(word) for word in line.words.rest if fold(word) in _WHICH]
    userids = tuple(word for word in line.words.rest if fold(word) not in _WHICH)
    return Games(userids[:20], which[-1] if which else "active"), None


VERBS: tuple[Verb, ...] = (
    Verb("help", "[topic]", "how this server works", "help gonnect", _read_help, ("?", "info"),
         text="Topics: commands, the name of any game, the name of any command."),
    Verb("signup", "userid password", "opens an account for the address you write from",
         "signup alice your-password", _read_signup, ("register",),
         text="The server writes to that address once; answer that mail, and you can play. "
              "The password is one word. Do not use one that you use elsewhere."),
    Verb("challenge", "userid password opponent [-option=value] [--option=value]",
         "invites somebody to a match", "GAME challenge alice your-password bob", _read_challenge,
         least=5, needs_game=True,
         text="You take the first seat, the opponent the second; --seat=random draws them. "
              "-name=value sets an option of the game (help GAME lists them), --nagtime=7, "
              "--forfeittime=21 (days) and --unrated set those of the match. It starts when "
              "everybody has accepted."),
    Verb("accept", "N [userid password]", "takes up an invitation",
         "accept 104 bob your-password", _read_accept, text="Or just reply accept to its mail."),
    Verb("decline", "N [userid password] [reason in the text]", "turns an invitation down",
         "decline 104 bob your-password", _read_decline, ("refuse", "reject"),
         text="What you write below it is passed on as the reason."),
    Verb("move", "B[#n] [userid password] MOVE[#n]", "plays a move",
         "move 104 alice your-password G7", _read_move, ("mvoe", "mov"),
         text="In a reply to a board mail the move alone is enough. #n says that you mean "
              "ply n and refuses if another is due. What you write below is your comment, "
              "which the other players read. MOVE may be swap or resign."),
    Verb("swap", "B [userid password]", "uses the pie rule: you take the other side",
         "swap 104 bob your-password", _read_swap, ("pie",),
         text="Possible once, in place of the second move, where the game has this rule."),
    Verb("resign", "B [userid password]", "gives a match up, at your turn or not",
         "resign 104 alice your-password", _read_resign,
         text="Before your first move it declines the match, which then does not count."),
    Verb("show", "B[#n]...", "shows boards with all their moves", "show 104", _read_show,
         ("board", "display"), text="#n shows the position after n plies."),
    Verb("games", "[userid...] [all, active, inactive, next]", "lists boards in a table",
         "games alice", _read_games,
         text="next lists only boards where that player is to move. With the name of a game "
              "before it, only boards of that game."),
)  # fmt: skip
"""Every command. A new one is a row here, a value in domain.commands, and a handler."""


def find_verb(word: str) -> Verb | None:
    """Return the row that `word` names, in any case."""
    folded = fold(word)
    return next((verb for verb in VERBS if verb.is_called(folded)), None)


def verb_names() -> tuple[str, ...]:
    """Return every name and alias."""
    return tuple(name for verb in VERBS for name in (verb.name, *verb.aliases))


@dataclass(frozen=True, slots=True)
class Grammar:
    """The language of one server: the table of verbs and the names of its games."""

    catalogue: Catalogue

    def begins_command(self, line: str) -> bool:
        """Return whether the first word of `line` is a verb or a game."""
        first = line.split(maxsplit=1)[:1]
        return bool(first) and bool(find_verb(first[0]) or self.catalogue.find(first[0]))

    def resembles_command(self, line: str) -> tuple[str, ...]:
        """Return the names that the first word of `line` may have been meant for; () if none."""
        first = line.split(maxsplit=1)[:1]
        return near(first[0], (*verb_names(), *self.catalogue.names)) if first else ()

    def read(self, line: str, reply: Reply | None) -> Request:
        """Return what a line that `begins_command` asks for; raise NotUnderstood."""
        words = line.split()
        game = self.catalogue.find(words[0])
        # `swap` could be a game's name some day; a verb in second place settles what is meant.
        named = game is not None and (len(words) > 1 or not find_verb(words[0]))
        if named and game is not None:
            words = words[1:]
        verb = self._verb(words, game.info.title if named and game else "")
        if verb.needs_game and not named:
            raise NotUnderstood(
                f"{verb.name} begins with the name of a game: "
                f"{listing(g.info.key for g in self.catalogue)}.",
                verb.example.replace("GAME", next(iter(self.catalogue)).info.key),
            )
        key = game.info.key if named and game else None
        command, credentials = verb.read(Line(verb, Words(words[1:]), key, reply))
        return Request(verb.name, command, key, credentials)

    def _verb(self, words: list[str], title: str) -> Verb:
        if not words:
            return VERBS[0]  # a game's name alone asks for its help page
        verb = find_verb(words[0])
        if verb:
            return verb
        meant = near(words[0], verb_names())
        if meant:
            raise NotUnderstood(f"There is no such command; did you mean {listing(meant)}?")
        known = listing((v.name for v in VERBS), last="and")
        after = f" after {quote(title)}" if title else ""
        raise NotUnderstood(f"There is no such command{after}. There is {known}.")
