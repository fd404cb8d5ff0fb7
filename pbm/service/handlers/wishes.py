"""Standing answers to invitations, and seeks that find each other."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from pbm.domain.match import Terms
from pbm.domain.player import Player
from pbm.domain.wishes import Answer, Seek, Stance
from pbm.engine import AnyGame
from pbm.service.commands.wishes import AnswerAlways, Limit, SeekMatches
from pbm.service.context import Context, Handler
from pbm.service.notices import Notice
from pbm.service.notices.talk import Noted
from pbm.service.steps.invitations import agreed_by_all, setup_of, start_match
from pbm.service.steps.people import apart_from

_ANSWERS = {
    Answer.ASK: "You are asked before you play a match of {}.",
    Answer.ACCEPT: "You accept every invitation to {}.",
    Answer.REJECT: "You turn down every invitation to {}.",
}


def answer_always(context: Context, command: AnswerAlways) -> Iterator[Notice]:
    """Set how every invitation to a game is answered from now on."""
    player, game = context.sender(), _game(context)
    stance = replace(_stance(context, game, player), answer=command.answer)
    context.work.wishes.set_stance(game.info.key, player.id, stance)
    yield Noted(player, _ANSWERS[command.answer].format(game.info.title))


def limit(context: Context, command: Limit) -> Iterator[Notice]:
    """Limit the player's open boards of a game."""
    player, game = context.sender(), _game(context)
    stance = replace(_stance(context, game, player), limit=command.most)
    context.work.wishes.set_stance(game.info.key, player.id, stance)
    bound = "any number of" if command.most is None else f"at most {command.most}"
    yield Noted(player, f"You play {bound} boards of {game.info.title} at a time.")


def _game(context: Context) -> AnyGame:
    return context.services.catalogue.get(context.game or "")


def _stance(context: Context, game: AnyGame, player: Player) -> Stance:
    return context.work.wishes.stances(game.info.key, [player.id]).get(player.id, Stance())


def seek(context: Context, command: SeekMatches) -> Iterator[Notice]:
    """Pair the player with matching seeks, oldest first; store what is left of the wish."""
    player, game = context.sender(), _game(context)
    setup, terms = setup_of(game, command.options), Terms.read(command.terms)
    mine = Seek(player.id, game.info.key, setup, terms, command.count, context.now)
    apart = apart_from(context, player)
    for other in context.work.wishes.seeks(game.info.key):
        if mine.count and other.player not in apart and _fits(context, mine, other):
            context.work.wishes.set_seek(replace(other, count=other.count - 1))
            mine = replace(mine, count=mine.count - 1)
            yield from _pair(context, game, mine, other)
    context.work.wishes.set_seek(mine)
    more = "more " if mine.count != command.count else ""
    left = f"{mine.count or 'no'} {more}{'match' if mine.count == 1 else 'matches'}"
    yield Noted(player, f"You seek {left} of {game.info.title}.")


def _fits(context: Context, mine: Seek, other: Seek) -> bool:
    """Return whether two seeks want the same and come from two people."""
    if mine.player == other.player:
        return False
    same = mine.setup.options == other.setup.options and mine.terms == other.terms
    people = context.people([mine.player, other.player])
    apart = not set(people[mine.player].addresses) & set(people[other.player].addresses)
    return same and apart


def _pair(context: Context, game: AnyGame, mine: Seek, other: Seek) -> Iterator[Notice]:
    chance = context.services.chance
    seats = chance.shuffled((other.player, mine.player))
    setup = replace(mine.setup, seed=chance.seed())
    yield from start_match(context, agreed_by_all(context, game, setup, mine.terms, seats))


HANDLERS: Mapping[type, Handler] = {
    AnswerAlways: answer_always,
    Limit: limit,
    SeekMatches: seek,
}
