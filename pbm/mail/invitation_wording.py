"""What the mails of invitations say."""

from collections.abc import Callable, Mapping
from typing import Any

from pbm.domain.match import Invitation
from pbm.domain.periods import INVITATION_LASTS
from pbm.engine import AnyGame, counted
from pbm.mail import contexts
from pbm.mail.board_facts import options
from pbm.mail.local_time import local_time
from pbm.mail.move_list import userid
from pbm.mail.wording import Wording, thread_subject
from pbm.service.notices import Declined, Invited


def _invited(notice: Invited, _address: str) -> Wording:
    invitation, game = notice.invitation, notice.game
    mine = notice.to.id == invitation.inviter
    asked = notice.to.id in invitation.missing
    names = zip(game.info.seats, invitation.players, strict=True)
    context = contexts.InvitedMail(
        reader=notice.to.userid,
        inviter=userid(notice.people, invitation.inviter),
        mine=mine,
        asked=asked,
        until=local_time(invitation.made_at + INVITATION_LASTS, notice.to),
        title=game.info.title,
        key=game.info.key,
        number=invitation.number,
        seats="\n".join(f"  {side:<12} {userid(notice.people, p)}" for side, p in names),
        terms=terms_line(invitation, game),
        waiting=", ".join(userid(notice.people, p) for p in invitation.missing),
        comment=notice.comment,
    )
    news = "an invitation" if asked else "waiting for an answer"
    return Wording(
        thread_subject(invitation, game, notice.people),
        context,
        f"{game.info.title} {invitation.number}: {news}",
        answer=mine,
        game=game.info.key,
    )


def terms_line(invitation: Invitation, game: AnyGame) -> str:
    """Return the options and terms of an invitation as one sentence."""
    terms = invitation.terms
    agreed = [*options(invitation.setup, game), "rated" if terms.rated else "unrated"]
    total = terms.total_days
    in_all = f"; {counted(total, 'day')} for all moves of a player" if total else ""
    return (
        f"{', '.join([game.info.title, *agreed])}; {counted(terms.forfeit_days, 'day')} for a "
        f"move, with a reminder after {terms.nag_days}{in_all}."
    )


def _declined(notice: Declined, _address: str) -> Wording:
    invitation, game = notice.invitation, notice.game
    players = ", ".join(userid(notice.people, p) for p in invitation.players)
    context = contexts.DeclinedMail(
        notice.by.userid, game.info.title, invitation.number, players, notice.comment
    )
    return Wording(
        thread_subject(invitation, game, notice.people),
        context,
        f"{game.info.title} {invitation.number}: declined",
        answer=notice.by.id == notice.to.id,
        game=game.info.key,
    )


WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {Invited: _invited, Declined: _declined}
"""What is said for each kind of notice of invitations."""
