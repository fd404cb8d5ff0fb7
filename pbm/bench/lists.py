"""What long lists cost: a mail that asks for the standings, or for the games, from end to end.

The server has as many rated players as boards, two for each board. The time is that of the play
stage, from the mail in the inbox to the answer in the outbox.
"""

import time
from contextlib import ExitStack
from dataclasses import replace
from statistics import median
from typing import Any

from pbm.bench.boards import AT_ONCE, Hall
from pbm.bench.letters import reply
from pbm.bench.plan import Plan, Tick
from pbm.bench.play import field_of
from pbm.bench.report import Report
from pbm.bench.scratch import backend_of, scratch_house, set_clock
from pbm.bootstrap import House
from pbm.domain.mail import ReceivedMail
from pbm.domain.ratings import Rating
from pbm.engine import AnyGame


def steps(plan: Plan) -> int:
    """Return how often `report` calls its tick."""
    return len(plan.servers) * (1 + plan.rounds)


def report(plan: Plan, tick: Tick) -> Report:
    """Return the milliseconds of CPU of an answer to each question."""
    rows = [row for server in plan.servers for row in _rows(server, plan, tick)]
    return Report("lists", "milliseconds of CPU an answer", rows, plan.settings)


def _rows(server: str, plan: Plan, tick: Tick) -> list[dict[str, Any]]:
    key = plan.game.info.key
    questions = {"standings": f"{key} standings", "games": "games", "list": "list",
                 "history": f"{key} history"}  # fmt: skip
    with ExitStack() as stack:
        house = stack.enter_context(scratch_house(server))
        Hall(house, field_of("html", plan), plan.boards)
        reader = _rate_all(house, plan.game)
        tick()
        for name, line in questions.items():
            _asked(house, reader, line, name)
        times: dict[str, list[float]] = {name: [] for name in questions}
        for _ in range(plan.rounds):
            for number, (name, line) in enumerate(questions.items()):
                times[name].append(_asked(house, reader, line, f"{number}.{len(times[name])}"))
            tick()
    return [
        {"database": backend_of(server), "boards": plan.boards, "question": name,
         "answer": 1000 * median(own)}
        for name, own in times.items()
    ]  # fmt: skip


def _asked(house: House, reader: str, line: str, identity: str) -> float:
    """Ask for a list; return the CPU seconds of the answer."""
    set_clock(house)
    to = house.settings.address
    content = reply(reader, to, line, identity)
    house.inbox.put([ReceivedMail(reader, (to,), content, house.clock())])
    start = time.process_time()
    while house.play_stage.play_waiting():
        pass
    return time.process_time() - start


def _rate_all(house: House, game: AnyGame) -> str:
    """Give every player a rating; return the address of one of them."""
    with house.open_reading() as work:
        players = tuple(work.players.listing())
    rated = replace(Rating(), won=1, updated_at=house.clock())
    for first in range(0, len(players), AT_ONCE):
        with house.open_unit() as work:
            for player in players[first : first + AT_ONCE]:
                rating = replace(rated, rating=1000.0 + player.id % 1000)
                work.ratings.save(game.info.key, player.id, None, rating)
            work.commit()
    return players[0].home
