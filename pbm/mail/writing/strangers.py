"""What the mails to people without an account say."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pbm.engine import listing
from pbm.mail.writing.wording import Wording, utc_time
from pbm.service.notices.strangers import ConfirmSignup, Introduced, SignupRefused, Unclear


@dataclass(frozen=True, slots=True)
class IntroducedMail:
    """What this server is."""

    template: ClassVar[str] = "strangers/introduced.txt.j2"
    server: str
    games: str


@dataclass(frozen=True, slots=True)
class SignupRefusedMail:
    """What is wrong with a signup; nothing in it comes from the stranger."""

    template: ClassVar[str] = "strangers/signup_refused.txt.j2"
    server: str
    sentence: str


@dataclass(frozen=True, slots=True)
class ConfirmMail:
    """The question whether to open the account; nothing in it comes from the stranger."""

    template: ClassVar[str] = "strangers/confirm.txt.j2"
    server: str
    asked_at: str
    again: bool


@dataclass(frozen=True, slots=True)
class UnclearMail:
    """The question again."""

    template: ClassVar[str] = "strangers/unclear.txt.j2"
    server: str


def _introduced(notice: Introduced, address: str) -> Wording:
    games = listing((game.info.title for game in notice.games), last="and")
    return Wording("A play-by-email game server", IntroducedMail(address, games))


def _refused(notice: SignupRefused, address: str) -> Wording:
    return Wording("No account yet", SignupRefusedMail(address, notice.sentence))


def _confirm(notice: ConfirmSignup, address: str) -> Wording:
    context = ConfirmMail(address, utc_time(notice.asked_at), notice.again)
    return Wording("Open your account with a reply", context)


def _unclear(_notice: Unclear, address: str) -> Wording:
    return Wording("Yes or no?", UnclearMail(address))


WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {
    Introduced: _introduced,
    SignupRefused: _refused,
    ConfirmSignup: _confirm,
    Unclear: _unclear,
}
"""What is said for each kind of notice to strangers."""
