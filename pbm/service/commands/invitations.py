"""Commands of invitations and their answers."""

from collections.abc import Mapping
from dataclasses import dataclass

from pbm.domain.errors import NotUnderstood
from pbm.domain.invitations import INVITATION_LASTS, Answer
from pbm.domain.player import fold_userid
from pbm.service.bridge import AtBoard, Command, Line, Reading, Verb, read_bare_verb
from pbm.service.commands.wishes import is_standing, read_standing
from pbm.service.line import Credentials, Words, split_options
from pbm.service.robots import robots_named


@dataclass(frozen=True, slots=True)
class Challenge(Command):
    """An invitation to a match. `players` are userids, or "robot", in the order of seats."""

    game: str
    players: tuple[str, ...]
    options: Mapping[str, str]
    terms: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Rematch(AtBoard):
    """Another match of those who played on a board that is over, with sides exchanged."""


@dataclass(frozen=True, slots=True)
class Accept(AtBoard):
    """Yes to an invitation."""


@dataclass(frozen=True, slots=True)
class Decline(AtBoard):
    """No to an invitation."""


def _read_challenge(line: Line) -> Reading:
    """Read `[userid password] opponent...`, or `userid1 userid2`, which names nobody's password."""
    options = split_options(line.words.rest)
    words = Words(robots_named(options.words))
    credentials: Credentials | None = None
    players: tuple[str, ...]
    if line.reply:
        credentials = words.credentials(line.reply.player, least_rest=2)
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


def _read_rematch(line: Line) -> Reading:
    return read_bare_verb(line, lambda number, _due: Rematch(number))


def _read_accept(line: Line) -> Reading:
    if is_standing(line):
        return read_standing(line, Answer.ACCEPT)
    return read_bare_verb(line, lambda number, _due: Accept(number))


def _read_decline(line: Line) -> Reading:
    return read_bare_verb(line, lambda number, _due: Decline(number))


VERBS: tuple[Verb, ...] = (
    Verb("challenge", "userid password opponent [-option=value] [--option=value]",
         "invites somebody to a match", "GAME challenge alice your-password bob", _read_challenge,
         ("invite",), least=5, needs_game=True,
         text="You take the first seat, the opponent the second. --seat=second, or the name of a "
              "side as in --seat=black, is the seat that you want; --seat=random draws them. "
              "-name=value sets an option of the game; help GAME lists them. --name=value sets "
              "a term of the match:\n"
              "--nagtime=7: the player to move is reminded after this many days; without it, "
              "after a third of the forfeittime, 7 days at most.\n"
              "--forfeittime=21: a player who has not moved after this many days loses.\n"
              "--totaltime=60: a player who has used this many days for all moves together "
              "loses; without it there is no such limit.\n"
              "--unrated: the match does not count for the ratings.\n"
              "It starts when everybody has accepted. An invitation that somebody has not "
              f"answered within {INVITATION_LASTS.days} days is closed. More on clocks: help time\n"
              "robot is a robot that fits you, robot-1 to robot-5 the one that you name: then the "
              "match begins at once, unrated unless you say --rated. See help robot"),
    Verb("rematch", "B [userid password]", "invites your last opponent again, sides exchanged",
         "rematch 104 alice your-password", _read_rematch, ("again",),
         text="The same game, options and terms, once board B is over. Whoever began there "
              "plays second. In a reply to the mail of its end the word alone is enough. If your "
              "opponent has asked for the same already, the match begins at once."),
    Verb("accept", "N [userid password]", "accepts an invitation, a seek or an offer",
         "accept 104 bob your-password", _read_accept,
         text="Or just reply accept to its mail. list tells who seeks an opponent."),
    Verb("decline", "N [userid password] [reason in the text]", "turns an invitation down",
         "decline 104 bob your-password", _read_decline, ("refuse",),
         text="What you write below it is passed on as the reason."),
)  # fmt: skip
