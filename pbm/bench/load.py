"""Whole matches by simulated people, over SMTP, against a running server.

People sign up, challenge each other, and reply to each mail with a random legal move until the
rules end the match. Then one of them asks for the record, which must hold just the moves that
were played and the end that they led to. A server of our own is verified from inside too.
"""

import asyncio
import email
import json
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from random import Random
from typing import Any

from pbm.bench.errors import BenchError
from pbm.bench.latency import percentile
from pbm.bench.people import Letter, Person, PostOffice
from pbm.bench.plan import Plan, Target, Tick
from pbm.bench.report import Report
from pbm.bench.scratch import ADDRESS, backend_of, scratch_house
from pbm.bench.servers import PROCESSES, Server, serving
from pbm.bench.wire import clients, sink
from pbm.bootstrap import House
from pbm.engine import AnyGame, advance, begin
from pbm.service.verification import verify_all


@dataclass(slots=True)
class Played:
    """What the people have seen so far."""

    took: list[float] = field(default_factory=list)
    matches: int = 0


def steps(plan: Plan) -> int:
    """Return how often `report` calls its tick."""
    return plan.boards


def report(plan: Plan, tick: Tick) -> Report:
    """Return how fast matches were played; raise BenchError if one of them is not right.

    Without a target a server of our own is started. `plan.boards` matches are played by as many
    pairs of people as there are `plan.connections`.
    """
    check_for_two(plan.game)
    target = plan.target
    row = asyncio.run(_on_target(plan, tick, target) if target else _on_our_own(plan, tick))
    settings = {"game": plan.game.info.key, "options": plan.options, "pairs": plan.connections}
    return Report("load", "moves a second; milliseconds to both mails", [row], settings)


def check_for_two(game: AnyGame) -> None:
    """Raise BenchError if a game is not for two, as the simulated people are."""
    info = game.info
    if len(info.seats) != 2:
        raise BenchError(
            f"{info.title} is played by {len(info.seats)}, and here people play in pairs. "
            "Choose a game for two with --game; pbm bench play, way and latency measure yours."
        )


async def _on_target(plan: Plan, tick: Tick, target: Target) -> dict[str, Any]:
    async with AsyncExitStack() as stack:
        _, arrivals = await stack.enter_async_context(sink(*target.listen))
        connected = await stack.enter_async_context(
            clients((target.port,), plan.connections, target.host)
        )
        post = PostOffice(connected, arrivals, target.address)
        return {"database": None, "processes": None, **await _loaded(post, plan, tick)}


async def _on_our_own(plan: Plan, tick: Tick) -> dict[str, Any]:
    """Load a server of our own, on the first of the plan's databases and processes."""
    return await loaded_server(plan, tick, lambda _: None)


async def loaded_server(
    plan: Plan,
    tick: Tick,
    furnish: Callable[[House], None],
    options: Sequence[str] = (),
    look: Callable[[House, Server], dict[str, Any]] = lambda *_: {},
) -> dict[str, Any]:
    """Load a server that is started with these `options` on a house that is furnished before.

    Returns the row, with what is found at a `look` at both when the people have done.
    """
    async with AsyncExitStack() as stack:
        port, arrivals = await stack.enter_async_context(sink())
        house = stack.enter_context(scratch_house(plan.servers[0]))
        furnish(house)
        processes = plan.processes[0] if plan.processes else "one"
        relay = f"smtp://127.0.0.1:{port}"
        server = stack.enter_context(serving(house, PROCESSES[processes], relay, options=options))
        connected = await stack.enter_async_context(clients(server.ports, plan.connections))
        row = await _loaded(PostOffice(connected, arrivals, ADDRESS), plan, tick)
        row |= look(house, server)
        _verify(house)
        return {"database": backend_of(plan.servers[0]), "processes": processes, **row}


