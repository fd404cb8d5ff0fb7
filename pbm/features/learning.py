"""Learning: hints during a match against a robot, and analyses of finished matches."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import islice

from pbm.domain.errors import NotAllowed, NotNow, Refusal
from pbm.domain.logs import EntryKind
from pbm.domain.play import LiveMatch, check_open, check_ply_due, seat_of
from pbm.domain.player import Player, PlayerId
from pbm.domain.robots import Thought, ThoughtKind, against_robots, may_have_hints
from pbm.engine import Seat, counted
from pbm.robots.analysis import Analysis, AnalysisTask
from pbm.robots.hints import Hint, HintTask
from pbm.robots.hints import Tried as Looked
from pbm.service.command import BoardNumber, Proof, command
from pbm.service.context import Context, board_token, everybody
from pbm.service.letters import Message, noted
from pbm.service.limits import count_of_day
from pbm.service.notices.learning import Analysed, Hinted, LookedAt, Mistake, Tried
from pbm.service.thoughts import ThoughtHandler, chance_of, moment_of

HINTS_A_DAY = 100
"""Each takes a few seconds of a core."""

ANALYSES_A_DAY = 20
"""Each takes about a minute."""

LONG_QUEUE, LONG_WAIT = 20, timedelta(minutes=5)
"""If so many thoughts wait, or for so long, the player is told that it will take a while."""

LEVEL = 4
"""The level of hints, whoever the opponent is: it takes seconds, and most players are weaker."""


@command(
    "hint", "B [userid password]", "says what a robot would play in your place",
    "hint 104 alice your-password", needs=Proof.BOARD, aliases=("hints",),
    text="For your turn in an unrated match against a robot, and nowhere else: matches "
         "between people are their own. You get a move, how often it won when it was tried, "
         "and the second best. Nothing is played: reply the move that you want. In a reply to "
         "a board mail the word alone is enough.\n"
         "It takes a few seconds, or longer if others are thinking too.",
)  # fmt: skip
def hint(context: Context, number: BoardNumber) -> Iterator[Message]:
    """Ask what the sender might play. The hint is another mail, soon after."""
    player, board = context.sender(), context.board(number)
    _check_hint(context, board, player.id)
    count_of_day(context, player, "hint", "hints", HINTS_A_DAY)
    yield from _asked(context, ThoughtKind.HINT, board.match.number, player)


@command(
    "analyse", "B [userid password]", "shows what each move of a finished match won or lost",
    "analyse 104 alice your-password", needs=Proof.PERSON, aliases=("analyze", "analysis"),
    text="For any match that is over and that you may see. You get a curve of what the match "
         "was worth to one side after each move, and its biggest mistakes with what a robot "
         "would have played. That is an opinion: robots can be wrong.\n"
         "It takes a minute, or longer if others are waiting. A match that is going on is "
         "never looked at.",
)  # fmt: skip
def analyse(context: Context, number: BoardNumber) -> Iterator[Message]:
    """Ask how a finished match went. The analysis is another mail."""
    player, board = context.sender(), context.board(number)
    _check_analysis(board)
    count_of_day(context, player, "analysis", "analyses", ANALYSES_A_DAY)
    yield from _asked(context, ThoughtKind.ANALYSIS, board.match.number, player)


def _asked(context: Context, kind: ThoughtKind, number: int, player: Player) -> Iterator[Message]:
    """Store the question, and answer it only if the player must wait: one mail is enough."""
    queue = context.work.thoughts.counts(context.now)
    context.work.thoughts.add(kind, number, player.id, context.now)
    late = queue.oldest is not None and context.now - queue.oldest >= LONG_WAIT
    if queue.waiting >= LONG_QUEUE or late:
        before = counted(queue.waiting, "other question")
        yield noted(
            player,
            f"I shall think about board {number}. {before} came first, so it takes a while; the "
            "answer is a mail of its own.",
        )


def _check_hint(context: Context, board: LiveMatch, player: PlayerId) -> Seat:
    """Return the seat that is to move and gets the hint; raise a Refusal if it may get none."""
    number, people = board.match.number, context.people(board.match.players)
    if board.match.over:
        raise NotNow(f"Board {number} is over. I can tell you how it went.", f"analyse {number}")
    seat = seat_of(board, player)
    check_open(board)
    if not against_robots(board.match, player, people):
        raise NotAllowed(
            "I give hints in matches against robots only. Once this match is over, analyse shows "
            "what each move was worth."
        )
    if not may_have_hints(board.match, player, people):
        raise NotAllowed(
            f"Board {number} is rated, so you play it alone. I give hints in unrated matches "
            "against robots."
        )
    if seat not in board.to_move:
        raise NotNow(f"It is not your turn on board {number}. Ask again when it is.")
    return seat


def _check_analysis(board: LiveMatch) -> None:
    """Raise a Refusal if the match cannot be analysed."""
    number = board.match.number
    if not board.match.over:
        raise NotNow(
            f"Board {number} is not over. A match is analysed when it is, so that nobody is helped "
            "while they play.",
            f"show {number}",
        )
    if not board.match.log.ply:
        raise NotNow(f"No move was made on board {number}, so there is nothing to look at.")


def _prepare_hint(context: Context, thought: Thought) -> HintTask | None:
    """Return the position to look at, or None if the player may have, or needs, no hint any more.

    A player who has moved since needs none, even if it is their turn again.
    """
    board = context.boards.get(thought.number)
    if any(entry.at > thought.asked_at for entry in board.match.log.last_plies(1)):
        return None
    try:
        seat = _check_hint(context, board, thought.player)
    except Refusal:
        return None
    return HintTask(moment_of(board, seat), LEVEL, chance_of(thought.number, board.position.ply))


def _send_hint(context: Context, thought: Thought, hint: Hint) -> Iterator[Message]:
    """Send the hint, if the position is still the one that was looked at."""
    board = context.boards.get(thought.number)
    check_ply_due(board, hint.due)
    _check_hint(context, board, thought.player)
    people = context.people(everybody(board))
    second = _told(hint.second) if hint.second else None
    yield Hinted(
        context.sender(), board, people, context.now, _told(hint.best), second,
        only=hint.only, even=hint.even, reply=board_token(board, thought.player),
    )  # fmt: skip


def _told(tried: Looked) -> Tried:
    return Tried(tried.text, tried.worth, tried.proven)


HINT = ThoughtHandler(_prepare_hint, _send_hint)


def _prepare_analysis(context: Context, thought: Thought) -> AnalysisTask | None:
    """Return the match to analyse, or None if it is not over any more."""
    board = context.boards.get(thought.number)
    try:
        _check_analysis(board)
    except Refusal:
        return None
    match, chance = board.match, chance_of(thought.number, board.position.ply)
    return AnalysisTask(match.game, match.rules_version, match.setup, tuple(match.turns), chance)


def _send_analysis(context: Context, thought: Thought, found: Analysis) -> Iterator[Message]:
    """Send the analysis, if the match is still over: the operator can reopen it."""
    board, player = context.boards.get(thought.number), context.sender()
    _check_analysis(board)
    if not found.swings:
        number = thought.number
        yield noted(player, f"I had no time to look at board {number}. Ask again: analyse {number}")
        return
    seats = board.match.seats_of(thought.player)
    seat = seats[0] if seats else 0
    people = context.people(everybody(board))
    movers = _movers(board)
    yield Analysed(
        player,
        board,
        people,
        seat,
        found.prospects[0].worths[seat],
        tuple(_turns(found, movers, seat)),
        tuple(
            Mistake(m.ply, movers[m.ply - 1], m.text, m.better, m.worth, m.missed)
            for m in found.mistakes
        ),
        found.playouts,
        reply=board_token(board, thought.player),
    )


def _turns(found: Analysis, movers: tuple[PlayerId, ...], seat: Seat) -> Iterator[LookedAt]:
    prospects = islice(found.prospects, 1, None)
    for swing, after in zip(found.swings, prospects, strict=True):
        mover = movers[swing.ply - 1]
        yield LookedAt(swing.ply, swing.seat, mover, swing.text, after.worths[seat])


def _movers(board: LiveMatch) -> tuple[PlayerId, ...]:
    """Return who played each turn: before the pie rule was used, the seats had other players."""
    match = board.match
    swap = next((n for n, each in enumerate(match.plies) if each.kind is EntryKind.SWAP), None)
    last = match.log.ply if swap is None else swap
    return tuple(
        (match.starters if number <= last else match.players)[entry.seat or 0]
        for number, entry in enumerate(match.plies)
    )


ANALYSIS = ThoughtHandler(_prepare_analysis, _send_analysis)
