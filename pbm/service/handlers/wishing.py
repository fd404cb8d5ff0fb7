"""Standing answers to invitations, and seeks that find each other."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pbm.domain.commands import Limit, SeekMatches, Stand
from pbm.domain.errors import NotAllowed
from pbm.domain.match import Terms
from pbm.domain.openness import Answer, Seek, Stance
from pbm.domain.player import Player
from pbm.engine import AnyGame
from pbm.service.context import Context
from pbm.service.handlers.starting import agreed_by_all, setup_of, start_match
from pbm.service.notices import Notice
from pbm.service.talk_notices import Noted

_ANSWERS = {
    Answer.ASK: "You are asked before you play a match of {}.",
    Answer.ACCEPT: "You accept every invitation to {}.",
    Answer.REJECT: "You turn down every invitation to {}.",
}


def stand(context: Context, command: Stand) -> Iterator[Notice]:
    """Answer every invitation to a game from now on."""
    player, game = context.sender(), _game(context)
    stance = replace(_stance(context, game, player), answer=command.answer)
    context.work.wishes.set_stance(game.info.key, player.id, stance)
    yield Noted(player, _ANSWERS[command.answer].format(game.info.title))


def limit(context: Context, command: Limit) -> Iterator[Notice]:
    """Bound the open boards of a game."""
    player, game = context.sender(), _game(context)
    stance = replace(_stance(context, game, player), limit=command.boards)
    context.work.wishes.set_stance(game.info.key, player.id, stance)
    bound = "any number of" if command.boards is None else f"at most {command.boards}"
    yield Noted(player, f"You play {bound} boards of {game.info.title} at a time.")


def _game(context: Context) -> AnyGame:
    return context.services.catalogue.get(context.game or "")


def _stance(context: Context, game: AnyGame, player: Player) -> Stance:
    return context.work.wishes.stances(game.info.key, [player.id]).get(player.id, Stance())


def answers_of(context: Context, game: AnyGame, invited: Sequence[Player]) -> frozenset[int]:
    """Return who of the `invited` has agreed by a standing answer.

    Raises NotAllowed if one takes no invitations, or has as many boards as he wants.
    """
    stances = context.work.wishes.stances(game.info.key, [player.id for player in invited])
    for player in invited:
        stance = stances.get(player.id, Stance())
        if stance.answer is Answer.REJECT:
            raise NotAllowed(f"{player.userid} takes no invitations to {game.info.title}.")
        if stance.limit is not None and _boards(context, game, player) >= stance.limit:
            raise NotAllowed(
                f"{player.userid} has as many boards of {game.info.title} as he wants."
            )
    return frozenset(p for p, stance in stances.items() if stance.answer is Answer.ACCEPT)


def _boards(context: Context, game: AnyGame, player: Player) -> int:
    return context.work.wishes.active_boards(game.info.key, player.id)


def seek(context: Context, command: SeekMatches) -> Iterator[Notice]:
    """Pair the player with those who seek the same, oldest first; keep what is left of the wish."""
    player, game = context.sender(), _game(context)
    setup, terms = setup_of(game, command.options), Terms.read(command.terms)
    mine = Seek(player.id, game.info.key, setup, terms, command.count, context.now)
    for other in context.work.wishes.seeks(game.info.key):
        if mine.count and _fits(context, mine, other):
            context.work.wishes.set_seek(replace(other, count=other.count - 1))
            mine = replace(mine, count=mine.count - 1)
            yield from _pair(context, game, mine, other)
    context.work.wishes.set_seek(mine)
    more = "more " if mine.count != command.count else ""
    left = f"{mine.count or 'no'} {more}{'match' if mine.count == 1 else 'matches'}"
    yield Noted(player, f"You seek {left} of {game.info.title}.")


def _fits(context: Context, mine: Seek, other: Seek) -> bool:
    """Return whether two seeks want the same and are of two persons."""
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
