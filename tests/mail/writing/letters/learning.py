from dataclasses import replace

from pbm.features.learning import analysis_letter, hint_letter
from pbm.robots.analysis import Analysis, Mistake, Prospect, Swing
from pbm.robots.tasks import Hint, Tried
from tests.domain.matches import ALICE, BOB, NOW, PEOPLE, after

TO = PEOPLE[ALICE]
OPENED = after("b2")
ENDED = after("b2", "swap", "a1", "c2", "c1", "a2")
"""Alice has the second seat after the swap."""

WORTHS = (0.5, 0.31, 0.31, 0.28, 0.5, 0.0, 0.0)
FOUND = Analysis(
    0,
    tuple(Prospect((1 - worth, worth)) for worth in WORTHS),
    tuple(
        Swing(ply, seat, text, 0.0, 0.0)
        for ply, (seat, text) in enumerate(
            ((0, "b2"), (1, "swap"), (1, "a1"), (0, "c2"), (1, "c1"), (0, "a2")), 1
        )
    ),
    (
        Mistake(5, 1, "c1", "a2", 0.0, 0.5),
        Mistake(1, 0, "b2", "a2", 0.31, 0.49),
        Mistake(2, 1, "swap", "c3", 0.3, 1.0),
    ),
    333,
)
LAST_FOUR = replace(
    FOUND, first=2, prospects=FOUND.prospects[2:], swings=FOUND.swings[2:], mistakes=(), playouts=40
)

HINTS = (
    Hint(Tried("a1", 0.62), 2, Tried("c1", 0.55)),
    Hint(Tried("a1", 0.49), 2, Tried("c1", 0.5)),
    Hint(Tried("a1", 1.0, proven=True), 2, Tried("c1", 0.0, proven=True)),
    Hint(Tried("a1", 0.0, proven=True), 2),
    Hint(Tried("swap", 0.58), 2, Tried("c1", 0.42)),
    Hint(Tried("a1", 0.51), 2, even=True),
    Hint(Tried("a1", 0.5), 2, only=True),
)

ANALYSED = analysis_letter(TO, ENDED, PEOPLE, FOUND)

LETTERS = (
    *(hint_letter(PEOPLE[BOB], OPENED, PEOPLE, NOW, hint) for hint in HINTS),
    ANALYSED,
    analysis_letter(PEOPLE[BOB], ENDED, PEOPLE, LAST_FOUR),
)
