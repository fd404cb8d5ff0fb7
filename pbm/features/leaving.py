"""Leaving the server: signoff, and the end of everything that the player has begun."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice

from pbm.core.audience import board_messages
from pbm.core.command import CommandLine, Proof, Request, command
from pbm.core.context import Context
from pbm.core.events import Effect, Event, Happening
from pbm.core.letters import Message, letter
from pbm.core.schedule import JobPart
from pbm.core.tokens import confirmation_token
from pbm.domain.confirmations import ConfirmationKind, ConfirmationRequest
from pbm.domain.errors import NotNow, NotUnderstood, UnknownName
from pbm.domain.play import Board
from pbm.domain.player import Player, PlayerState
from pbm.engine import fold
from pbm.features.closed_invitations import decline_invitation
from pbm.features.leagues import leave_league, mark_left, names_league, read_league
from pbm.features.seeks import close_seeks
from pbm.features.turns import give_up
from pbm.store.match_reading import MatchRow
from pbm.store.time import FollowUp, FollowUpKind


def _read_signoff(line: CommandLine) -> Request:
    """Read `userid password`; without these words a reply asks for the same as `leave`."""
    if line.reply and not line.words.rest:
        return line.request(command=leave_server)
    if len(line.words.rest) != 2:
        raise NotUnderstood(
            "signoff needs your userid and your password; forgot gets you one.", line.example
        )
    return line.request(line.words.credentials(None, least_rest=0))


@command(
    "signoff", "userid password", "closes your account", "signoff alice your-password",
    needs=Proof.PASSWORD, locks=True, read=_read_signoff, aliases=("unregister",), final=True,
    text="In a reply to a mail of this server, leave does it without a password. The server asks "
         "you to confirm it. Then your open games are resigned (or declined, if you have not moved "
         "yet), your invitations withdrawn and your mail addresses deleted. Your userid stays on "
         "the games you played.",
)  # fmt: skip
def signoff(context: Context) -> Iterator[Message]:
    """Ask the player whether they really want to close the account."""
    yield from _ask(context)


def _read_leave(line: CommandLine) -> Request:
    if not line.words.rest:
        return line.request()
    return read_league(line, command=leave_league, sure=False)


@command(
    "leave", "[LEAGUE]", "leaves a league, or closes your account without a password", "leave",
    needs=Proof.PERSON, locks=True, final=True, boardless=True,
    read=_read_leave,
    opens=lambda line: len(line.split()) == 1 or names_league(line),
    text="With the name of a league, as in \"leave olix-league\", it leaves that (see \"help "
         "leagues\"). Alone it closes your account: write it in a reply to any mail of this "
         "server. You are asked to confirm it, as with signoff.",
)  # fmt: skip
def leave_server(context: Context) -> Iterator[Message]:
    """Ask the same of somebody who may have no password: only the mailbox can confirm it."""
    yield from _ask(context)


def _ask(context: Context) -> Iterator[Message]:
    player = context.sender()
    requests, kind = context.work.confirmations, ConfirmationKind.SIGN_OFF
    request = requests.add(kind, player.id, player.home, context.now)
    yield letter(
        player.home, "leaving/confirm", userid=player.userid, reply=confirmation_token(request)
    )


def leave(
    context: Context, request: ConfirmationRequest, player: Player, line: str
) -> Iterator[Message]:
    """Close the account if the reply says yes; raise NotNow otherwise.

    What the player has begun ends later, a few boards at a time.
    """
    if fold(line).rstrip(".! ") != "yes":
        raise NotNow("Nothing was done. To close your account, reply with the word yes.", "yes")
    _withdraw_and_unfollow(context, player)
    context.work.players.set_password_hash(player.id, "")
    context.work.players.set_state(player.id, PlayerState.GONE)
    context.work.follow_ups.add(FollowUpKind.LEAVING, player.id, context.now)
    yield letter(request.address, "leaving/farewell", userid=player.userid)


BATCH = 3
"""Boards and invitations in one part; a long board takes a hundredth of a second or two."""


def go_on_leaving(context: Context, follow_up: FollowUp) -> JobPart:
    """End a few of the boards and invitations of the player; at last forget their addresses."""
    player = context.person(follow_up.player or 0)
    messages, finished = _end_some(context, player, BATCH)
    return JobPart(tuple(messages), None if finished else follow_up.done_up_to)


_AT_A_TIME = 50
"""Boards and invitations that are read at a time when an account is removed at once."""


def remove(context: Context, player: Player) -> Iterator[Message]:
    """End everything that `player` has begun, forget them, and write to those they played with.

    The player gets no mail about it.
    """
    _withdraw_and_unfollow(context, player)
    finished = False
    while not finished:
        messages, finished = _end_some(context, player, _AT_A_TIME)
        yield from messages


def _end_some(context: Context, player: Player, most: int) -> tuple[list[Message], bool]:
    """Decline `most` of the player's invitations and end `most` of their boards.

    Returns the mails to others, and whether nothing is left. Then the player is forgotten: their
    addresses come last, because they show whether two accounts belong to one person, whose matches
    are not rated.
    """
    context = replace(context, player=player, comment="")
    messages = [*_decline_some(context, player, most), *_resign_some(context, player, most)]
    finished = not messages
    if finished:
        _forget(context, player)
    return [message for message in messages if message.reader != player], finished


def _decline_some(context: Context, player: Player, most: int) -> Iterator[Message]:
    """Decline invitations; one to a game that is not installed expires by itself."""
    catalogue = context.catalogue
    found = context.work.invitations.open_for(player.id)
    for invitation in islice((each for each in found if catalogue.find(each.game)), most):
        yield from decline_invitation(context, player, invitation.number)


def _withdraw_and_unfollow(context: Context, player: Player) -> None:
    close_seeks(context, player.id)
    for season in context.work.leagues.entered(player.id):
        mark_left(context, player.id, season)
    for followed in context.work.followers.followed_by(player.id):
        context.work.followers.unfollow(player.id, followed)


def _forget(context: Context, player: Player) -> None:
    players = context.work.players
    for address in player.addresses:
        context.work.signups.forget(address)
    context.work.confirmations.forget(player.id)
    context.work.blocks.forget(player.id)
    players.set_addresses(player.id, ())
    players.set_password_hash(player.id, "")
    for name in player.settings:
        players.set_setting(player.id, name, None)
    players.set_state(player.id, PlayerState.GONE)


LEFT = Event("left", lambda seen: f"{seen.actor} has left the server.", Effect.OTHER)


def _resign_some(context: Context, player: Player, most: int) -> Iterator[Message]:
    """Give up open boards; this declines those on which the player has not moved.

    Boards whose game or rules are no longer installed stay as they are.
    """
    rows = context.work.matches.listing(None, [player.id], over=False)
    for board in islice(_playable(context, rows), most):
        yield from board_messages(context, board, Happening(LEFT, player.id))
        yield from give_up(context, board, player.id)


def _playable(context: Context, rows: Iterable[MatchRow]) -> Iterator[Board]:
    for row in rows:
        with suppress(UnknownName, NotNow):
            yield context.boards.get(row.number)
