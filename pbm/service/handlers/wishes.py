"""Standing answers to invitations, and seeks that find somebody."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from pbm.domain.errors import NotNow
from pbm.domain.invitations import (
    SEEKS_HEARD,
    Answer,
    Seek,
    Stance,
    Terms,
    asked_seat,
    wants_seeks,
)
from pbm.domain.player import Player
from pbm.engine import AnyGame, counted
from pbm.service.commands.wishes import AnswerAlways, Limit, SeekMatches, WantSeeks, Withdraw
from pbm.service.context import Context, Handler
from pbm.service.letters import Message, noted
from pbm.service.new_match import setup_of
from pbm.service.notices.wishes import SeekNoted
from pbm.service.ports import SequelKind
from pbm.service.robots import robot_line
from pbm.service.steps.invitations import has_room, withdraw_invitation
from pbm.service.steps.seeks import begin, check_can_be_sought, may_be_told, open_to
from pbm.service.tokens import Token, TokenKind, player_token

_ANSWERS = {
    Answer.ASK: "You are asked before you play a match of {}.",
    Answer.ACCEPT: "You accept every invitation to {}.",
    Answer.REJECT: "You turn down every invitation to {}.",
}


def answer_always(context: Context, command: AnswerAlways) -> Iterator[Message]:
    """Set how every invitation to a game is answered from now on."""
    player, game = context.sender(), _game(context)
    stance = replace(_stance(context, game, player), answer=command.answer)
    context.work.wishes.set_stance(game.info.key, player.id, stance)
    yield noted(player, _ANSWERS[command.answer].format(game.info.title))


def limit(context: Context, command: Limit) -> Iterator[Message]:
    """Limit the player's open boards of a game."""
    player, game = context.sender(), _game(context)
    stance = replace(_stance(context, game, player), limit=command.most)
    context.work.wishes.set_stance(game.info.key, player.id, stance)
    most = command.most
    bound = "any number of boards" if most is None else f"at most {counted(most, 'board')}"
    yield noted(player, f"You play {bound} of {game.info.title} at a time.")


def _game(context: Context) -> AnyGame:
    return context.services.catalogue.get(context.game or "")


def _stance(context: Context, game: AnyGame, player: Player) -> Stance:
    return context.work.wishes.stances(game.info.key, [player.id]).get(player.id, Stance())


def seek(context: Context, command: SeekMatches) -> Iterator[Message]:
    """Pair the player with seeks that fit, oldest first; store and tell what is left of the wish.

    A player seeks one kind of match of a game at a time. If nothing but the number of matches
    changes, the seek keeps its number and nobody is told again.
    """
    player, game = context.sender(), _game(context)
    if command.count:
        check_can_be_sought(game, player)
    setup = setup_of(game, command.options)
    seat, given = asked_seat(command.terms, game.info.seats)
    terms = replace(Terms.read(given), draw_seats=False)
    mine = Seek(0, player.id, game.info.key, setup, terms, command.count, context.now, seat)
    for other in open_to(context, player, game.info.key):
        if mine.count and mine.fits(other) and has_room(context, game, other.player):
            mine = replace(mine, count=mine.count - 1)
            yield from begin(context, game, other, player, mine.seat)
    yield _store(context, player, mine, command.count)


def _store(context: Context, player: Player, mine: Seek, asked: int) -> SeekNoted:
    """Store what is left of the wish in place of the player's earlier seek of the game."""
    before = next((s for s in context.work.wishes.seeks_of(player.id) if s.game == mine.game), None)
    told = False
    if before and mine.count and before.is_like(mine):
        mine, told = replace(mine, number=before.number), True
    elif mine.count:
        mine = replace(mine, number=context.work.next_number())
        told = may_be_told(context, player.id)
        if told:
            kind = SequelKind.SEEK
            context.work.sequels.add(kind, player.id, context.now, number=mine.number)
    context.work.wishes.set_seek(mine)
    withdrawn = before.number if before and before.number != mine.number else 0
    reply = Token(TokenKind.INVITATION, mine.number, player.id) if mine.count else None
    game = _game(context)
    robot = robot_line(context, game.info.key) if mine.count else ""
    return SeekNoted(player, mine, game, asked, withdrawn, told, robot, reply=reply)


def want_seeks(context: Context, command: WantSeeks) -> Iterator[Message]:
    """Begin or stop to tell the player of seeks, of the game named or of all games."""
    player, catalogue = context.sender(), context.services.catalogue
    games = [_game(context)] if context.game else list(catalogue)
    for game in games:
        value = "yes" if command.wanted else None
        context.work.players.set_setting(player.id, wants_seeks(game.info.key), value)
    what = games[0].info.title if context.game else "any game"
    line = f"{context.game} unsubscribe seeks" if context.game else "unsubscribe seeks"
    yield noted(
        player,
        f"You get a mail when somebody seeks an opponent at {what}, {SEEKS_HEARD} a day at most. "
        f"To see who seeks one now, reply list. To stop the mails, reply {line}."
        if command.wanted
        else f"You get no more mails of who seeks an opponent at {what}.",
        reply=player_token(player.id),
    )


def withdraw(context: Context, command: Withdraw) -> Iterator[Message]:
    """Take an invitation or a seek of the player's own back."""
    player, number = context.sender(), context.board_number(command.number)
    sought = context.work.wishes.seek(number)
    match = context.work.matches.get(number)
    if match and player.id in match[0].players:
        raise NotNow(
            f"Board {number} has begun. It can be resigned, which before your first move does not "
            "count.",
            f"resign {number} {player.userid} your-password",
        )
    if sought is None or sought.player != player.id:
        yield from withdraw_invitation(context, player, number)
    else:
        context.work.wishes.set_seek(replace(sought, count=0))
        title = context.services.catalogue.get(sought.game).info.title
        yield noted(player, f"Your seek {number}, of {title}, is withdrawn.")


HANDLERS: Mapping[type, Handler] = {
    AnswerAlways: answer_always,
    Limit: limit,
    SeekMatches: seek,
    WantSeeks: want_seeks,
    Withdraw: withdraw,
}
