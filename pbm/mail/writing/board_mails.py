"""Letters about what has happened on a board: the news, the reason, and what stops such mails."""

from collections.abc import Sequence

from pbm.core.board_messages import BoardMessage
from pbm.core.events import Effect, SeenHappening
from pbm.core.letters import Letter
from pbm.domain.mail import Leaving, Mailing
from pbm.domain.match import Reminder
from pbm.domain.settings import DIGEST, chosen
from pbm.mail.writing.board_at_moment import BoardAtMoment, Foot, ShownBoard, remarks_of


def board_letter(message: BoardMessage, moment: BoardAtMoment) -> Letter:
    """Return the letter that reports what has happened on the board of `moment`."""
    seen = message.seen
    effects = {happening.event.effect for happening in message.happenings}
    answer = message.to.id in [happening.actor for happening in message.happenings[message.late :]]
    leave = _leaving(message, effects, answer=answer)
    own_turn = answer and effects == {Effect.TURN} and message.to.id not in moment.movers
    foot = _foot(leave, moment) if leave or own_turn else Foot()
    drawn = moment.for_(message.to, remarks=remarks_of(seen), private=message.private, foot=foot)
    facts = {
        "board": drawn,
        "happened": [
            each.sentence
            for each in seen
            if not (drawn.offer and each.happening.event.effect is Effect.OFFER)
        ],
        "news": _news(seen, drawn, effects),
        "preheader": _preheader(seen, moment.left),
        "unasked": not answer,
        "sides": Effect.START not in effects,  # that they have begun names them already
    }
    return Letter(message.to, "boards/board", facts, leave=leave)


def _leaving(message: BoardMessage, effects: set[Effect], *, answer: bool) -> Leaving | None:
    """Return the mails that the unsubscribe button stops, if any; it never ends a game."""
    if message.follows:
        return Leaving(Mailing.FOLLOWED, message.board.match.number)
    if answer:
        return None
    if effects == {Effect.REMINDER} and all(
        happening.text == Reminder.NAG.name for happening in message.happenings
    ):
        return Leaving(Mailing.REMINDERS)
    daily = chosen(DIGEST, message.to.settings) == "yes" or not message.board.to_move
    return Leaving(Mailing.ALL if daily else Mailing.MOVES)


def _foot(leave: Leaving | None, moment: BoardAtMoment) -> Foot:
    """Return why a mail came, which is a turn of its reader's own without `leave`."""
    board = moment.board
    if leave is None:
        rounds = -(-board.ply // len(board.match.players))
        return Foot(*_ECHO, offered=rounds == _ECHOES and moment.clock_of in moment.talkers)
    why, stop = _FOOTS[leave.mailing]
    return Foot(why, stop.format(board.match.number))


_ECHOES = 3
"""The turn after which a player is asked, once a match, whether they want mails about theirs."""

_ECHO = ("You get this because you moved. For no such mails:", "set echo no")

_FOOTS = {
    Mailing.FOLLOWED: ("You get this because you follow this match. To stop:", "unsubscribe {}"),
    Mailing.REMINDERS: (
        "You get this because you have not moved yet. To be reminded only once:",
        "set reminders last",
    ),
    Mailing.MOVES: ("You get this because you play here. For one mail a day:", "set digest yes"),
    Mailing.ALL: ("You get this because you play here. To see all settings:", "set"),
}


def _news(seen: Sequence[SeenHappening], board: ShownBoard, effects: set[Effect]) -> str:
    """Return the news in the few words that a list of mails shows."""
    if Effect.REMINDER in effects:
        last = any(each.text == Reminder.WARNING.name for each in seen)
        return "Last reminder" if last else "A reminder"
    if board.offer and board.offer.asked and effects <= {Effect.OFFER}:
        return f"{board.offer.by} offers {board.offer.news}"
    if effects == {Effect.TALK} and not seen[0].mine and not board.your_turn:
        return f"{seen[0].actor} wrote"
    return board.state


def _preheader(seen: Sequence[SeenHappening], left: str) -> str:
    """Return the last move and the time left, "ben played B2. 21 days left.", where they apply."""
    said = [f"{left} left."] if left else []
    for each in reversed(seen):
        if each.text and each.happening.event.effect in (Effect.TURN, Effect.END):
            said.insert(0, f"{each.actor} played {each.text}.")
            break
    return " ".join(said)
