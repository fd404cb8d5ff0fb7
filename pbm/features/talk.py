"""Talk: chats on boards, messages to players, and broadcasts."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta

from pbm.core.audience import followers_of, save_and_report
from pbm.core.command import BoardNumber, Proof, Userids, command, read_who
from pbm.core.context import Context
from pbm.core.events import Effect, Event, Happening
from pbm.core.letters import Message, letter, noted
from pbm.core.limits import Limit, count, count_each, count_received, count_to_one
from pbm.core.schedule import READERS, JobPart
from pbm.core.tokens import message_token
from pbm.domain.errors import NotAllowed, NotNow, NotUnderstood
from pbm.domain.mail import Leaving, Mailing
from pbm.domain.play import Board
from pbm.domain.play import chat as say
from pbm.domain.player import People, Player
from pbm.domain.settings import BROADCAST, chosen
from pbm.engine import counted, listing
from pbm.features.people import check_not_blocking
from pbm.store.time import FollowUp, FollowUpKind

CHATS = Limit("chat", 60, 30)

MESSAGES = Limit("message", 30, 10)

RECIPIENTS = 10
"""The most players to whom one message goes."""

CHATTED = Event(
    "chatted",
    lambda seen: "Your message was sent." if seen.mine else f"{seen.actor} sent a message.",
    Effect.TALK,
)


@command(
    "chat", "B [userid password]", "sends your text to the players and followers of a board",
    "chat 104 alice your-password", needs=Proof.BOARD,
    text="The text of your mail is sent to them and kept with the board. It is never read as a "
         "move. Followers of a board can read chat; to write to a player, they use message.",
)  # fmt: skip
def chat(context: Context, number: BoardNumber) -> Iterator[Message]:
    """Keep the words of a player with the board, and mail them to everybody else there."""
    player = context.sender()
    words = _words(context)
    board = context.board(number)
    players = context.people(board.match.players)
    _check_plays(board, player, players)
    others = [players[other] for other in board.match.players if other != player.id]
    robots = bool(others) and all(other.is_robot for other in others)
    if robots and not followers_of(context, board):
        raise _reads_nothing(others)
    after = say(board, player.id, comment=words, now=context.now)
    _check_not_said(board, after)
    count(context, CHATS, player)
    for other in (other for id_, other in players.items() if id_ != player.id):
        count_to_one(context, CHATS, player, other)
    chatted = Happening(CHATTED, player.id, comment=words)
    yield from save_and_report(context, board, after, chatted)


def _check_plays(board: Board, player: Player, players: People) -> None:
    """Raise NotAllowed if `player` has no seat on the board: they can write to its players."""
    if player.id not in players:
        persons = [each.userid for each in players.values() if not each.is_robot]
        raise NotAllowed(
            f"Only its players can chat on board {board.match.number}. To write to a player, use "
            "message.",
            f"message {player.userid} your-password {' '.join(persons) or 'userid'}",
        )


def _check_not_said(before: Board, after: Board) -> None:
    """Raise NotNow if the last words on the board are the same, and new: a program repeats them."""
    said, last = after.match.log.recent[-1], before.match.log.recent[-1:]
    if last and replace(said, at=last[0].at) == last[0] and said.at - last[0].at < _REPEATED:
        raise NotNow("You wrote the same words just before, so they were not sent again.", "help")


_REPEATED = timedelta(days=1)


def _words(context: Context) -> str:
    if not context.comment:
        raise NotUnderstood("Write your message in the text of the mail.")
    return context.comment


@command(
    "message", "userid password to...", "sends your text to other players",
    "message alice your-password bob carol", needs=Proof.PERSON, aliases=("msg",),
    text="Name up to ten userids. Nobody sees an address. You do not learn whether it was read: a "
         "player can block another.",
)  # fmt: skip
def message(context: Context, userids: Userids) -> Iterator[Message]:
    """Pass a player's words on to others without revealing any address.

    The receipt is the same, and true, whether or not they block the sender.
    """
    sender = context.sender()
    words = _words(context)
    if len(userids) > RECIPIENTS:
        raise NotAllowed(f"A message can go to {RECIPIENTS} players at most.")
    readers = {player.id: player for player in context.players(userids)}.values()
    if robots := [reader for reader in readers if reader.is_robot]:
        raise _reads_nothing(robots)
    check_not_blocking(context, sender, readers)
    count_each(context, MESSAGES, sender, readers)
    deaf = context.work.blocks.blockers_of(sender.id)
    count_received(context, MESSAGES, readers, deaf)
    for reader in (reader for reader in readers if reader.id not in deaf):
        yield letter(
            reader, "talk/message", sender=sender.userid, text=words,
            reply=message_token(sender.id, reader.id),
        )  # fmt: skip
    names = listing((reader.userid for reader in readers), last="and")
    yield noted(sender, f"Your message has been sent to {names}.")


@command(
    "broadcast", "userid password", "sends your text to all players who want broadcasts",
    "broadcast alice your-password", needs=Proof.PERSON, locks=True, read=read_who,
    text="Once a day. To get broadcasts, send: set userid password broadcast yes",
)  # fmt: skip
def broadcast(context: Context) -> Iterator[Message]:
    """Pass a player's words on to everybody who has asked for broadcasts, once a day."""
    sender = context.sender()
    words = _words(context)
    listeners = context.work.players.count_with_setting(BROADCAST.name, "yes")
    others = listeners - (chosen(BROADCAST, sender.settings) == "yes")
    if not others:
        # Nothing was sent, so it does not count. Those who block the sender count among the
        # others, so that this gives nobody away.
        yield noted(sender, "No player here wants broadcasts at present, so nothing was sent.")
        return
    if context.today(f"broadcast:{sender.id}") > 1:
        raise NotNow("You can broadcast once a day.")
    facts = {"userid": sender.userid, "words": words}
    context.work.follow_ups.add(FollowUpKind.BROADCAST, sender.id, context.now, facts=facts)
    yield noted(sender, f"Your broadcast has been sent to {counted(others, 'player')}.")


def go_on_broadcasting(context: Context, follow_up: FollowUp) -> JobPart:
    """Pass a broadcast on to some of those who want it, but not to those who block its author."""
    author, facts = follow_up.player or 0, follow_up.facts
    deaf = context.work.blocks.blockers_of(author) | {author}
    after = follow_up.done_up_to
    batch = context.work.players.with_setting(BROADCAST.name, "yes", after=after, limit=READERS)
    letters = tuple(
        letter(
            reader, "talk/broadcast", sender=facts["userid"], text=facts["words"],
            leave=Leaving(Mailing.BROADCASTS), reply=message_token(author, reader.id),
        )
        for reader in batch
        if reader.id not in deaf
    )  # fmt: skip
    return JobPart(letters, batch[-1].id if batch else None)


def _reads_nothing(robots: Sequence[Player]) -> NotAllowed:
    """Return the refusal of a message to robots."""
    named = listing(dict.fromkeys(robot.userid for robot in robots), last="and")
    verb = "is a robot and does" if " and " not in named else "are robots and do"
    return NotAllowed(f"{named} {verb} not read messages.")
