"""Sentences about what has happened on a board, for one reader."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from pbm.domain.description import side_of, userid
from pbm.domain.logs import EntryKind
from pbm.domain.match import Ending, Outcome, Reminder
from pbm.domain.offers import OfferKind
from pbm.domain.player import People
from pbm.engine import AnyGame, counted, listing
from pbm.mail.writing.board_facts import Remark, forfeit_at
from pbm.mail.writing.wording import local_time
from pbm.render.marks import link
from pbm.service.board_messages import BoardMessage, Event, Happening


def sentence(happening: Happening, message: BoardMessage) -> str:
    """Return the sentence or sentences about a happening, for the reader of `message`."""
    return _SENTENCES[happening.event](_Words(happening, message))


def remarks_of(message: BoardMessage) -> tuple[Remark, ...]:
    """Return the comments of the happenings, each with its author's userid."""
    return tuple(
        Remark(_author(happening, message), happening.comment)
        for happening in message.happenings
        if happening.comment
    )


def _author(happening: Happening, message: BoardMessage) -> str:
    if happening.actor is None:
        return _OPERATOR
    return userid(message.people, happening.actor)


def actor_name(happening: Happening, message: BoardMessage) -> str:
    """Return "You", the userid of the actor, or "The operator"."""
    return "You" if happening.actor == message.to.id else _author(happening, message)


_OPERATOR = "The operator"


def seating(game: AnyGame, players: tuple[int, ...], people: People) -> str:
    """Return "alice is Eks (x), bob is Ohs (o)"."""
    sides = zip(game.info.seats, game.info.signs, players, strict=True)
    return ", ".join(f"{userid(people, p)} is {side_of(side, sign)}" for side, sign, p in sides)


@dataclass(frozen=True, slots=True)
class _Words:
    """A happening, with the words for its sentence to the reader of `message`."""

    happening: Happening
    message: BoardMessage

    @property
    def text(self) -> str:
        return self.happening.text

    @property
    def actor(self) -> str:
        return actor_name(self.happening, self.message)

    @property
    def mine(self) -> bool:
        """Whether the reader of the mail did it."""
        return self.happening.actor == self.message.to.id

    @property
    def offer(self) -> str:
        return "draw" if self.text == OfferKind.DRAW else "undo"

    @property
    def played(self) -> str:
        """The sentence about a move. Only to its player it says that the move was queued."""
        # A plain word is quoted: played "first".
        move = f'"{self.text}"' if self.text.isalpha() else self.text
        queued = self.happening.queued and self.mine
        return f"{self.actor} played {move}{' (queued)' if queued else ''}."

    @property
    def sides(self) -> str:
        board = self.message.board
        return seating(board.game, board.match.players, self.message.people)


def _welcomed(words: _Words) -> str:
    goal, reader = words.message.board.game.info.summary, words.message.to.userid
    return (
        f"Welcome, {reader}, to your first board here. The goal: {goal} To move, tap a place on "
        "the board, and send the mail that opens. To be called something else, reply change "
        "userid and the name."
    )


def _offered(words: _Words) -> str:
    asked = "offered a draw" if words.offer == "draw" else "asked to take a move back"
    return f"{words.actor} {asked}."


def _end(words: _Words) -> Iterator[str]:
    """Yield the sentences about an end: the last move, another cause, and the result."""
    message = words.message
    outcome = message.board.match.outcome
    assert outcome is not None  # noqa: S101 - the event says that it is over
    if words.text:
        yield words.played
    if outcome.ending in _ENDS:
        yield _ENDS[outcome.ending].format(actor=words.actor)
    if late := _late(message):
        yield f"{late} ran out of time."
    reason = message.board.game.info.reasons.get(outcome.reason, "")
    because = f": {reason}" if reason else ""
    if outcome.winners:
        yield f"{_won(message, outcome)}{because}."
    elif outcome.counts:
        yield f"The match is a draw{because}."
    if outcome.scores:
        yield f"Points: {' to '.join(map(str, outcome.scores))}."


_ENDS: Mapping[Ending, str] = {
    Ending.RESIGNED: "{actor} resigned.",
    Ending.AGREED: "{actor} accepted the offer of a draw.",
    Ending.DECLINED: "{actor} declined the match before the first move. It does not count.",
    Ending.ADJUDICATED: "The operator of the server has decided the match.",
    Ending.CLOSED: "The operator of the server has closed the match. It does not count.",
}
"""Sentences about ends by neither a move nor the clock."""


