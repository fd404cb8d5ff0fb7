from dataclasses import replace

from pbm.features.help import introduction, page
from pbm.service.letters import answer
from tests.domain.matches import ALICE, PEOPLE
from tests.engine.noughts import game
from tests.service.houses import CATALOGUE

TO = PEOPLE[ALICE]

LETTERS = (
    *(page(TO, topic, CATALOGUE) for topic in ("", "stop", "commands", "reference", "time")),
    *(page(TO, topic, CATALOGUE) for topic in ("noughts", "challenge", "mvoe", "xyzzy")),
    introduction(TO, (game,), unread=True),
    answer(TO, "help/tutorial", game=replace(game.info, title="Noughts")),
    answer(TO, "help/tutorial", game=replace(game.info, title="Noughts", swap_after=None)),
)
