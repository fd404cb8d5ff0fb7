"""What is said for every kind of notice: the table of all wordings."""

from collections.abc import Callable, Mapping
from typing import Any

from pbm.mail import (
    absence_wording,
    account_wording,
    board_wording,
    bounce_wording,
    contexts,
    invitation_wording,
    news_wording,
    reminder_wording,
    result_wording,
    vacation_wording,
)
from pbm.mail.help_wording import help_context
from pbm.mail.talk_contexts import NotedMail, PassedMail
from pbm.mail.wording import Wording
from pbm.service.notices import (
    ChooseUserid,
    ConfirmSignup,
    GamesTable,
    HelpPage,
    MailShunted,
    TokenMisused,
    Welcome,
)
from pbm.service.ports import MatchRow
from pbm.service.talk_notices import Noted, Passed


def _confirm(notice: ConfirmSignup, address: str) -> Wording:
    context = contexts.ConfirmMail(address, notice.taken)
    return Wording("Open your account by a reply", context)


def _choose(_notice: ChooseUserid, address: str) -> Wording:
    return Wording("Another userid, please", contexts.ChooseMail(address))


def _welcome(notice: Welcome, address: str) -> Wording:
    context = contexts.WelcomeMail(notice.to.userid, address, notice.game.info.key)
    return Wording("Welcome", context)


def _help(notice: HelpPage, address: str) -> Wording:
    subject, context = help_context(notice.page, address)
    return Wording(subject, context)


def _games(notice: GamesTable, _address: str) -> Wording:
    header = f"{'board':>5}  {'game':<8} {'moves':>5}  {'since':<9} players, * to move"
    rows = tuple(
        f"{row.number:>5}  {row.game:<8} {row.ply:>5}  {row.turn_since:%d %b %y}  {_sitting(row)}"
        for row in notice.rows
    )
    return Wording("Boards", contexts.GamesMail(header, rows, notice.more))


def _sitting(row: MatchRow) -> str:
    """Return "alice* - bob", a star at who is to move; "over: alice - bob" at the end."""
    names = (f"{name}{'*' * (seat in row.to_move)}" for seat, name in enumerate(row.players))
    return f"{'over: ' * row.over}{' - '.join(names)}"


def _misused(notice: TokenMisused, _address: str) -> Wording:
    context = contexts.MisusedMail(notice.to.userid, notice.number)
    return Wording("A reply from a strange address", context, answer=False)


def _shunted(notice: MailShunted, _address: str) -> Wording:
    context = contexts.ShuntedMail(notice.number)
    return Wording("A mail met a bug", context, answer=False)


def _passed(notice: Passed, _address: str) -> Wording:
    context = PassedMail(notice.sender, notice.to.userid, notice.text, notice.broadcast)
    subject = f"A broadcast of {notice.sender}" if notice.broadcast else "A message"
    return Wording(
        subject, context, f"{notice.sender} by pbm", answer=False,
        leave="help set" if notice.broadcast else "", bulk=notice.broadcast,
    )  # fmt: skip


def _noted(notice: Noted, _address: str) -> Wording:
    return Wording("Noted", NotedMail(notice.sentence))


WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {
    **board_wording.WORDINGS,
    **invitation_wording.WORDINGS,
    **news_wording.WORDINGS,
    **reminder_wording.WORDINGS,
    **absence_wording.WORDINGS,
    **account_wording.WORDINGS,
    **bounce_wording.WORDINGS,
    **result_wording.WORDINGS,
    **vacation_wording.WORDINGS,
    ConfirmSignup: _confirm,
    ChooseUserid: _choose,
    Welcome: _welcome,
    HelpPage: _help,
    GamesTable: _games,
    TokenMisused: _misused,
    MailShunted: _shunted,
    Passed: _passed,
    Noted: _noted,
}
"""What is said for each kind of notice; a test holds it against `Notice`."""
