"""What every notice must say about itself."""

from abc import ABC
from dataclasses import dataclass

import pytest

from pbm.service.letters import Message, ToAddress, ToPlayer
from tests.domain.matches import ALICE, PEOPLE
from tests.mail.writing.notices import KINDS
from tests.tables import each


@pytest.mark.parametrize("base", [ToPlayer, ToAddress])
def test_a_new_kind_of_answer_that_does_not_say_whether_it_is_idle_is_refused_at_import(
    base: type[Message],
) -> None:
    with pytest.raises(TypeError, match="Forgetful must say whether it is idle"):
        type("Forgetful", (base,), {})


def test_an_abstract_notice_need_not_say_it_but_its_subclasses_must() -> None:
    class Family(ToPlayer, ABC):
        pass

    with pytest.raises(TypeError, match="must say whether it is idle"):
        type("Child", (Family,), {})


def test_a_dataclass_with_slots_that_says_whether_it_is_idle_is_a_notice() -> None:
    @dataclass(frozen=True, slots=True)
    class Said(ToPlayer):
        idle = True

        word: str

    said = Said(PEOPLE[ALICE], "hello")
    assert (said.idle, said.recipient, said.reader) == (True, "alice@example.org", PEOPLE[ALICE])
    assert (said.reply, said.thread) == (None, None)


@each("kind", sorted(KINDS, key=str))
def test_every_notice_goes_to_a_player_or_to_an_address(kind: type[Message]) -> None:
    assert issubclass(kind, ToPlayer) != issubclass(kind, ToAddress)
