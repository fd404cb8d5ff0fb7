"""What each kind of notice says: its subject, its sender's display name, its context."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pbm.domain.match import Ending, Invitation, Match
from pbm.engine import AnyGame
from pbm.mail import contexts
from pbm.mail.board_facts import actor_name, facts_of, options, outcome_line, userid
from pbm.render.templates import Context
from pbm.service.notices import (
    BoardEvent,
    BoardNotice,
    ChooseUserid,
    ConfirmSignup,
    Declined,
    GamesTable,
    HelpPage,
    Invited,
    MailShunted,
    People,
    Refused,
    TokenMisused,
    Welcome,
)


@dataclass(frozen=True, slots=True)
class Wording:
    """`answer`: the reader's own mail caused it. `game`: the key whose List-Id it carries."""

    subject: str
    display: str
    context: Context
    answer: bool = True
    game: str = ""


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
    context = _BOARD_CONTEXTS[notice.event](notice)
    number = f"{table.game.info.title} {table.match.number}"
    subject = thread_subject(table.match, table.game, notice.people)
    mine = notice.actor is not None and actor_name(notice) == "You"
    return Wording(
        subject,
        f"{number}: {_news(notice, context)}",
        context,
        answer=mine or notice.event is BoardEvent.SHOWN,
        game=table.match.game,
    )


def _news(notice: BoardNotice, context: Any) -> str:
    """Return what is new, in the few words that a list of mails shows."""
    facts: contexts.BoardFacts = context.board
    if facts.your_turn:
        return "your move"
    if facts.turn_of:
        return f"{facts.turn_of} to move"
    outcome = notice.table.match.outcome
    if outcome is None or not outcome.counts:
        return "closed"
    names = [userid(notice.people, notice.table.match.players[s]) for s in outcome.winners]
    return f"{' and '.join(names)} won" if names else "draw"


def _started(notice: BoardNotice) -> Context:
    table = notice.table
    return contexts.Started(
        _seating(table.game, table.match.players, notice.people), facts_of(notice)
    )


def _seating(game: AnyGame, players: tuple[int, ...], people: People) -> str:
    sides = zip(game.info.seats, game.info.signs, players, strict=True)
    return ", ".join(f"{userid(people, p)} is {side} ({sign})" for side, sign, p in sides)


def _moved(notice: BoardNotice) -> Context:
    last = notice.table.match.plies[-1]
    return contexts.Moved(actor_name(notice), last.text, facts_of(notice))


def _swapped(notice: BoardNotice) -> Context:
    table = notice.table
    sides = _seating(table.game, table.match.players, notice.people)
    return contexts.Swapped(actor_name(notice), sides, facts_of(notice))


def _ended(notice: BoardNotice) -> Context:
    match = notice.table.match
    outcome = match.outcome
    assert outcome is not None  # noqa: S101 - the event says that it is over
    by_move = outcome.ending is Ending.RULES and bool(match.plies)
    winners = [userid(notice.people, match.players[seat]) for seat in outcome.winners]
    return contexts.Ended(
        actor=actor_name(notice),
        move=match.plies[-1].text if by_move else "",
        resigned=outcome.ending is Ending.RESIGNED,
        declined=outcome.ending is Ending.DECLINED,
        decided=outcome.ending is Ending.ADJUDICATED,
        closed=outcome.ending is Ending.CLOSED,
        winner=" and ".join(winners),
        draw=outcome.counts and not winners,
        reason=notice.table.game.info.reasons.get(outcome.reason, ""),
        scores=" to ".join(map(str, outcome.scores)) if outcome.scores else "",
        board=facts_of(notice),
    )


def _taken_back(notice: BoardNotice) -> Context:
    return contexts.TakenBack(facts_of(notice))


def _shown(notice: BoardNotice) -> Context:
    table = notice.table
    outcome = outcome_line(table, notice.people)
    return contexts.Shown(table.position.ply, outcome, facts_of(notice))


_BOARD_CONTEXTS: Mapping[BoardEvent, Callable[[BoardNotice], Context]] = {
    BoardEvent.STARTED: _started,
    BoardEvent.MOVED: _moved,
    BoardEvent.SWAPPED: _swapped,
    BoardEvent.ENDED: _ended,
    BoardEvent.TAKEN_BACK: _taken_back,
    BoardEvent.SHOWN: _shown,
}


def _refused(notice: Refused, _address: str) -> Wording:
    board = facts_of(notice) if notice.table else None
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


def _help(notice: HelpPage, _address: str) -> Wording:
    subject = f"Help: {_ascii(notice.topic)}" if notice.topic else "How to play here"
    return Wording(subject, "pbm", contexts.HelpMail(notice.text))


def _games(notice: GamesTable, _address: str) -> Wording:
    header = f"{'board':>6}  {'game':<10} {'players':<30} {'moves':>5}  to move since"
    rows = tuple(
        f"{row.number:>6}  {row.game:<10} {' - '.join(row.players):<30} {row.ply:>5}  "
        f"{_turn(row.players, row.to_move, over=row.over)} {row.turn_since:%Y-%m-%d}"
        for row in notice.rows
    )
    return Wording("Boards", "pbm", contexts.GamesMail(header, rows))


def _turn(players: tuple[str, ...], to_move: tuple[int, ...], *, over: bool) -> str:
    return "over" if over else ", ".join(players[seat] for seat in to_move)


def _misused(notice: TokenMisused, _address: str) -> Wording:
    context = contexts.MisusedMail(notice.to.userid, notice.number)
    return Wording("A reply from a strange address", "pbm", context, answer=False)


def _shunted(notice: MailShunted, _address: str) -> Wording:
    context = contexts.ShuntedMail(notice.number)
    return Wording("A mail met a bug", "pbm", context, answer=False)


WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {
    BoardNotice: _board,
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
}
"""What is said for each kind of notice; a test holds it against `Notice`."""