def _won(message: BoardMessage, outcome: Outcome) -> str:
    """Return "You won", "bob won", or "You lost; bob won" if no other sentence names the loser."""
    reader, players = message.to.id, message.board.match.players
    winners = tuple(players[seat] for seat in outcome.winners)
    if winners == (reader,):
        return "You won"
    others = f"{listing((userid(message.people, winner) for winner in winners), last='and')} won"
    if reader not in players or outcome.ending in _NAMES_THE_LOSER:
        return others
    return f"You lost; {others}"


_NAMES_THE_LOSER = (Ending.RESIGNED, Ending.FORFEITED)
"""The ends whose sentence names the loser."""


def _late(message: BoardMessage) -> str:
    """Return "You" or the userid of the player who lost on time, or ""."""
    match = message.board.match
    last = match.log[-1] if match.log else None
    if last is None or last.kind is not EntryKind.FORFEIT or last.seat is None:
        return ""
    player = match.players[last.seat]
    return "You" if player == message.to.id else userid(message.people, player)


def _taken_back(words: _Words) -> str:
    who = f"{words.actor} agreed to take back {words.text}."
    if words.happening.actor is None:
        who = f"The operator of the server has taken back {words.text}, the last move."
    return f"{who} Moves that were queued are forgotten."


def _reopened(words: _Words) -> str:
    ending = Ending(words.text)
    rated = Outcome(ending).counts and words.message.board.match.terms.rated
    ratings = "What it did to the ratings is taken back as well. " if rated else ""
    return (
        f"The operator of the server has taken back {_ENDS_TAKEN_BACK[ending]}, and the match goes "
        f"on. {ratings}The time for this move begins now."
    )


_ENDS_TAKEN_BACK = {
    Ending.RESIGNED: "the resignation",
    Ending.AGREED: "the draw",
    Ending.FORFEITED: "the loss on time",
    Ending.DECLINED: "the refusal of the match",
    Ending.ADJUDICATED: "their decision",
    Ending.CLOSED: "the end of the match",
}
"""The ends that the operator can take back. An end by rule goes with its move."""


def _reminded(words: _Words) -> str:
    board, reader = words.message.board, words.message.to
    if words.text == Reminder.WARNING.name:
        end = forfeit_at(board)
        when = local_time(end, reader) if end else ""
        said = f"This is the last reminder: if you do not move by {when}, you lose the match."
    else:
        since = local_time(board.match.turn_since, reader)
        said = f"This is a reminder: the board has waited for your move since {since}."
    return (
        f"{said} If you cannot play for a while, reply {link('vacation 7 days')} (or as many as "
        f"you need), and your clocks are stopped. Reply {link('vacation')} to see how many days "
        "you have left."
    )


_SENTENCES: Mapping[Event, Callable[[_Words], str]] = {
    Event.STARTED: lambda words: f"The match has begun: {words.sides}.",
    Event.WELCOMED: _welcomed,
    Event.LEFT: lambda words: f"{words.actor} has left the server.",
    Event.MOVED: lambda words: words.played,
    Event.SWAPPED: lambda words: (
        f"{words.actor} used the pie rule: the players have exchanged sides, the position stays. "
        f"Now {words.sides}."
    ),
    Event.ENDED: lambda words: " ".join(_end(words)),
    Event.SEEKS_CLOSED: lambda _: "Because you ran out of time, your seeks were closed.",
    Event.TAKEN_BACK: _taken_back,
    Event.REOPENED: _reopened,
    Event.OFFERED: _offered,
    Event.AGREED: lambda words: f"{words.actor} accepted the {words.offer}.",
    Event.REJECTED: lambda words: f"{words.actor} declined the {words.offer}.",
    Event.CHATTED: lambda words: (
        "Your message was sent." if words.mine else f"{words.actor} sent a message."
    ),
    Event.QUEUED: lambda words: (
        "Your plan is saved." if words.text else "You have nothing queued on this board."
    ),
    Event.NOTED: lambda words: (
        "Your notes are saved." if words.text else "You have no notes on this board."
    ),
    Event.DROPPED: lambda words: (
        f"Your queued move {words.text} can no longer be played; it was dropped, and so were the "
        "moves queued after it."
    ),
    Event.REMINDED: _reminded,
    Event.EXTENDED: lambda words: (
        f"The operator of the server has added {counted(int(words.text), 'day')} to the time for "
        "this move."
    ),
    Event.STOPPED: lambda _: (
        "The operator of the server has stopped the clock of this match. You can still play."
    ),
    Event.RESUMED: lambda _: "The clock of this match runs again.",
}
"""The sentences about each event."""
