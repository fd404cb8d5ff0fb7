"""Processes that share the work wake each other; nobody waits until one looks by itself."""

from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.databases import new_database
from tests.e2e.people import PASSWORD, letter, open_table, take_turn
from tests.e2e.server import patient
from tests.processes import Streams, clean_environment, fork

pytestmark = pytest.mark.slow

LAYOUTS = (
    ("intake", "play", "deliver"),
    ("intake,deliver", "play,remind"),
    ("intake,play", "deliver"),
)


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
@pytest.mark.parametrize("roles", LAYOUTS, ids=" | ".join)
def test_moves_and_commands_are_answered_at_once_however_the_work_is_shared_out(
    tmp_path: Path, kind: str, roles: tuple[str, ...]
) -> None:
    with ExitStack() as stack:
        url = stack.enter_context(new_database(kind, tmp_path))
        environment = clean_environment(PBM_DATABASE=url)
        table = stack.enter_context(
            open_table(tmp_path, "--roles", roles[0], environment=environment, program=patient)
        )
        options = ("serve", "--smtp", "", "--relay", table.sink.relay, "--roles")
        log = tmp_path / "beside.log"
        beside = [
            stack.enter_context(
                fork(
                    *options, role,
                    home=tmp_path, environment=environment, streams=Streams(log, log),
                    program=patient,
                )
            )
            for role in roles[1:]
        ]  # fmt: skip
        alice, bob = table.alice, table.bob
        for person in (alice, bob):
            person.opens_account(PASSWORD)
        take_turn(alice, bob, table.begin()[0], "b2")
        # What a command puts in is played, and what it composes is delivered.
        (tmp_path / "mail").write_bytes(letter(alice.address, f"help alice {PASSWORD}"))
        table.server.pbm("inject", "mail")
        alice.next("help")
        table.server.pbm("game", "create", "gonnect", "alice", "bob")
        alice.next("your move")
        bob.next("alice to move")
        assert [process.end() for process in beside] == [0] * len(beside)
