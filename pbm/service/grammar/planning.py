"""Reading what a player prepares for his turn."""

import re

from pbm.domain.commands import ClearQueue, Command, Queue
from pbm.engine import fold
from pbm.service.grammar.line import Line, Reading, Verb, read_board_verb

_IF = re.compile(r"\s+if\b\s*", re.IGNORECASE)
_CLEAR = frozenset({"clear", "none", "off"})


def _read_queue(line: Line) -> Reading:
    def make(board: int | None, _due: int | None, text: str) -> Command:
        if fold(text) in _CLEAR:
            return ClearQueue(board)
        move, *condition = _IF.split(text, maxsplit=1)
        return Queue(board, move, condition[0] if condition else None)

    return read_board_verb(line, make)


VERBS: tuple[Verb, ...] = (
    Verb("queue", "B [userid password] MOVE [if MOVE...]", "keeps a move for your turn",
         "queue 104 alice your-password G7 if F6", _read_queue,
         text="Moves without a condition are played in the order given, one at each of your "
              "turns. After if come all moves from now on that must have been played: your "
              "opponent's, or his, yours and his again (G7 if F6 then F5 then E5); several "
              "lines make a tree. A move that has become illegal is dropped, and you are told. "
              "queue 104 alone shows what is queued, queue 104 clear forgets it."),
)  # fmt: skip
