"""Messages to other players, and following boards."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from pbm.domain.errors import NotAllowed, NotNow, NotUnderstood, UnknownName
from pbm.domain.play import LiveMatch
from pbm.domain.play import chat as say
from pbm.domain.player import People, Player
from pbm.domain.settings import BROADCAST, chosen
from pbm.engine import counted, listing
from pbm.features.people import check_not_blocking
from pbm.service.board_messages import Event, Happening
from pbm.service.commands.talk import Broadcast, Chat, Follow, MessageTo, Unfollow
from pbm.service.context import Context, Handler, board_notices, day_of, followers_of
from pbm.service.letters import Message, noted
from pbm.service.limits import Limit, count, count_each, count_received, count_to_one
from pbm.service.notices.talk import Passed
from pbm.service.ports import SequelKind
from pbm.service.robots import reads_nothing, robots_opposite
from pbm.service.tokens import message_token

RECIPIENTS = 10

MESSAGES = Limit("message", 30, 10)

CHATS = Limit("chat", 60, 30)


def chat(context: Context, command: Chat) -> Iterator[Message]:
    """Keep the words of a player with the board; send them to all others there."""
    player = context.sender()
    words = _words(context)
    board = context.board(command.number)
    players = context.people(board.match.players)
    _check_plays(board, player, players)
    _check_read(context, board, player)
    count(context, CHATS, player)
    for other in (other for id_, other in players.items() if id_ != player.id):
        count_to_one(context, CHATS, player, other)
    after = say(board, player.id, comment=words, now=context.now)
    context.boards.save(board, after)
    yield from board_notices(context, after, Happening(Event.CHATTED, player.id, comment=words))


def _check_plays(board: LiveMatch, player: Player, players: People) -> None:
    """Raise NotAllowed if `player` has no seat on the board: they can write to its players."""
    if player.id not in players:
        persons = [each.userid for each in players.values() if not each.is_robot]
        raise NotAllowed(
            f"Only its players can chat on board {board.match.number}. To write to a player, use "
            "message.",
            f"message {player.userid} your-password {' '.join(persons) or 'userid'}",
        )


def _check_read(context: Context, board: LiveMatch, player: Player) -> None:
    """Raise the Refusal if nobody but robots would get the words."""
    robots = robots_opposite(context, board, player)
    if robots and not followers_of(context, board):
        raise reads_nothing(robots)


def _words(context: Context) -> str:
    if not context.comment:
        raise NotUnderstood("Write your message in the text of the mail.")
    return context.comment


def message(context: Context, command: MessageTo) -> Iterator[Message]:
    """Pass a player's words on to others without revealing any address.

    The receipt is the same, and true, whether or not they block the sender.
    """
    sender = context.sender()
    words = _words(context)
    if len(command.userids) > RECIPIENTS:
        raise NotAllowed(f"A message can go to {RECIPIENTS} players at most.")
    readers = {player.id: player for player in context.players(command.userids)}.values()
    if robots := [reader for reader in readers if reader.is_robot]:
        raise reads_nothing(robots)
    check_not_blocking(context, sender, readers)
    count_each(context, MESSAGES, sender, readers)
    deaf = context.work.blocks.blockers_of(sender.id)
    count_received(context, MESSAGES, readers, deaf)
    for reader in (reader for reader in readers if reader.id not in deaf):
        token = message_token(sender.id, reader.id)
        yield Passed(reader, sender.userid, words, reply=token)
    names = listing((reader.userid for reader in readers), last="and")
    yield noted(sender, f"Your message for {names} is taken. Reading it is up to them.")


def broadcast(context: Context, _command: Broadcast) -> Iterator[Message]:
    """Pass a player's words on to everybody who has asked for broadcasts, once a day."""
    sender = context.sender()
    words = _words(context)
    listeners = context.work.players.count_with_setting(BROADCAST.name, "yes")
    others = listeners - (chosen(BROADCAST, sender.settings) == "yes")
    if not others:
        # Nothing was sent, so it does not count. Those who block the sender are among the
        # others, so that this tells nobody of them.
        yield noted(sender, "Nobody here wants broadcasts at present, so nothing was sent.")
        return
    if context.work.tally(f"broadcast:{sender.id}", day_of(context.now)) > 1:
        raise NotNow("You can broadcast once a day.")
    facts = {"userid": sender.userid, "words": words}
    context.work.sequels.add(SequelKind.BROADCAST, sender.id, context.now, facts=facts)
    yield noted(sender, f"Your broadcast is taken for {counted(others, 'player')}.")


