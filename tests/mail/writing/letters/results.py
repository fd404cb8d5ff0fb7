from typing import Any

from pbm.domain.description import about, headline, terms_line, thread_subject
from pbm.domain.invitations import Seek, Terms
from pbm.features.results import _GAMES, _HISTORY
from pbm.render.marks import link, table
from pbm.service.letters import Attachment, answer
from pbm.service.tokens import player_token
from tests.domain.matches import ALICE, NOW, PEOPLE, after
from tests.engine.noughts import game

TO = PEOPLE[ALICE]
BOARD = after("b2", "swap", "a1")
MATCH = BOARD.match

SEEK = Seek(105, ALICE, "noughts", game.info.setup(), Terms(), 2, NOW)
RULES = link("noughts", "help noughts")
LIST: dict[str, Any] = {
    "key": "noughts", "robot": "", "reply": player_token(ALICE),
    "table": table(_GAMES, [(RULES, game.info.title, "3", "12", "5")]),
}  # fmt: skip

ENDED = (
    link("104", "show 104"),
    "noughts",
    "20 Nov 2026",
    "alice - bob",
    "alice won: row (9 moves)",
)

RECORD: dict[str, Any] = {
    "board": 104, "subject": thread_subject(MATCH, game, PEOPLE), "game": "noughts",
    "headline": headline("The record", game, 104), "about": about(MATCH, game), "number": 104,
    "moves": "3 moves",
    "files": (
        Attachment("board-104.json", "application/json", "{}"),
        Attachment("board-104.txt", "text/plain", "game noughts"),
    ),
}  # fmt: skip

LETTERS = (
    answer(
        TO, "results/list", **LIST | {"robot": "noughts robot"}, sought="noughts",
        seeks=[f"  105  you: 2 of {terms_line(SEEK, game)}", "  106  bob: Noughts and Crosses."],
        take="accept 106", withdraw="withdraw 105",
    ),
    answer(TO, "results/list", **LIST, seeks=[], take="", withdraw="", sought="noughts"),
    answer(TO, "results/list", **LIST, seeks=[], take="", withdraw="", sought=""),
    answer(TO, "results/history", table=table(_HISTORY, [ENDED]), shown=1, more=False),
    answer(TO, "results/history", table=table(_HISTORY, [ENDED]), shown=1, more=True),
    answer(TO, "results/history", table="", shown=0, more=False),
    answer(TO, "results/record", **RECORD, outcome="", part=1, parts=1),
    answer(TO, "results/record", **RECORD, outcome="alice won: resigned.", part=1, parts=2),
)  # fmt: skip
