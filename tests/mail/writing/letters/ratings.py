from typing import Any

from pbm.features.ratings import _RATINGS, _ROBOTS, _STANDINGS
from pbm.render.marks import table
from pbm.service.letters import answer
from pbm.service.tokens import player_token
from tests.domain.matches import ALICE, PEOPLE

TO = PEOPLE[ALICE]
REPLY = player_token(ALICE)
FIGURES = ("1623 +- 81", "12", "5", "1")

STANDINGS: dict[str, Any] = {"title": "Noughts and Crosses", "key": "noughts", "reply": REPLY}

LETTERS = (
    answer(
        TO, "ratings/standings", **STANDINGS, shown=1, more=True,
        table=table(_STANDINGS, [("1", "alice", *FIGURES, "3", "1")]),
        robots=table(_ROBOTS, [("robot-5 (robot)", *FIGURES, "5")]),
    ),
    answer(TO, "ratings/standings", **STANDINGS, shown=0, more=False, table="", robots=""),
    answer(
        TO, "ratings/ratings", userid="alice", mine=True, key="noughts",
        table=table(_RATINGS, [("Noughts and Crosses", *FIGURES)]),
    ),
    answer(TO, "ratings/ratings", userid="bob", mine=False, key="noughts", table=""),
)  # fmt: skip