Subject = int | str
"""What is followed: the board of that number, or all boards of the game of that key."""


def follow(context: Context, command: Follow) -> Iterator[Message]:
    """Let a player get the mails of boards that they do not play on, or only the last ones.

    Whoever follows a board gets its last mail anyway, so asking for that takes nothing away.
    """
    player = context.sender()
    subjects = _subjects(context, command)
    kept = [s for s in subjects if command.only_end and _gets_all(context, player, s)]
    new = [subject for subject in subjects if subject not in kept]
    for subject in new:
        number, game = _board_or_game(subject)
        context.work.followers.follow(
            player.id, number=number, game=game, only_end=command.only_end
        )
    said = []
    if new:
        what = "get a mail at the end of" if command.only_end else "follow"
        said.append(f"You now {what} {_named(context, new)}.")
    if kept:
        said.append(f"You get all mails of {_named(context, kept)} already, and so the last one.")
    yield noted(player, " ".join(said))


def unfollow(context: Context, command: Unfollow) -> Iterator[Message]:
    """Stop the mails of these boards, and say which of them come for another reason."""
    player = context.sender()
    subjects = _named_by(context, command)
    ended = [s for s in subjects if _stop(context, player, s)]
    through = _followed_through(context, player, command.numbers)
    if not ended and not through:
        raise NotNow("You do not follow that.")
    said = [f"You no longer follow {_named(context, ended)}."] if ended else []
    said += [
        f"You get the mails of {_boards(numbers)} because you have asked for every board of "
        f"{context.services.catalogue.get(game).info.title}; {game} unsubscribe all stops them."
        for game, numbers in through.items()
    ]
    yield noted(player, " ".join(said))


def _subjects(context: Context, command: Follow) -> list[Subject]:
    """Return what the command names; raise a Refusal if the player plays on one of the boards."""
    for number in command.numbers:
        board = context.boards.get(number, context.game)
        if board.match.seats_of(context.sender().id):
            raise NotNow(f"You play on board {number} and get its mails.", f"show {number}")
    return _named_by(context, command)


def _named_by(context: Context, command: Follow | Unfollow) -> list[Subject]:
    games = [context.game] if command.everything and context.game else []
    return [*command.numbers, *games]


def _board_or_game(subject: Subject) -> tuple[int | None, str | None]:
    return (subject, None) if isinstance(subject, int) else (None, subject)


def _gets_all(context: Context, player: Player, subject: Subject) -> bool:
    """Return whether the player gets all mails of it, and not only the last one."""
    if isinstance(subject, int):
        return followers_of(context, context.boards.get(subject)).get(player.id) is False
    return context.work.followers.choice(player.id, number=None, game=subject) is False


def _stop(context: Context, player: Player, subject: Subject) -> bool:
    number, game = _board_or_game(subject)
    return context.work.followers.unfollow(player.id, number=number, game=game)


def _followed_through(
    context: Context, player: Player, numbers: Iterable[int]
) -> dict[str, list[int]]:
    """Return the boards whose mails the player gets because they follow a game, by game."""
    found: dict[str, list[int]] = {}
    for number in numbers:
        with suppress(UnknownName):
            board = context.boards.get(number)
            if player.id in followers_of(context, board):
                found.setdefault(board.match.game, []).append(number)
    return found


def _named(context: Context, subjects: Iterable[Subject]) -> str:
    numbers = [subject for subject in subjects if isinstance(subject, int)]
    titles = [
        f"every board of {context.services.catalogue.get(subject).info.title}"
        for subject in subjects
        if isinstance(subject, str)
    ]
    return listing([*([_boards(numbers)] if numbers else []), *titles], last="and")


def _boards(numbers: Sequence[int]) -> str:
    word = "board" if len(numbers) == 1 else "boards"
    return f"{word} {listing(map(str, numbers), last='and')}"


HANDLERS: Mapping[type, Handler] = {
    Chat: chat,
    MessageTo: message,
    Broadcast: broadcast,
    Follow: follow,
    Unfollow: unfollow,
}
