"""What is said when nobody has answered: subject and context of each notice."""

from collections.abc import Callable, Mapping
from typing import Any

from pbm.domain.match import Invitation
from pbm.domain.openness import Seek
from pbm.domain.periods import SEEK_LASTS
from pbm.engine import AnyGame, Setup, listing
from pbm.mail import absence_contexts as contexts
from pbm.mail.local_time import local_time
from pbm.mail.move_list import userid
from pbm.mail.wording import Wording, thread_subject
from pbm.service.absence_notices import InvitationClosed, SeekClosed, StayAsked


def _stay(notice: StayAsked, _address: str) -> Wording:
    context = contexts.StayMail(notice.to.userid, local_time(notice.until, notice.to))
    return Wording("Do you stay?", context, answer=False)


def _invitation(notice: InvitationClosed, _address: str) -> Wording:
    invitation, game, people = notice.invitation, notice.game, notice.people
    context = contexts.InvitationClosedMail(
        reader=notice.to.userid,
        title=game.info.title,
        number=invitation.number,
        players=", ".join(userid(people, player) for player in invitation.players),
        missing=listing((userid(people, player) for player in invitation.missing), last="and"),
        absent=notice.absent.userid if notice.absent else "",
        line=_inviting_anew(notice),
        by_reply=notice.reply is not None,
    )
    return Wording(
        thread_subject(invitation, game, people),
        context,
        f"{game.info.title} {invitation.number}: closed",
        answer=False,
        game=game.info.key,
    )


def _inviting_anew(notice: InvitationClosed) -> str:
    """Return the line for the reader; who replies with it need not name himself."""
    invitation, game = notice.invitation, notice.game
    proven = notice.to.id if notice.reply else None
    others = [userid(notice.people, p) for p in invitation.players if p != proven]
    return " ".join([game.info.key, "challenge", *others, *_terms(invitation, game)])


def _terms(wish: Invitation | Seek, game: AnyGame) -> list[str]:
    return [*_options(wish.setup, game), *wish.terms.words]


def _seek(notice: SeekClosed, _address: str) -> Wording:
    seek, game = notice.seek, notice.game
    line = " ".join([game.info.key, "seek", str(seek.count), *_terms(seek, game)])
    matches = "one match" if seek.count == 1 else f"{seek.count} matches"
    context = contexts.SeekClosedMail(
        notice.to.userid, game.info.title, matches, SEEK_LASTS.days, line
    )
    return Wording(f"Your seek of {game.info.title} is closed", context, answer=False)


def _options(setup: Setup, game: AnyGame) -> list[str]:
    """Return the options as they are typed, without those that are as usual."""
    return [
        f"-{option.name}={setup[option.name]}"
        for option in game.info.options
        if setup[option.name] != option.default
    ]


WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {
    StayAsked: _stay,
    InvitationClosed: _invitation,
    SeekClosed: _seek,
}
"""What is said for each kind of notice of this subject."""
