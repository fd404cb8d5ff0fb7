"""The mails that draw boards: after an event, asked for, and with a refusal."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from pbm.domain.description import (
    headline,
    outcome_line,
    thread_subject,
)
from pbm.domain.errors import OR
from pbm.domain.mail import Leaving, Mailing
from pbm.domain.match import Reminder
from pbm.domain.pages import NO_PAGES, Pages
from pbm.domain.plans import Kept
from pbm.domain.play import LiveMatch
from pbm.domain.settings import DIGEST, chosen
from pbm.domain.timekeeping import players_to_move
from pbm.engine import frozen
from pbm.mail.writing.board_facts import (
    LAST,
    BoardFacts,
    Foot,
    Scene,
    board_facts,
    remarks_of,
    scene_of,
)
from pbm.mail.writing.pictures import Figure, listed
from pbm.mail.writing.wording import Wording
from pbm.render.marks import link
from pbm.render.templates import Context, reply_list
from pbm.service.board_messages import BoardMessage, BoardsShown, Refused
from pbm.service.events import Effect, SeenHappening
from pbm.service.letters import Message


@frozen
class BoardMail:
    """A board after what has happened, with a sentence for each event."""

    template: ClassVar[str] = "boards/board.txt.j2"
    happened: tuple[str, ...]
    board: BoardFacts


@dataclass(frozen=True, slots=True)
class ShownBoard:
    """A board that was asked for, after `moves` ("1 move"); `earlier` if play has gone on since.

    `outcome` is one sentence, "" while the match goes on.
    """

    moves: str
    earlier: bool
    outcome: str
    facts: BoardFacts


@dataclass(frozen=True, slots=True)
class ShownMail:
    """The boards that were asked for."""

    template: ClassVar[str] = "boards/shown.txt.j2"
    boards: tuple[ShownBoard, ...]


@dataclass(frozen=True, slots=True)
class RefusedMail:
    """A refusal; `candidates` complete an unfinished move, and `board` is None if it does not help.

    `ways` is the list of lines that one can reply. `several`: the example is a list of lines.
    `yes`: a yes does the example. `outcome` is one sentence, "" while its match goes on.
    """

    template: ClassVar[str] = "boards/refused.txt.j2"
    sentence: str
    example: str
    several: bool
    yes: bool
    candidates: str
    ways: str
    board: BoardFacts | None
    outcome: str


COMPILED: tuple[type[Context], ...] = (BoardMail, ShownMail, RefusedMail)
"""The facts of the templates that are compiled."""

Render = Callable[[Context], str]
"""Returns the text that the template of these facts makes of them."""


def board_wording(message: Message, render: Render, pages: Pages = NO_PAGES) -> Wording:
    """Return the mail of a message about boards. Raises TypeError for any other message."""
    match message:
        case BoardMessage():
            return _happened(message, render, pages)
        case BoardsShown():
            return _shown(message, render, pages)
        case Refused():
            return _refused(message, render, pages)
        case _:
            raise TypeError(f"nothing is written for {type(message).__name__}")


def _happened(message: BoardMessage, render: Render, pages: Pages) -> Wording:
    board = message.board
    scene = message.common.once(
        scene_of, board, message.people, message.now, message.followers,
        last=None if board.match.over else LAST, pages=pages,
    )  # fmt: skip
    seen = message.seen
    effects = {happening.event.effect for happening in message.happenings}
    answer = message.to.id in [happening.actor for happening in message.happenings[message.late :]]
    leave = _leaving(message, effects, answer=answer)
    own_turn = answer and effects == {Effect.TURN} and message.to.id not in players_to_move(board)
    foot = _foot(leave, scene) if leave or own_turn else Foot()
    facts = board_facts(scene, message.to, remarks_of(seen), message.kept, foot)
    context = BoardMail(tuple([each.sentence for each in seen]), facts)
    return Wording(
        scene.subject,
        render(context),
        headline(_news(seen, facts, effects), board.game, board.match.number),
        answer=answer,
        game=board.match.game,
        leave=leave,
        archive=facts.page,
        figures=(facts.figure,),
        preheader=_preheader(seen, scene.left),
    )


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


def _foot(leave: Leaving | None, scene: Scene) -> Foot:
    """Return why a mail came, which is a turn of its reader's own without `leave`."""
    board = scene.board
    if leave is None:
        rounds = -(-board.position.ply // len(board.match.players))
        return Foot(*_ECHO, offered=rounds == _ECHOES and scene.clock_of in scene.talkers)
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


def _news(seen: Sequence[SeenHappening], facts: BoardFacts, effects: set[Effect]) -> str:
    """Return the news in the few words that a list of mails shows."""
    if Effect.REMINDER in effects:
        last = any(each.text == Reminder.WARNING.name for each in seen)
        return "Last reminder" if last else "A reminder"
    if facts.offer and facts.offer.asked and effects <= {Effect.OFFER}:
        return f"{facts.offer.by} offers {'a draw' if facts.offer.draw else 'an undo'}"
    if effects == {Effect.TALK} and not seen[0].mine and not facts.your_turn:
        return f"{seen[0].actor} wrote"
    return facts.state


def _preheader(seen: Sequence[SeenHappening], left: str) -> str:
    """Return the last move and the time left, "ben played B2. 21 days left.", where they apply."""
    said = [f"{left} left."] if left else []
    for each in reversed(seen):
        if each.text and each.happening.event.effect in (Effect.TURN, Effect.END):
            said.insert(0, f"{each.actor} played {each.text}.")
            break
    return " ".join(said)


def _shown(message: BoardsShown, render: Render, pages: Pages) -> Wording:
    shown = tuple(
        ShownBoard(
            f"{board.position.ply} {'move' if board.position.ply == 1 else 'moves'}",
            n in message.earlier,
            outcome_line(board, message.people),
            _facts(message, board, pages, earlier=n in message.earlier),
        )
        for n, board in enumerate(message.boards)
    )
    text = render(ShownMail(shown))
    drawn = tuple(board.facts.figure for board in shown)
    if len(message.boards) != 1:
        # A reply to this mail does not say which board it is about.
        drawn = tuple(replace(figure, seat=None, several=True) for figure in drawn)
        return Wording("Boards", text, figures=drawn)
    (board,) = message.boards
    subject = thread_subject(board.match, board.game, message.people)
    display = headline("Board", board.game, board.match.number)
    archive = shown[0].facts.page
    return Wording(subject, text, display, game=board.match.game, archive=archive, figures=drawn)


def _facts(message: BoardsShown, board: LiveMatch, pages: Pages, *, earlier: bool) -> BoardFacts:
    """Return the facts of a board; nobody can play on it as it was earlier."""
    kept = message.kept.get(board.match.number, Kept())
    scene = scene_of(board, message.people, message.now, pages=pages)
    facts = board_facts(scene, message.to, kept=kept)
    return replace(facts, figure=replace(facts.figure, seat=None)) if earlier else facts


def _refused(message: Refused, render: Render, pages: Pages) -> Wording:
    board, people, yes = message.board, message.people, _says_yes(message)
    listed = reply_list(message.ways)
    if board is None or people is None:
        context = RefusedMail(
            message.sentence, *_example(message), yes, _candidates(message, None), listed, None, ""
        )  # fmt: skip
        return Wording("Please check", render(context), "Please check - pbm")
    scene = scene_of(board, people, message.now, last=LAST, pages=pages)
    facts = board_facts(scene, message.to)
    figure = replace(facts.figure, begun=message.candidates)
    # The example for a reader who has begun a move goes on with that move.
    example = message.candidates[0] if facts.example and message.candidates else facts.example
    facts = replace(facts, figure=figure, example=example)
    context = RefusedMail(
        message.sentence, *_example(message), yes, _candidates(message, figure), listed, facts,
        outcome_line(board, people),
    )  # fmt: skip
    news = "Please choose" if message.candidates else "Please check"
    return Wording(
        thread_subject(board.match, board.game, people),
        render(context),
        headline(news, board.game, board.match.number),
        game=board.match.game,
        archive=facts.page,
        figures=(figure,),
    )


def _says_yes(message: Refused) -> bool:
    """Return whether the example is what a yes does; ways say so by themselves."""
    return len(message.choices) == 1 and not message.ways


def _candidates(message: Refused, figure: Figure | None) -> str:
    """Return the ways to go on as links, or "" for only one, which is the example."""
    if len(message.candidates) < 2:
        return ""
    shown = listed(message.candidates, figure.taps().points if figure else {})
    left_out = len(message.candidates) - len(shown)
    return "; ".join(map(link, shown)) + (f" and {left_out} more" if left_out else "")


def _example(message: Refused) -> tuple[str, bool]:
    """Return the line that would work, or several, as links if they have nothing to fill in.

    True comes with a list of them.
    """
    lines = message.example.split(OR) if message.reply else [message.example]
    offers = [choice.line for choice in message.choices]
    whole = (message.reply and (line in offers or re.fullmatch(_WHOLE, line)) for line in lines)
    made = [link(line) if sent else line for line, sent in zip(lines, whole, strict=True)]
    if len(made) > _IN_A_LINE:
        return "\n".join(f"  {line}" for line in made), True
    return OR.join(made), False


_IN_A_LINE = 3
"""Examples that are written one behind the other; more of them are a list."""

_WHOLE = r"[a-z]+(?: \d+)?|(?:\d+ )?\S*\d\S*"
"""A verb, with a board or without one, or a move."""
