"""A house for tests that interfere with time: three players, boards with all sorts of terms."""

import shutil
from dataclasses import replace
from email.message import EmailMessage
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from pbm.domain.settings import Periods
from pbm.operator.administration import Administration
from pbm.service.heartbeat import ALL_PARTS, SERVING
from tests.house import HouseUnderTest

NAMES = ("alice", "bob", "carol")
BOARDS = (("alice", "bob", 1, 2), ("bob", "carol", 2, 5), ("carol", "alice", 3, 8),
          ("alice", "bob", 7, 21), ("alice", "carol", 6, 7), ("bob", "carol", 7, 10))  # fmt: skip
"""Who plays whom, with which nagtime and forfeittime."""


@cache
def _prepared() -> tuple[Path, list[EmailMessage]]:
    """Make, once, a house where all boards have begun, because hashing passwords takes time."""
    folder = Path(mkdtemp(prefix="time"))
    house = HouseUnderTest(folder)
    house.add(*NAMES, text_alone=True)
    with house.house.open_unit() as work:
        admin = Administration(house.house.services, work, house.clock())
        game = house.house.catalogue.get("gonnect")
        for first, second, nag, limit in BOARDS:
            terms = {"nagtime": str(nag), "forfeittime": str(limit)}
            admin.create_match(game, [first, second], {"size": "5"}, terms)
        work.commit()
    house.play()
    house.house.beat(ALL_PARTS, SERVING)
    house.house.close()
    return folder, house.sent


def house_in(folder: Path) -> HouseUnderTest:
    """Return a copy of it in `folder`, where players may be on vacation all year."""
    original, sent = _prepared()
    for name in ("pbm.db", "key"):
        shutil.copy(original / name, folder / name)
    house = HouseUnderTest(folder, sent=list(sent))
    given = replace(house.house.settings, periods=Periods(vacation=366))
    house.house = replace(house.house, settings=given)
    return house
