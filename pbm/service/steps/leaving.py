"""Leaving the server: confirmed once, then carried out in full, a few boards at a time."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice

from pbm.domain.confirmations import Errand
from pbm.domain.errors import NotNow, UnknownName
from pbm.domain.play import LiveMatch
from pbm.domain.player import Player, PlayerState
from pbm.engine import fold
from pbm.features.turns import give_up
from pbm.service.board_messages import Event, Happening
from pbm.service.context import Context, board_notices
from pbm.service.letters import Message
from pbm.service.notices.accounts import Farewell
from pbm.service.ports import MatchRow, SequelKind
from pbm.service.steps.invitations import decline_invitation
from pbm.service.steps.seeks import close_seeks


def leave(context: Context, errand: Errand, player: Player, line: str) -> Iterator[Message]:
    """Close the account if the reply says yes; raise NotNow otherwise."""
    if fold(line).rstrip(".! ") != "yes":
        raise NotNow("Nothing was done. To close your account, reply with the word yes.", "yes")
    _withdraw_wishes(context, player)
    context.work.players.set_password_hash(player.id, "")
    context.work.players.set_state(player.id, PlayerState.GONE)
    context.work.sequels.add(SequelKind.LEAVING, player.id, context.now)
    yield Farewell(errand.address, player.userid)


def remove(context: Context, player: Player) -> Iterator[Message]:
    """End everything that `player` has begun, forget them, and tell those they played with.

    The player is told nothing of it.
    """
    _withdraw_wishes(context, player)
    finished = False
    while not finished:
        told, finished = end_some(context, player, _AT_A_TIME)
        yield from told


_AT_A_TIME = 50


def end_some(context: Context, player: Player, most: int) -> tuple[list[Message], bool]:
    """Decline `most` of the player's invitations and end `most` of their boards.

    Returns what others are told, and whether nothing is left. Then the player is forgotten: their
    addresses come last, because they show whether two accounts belong to one person, whose matches
    are not rated.
    """
    context = replace(context, player=player, comment="")
    told = [*_decline_some(context, player, most), *_resign_some(context, player, most)]
    finished = not told
    if finished:
        _forget(context, player)
    return [notice for notice in told if notice.reader != player], finished


def _decline_some(context: Context, player: Player, most: int) -> Iterator[Message]:
    """Decline invitations; one to a game that is not installed expires by itself."""
    catalogue = context.services.catalogue
    found = context.work.invitations.open_for(player.id)
    for invitation in islice((each for each in found if catalogue.find(each.game)), most):
        yield from decline_invitation(context, player, invitation.number)


def _withdraw_wishes(context: Context, player: Player) -> None:
    close_seeks(context, player.id)
    for followed in context.work.followers.followed_by(player.id):
        board = int(followed) if followed.isdecimal() else None
        game = followed if board is None else None
        context.work.followers.unfollow(player.id, number=board, game=game)


def _forget(context: Context, player: Player) -> None:
    players = context.work.players
    for address in player.addresses:
        context.work.signups.forget(address)
    context.work.errands.forget(player.id)
    context.work.blocks.forget(player.id)
    players.set_addresses(player.id, ())
    players.set_password_hash(player.id, "")
    for name in player.settings:
        players.set_setting(player.id, name, None)
    players.set_state(player.id, PlayerState.GONE)


def _resign_some(context: Context, player: Player, most: int) -> Iterator[Message]:
    """Give up open boards; this declines those on which the player has not moved.

    Boards whose game or rules are no longer installed stay as they are.
    """
    rows = context.work.matches.listing(None, [player.id], over=False)
    for board in islice(_playable(context, rows), most):
        yield from board_notices(context, board, Happening(Event.LEFT, player.id))
        yield from give_up(context, board, player.id)


def _playable(context: Context, rows: Iterable[MatchRow]) -> Iterator[LiveMatch]:
    for row in rows:
        with suppress(UnknownName, NotNow):
            yield context.boards.get(row.number)
