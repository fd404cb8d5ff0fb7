"""What the mails about invitations say."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pbm.domain.description import headline, name, terms_line, thread_subject, typed_terms, userid
from pbm.domain.invitations import INVITATION_LASTS, InvitationState
from pbm.engine import listing
from pbm.mail.writing.wording import Wording, local_time
from pbm.render.marks import link
from pbm.service.notices.invitations import Declined, InvitationClosed, Invited


@dataclass(frozen=True, slots=True)
class InvitedMail:
    """`asked` is True for a reader whose answer is missing, `waiting` names all who are asked.

    `until` is the last moment for an answer, in the reader's zone. `withdraw` is how its
    maker takes it back, "" for others.
    """

    template: ClassVar[str] = "invitations/invited.txt.j2"
    reader: str
    inviter: str
    mine: bool
    asked: bool
    until: str
    title: str
    summary: str
    key: str
    number: int
    seats: str
    terms: str
    waiting: str
    withdraw: str
    comment: str


@dataclass(frozen=True, slots=True)
class DeclinedMail:
    """An invitation was turned down, or taken back; `who` is "You have" or "bob has"."""

    template: ClassVar[str] = "invitations/declined.txt.j2"
    who: str
    by: str
    withdrawn: bool
    title: str
    number: int
    players: str
    comment: str
    robot: str


@dataclass(frozen=True, slots=True)
class InvitationClosedMail:
    """`missing` are those who have not agreed.

    `line` invites again; the reader replies with it if `by_reply`, or else writes a new mail.
    """

    template: ClassVar[str] = "invitations/closed.txt.j2"
    reader: str
    title: str
    number: int
    players: str
    missing: str
    line: str
    by_reply: bool
    robot: str


def _invited(notice: Invited, _address: str) -> Wording:
    invitation, game = notice.invitation, notice.game
    mine = notice.to.id == invitation.inviter
    asked = notice.to.id in invitation.missing
    names = zip(game.info.seats, invitation.players, strict=True)
    context = InvitedMail(
        reader=notice.to.userid,
        inviter=userid(notice.people, invitation.inviter),
        mine=mine,
        asked=asked,
        until=local_time(invitation.made_at + INVITATION_LASTS, notice.to),
        title=game.info.title,
        summary=game.info.summary,
        key=game.info.key,
        number=invitation.number,
        seats="\n".join(f"  {side:<12} {name(notice.people, p)}" for side, p in names),
        terms=terms_line(invitation, game),
        waiting=", ".join(userid(notice.people, p) for p in invitation.missing),
        withdraw=_withdraw(notice) if mine else "",
        comment=notice.comment,
    )
    news = f"An invitation from {context.inviter}" if asked else "Waiting for an answer"
    return Wording(
        thread_subject(invitation, game, notice.people),
        context,
        headline(news, game, invitation.number),
        answer=mine,
        game=game.info.key,
    )


def _withdraw(notice: Invited) -> str:
    """Return how the reader takes the invitation back; in a reply the word is enough."""
    number, me = notice.invitation.number, notice.to.userid
    return (
        f"reply  {link('withdraw')}"
        if notice.reply
        else f"write  withdraw {number} {me} your-password"
    )


def _declined(notice: Declined, _address: str) -> Wording:
    invitation, game = notice.invitation, notice.game
    players = ", ".join(userid(notice.people, p) for p in invitation.players)
    mine = notice.by.id == notice.to.id
    withdrawn = invitation.state is InvitationState.WITHDRAWN
    context = DeclinedMail(
        who="You have" if mine else f"{notice.by.userid} has",
        by=notice.by.userid,
        withdrawn=withdrawn,
        title=game.info.title,
        number=invitation.number,
        players=players,
        comment=notice.comment,
        robot=notice.robot,
    )
    return Wording(
        thread_subject(invitation, game, notice.people),
        context,
        headline("Taken back" if withdrawn else "Declined", game, invitation.number),
        answer=mine,
        game=game.info.key,
    )


def _closed(notice: InvitationClosed, _address: str) -> Wording:
    invitation, game, people = notice.invitation, notice.game, notice.people
    context = InvitationClosedMail(
        reader=notice.to.userid,
        title=game.info.title,
        number=invitation.number,
        players=", ".join(userid(people, player) for player in invitation.players),
        missing=listing((userid(people, player) for player in invitation.missing), last="and"),
        line=_inviting_anew(notice),
        by_reply=notice.reply is not None,
        robot=notice.robot,
    )
    return Wording(
        thread_subject(invitation, game, people),
        context,
        headline("Closed", game, invitation.number),
        answer=False,
        game=game.info.key,
    )


def _inviting_anew(notice: InvitationClosed) -> str:
    """Return the line that invites again; in a reply the reader need not be named."""
    invitation, game = notice.invitation, notice.game
    proven = notice.to.id if notice.reply else None
    others = [userid(notice.people, p) for p in invitation.players if p != proven]
    return " ".join([game.info.key, "challenge", *others, *typed_terms(invitation, game)])


WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {
    Invited: _invited,
    Declined: _declined,
    InvitationClosed: _closed,
}
"""What is said for each kind of notice of invitations."""
