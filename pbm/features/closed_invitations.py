"""Closed invitations: declined, taken back, or not answered in time."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any

from pbm.core.context import Context
from pbm.core.letters import Message, letter
from pbm.core.robots import robot_line
from pbm.core.schedule import endings, outlived
from pbm.core.tokens import player_token
from pbm.domain.description import typed_terms
from pbm.domain.errors import NotAllowed, NotNow, UnknownName
from pbm.domain.invitations import INVITATION_LASTS, Invitation, InvitationState
from pbm.domain.player import People, Player, PlayerId, name_of


def decline_invitation(context: Context, player: Player, number: int) -> Iterator[Message]:
    """Turn the invitation `number` down for `player`; write to its players and the inviter.

    From the inviter this takes it back. A seek asks nobody in particular, so it is not declined.
    """
    if context.work.invitations.get(number) is None:
        raise UnknownName(f"There is no invitation {number}. You need not answer a seek.", "list")
    invitation = open_invitation(context, player, number)
    mine = invitation.inviter == player.id
    state = InvitationState.WITHDRAWN if mine else InvitationState.DECLINED
    yield from _close(context, invitation, player, state)


def withdraw_invitation(context: Context, player: Player, number: int) -> Iterator[Message]:
    """Take back the invitation `number`, which `player` has made; write to those it is for."""
    invitation = context.work.invitations.get(number)
    if invitation is None or context.game not in (None, invitation.game):
        raise UnknownName(f"You have no invitation or seek {number}.", "list")
    if invitation.inviter != player.id:
        if player.id in invitation.players:
            example = f"decline {number} {player.userid} your-password"
            raise NotAllowed(f"Invitation {number} is not yours; you can decline it.", example)
        raise NotAllowed(f"Invitation {number} is not yours.", "games")
    _check_open(invitation)
    yield from _close(context, invitation, player, InvitationState.WITHDRAWN)


def open_invitation(context: Context, player: Player, number: int) -> Invitation:
    """Return the open invitation `number` with a seat for `player`, or raise a Refusal."""
    invitation = context.work.invitations.get(number)
    if invitation is None or context.game not in (None, invitation.game):
        raise UnknownName(f"There is no invitation {number}.", "games")
    if player.id not in invitation.players:
        raise NotAllowed(f"Invitation {number} is not for you.", "games")
    _check_open(invitation)
    return invitation


def _check_open(invitation: Invitation) -> None:
    if invitation.state is not InvitationState.OPEN:
        raise NotNow(
            f"Invitation {invitation.number} {invitation.state.fate}; it is closed.", "games"
        )


def _close(
    context: Context, invitation: Invitation, by: Player, state: InvitationState
) -> Iterator[Message]:
    """Close an invitation that `by` has declined or taken back, as `state` says."""
    context.work.invitations.save(replace(invitation, state=state))
    people = concerned(context, invitation)
    for reader in people.values():
        # Those who wanted to play are offered a robot, but not the one who declined.
        left = reader.id in invitation.players and reader.id != by.id
        robot = robot_line(context, invitation.game) if left else ""
        yield letter(
            reader, "invitations/declined", mine=reader.id == by.id, by=by.userid,
            withdrawn=state is InvitationState.WITHDRAWN,
            players=_userids(people, invitation.players), comment=words_for(context, reader),
            robot=robot, reply=player_token(reader.id) if robot else None,
            **facts_of(context, invitation, people),
        )  # fmt: skip


def concerned(context: Context, invitation: Invitation) -> People:
    """Return the players of an invitation, in the order of seats, and its inviter."""
    ids = tuple(dict.fromkeys((*invitation.players, invitation.inviter)))
    people = context.people(ids)
    return {player: people[player] for player in ids}


def words_for(context: Context, reader: Player) -> str:
    """Return the text of the mail as `reader` may read it: "" if they block who wrote it."""
    author = context.reader
    if not context.comment or author is None:
        return context.comment
    return "" if reader.id in context.work.blocks.blockers_of(author.id) else context.comment


def facts_of(context: Context, invitation: Invitation, people: People) -> dict[str, Any]:
    """Return the facts that all letters about an invitation share, with the thread they join."""
    game = context.catalogue.get(invitation.game)
    return {
        "board": invitation.number,
        "number": invitation.number,
        "key": invitation.game,
        "title": game.info.title,
        "names": [name_of(people[player]) for player in invitation.players],
    }


def _userids(people: People, players: Iterable[PlayerId]) -> list[str]:
    return [people[player].userid for player in players]


def _expired(context: Context, most: int) -> list[tuple[datetime, Invitation]]:
    return outlived(context, context.work.invitations.open_since, INVITATION_LASTS, most)


def _expire(context: Context, invitation: Invitation) -> None:
    context.work.invitations.save(replace(invitation, state=InvitationState.EXPIRED))


def _not_answered(context: Context, invitation: Invitation) -> Iterator[Message]:
    """Write to each of the players and the inviter that not everybody has answered."""
    people, robot = concerned(context, invitation), robot_line(context, invitation.game)
    for reader in people.values():
        # An inviter without a seat invited only others. A new challenge sent by reply would
        # give the inviter a seat.
        seated = reader.id in invitation.players
        yield letter(
            reader, "invitations/closed", players=_userids(people, invitation.players),
            missing=_userids(people, invitation.missing), by_reply=seated,
            line=_invite_again(context, invitation, people, reader if seated else None),
            robot=robot if seated else "", reply=player_token(reader.id) if seated else None,
            **facts_of(context, invitation, people),
        )  # fmt: skip


def _invite_again(
    context: Context, invitation: Invitation, people: People, replying: Player | None
) -> str:
    """Return the line that invites again; the player who is `replying` need not be named."""
    game = context.catalogue.get(invitation.game)
    proven = replying.id if replying else None
    named = _userids(people, (player for player in invitation.players if player != proven))
    return " ".join([invitation.game, "challenge", *named, *typed_terms(invitation, game)])


EXPIRED_INVITATIONS = endings(
    "expired invitations", "expired invitation", _expired, _expire, _not_answered,
    whose=lambda invitation: (invitation.inviter, invitation.number),
    about=lambda invitation: f"the end of invitation {invitation.number}",
)  # fmt: skip
"""Closing invitations that not everybody has answered. They do not age while all clocks are
stopped."""
