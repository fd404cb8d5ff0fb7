from datetime import timedelta
from typing import Any

from pbm.features.boards import _cells, _columns
from pbm.render.marks import table
from pbm.service.letters import answer
from pbm.service.ports import MatchRow
from pbm.service.tokens import player_token
from tests.domain.matches import ALICE, NOW, PEOPLE

TO = PEOPLE[ALICE]
ROWS = (MatchRow(104, "noughts", ("alice", "bob"), 3, (0,), NOW - timedelta(days=1), over=False),)
SOON = {104: NOW + timedelta(minutes=9)}
TABLE: dict[str, Any] = {"key": "noughts", "empty": "None.", "reply": player_token(ALICE)}
SINCE = table(_columns(None), _cells(ROWS, None, NOW))
TIMED = table(_columns(SOON), _cells(ROWS, SOON, NOW))

LETTERS = (
    answer(
        TO, "boards/games", own=False, urgent=False, more=3, table=SINCE, first=104, robot="",
        **TABLE,
    ),
    answer(
        TO, "boards/games", own=True, urgent=True, more=0, table=TIMED, first=104, robot="",
        **TABLE,
    ),
    answer(
        TO, "boards/games", own=True, urgent=False, more=0, table="", first=None,
        robot="noughts robot", **TABLE,
    ),
    answer(
        TO, "boards/games", own=False, urgent=False, more=0, table="", first=None, robot="",
        **TABLE,
    ),
)  # fmt: skip