def _verify(house: House) -> None:
    """Raise BenchError if a stored match is not what its log says."""
    with house.open_reading() as work:
        faults = {number: found for number, found in verify_all(work, house.catalogue) if found}
    if faults:
        raise BenchError(f"pbm verify finds faults on the boards {', '.join(map(str, faults))}.")


async def _loaded(post: PostOffice, plan: Plan, tick: Tick) -> dict[str, Any]:
    """Play all matches, two people for each that is played at a time; return the row."""
    played, word = Played(), secrets.token_hex(3)
    pairs = [
        (Person(f"a{word}{n}", post), Person(f"b{word}{n}", post))
        for n in range(min(plan.connections, plan.boards))
    ]
    await asyncio.gather(*(person.sign_up() for pair in pairs for person in pair))
    start = time.perf_counter()
    await asyncio.gather(
        *(
            _matches(pair, len(range(number, plan.boards, len(pairs))), plan, played, tick)
            for number, pair in enumerate(pairs)
        )
    )
    took = time.perf_counter() - start
    times = sorted(played.took)
    return {
        "matches": played.matches,
        "moves": len(times),
        "rate": len(times) / took,
        "p50": 1000 * percentile(times, 50),
        "p99": 1000 * percentile(times, 99),
        "worst": 1000 * times[-1],
        "verified": played.matches,
    }


async def _matches(
    pair: tuple[Person, Person], matches: int, plan: Plan, played: Played, tick: Tick
) -> None:
    """Play so many matches, one after the other, and compare each with the server's record."""
    options = " ".join(f"-{name}={value}" for name, value in plan.options.items())
    chance = Random(pair[0].name)  # noqa: S311 - play, no secret
    for _ in range(matches):
        number = await pair[0].challenge(pair[1], plan.game.info.key, options)
        match = Match(plan.game, plan.options, number, pair, chance)
        await match.play(played)
        await match.check()
        played.matches += 1
        tick()
        pair = pair[1], pair[0]


@dataclass(slots=True)
class Match:
    """A match as its two players see it; they begin in the order of `pair`."""

    game: AnyGame
    options: Mapping[str, str]
    number: int
    pair: tuple[Person, Person]
    chance: Random
    moves: list[str] = field(default_factory=list)
    result: Any = None

    async def play(self, played: Played) -> None:
        """Play random moves until the rules end it."""
        letters = await self._letters()
        position = begin(self.game, self.game.info.setup(self.options))
        while seats := self.game.to_move(position.state):
            seat = seats[0]
            legal = list(self.game.legal_moves(position.state, seat))
            move = str(self.chance.choice(legal))
            sent = time.perf_counter()
            self.pair[seat].answer(letters[seat], move)
            letters = await self._letters()
            played.took.append(max(letter.at for letter in letters) - sent)
            position, turn = advance(self.game, position, seat, move)
            self.moves.append(turn.text)
        self.result = self.game.result(position.state)

    async def check(self) -> None:
        """Compare the match with the server's record; raise BenchError if they differ."""
        self.pair[0].write(f"record {self.number}")
        told = _record(await self.pair[0].read(self.number))
        outcome = told["outcome"] or {}
        plies = [entry["text"] for entry in told["log"] if entry["kind"] == "move"]
        ended = outcome.get("winners"), outcome.get("reason")
        if plies != self.moves or ended != (list(self.result.winners), self.result.reason):
            raise BenchError(f"The record of board {self.number} is not what was played.")

    async def _letters(self) -> Sequence[Letter]:
        """Return the next letter of each player."""
        return [await person.read(self.number) for person in self.pair]


def _record(letter: Letter) -> dict[str, Any]:
    """Return the record that a letter holds as JSON; raise BenchError if it holds none."""
    for part in email.message_from_bytes(letter.content).walk():
        content = part.get_payload(decode=True)
        if part.get_content_type() == "application/json" and isinstance(content, bytes):
            found: dict[str, Any] = json.loads(content)
            return found
    raise BenchError("The server has sent no record.")
