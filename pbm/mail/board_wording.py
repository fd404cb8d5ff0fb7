"""What the mails of boards say: what has happened, boards that were asked for, refusals."""

from collections.abc import Callable, Mapping
from typing import Any

from pbm.domain.match import Reminder
from pbm.mail import contexts
from pbm.mail.board_facts import board_facts
from pbm.mail.happenings import remarks_of, sentence
from pbm.mail.move_list import userid
from pbm.mail.outcome_wording import outcome_line
from pbm.mail.preview_wording import preview_mail
from pbm.mail.wording import Wording, thread_subject
from pbm.service.happenings import Event
from pbm.service.notices import BoardNotice, BoardsShown, Previewed, Refused


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
        context,
        f"{table.game.info.title} {table.match.number}: {_news(notice, facts)}",
        answer=notice.to.id in {happening.actor for happening in notice.happenings},
        game=table.match.game,
        leave=f"unsubscribe {table.match.number}" if notice.to.id in notice.followers else "",
    )


def _news(notice: BoardNotice, facts: contexts.BoardFacts) -> str:
    """Return what is new, in the few words that a list of mails shows."""
    if any(happening.event is Event.REMINDED for happening in notice.happenings):
        last = any(happening.text == Reminder.WARNING.name for happening in notice.happenings)
        return "last reminder" if last else "a reminder"
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
            f"{table.position.ply} {'move' if table.position.ply == 1 else 'moves'}",
            n in notice.earlier,
            outcome_line(table, notice.people),
            board_facts(table, notice.people, notice.to, notice.now),
        )
        for n, table in enumerate(notice.tables)
    )
    context = contexts.ShownMail(boards)
    if len(notice.tables) != 1:
        return Wording("Boards", context)
    (table,) = notice.tables
    subject = thread_subject(table.match, table.game, notice.people)
    display = f"{table.game.info.title} {table.match.number}: as asked"
    return Wording(subject, context, display, game=table.match.game)


def _previewed(notice: Previewed, _address: str) -> Wording:
    match, game = notice.table.match, notice.table.game
    context = preview_mail(notice)
    if not match.number:
        return Wording("Only a look", context)
    news = "to be confirmed" if notice.submitted else "only a look"
    subject = thread_subject(match, game, notice.people)
    display = f"{game.info.title} {match.number}: {news}"
    return Wording(subject, context, display, game=match.game)


def _refused(notice: Refused, _address: str) -> Wording:
    board = None
    if notice.table and notice.people:
        board = board_facts(notice.table, notice.people, notice.to, notice.now)
    told = all(candidate in notice.sentence for candidate in notice.candidates[:20])
    candidates = "" if told else "; ".join(notice.candidates[:20])
    context = contexts.RefusedMail(notice.sentence, notice.example, candidates, board)
    if notice.table and notice.people:
        match, game = notice.table.match, notice.table.game
        subject = thread_subject(match, game, notice.people)
        display = f"{game.info.title} {match.number}: not done"
        return Wording(subject, context, display, game=match.game)
    return Wording("Not done", context, "pbm: not done")


WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {
    BoardNotice: _board,
    BoardsShown: _shown,
    Previewed: _previewed,
    Refused: _refused,
}
"""What is said for each kind of notice of boards."""
