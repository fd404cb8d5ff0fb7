from datetime import timedelta

from pbm.features.robots import share_used_up
from pbm.service.letters import letter
from tests.domain.matches import ALICE, NOW, PEOPLE

LETTERS = (
    share_used_up(PEOPLE[ALICE], 1800, NOW + timedelta(days=10)),
    letter(
        "operator@example.org", "robots/failed", robot="minimax",
        why="The program did not answer within 30 seconds.",
    ),
)  # fmt: skip
