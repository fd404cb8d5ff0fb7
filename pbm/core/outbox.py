"""The way of messages to the outbox; those that wait for a digest are kept back."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import takewhile

from pbm.core.audience import visibility
from pbm.core.board_messages import BoardMessage, merged
from pbm.core.context import Context, hour_of
from pbm.core.events import Effect, Happening
from pbm.core.letters import Letter, Message, letter
from pbm.core.open_boards import STARTED
from pbm.core.plies import LEFT, turn_of
from pbm.domain.logs import EntryKind
from pbm.domain.mail import (
    ENDS_AN_HOUR,
    FOLLOWED_AN_HOUR,
    Held,
    IncomingMail,
    Joinable,
    Leaving,
    Mailing,
    held_name,
    held_on,
    quiet_name,
)
from pbm.domain.player import PlayerId
from pbm.domain.seen import AnyBoard
from pbm.domain.settings import DIGEST, ECHO, chosen
from pbm.domain.timekeeping import players_to_move
from pbm.store.unit import UnitOfWork


def post(
    context: Context,
    messages: Iterable[Message],
    mail: IncomingMail | None = None,
    number: int | None = None,
) -> None:
    """Compose each message that is wanted and can reach its recipient, and put it into the outbox.

    A message to the author of `mail` joins the thread of that mail, and `number` is that of the
    mail in the inbox that led to them all. A message is joined with the one that waits for it.
    """
    composed, now = [], context.now
    compose, mint = context.services.composer.compose, context.services.mint
    for message, to, earlier in _wanted(context, merged(messages)):
        number = number or earlier
        answers = mail.message_id if mail and to == mail.author else None
        uid = context.services.chance.new_id()
        made = compose(message, uid, mint.return_word(uid), now, answers)
        composed.append(replace(made, waits=waits) if (waits := _waits(message)) else made)
    context.work.outbox.add(composed, now, number)


def _wanted(
    context: Context, messages: Iterable[Message]
) -> Iterator[tuple[Message, str, int | None]]:
    """Yield the messages that go out now and their addresses, without digests and echoes.

    The third is the mail of the inbox that led to a mail that one is joined with, or None.
    """
    for message in messages:
        to = message.recipient
        if to is None:
            continue
        if not isinstance(message, BoardMessage) or message.digest:
            yield message, to, None
        elif whole := _to_send(context, message):
            waiting = _take_back(context, message, to)
            if waiting and isinstance(whole, BoardMessage):
                whole = _joined(context, whole, waiting.ply)
            yield whole, to, waiting.answers if waiting else None


def _to_send(context: Context, message: BoardMessage) -> BoardMessage | Letter | None:
    """Return the message as it goes out now, with the turns kept back, or None if it does not.

    It does not go out if it waits for the digest, which is stored here, if it is an echo, or if
    its reader has had enough mails about boards that they only follow. A reader who has had enough
    gets a mail about that once a day.
    """
    if message.follows and not any(_is_own(h, message) for h in message.happenings):
        return _for_follower(context, message)
    if len(message.board.match.players) > 2 and any(map(_is_ply, message.happenings)):
        if _waits_for_reader(message) or message.board.match.over:
            message = _with_turns(context, message)
        elif _only_turns(message) and not _has_words_of_others(message):
            return None  # a round of six is six mails, and each says all that has happened
    number, work, now = message.board.match.number, context.work, context.now
    held = held_on(number, message.to.settings)
    if message.board.match.over and quiet_name(number) in message.to.settings:
        work.players.set_setting(message.to.id, quiet_name(number), None)
    if _can_wait(message):
        # Written even if it is there already: a digest may be taking it away just now.
        held = held or Held(number, _first_ply(message), now)
        work.players.set_setting(message.to.id, held_name(held.number), held.value)
        return None
    if held is None:
        return None if _is_echo(message) else message
    work.players.set_setting(message.to.id, held_name(number), None)
    return _since(context, message, held.ply)


def _waits(message: Message) -> Joinable | None:
    """Return the plies of a message that waits for a robot's turn, to be one mail with it, or None.

    So a move and a robot's answer are one mail, and so are the beginning of a match and a robot's
    first move. A move among people is confirmed at once.
    """
    if not isinstance(message, BoardMessage) or message.follows or _waits_for_reader(message):
        return None
    if not any(message.people[player].is_robot for player in players_to_move(message.board)):
        return None
    turns = all(h.event.effect is Effect.TURN and not h.queued for h in message.happenings)
    if not turns and not _only_begins(message):
        return None
    return Joinable(message.board.match.number, _first_ply(message))


def _only_begins(message: BoardMessage) -> bool:
    """Return whether the message reports the beginning of a match, and nobody's words."""
    return [(h.event.effect, h.comment) for h in message.happenings] == [(Effect.START, "")]


def _take_back(context: Context, message: BoardMessage, to: str) -> Joinable | None:
    """Take back the mail to this reader that waits for `message`; None if there is none."""
    board, first = message.board.match, message.happenings[0]
    if first.event.effect is Effect.TURN and _is_own(first, message):
        return None  # a robot has moved before this turn, and nothing waited for longer
    robots = [player for player in board.players if message.people[player].is_robot]
    if not robots or message.follows:
        return None
    return context.work.outbox.take_back(to, board.number, context.now)


