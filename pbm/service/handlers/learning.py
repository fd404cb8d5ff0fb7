"""Those who want to play better: a hint, and a look back. Robots think; here is only asked."""

from collections.abc import Iterator, Mapping
from datetime import timedelta

from pbm.domain.player import Player
from pbm.domain.robots import ThoughtKind
from pbm.engine import counted
from pbm.service.commands.learning import Analyse, Hint
from pbm.service.context import Context, Handler
from pbm.service.letters import Message, noted
from pbm.service.steps.bounds import count_of_day
from pbm.service.steps.learning import check_analysis, check_hint

HINTS_A_DAY = 100
"""Each takes a few seconds of a core."""

ANALYSES_A_DAY = 20
"""Each takes about a minute."""

LONG_QUEUE, LONG_WAIT = 20, timedelta(minutes=5)
"""If so much waits, or for so long, whoever asks is told that it will take a while."""


def hint(context: Context, command: Hint) -> Iterator[Message]:
    """Ask what the sender might play. The answer is a mail of its own, soon after."""
    player, board = context.sender(), context.board(command.number)
    check_hint(board, player.id, context.people(board.match.players))
    count_of_day(context, player, "hint", "hints", HINTS_A_DAY)
    yield from _asked(context, ThoughtKind.HINT, board.match.number, player)


def analyse(context: Context, command: Analyse) -> Iterator[Message]:
    """Ask how a finished match went. The answer is a mail of its own."""
    player, board = context.sender(), context.board(command.number)
    check_analysis(board)
    count_of_day(context, player, "analysis", "analyses", ANALYSES_A_DAY)
    yield from _asked(context, ThoughtKind.ANALYSIS, board.match.number, player)


def _asked(context: Context, kind: ThoughtKind, number: int, player: Player) -> Iterator[Message]:
    """Ask, and tell the player only if they must wait: one mail is better than two."""
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


HANDLERS: Mapping[type, Handler] = {Hint: hint, Analyse: analyse}
