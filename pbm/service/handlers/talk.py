"""Messages to other players, and following boards."""

from collections.abc import Iterator, Mapping

from pbm.domain.errors import NotAllowed, NotNow, NotUnderstood
from pbm.domain.play import LiveMatch
from pbm.domain.play import chat as say
from pbm.domain.player import People
from pbm.domain.settings import BROADCAST, FOLLOWERS_TALK, chosen
from pbm.engine import counted, listing
from pbm.service.commands.talk import Broadcast, Chat, Follow, Message, Unfollow
from pbm.service.context import Context, Handler, board_notices, day_of
from pbm.service.notices import Notice
from pbm.service.notices.happenings import Event, Happening
from pbm.service.notices.talk import Noted, Passed
from pbm.service.ports import SequelKind
from pbm.service.steps.bounds import CHATS, MESSAGES, count, count_each, count_to_one
from pbm.service.steps.people import check_at_board, check_not_blocking

RECIPIENTS = 10


def chat(context: Context, command: Chat) -> Iterator[Notice]:
    """Keep the words of a player or follower with the board; send them to all others there."""
    player = context.sender()
    words = _words(context)
    board = context.board(command.number)
    check_at_board(context, player, board)
    players = context.people(board.match.players)
    if player.id not in players:
        _check_welcome(board, players)
    count(context, CHATS, player)
    for other in (other for id_, other in players.items() if id_ != player.id):
        count_to_one(context, CHATS, player, other)
    after = say(board, player.id, player.userid, comment=words, now=context.now)
    context.boards.save(board, after)
    yield from board_notices(context, after, Happening(Event.CHATTED, player.id, comment=words))


def _check_welcome(board: LiveMatch, players: People) -> None:
    """Raise NotAllowed if followers may only read, because not all players allow more."""
    if any(chosen(FOLLOWERS_TALK, player.settings) != "yes" for player in players.values()):
        raise NotAllowed(
            f"Those who follow board {board.match.number} can only read: not all of its players "
            "have asked for their talk.",
            f"show {board.match.number}",
        )


def _words(context: Context) -> str:
    if not context.comment:
        raise NotUnderstood("Write your message in the text of the mail.")
    return context.comment


def message(context: Context, command: Message) -> Iterator[Notice]:
    """Pass a player's words on to others without revealing any address.

    The receipt is the same, and true, whether or not they block the sender.
    """
    sender = context.sender()
    words = _words(context)
    if len(command.userids) > RECIPIENTS:
        raise NotAllowed(f"A message can go to {RECIPIENTS} players at most.")
    readers = {player.id: player for player in context.players(command.userids)}.values()
    check_not_blocking(context, sender, readers)
    count_each(context, MESSAGES, sender, readers)
    deaf = context.work.blocks.blockers_of(sender.id)
    for reader in (reader for reader in readers if reader.id not in deaf):
        yield Passed(reader, sender.userid, words)
    names = listing((reader.userid for reader in readers), last="and")
    yield Noted(sender, f"Your message for {names} is taken. Reading it is up to them.")


def broadcast(context: Context, _command: Broadcast) -> Iterator[Notice]:
    """Pass a player's words on to everybody who has asked for broadcasts, once a day."""
    sender = context.sender()
    words = _words(context)
    if context.work.tally(f"broadcast:{sender.id}", day_of(context.now)) > 1:
        raise NotNow("You can broadcast once a day.")
    listeners = context.work.players.count_with_setting(BROADCAST.name, "yes")
    others = listeners - (chosen(BROADCAST, sender.settings) == "yes")
    if others:
        facts = {"userid": sender.userid, "words": words}
        context.work.sequels.add(SequelKind.BROADCAST, sender.id, context.now, facts=facts)
    yield Noted(sender, f"Your broadcast is taken for {counted(others, 'player')}.")


def follow(context: Context, command: Follow) -> Iterator[Notice]:
    """Let a player get the mails of boards that they do not play on."""
    player = context.sender()
    for number in command.numbers:
        board = context.boards.get(number, context.game)
        if board.match.seats_of(player.id):
            raise NotNow(f"You play on board {number} and get its mails.", f"show {number}")
        context.work.followers.follow(
            player.id, number=number, game=None, only_end=command.only_end
        )
    if command.everything:
        context.work.followers.follow(
            player.id, number=None, game=context.game, only_end=command.only_end
        )
    what = "get a mail at the end of" if command.only_end else "follow"
    yield Noted(player, f"You now {what} {_boards(context, command)}.")


def unfollow(context: Context, command: Unfollow) -> Iterator[Notice]:
    """Stop the mails of these boards."""
    player = context.sender()
    followed = context.work.followers
    ended = [followed.unfollow(player.id, number=n, game=None) for n in command.numbers]
    if command.everything:
        ended.append(followed.unfollow(player.id, number=None, game=context.game))
    if not any(ended):
        raise NotNow("You do not follow that.")
    yield Noted(player, f"You no longer follow {_boards(context, command)}.")


def _boards(context: Context, command: Follow | Unfollow) -> str:
    if command.everything and context.game:
        return f"every board of {context.services.catalogue.get(context.game).info.title}"
    word = "board" if len(command.numbers) == 1 else "boards"
    return f"{word} {listing(map(str, command.numbers), last='and')}"


HANDLERS: Mapping[type, Handler] = {
    Chat: chat,
    Message: message,
    Broadcast: broadcast,
    Follow: follow,
    Unfollow: unfollow,
}
