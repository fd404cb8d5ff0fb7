"""Preferences: standing answers to invitations, and how many boards of a game a player wants."""

from collections.abc import Iterator
from dataclasses import replace

from pbm.domain.errors import NotUnderstood
from pbm.domain.invitations import Answer, Stance, whole_number
from pbm.domain.player import PlayerId
from pbm.engine import AnyGame, counted, fold
from pbm.service.command import Count, Line, Proof, Reading, command, reading, untyped
from pbm.service.context import Context
from pbm.service.letters import Message, noted

_HIGHEST_LIMIT = 100

_ANSWERS = {
    Answer.ASK: "You are asked before you play a match of {}.",
    Answer.ACCEPT: "You accept every invitation to {}.",
    Answer.REJECT: "You turn down every invitation to {}.",
}


def is_standing(line: Line) -> bool:
    """Return whether `GAME accept` or `GAME reject` means every invitation, not a numbered one."""
    numbered = bool(line.words.rest) and line.words.rest[0].lstrip("#")[:1].isdigit()
    return line.game is not None and line.reply is None and not numbered


def read_standing(line: Line, answer: Answer) -> Reading:
    """Read `[userid password]` behind `GAME accept` or `GAME reject`."""
    credentials = line.words.credentials(line.proven, least_rest=0)
    return reading(credentials, command=answer_always, answer=answer)


@untyped("answer always", needs=Proof.PERSON)
def answer_always(context: Context, answer: Answer) -> Iterator[Message]:
    """Set how every invitation to a game is answered from now on."""
    yield _set_answer(context, answer)


def _read_ask(line: Line) -> Reading:
    return reading(line.words.credentials(line.proven, least_rest=0))


@command(
    "ask", "[userid password]", "asks you about every invitation to a game",
    "GAME ask alice your-password",
    needs=Proof.PERSON, read=_read_ask, needs_game=True,
    text="This is how it works unless you say otherwise. GAME accept userid password "
         "accepts every invitation to a game, GAME reject userid password declines every "
         "one.",
)  # fmt: skip
def ask(context: Context) -> Iterator[Message]:
    """Ask the player about every invitation to a game from now on."""
    yield _set_answer(context, Answer.ASK)


def _set_answer(context: Context, answer: Answer) -> Message:
    player, game = context.sender(), _game(context)
    stance = replace(_stance(context, game, player.id), answer=answer)
    context.work.wishes.set_stance(game.info.key, player.id, stance)
    return noted(player, _ANSWERS[answer].format(game.info.title))


def _read_limit(line: Line) -> Reading:
    """Read `N [userid password]`, or "off" in place of the number."""
    word = "".join(line.words.rest[:1])
    most = whole_number(word, _HIGHEST_LIMIT)
    if most is None and fold(word) not in ("off", "none", "no"):
        raise NotUnderstood(f"limit needs a number from 0 to {_HIGHEST_LIMIT}.", line.example)
    del line.words.rest[0]
    return reading(line.words.credentials(line.proven, least_rest=0), most=most)


@command(
    "limit", "N [userid password]", "limits your open boards of a game",
    "GAME limit 5 alice your-password",
    needs=Proof.PERSON, read=_read_limit, needs_game=True,
    text="Invitations beyond it are declined for you. limit off removes it.",
)  # fmt: skip
def limit(context: Context, most: Count | None) -> Iterator[Message]:
    """Limit the player's open boards of a game; None removes the limit."""
    player, game = context.sender(), _game(context)
    stance = replace(_stance(context, game, player.id), limit=most)
    context.work.wishes.set_stance(game.info.key, player.id, stance)
    bound = "any number of boards" if most is None else f"at most {counted(most, 'board')}"
    yield noted(player, f"You play {bound} of {game.info.title} at a time.")


def _game(context: Context) -> AnyGame:
    return context.services.catalogue.get(context.game or "")


def _stance(context: Context, game: AnyGame, player: PlayerId) -> Stance:
    return context.work.wishes.stances(game.info.key, [player]).get(player, Stance())


def has_room(context: Context, game: AnyGame, player: PlayerId) -> bool:
    """Return whether `player` wants one more board of the game, by the limit that they set."""
    return is_within_limit(context, game, player, _stance(context, game, player))


def is_within_limit(context: Context, game: AnyGame, player: PlayerId, stance: Stance) -> bool:
    """Return whether `player`, with this limit, wants one more board of the game."""
    if stance.limit is None:
        return True
    return context.work.wishes.active_boards(game.info.key, player) < stance.limit
