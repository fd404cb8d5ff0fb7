"""Leaving the server: confirmed once, then carried out in full."""

from collections.abc import Iterator
from dataclasses import replace

from pbm.domain.errors import NotNow
from pbm.domain.player import Errand, Player, PlayerState
from pbm.engine import fold
from pbm.service.context import Context, board_notices
from pbm.service.notices import Notice
from pbm.service.notices.accounts import Farewell
from pbm.service.notices.happenings import Event, Happening
from pbm.service.steps.invitations import decline_invitation
from pbm.service.steps.turns import give_up


def leave(context: Context, errand: Errand, player: Player, line: str) -> Iterator[Notice]:
    """Close the account if the reply says yes; raise NotNow otherwise."""
    if fold(line).rstrip(".! ") != "yes":
        raise NotNow("Nothing was done. To close your account, reply with the word yes.", "yes")
    yield from remove(context, player)
    yield Farewell(errand.address, player.userid)


def remove(context: Context, player: Player) -> Iterator[Notice]:
    """End everything that `player` has begun, forget them, and tell those they played with.

    The player is told nothing of it. The boards go first, because the addresses show whether two
    accounts belong to one person, whose matches are not rated.
    """
    context = replace(context, player=player, comment="")
    _withdraw_wishes(context, player)
    told = [*_decline_all(context, player), *_resign_all(context, player)]
    _forget(context, player)
    yield from (notice for notice in told if notice.reader != player)


def _decline_all(context: Context, player: Player) -> Iterator[Notice]:
    for invitation in context.work.invitations.open_for(player.id):
        yield from decline_invitation(context, player, invitation.number)


def _withdraw_wishes(context: Context, player: Player) -> None:
    for seek in context.work.wishes.seeks():
        if seek.player == player.id:
            context.work.wishes.set_seek(replace(seek, count=0))
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


def _resign_all(context: Context, player: Player) -> Iterator[Notice]:
    """Give up the open boards; this declines those on which the player has not moved."""
    while rows := context.work.matches.listing(None, [player.id], over=False):
        for row in rows:
            board = context.boards.get(row.number)
            yield from board_notices(context, board, Happening(Event.LEFT, player.id))
            yield from give_up(context, board, player.id)
