"""Games found by name, and commands that keep their secrets."""

from dataclasses import replace

import pytest

from pbm.domain.catalogue import Catalogue, InstalledGame
from pbm.domain.errors import UnknownName
from pbm.service.command import Request
from pbm.service.grammar import verbs
from pbm.service.line import Credentials
from tests.engine.noughts import Noughts, game
from tests.tables import each


class Hex(Noughts):
    info = replace(game.info, key="hex", title="Hex", aliases=("Con-Tac-Tix",))


CATALOGUE = Catalogue([InstalledGame(game, "# Noughts\n"), InstalledGame(Hex(), "# Hex\n")])


@each("name", ["hex", "HEX", "con-tac-tix", "Con\u2013Tac\u2013Tix", "\uff28ex"])
def test_a_game_is_found_by_key_and_alias_in_any_case(name: str) -> None:
    assert CATALOGUE.get(name).info.key == "hex"
    assert CATALOGUE.find(name) is CATALOGUE.get(name)


def test_games_come_in_order_of_their_keys() -> None:
    assert [g.info.key for g in CATALOGUE] == ["hex", "noughts"]
    assert CATALOGUE.help_page("hex") == "# Hex\n"


@each(
    ("name", "sentence"),
    [
        ("nougths", 'There is no game "nougths"; there is noughts.'),
        ("chess", 'There is no game "chess"; there is hex or noughts.'),
        ("", 'There is no game ""; there is hex or noughts.'),
    ],
)
def test_a_game_that_does_not_exist_is_answered_with_near_names(name: str, sentence: str) -> None:
    assert CATALOGUE.find(name) is None
    with pytest.raises(UnknownName) as refused:
        CATALOGUE.get(name)
    assert str(refused.value) == sentence


def test_no_value_shows_a_password_when_it_is_printed() -> None:
    secret = {"password": "hunter2"}
    request = Request("resign", verbs()[0], secret, None, Credentials("alice", "hunter2"))
    assert "hunter2" not in repr(request)
