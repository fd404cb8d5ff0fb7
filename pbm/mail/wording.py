"""What each kind of notice says: its subject, its sender's display name, its context."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pbm.domain.match import Invitation, Match
from pbm.engine import AnyGame
from pbm.mail import contexts
from pbm.mail.account_wording import WORDS, account_words
from pbm.mail.assemble import Attachment
from pbm.mail.board_facts import about, board_facts, options, outcome_line
from pbm.mail.happenings import remarks_of, sentence
from pbm.mail.help_wording import help_context
from pbm.mail.move_list import userid
from pbm.mail.preview_wording import preview_mail
from pbm.mail.result_contexts import RecordMail
from pbm.mail.result_wording import WORDS as RESULT_WORDS
from pbm.mail.result_wording import record_files, result_words
from pbm.mail.talk_contexts import NotedMail, PassedMail
from pbm.render.templates import Context
from pbm.service.notices import (
    BoardNotice,
    BoardsShown,
    ChooseUserid,
    ConfirmSignup,
    Declined,
    GamesTable,
    HelpPage,
    Invited,
    MailShunted,
    People,
    Previewed,
    Refused,
    TokenMisused,
    Welcome,
)
from pbm.service.ports import MatchRow
from pbm.service.result_notices import GameRecord
from pbm.service.talk_notices import Noted, Passed


@dataclass(frozen=True, slots=True)
class Wording:
    """`answer`: the reader's own mail caused it. `game`: the key whose List-Id it carries.

    `leave`: the command by which a reader who can do without such mails gets no more of them.
    `bulk`: it goes to many.
    """

    subject: str
    display: str
    context: Context
    answer: bool = True
    game: str = ""
    files: tuple[Attachment, ...] = ()
    leave: str = ""
    bulk: bool = False


def thread_subject(match: Match | Invitation, game: AnyGame, people: People) -> str:
    """Return the subject that all mails of a match share: clients split threads by subject.

    The names stand in the order of the start, because the pie rule must not change it.
    """
    starters = match.starters if isinstance(match, Match) else match.players
    names = " - ".join(userid(people, player) for player in starters)
    return _ascii(f"[{game.info.title} {match.number}] {names}")


def _ascii(text: str) -> str:
    return text.encode("ascii", "replace").decode("ascii")


def _board(notice: BoardNotice, _address: str) -> Wording:
    table = notice.table
    facts = board_facts(
        table, notice.people, notice.to, notice.now, remarks_of(notice), notice.followers
    )
    context = contexts.BoardMail(
        tuple(sentence(happening, notice) for happening in notice.happenings), facts
    )
    return Wording(
        thread_subject(table.match, table.game, notice.people),
        f"{table.game.info.title} {table.match.number}: {_news(notice, facts)}",
        context,
        answer=notice.to.id in {happening.actor for happening in notice.happenings},
        game=table.match.game,
        leave=f"unsubscribe {table.match.number}" if notice.to.id in notice.followers else "",
    )


def _news(notice: BoardNotice, facts: contexts.BoardFacts) -> str:
    """Return what is new, in the few words that a list of mails shows."""
    if facts.your_turn:
        return "your move"
    if facts.turn_of:
        return f"{facts.turn_of} to move"
    outcome = notice.table.match.outcome
    if outcome is None or not outcome.counts:
        return "closed"
    names = [userid(notice.people, notice.table.match.players[s]) for s in outcome.winners]
    return f"{' and '.join(names)} won" if names else "draw"


def _shown(notice: BoardsShown, _address: str) -> Wording:
    boards = tuple(
        contexts.ShownBoard(
            table.position.ply,
            outcome_line(table, notice.people),
            board_facts(table, notice.people, notice.to, notice.now),
        )
        for table in notice.tables
    )
    context = contexts.ShownMail(boards)
    if len(notice.tables) != 1:
        return Wording("Boards", "pbm", context)
    (table,) = notice.tables
    subject = thread_subject(table.match, table.game, notice.people)
    display = f"{table.game.info.title} {table.match.number}: as asked"
    return Wording(subject, display, context, game=table.match.game)


def _previewed(notice: Previewed, _address: str) -> Wording:
    match, game = notice.table.match, notice.table.game
    context = preview_mail(notice)
    if not match.number:
        return Wording("Only a look", "pbm", context)
    news = "to be confirmed" if notice.submitted else "only a look"
    subject = thread_subject(match, game, notice.people)
    return Wording(subject, f"{game.info.title} {match.number}: {news}", context, game=match.game)


def _refused(notice: Refused, _address: str) -> Wording:
    board = None
    if notice.table and notice.people:
        board = board_facts(notice.table, notice.people, notice.to, notice.now)
    candidates = ", ".join(notice.candidates[:20])
    context = contexts.RefusedMail(notice.sentence, notice.example, candidates, board)
    if notice.table and notice.people:
        match, game = notice.table.match, notice.table.game
        subject = thread_subject(match, game, notice.people)
        return Wording(
            subject, f"{game.info.title} {match.number}: not done", context, game=match.game
        )
    return Wording("Not done", "pbm: not done", context)


def _confirm(notice: ConfirmSignup, address: str) -> Wording:
    context = contexts.ConfirmMail(address, notice.taken)
    return Wording("Open your account by a reply", "pbm", context)


def _choose(_notice: ChooseUserid, address: str) -> Wording:
    return Wording("Another userid, please", "pbm", contexts.ChooseMail(address))


def _welcome(notice: Welcome, address: str) -> Wording:
    context = contexts.WelcomeMail(notice.to.userid, address, notice.game.info.key)
    return Wording("Welcome", "pbm", context)


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
        f"{game.info.title} {invitation.number}: {news}",
        context,
        answer=mine,
        game=game.info.key,
    )


def terms_line(invitation: Invitation, game: AnyGame) -> str:
    """Return the options and terms of an invitation as one sentence."""
    terms = invitation.terms
    agreed = [*options(invitation.setup, game), "rated" if terms.rated else "unrated"]
    return (
        f"{', '.join([game.info.title, *agreed])}; {terms.forfeit_days} days for a move, "
        f"with a reminder after {terms.nag_days}."
    )


def _declined(notice: Declined, _address: str) -> Wording:
    invitation, game = notice.invitation, notice.game
    players = ", ".join(userid(notice.people, p) for p in invitation.players)
    context = contexts.DeclinedMail(
        notice.by.userid, game.info.title, invitation.number, players, notice.comment
    )
    return Wording(
        thread_subject(invitation, game, notice.people),
        f"{game.info.title} {invitation.number}: declined",
        context,
        answer=notice.by.id == notice.to.id,
        game=game.info.key,
    )


def _help(notice: HelpPage, address: str) -> Wording:
    subject, context = help_context(notice.page, address)
    return Wording(subject, "pbm", context)


def _games(notice: GamesTable, _address: str) -> Wording:
    header = f"{'board':>5}  {'game':<8} {'moves':>5}  {'since':<9} players, * to move"
    rows = tuple(
        f"{row.number:>5}  {row.game:<8} {row.ply:>5}  {row.turn_since:%d.%m.%y}  {_sitting(row)}"
        for row in notice.rows
    )
    return Wording("Boards", "pbm", contexts.GamesMail(header, rows, notice.more))


def _sitting(row: MatchRow) -> str:
    """Return "alice* - bob", a star at who is to move; "over: alice - bob" at the end."""
    names = (f"{name}{'*' * (seat in row.to_move)}" for seat, name in enumerate(row.players))
    return f"{'over: ' * row.over}{' - '.join(names)}"


def _account(notice: Any, address: str) -> Wording:
    subject, context = account_words(notice, address)
    return Wording(subject, "pbm", context)


def _result(notice: Any, address: str) -> Wording:
    subject, context = result_words(notice, address)
    return Wording(subject, "pbm", context)


def _record(notice: GameRecord, _address: str) -> Wording:
    match, game = notice.table.match, notice.table.game
    outcome = outcome_line(notice.table, notice.people)
    context = RecordMail(about(match, game), match.number, len(match.plies), outcome)
    return Wording(
        thread_subject(match, game, notice.people),
        f"{game.info.title} {match.number}: the record",
        context,
        game=match.game,
        files=record_files(notice),
    )


def _misused(notice: TokenMisused, _address: str) -> Wording:
    context = contexts.MisusedMail(notice.to.userid, notice.number)
    return Wording("A reply from a strange address", "pbm", context, answer=False)


def _shunted(notice: MailShunted, _address: str) -> Wording:
    context = contexts.ShuntedMail(notice.number)
    return Wording("A mail met a bug", "pbm", context, answer=False)


def _passed(notice: Passed, _address: str) -> Wording:
    context = PassedMail(notice.sender, notice.to.userid, notice.text, notice.broadcast)
    subject = f"A broadcast of {notice.sender}" if notice.broadcast else "A message"
    return Wording(
        subject, f"{notice.sender} by pbm", context, answer=False,
        leave="help set" if notice.broadcast else "", bulk=notice.broadcast,
    )  # fmt: skip


def _noted(notice: Noted, _address: str) -> Wording:
    return Wording("Noted", "pbm", NotedMail(notice.sentence))


WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {
    BoardNotice: _board,
    BoardsShown: _shown,
    Previewed: _previewed,
    Passed: _passed,
    Noted: _noted,
    Refused: _refused,
    ConfirmSignup: _confirm,
    ChooseUserid: _choose,
    Welcome: _welcome,
    Invited: _invited,
    Declined: _declined,
    HelpPage: _help,
    GamesTable: _games,
    TokenMisused: _misused,
    MailShunted: _shunted,
    GameRecord: _record,
    **dict.fromkeys(WORDS, _account),
    **dict.fromkeys(RESULT_WORDS, _result),
}
"""What is said for each kind of notice; a test holds it against `Notice`."""
