"""A mail is read once, though several stages ask what is in it: a cost, so it is counted here."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import pbm.dispatch.reading
from pbm.dispatch import reception
from pbm.service.grammar import Grammar
from pbm.service.tokens import TokenMint
from tests.house import HouseUnderTest
from tests.tables import each

ALICE = "alice@example.org"


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count the calls of what reads; what they do is unchanged."""
    calls: Counter[str] = Counter()

    def count(place: Any, name: str) -> None:
        function = getattr(place, name)

        def counting(*given: Any, **named: Any) -> Any:
            line = f" {given[1]}" if place is Grammar else ""
            calls[f"{name}{line}"] += 1
            return function(*given, **named)

        monkeypatch.setattr(place, name, counting)

    count(pbm.dispatch.reading, "prove")
    count(reception, "read_script")
    count(Grammar, "read")
    count(Grammar, "read_move")
    count(TokenMint, "read")
    return calls


@each(
    ("lines", "tokens", "proofs"),
    [
        (["show 101", "show 101#0", "Good luck!"], 0, 1),
        # A token is read by intake, which counts whose mail waits, and by the play stage.
        (["C3", "Good luck!"], 2, 1),
        (["resign"], 2, 1),
        (["chat", "This is no command."], 2, 1),
        # Again after the hashes were worked out: a log-out may have come between.
        (["resign 101 alice alice-pw"], 0, 2),
    ],
)  # fmt: skip
def test_a_mail_is_proven_once_and_each_of_its_lines_is_read_once(
    lines: list[str],
    tokens: int,
    proofs: int,
    tmp_path_factory: pytest.TempPathFactory,
    counted: Counter[str],
) -> None:
    house = _begun(tmp_path_factory.mktemp("house"))
    counted.clear()
    if tokens:
        house.reply(house.last_to(ALICE), "\n".join(lines))
    else:
        house.mail(ALICE, "", "\n".join(lines))
    assert (counted.pop("read_script"), counted.pop("prove")) == (1, proofs)
    assert counted.pop("read", 0) == tokens
    assert {what for what, times in counted.items() if times > 1} == set()


def _begun(folder: Path) -> HouseUnderTest:
    house = HouseUnderTest(folder)
    house.add("alice", "bob")
    house.begin_match()
    return house