def _joined(context: Context, message: BoardMessage, ply: int) -> BoardMessage:
    """Return the message with what the mail that waited for it reports: plies from `ply`.

    The only one without plies reports the beginning of the match.
    """
    if ply < _first_ply(message):
        return _since(context, message, ply)
    happenings = (Happening(STARTED), *message.happenings)
    return replace(message, happenings=happenings, late=message.late + 1)


def _since(context: Context, message: BoardMessage, ply: int) -> BoardMessage:
    """Return the message with the plies in front that its reader does not know yet, from `ply`."""
    missed = turns_since(context.work, message.board, message.to.id, ply, _first_ply(message))
    happenings, late = (*missed, *message.happenings), len(missed) + message.late
    return replace(message, happenings=happenings, late=late)


def _with_turns(context: Context, message: BoardMessage) -> BoardMessage:
    """Return the message with all turns since the reader's own, whose words they have got."""
    known, told = len(message.happenings), _since(context, message, _after_own(message))
    missed = tuple(replace(turn, comment="") for turn in told.happenings[:-known])
    return replace(told, happenings=missed + message.happenings)


def _for_follower(context: Context, message: BoardMessage) -> BoardMessage | Letter | None:
    """Count one more mail for a reader who does not play there, and return the one they get."""
    reader, match = message.to.id, message.board.match
    had = context.work.tally(f"followed:{reader}", hour_of(context.now))
    ended = any(happening.event.effect is Effect.END for happening in message.happenings)
    if had <= (ENDS_AN_HOUR if ended else FOLLOWED_AN_HOUR):
        return message
    if context.today(f"followed-enough:{reader}") > 1:
        return None
    return letter(
        message.to, "digests/followed_enough", most=FOLLOWED_AN_HOUR, number=match.number,
        game=match.game, leave=Leaving(Mailing.FOLLOWED, match.number),
    )  # fmt: skip


def _can_wait(message: BoardMessage) -> bool:
    """Return whether it only reports that it is the turn of its reader, who wants a digest.

    Their own turns are answered at once.
    """
    if chosen(DIGEST, message.to.settings) != "yes" or not _waits_for_reader(message):
        return False
    return all(
        h.event.effect is Effect.TURN and (h.queued or not _is_own(h, message))
        for h in message.happenings
    )


def _is_echo(message: BoardMessage) -> bool:
    """Return whether it reports only turns, and its reader wants no such mail.

    Without echoes these are the reader's own turns, on a quiet board also those of others without a
    comment. If it is their turn again, they need the mail to answer it.
    """
    settings, number = message.to.settings, message.board.match.number
    is_quiet = quiet_name(number) in settings
    if not (is_quiet or chosen(ECHO, settings) == "no") or _waits_for_reader(message):
        return False
    return all(
        h.event.effect is Effect.TURN and (_is_own(h, message) or (is_quiet and not h.comment))
        for h in message.happenings
    )


def _only_turns(message: BoardMessage) -> bool:
    return all(h.event.effect is Effect.TURN for h in message.happenings)


def _has_words_of_others(message: BoardMessage) -> bool:
    return any(h.comment and not _is_own(h, message) for h in message.happenings)


def _after_own(message: BoardMessage) -> int:
    """Return the number of the ply that came after the last one of the reader."""
    match, own = message.board.match, message.board.match.seats_of(message.to.id)
    plies = [ply for ply, entry in enumerate(match.plies, 1) if entry.seat in own]
    return 1 + max(plies, default=0)


def _is_own(happening: Happening, message: BoardMessage) -> bool:
    return happening.actor == message.to.id


def _waits_for_reader(message: BoardMessage) -> bool:
    return message.to.id in players_to_move(message.board)


def _first_ply(message: BoardMessage) -> int:
    """Return the number of the first ply that the message reports, or of the one that is due.

    Plies that were taken back later in the same mail do not count.
    """
    latest = takewhile(lambda h: h.event.effect is not Effect.UNDO, reversed(message.happenings))
    return message.board.due - sum(1 for h in latest if _is_ply(h))


def _is_ply(happening: Happening) -> bool:
    """Return whether it is a turn, a seat that is left, or the move that ended the match."""
    event, effect = happening.event, happening.event.effect
    return event is LEFT or effect is Effect.TURN or (effect is Effect.END and bool(happening.text))


def turns_since(
    work: UnitOfWork, board: AnyBoard, reader: PlayerId, start: int, end: int | None = None
) -> tuple[Happening, ...]:
    """Return the plies from `start` up to, not including, `end`, as `reader` may see them.

    Without `end`, all plies from `start` are returned.
    """
    turns = tuple(_turns(board, range(start, min(end or board.due, board.due))))
    visible = visibility(work, turns)
    return tuple(shown for turn in turns if (shown := visible(turn, reader)))


def _turns(board: AnyBoard, plies: Iterable[int]) -> Iterable[Happening]:
    entries = board.match.plies
    for ply in plies:
        entry = entries[ply - 1]
        if entry.kind is EntryKind.LEAVE:
            continue  # all have been told at once
        actor = None if entry.seat is None else board.match.seating(ply - 1)[entry.seat]
        yield turn_of(entry, actor)
