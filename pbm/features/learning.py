"""Learning: hints during a match against a robot, and analyses of finished matches."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from itertools import islice

from pbm.core.board_messages import DrawnBoard
from pbm.core.command import BoardNumber, Proof, command
from pbm.core.context import Context, board_token, everybody
from pbm.core.letters import Letter, Message, answer, noted
from pbm.core.limits import count_of_day
from pbm.core.robots import ThoughtJob, chance_of, moment_of
from pbm.domain.description import about, headline, outcome_line, thread_subject, userid
from pbm.domain.errors import NotAllowed, NotNow, Refusal
from pbm.domain.logs import EntryKind
from pbm.domain.play import Board, check_open, check_ply_due, seat_of
from pbm.domain.player import People, Player, PlayerId
from pbm.domain.robots import Thought, ThoughtKind, against_robots, may_have_hints
from pbm.domain.seen import seen
from pbm.engine import Seat, counted, is_swap
from pbm.render.boards.plotted_picture import Form
from pbm.render.boards.plotting import stone_of
from pbm.render.curves import Curve, CurveStep, per_cent
from pbm.render.marks import link
from pbm.robots.analysis import Analysis, AnalysisTask, Mistake
from pbm.robots.tasks import Hint, HintTask, Tried

HINTS_A_DAY = 100
"""The most hints for a player in a day: each takes a few seconds of a core."""

ANALYSES_A_DAY = 20
"""The most analyses for a player in a day: each takes about a minute."""

LONG_QUEUE, LONG_WAIT = 20, timedelta(minutes=5)
"""The queue, or the wait, from which a player gets a mail that it will take a while."""

LEVEL = 4
"""The level of hints, whoever the opponent is: it takes seconds, and most players are weaker."""


@command(
    "hint", "B [userid password]", "shows what a robot would play for you",
    "hint 104 alice your-password", needs=Proof.BOARD, aliases=("hints",),
    text="It works on your turn in an unrated match against a robot, and nowhere else. You get a "
         "move, how often it won when it was tried, and the second best. Nothing is played: reply "
         "with the move you want. In a reply to a board mail, the word alone is enough.\n"
         "It takes a few seconds, or longer if others are waiting too.",
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
    text="It works for any finished match that you can see. You get a curve of one side's winning "
         "chances after each move, and the biggest mistakes with what a robot would have played. "
         "That is an opinion: robots can be wrong.\n"
         "It takes a minute, or longer if others are waiting. Matches in progress are never "
         "analysed.",
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
            f"Your request about board {number} is in the queue. {before} came first, so it takes "
            "a while; the answer comes in another mail.",
        )


def _check_hint(context: Context, board: Board, player: PlayerId) -> Seat:
    """Return the seat that is to move and gets the hint; raise a Refusal if it may get none."""
    number, people = board.match.number, context.people(board.match.players)
    if board.match.over:
        raise NotNow(
            f"Board {number} is over. To see how it went, use analyse.", f"analyse {number}"
        )
    seat = seat_of(board, player)
    check_open(board)
    if not against_robots(board.match, player, people):
        raise NotAllowed(
            "Hints work only in matches against robots. Once this match is over, analyse shows "
            "what each move was worth."
        )
    if not may_have_hints(board.match, player, people):
        raise NotAllowed(
            f"Board {number} is rated, so there are no hints. They work in unrated matches "
            "against robots."
        )
    _check_weighable(board)
    if seat not in board.to_move:
        raise NotNow(f"It is not your turn on board {number}. Ask again when it is.")
    return seat


def _check_analysis(board: Board) -> None:
    """Raise a Refusal if the match cannot be analysed."""
    number = board.match.number
    if not board.match.over:
        raise NotNow(
            f"Board {number} is not over. Only finished matches are analysed, so that nobody gets "
            "help during play.",
            f"show {number}",
        )
    if not board.match.log.ply:
        raise NotNow(f"No move was made on board {number}, so there is nothing to analyse.")
    _check_weighable(board)


def _check_weighable(board: Board) -> None:
    """Raise NotAllowed if turns of the game are secret, so that no search can weigh them."""
    if not board.game.info.weighable:
        raise NotAllowed(f"In {board.game.info.title} moves are secret: robots cannot weigh them.")


def _prepare_hint(context: Context, thought: Thought) -> HintTask | None:
    """Return the position to look at, or None if the player may have, or needs, no hint any more.

    A player who has moved since needs no hint, even if it is their turn again.
    """
    board = context.boards.get(thought.number)
    if any(entry.at > thought.asked_at for entry in board.match.log.last_plies(1)):
        return None
    try:
        seat = _check_hint(context, board, thought.player)
    except Refusal:
        return None
    return HintTask(moment_of(board, seat), LEVEL, chance_of(context, board))


def _send_hint(context: Context, thought: Thought, hint: Hint) -> Iterator[Message]:
    """Send the hint, if the position is still the one that was looked at."""
    board = context.boards.get(thought.number)
    check_ply_due(board, hint.due)
    _check_hint(context, board, thought.player)
    people = context.people(everybody(board))
    yield hint_letter(context.sender(), board, people, context.now, hint)


def hint_letter(to: Player, board: Board, people: People, now: datetime, hint: Hint) -> Letter:
    """Return the mail with a hint, above the board."""
    match, swaps = board.match, is_swap(hint.best.text)
    example = hint.second if swaps else hint.best
    return answer(
        to, "learning/hint", board=match.number, key=match.game,
        subject=thread_subject(match, board.game, people),
        sender=headline("A hint", board.game, match.number),
        sentences=_reasons(hint),
        drawn=DrawnBoard(seen(board, to.id), people, now, example.text if example else ""),
        reply=board_token(board, to.id),
    )  # fmt: skip


def _reasons(hint: Hint) -> list[str]:
    """Return what to play and why, a sentence each; a tap on a turn plays it."""
    best, second = hint.best, hint.second
    turn = link(best.text)
    if hint.only:
        return [f"{turn} is your only move."]
    if is_swap(best.text):
        said = [f"A robot would {turn}: the other side {_worth(best)}."]
    elif hint.even:
        said = [
            f"A robot would play {turn}: it {_worth(best)}, so neither side is much better.",
            "That matters now, because your opponent may take over your side.",
        ]
    elif best.proven and best.worth == 0:
        return [f"A robot would play {turn}, but sees no move that saves the match."]
    else:
        said = [f"A robot would play {turn}: it {_worth(best)}."]
    if second and not (best.proven and best.worth == 1):
        said.append(_next_best(best, second))
    return said


def _next_best(best: Tried, second: Tried) -> str:
    """Return a sentence on the next best turn. It can have won more, of fewer tries."""
    turn = link(second.text)
    if not second.proven and second.worth > best.worth - _AS_GOOD:
        return f"{turn} is as good, with {per_cent(second.worth)} of 100."
    return f"The next best, {turn}, {_worth(second)}."


_AS_GOOD = 0.02
"""The most that two equally good turns differ in: less than chance."""


def _worth(tried: Tried) -> str:
    """Return "won 62 of 100 games tried", to follow a turn."""
    if tried.proven and tried.worth in _CERTAIN:
        return _CERTAIN[tried.worth]
    return f"won {per_cent(tried.worth)} of 100 games tried"


_CERTAIN: Mapping[float, str] = {
    1.0: "wins by force",
    0.5: "leads to a draw if both sides play well",
    0.0: "loses if your opponent plays well",
}


HINT = ThoughtJob(_prepare_hint, _send_hint)


def _prepare_analysis(context: Context, thought: Thought) -> AnalysisTask | None:
    """Return the match to analyse, or None if it is not over any more."""
    board = context.boards.get(thought.number)
    try:
        _check_analysis(board)
    except Refusal:
        return None
    match, chance = board.match, chance_of(context, board)
    return AnalysisTask(match.game, match.rules_version, match.setup, tuple(match.turns), chance)


def _send_analysis(context: Context, thought: Thought, found: Analysis) -> Iterator[Message]:
    """Send the analysis, if the match is still over: the operator can reopen it."""
    board, player = context.boards.get(thought.number), context.sender()
    _check_analysis(board)
    if not found.swings:
        number = thought.number
        yield noted(
            player, f"There was no time to analyse board {number}. Ask again: analyse {number}"
        )
        return
    yield analysis_letter(player, board, context.people(everybody(board)), found)


def analysis_letter(to: Player, board: Board, people: People, found: Analysis) -> Letter:
    """Return the mail with the curve of a finished match, and its biggest mistakes."""
    match, game = board.match, board.game
    movers, first = _movers(board), found.swings[0].ply
    return answer(
        to, "learning/analysis", board=match.number, number=match.number, key=match.game,
        subject=thread_subject(match, game, people),
        sender=headline("The analysis", game, match.number),
        outcome=outcome_line(board, people),
        playouts=found.playouts,
        since=first if first > 1 else 0,
        mistakes=[
            (mistake.ply, _sentence(mistake, movers[mistake.ply - 1], to, people))
            for mistake in found.mistakes
        ],
        curve=_curve(to, board, people, found),
        about=about(match, game),
        reply=board_token(board, to.id),
    )  # fmt: skip


def _sentence(mistake: Mistake, player: PlayerId, reader: Player, people: People) -> str:
    """Return "bob played H9, which won 52 of 100 games tried. A1 won 61 of 100."."""
    who = "you" if player == reader.id else userid(people, player)
    turn = "used the pie rule" if is_swap(mistake.text) else f"played {mistake.text}"
    better = "To swap" if is_swap(mistake.better) else mistake.better
    won = f"won {per_cent(mistake.worth)} of 100 games tried"
    missed = "wins by force" if mistake.missed == 1 else f"won {per_cent(mistake.missed)} of 100"
    return f"{who} {turn}, which {won if mistake.worth else 'loses by force'}. {better} {missed}."


def _curve(reader: Player, board: Board, people: People, found: Analysis) -> Curve:
    """Return the curve of the reader's side, or of the first; its flags number the mistakes."""
    seat = (*board.match.seats_of(reader.id), 0)[0]
    signs, movers = board.game.info.signs, _movers(board)
    flags = {mistake.ply: str(number) for number, mistake in enumerate(found.mistakes, 1)}
    steps = tuple(
        CurveStep(
            swing.ply,
            signs[swing.seat] or userid(people, movers[swing.ply - 1])[:1],
            swing.text,
            after.worths[seat],
            flags.get(swing.ply, ""),
        )
        for swing, after in zip(found.swings, islice(found.prospects, 1, None), strict=True)
    )
    side, other = _sides(board, seat, people)
    dark = stone_of(signs[seat], seat).form is not Form.LIGHT
    return Curve(side, other, found.prospects[0].worths[seat], steps, dark=dark)


def _sides(board: Board, seat: Seat, people: People) -> tuple[str, str]:
    """Return the name of who sits at `seat`, and of the other; sides if that is the same player."""
    players = board.match.players
    others = [player for other, player in enumerate(players) if other != seat]
    if players[seat] in others:
        sides = board.game.sides(board.position.state)
        return sides[seat], sides[seat - 1]
    return userid(people, players[seat]), (
        userid(people, others[0]) if len(others) == 1 else "the others"
    )


def _movers(board: Board) -> tuple[PlayerId, ...]:
    """Return who played each turn: before the pie rule was used, the seats had other players."""
    match = board.match
    swap = next((n for n, each in enumerate(match.plies) if each.kind is EntryKind.SWAP), None)
    last = match.log.ply if swap is None else swap
    return tuple(
        (match.starters if number <= last else match.players)[entry.seat or 0]
        for number, entry in enumerate(match.plies)
    )


ANALYSIS = ThoughtJob(_prepare_analysis, _send_analysis)
