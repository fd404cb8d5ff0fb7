"""When the rules of a game change, a match that is open goes on under those that it began with."""

from dataclasses import replace
from pathlib import Path

import pytest

from pbm.diagnosis.stored import boards, open_rules
from pbm.engine import GameInfo
from pbm.engine.conformance import ConformanceError, check_info
from pbm.operator.upkeep import repair, verify_all
from tests.engine.noughts import Noughts
from tests.house import HouseUnderTest, text_of
from tests.installing import install

FIRST = """
from dataclasses import replace
from tests.engine.noughts import Noughts

class Lines(Noughts):
    info = replace(Noughts.info, key="lines", title="Lines", rules_version=1)

game = Lines()
"""

MISERE = """
from dataclasses import replace
from pbm.engine import Result
from tests.engine.noughts import Noughts

class Before(Noughts):
    info = replace(Noughts.info, key="lines", title="Lines", rules_version=1)

class Lines(Noughts):
    info = replace(Noughts.info, key="lines", title="Lines", rules_version=2)
    {earlier}

    def result(self, state):
        found = super().result(state)
        if found is None or not found.winners:
            return found
        return replace(found, winners=tuple(1 - seat for seat in found.winners))

game = Lines()
"""


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> HouseUnderTest:
    """Return a house where alice wins with b3, under the rules that she began with."""
    with monkeypatch.context() as patch:
        install(tmp_path / "one", patch, "lines_one", FIRST)
        house = HouseUnderTest(tmp_path)
        house.add("alice", "bob")
        house.mail("alice@example.org", "lines challenge alice alice-pw bob")
        house.reply(house.last_to("bob@example.org"), "accept")
        for turn, mover in zip(("b2", "a1", "b1", "a2"), ("alice", "bob") * 2, strict=True):
            house.reply(house.last_to(f"{mover}@example.org"), turn)
        house.house.close()
    return house


def again(house: HouseUnderTest) -> HouseUnderTest:
    """Return the house opened anew, with what is installed by now."""
    return HouseUnderTest(house.folder, sent=house.sent, letters=house.letters)


def faults(house: HouseUnderTest) -> dict[int, tuple[str, ...]]:
    with house.house.open_reading() as work:
        return dict(verify_all(work, house.house.catalogue))


def test_an_open_match_is_finished_under_the_rules_that_it_began_with(
    begun: HouseUnderTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = MISERE.format(earlier="earlier = (Before(),)")
    install(tmp_path / "two", monkeypatch, "lines_two", source)
    house = again(begun)
    house.reply(house.last_to("alice@example.org"), "b3")
    assert str(house.last_to("alice@example.org")["From"]).startswith("You won - Lines 101")
    house.mail("alice@example.org", "lines challenge alice alice-pw bob")
    house.reply(house.last_to("bob@example.org"), "accept")
    for turn, mover in zip(("b2", "a1", "b1", "a2", "b3"), ("alice", "bob") * 3, strict=False):
        house.reply(house.last_to(f"{mover}@example.org"), turn)
    assert str(house.last_to("alice@example.org")["From"]).startswith("You lost - Lines 102")
    assert faults(house) == {101: (), 102: ()}


def test_a_match_whose_rules_are_gone_waits_until_they_are_back(
    begun: HouseUnderTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = begun.last_to("alice@example.org")
    with monkeypatch.context() as patch:
        install(tmp_path / "three", patch, "lines_three", MISERE.format(earlier=""))
        house = again(begun)
        (answer,) = house.reply(asked, "b3")
        assert (
            "Board 101 was begun under version 1 of the rules of Lines, which this server does not "
            "have at the moment. The match waits, and nothing of it is lost."
        ) in " ".join(text_of(answer).split())
        assert house.remind() == []
        with house.house.open_unit() as work:
            repair(work, house.house.catalogue, 101)
        assert faults(house) == {101: ("version 1 of the rules of lines is not installed",)}
        rules = open_rules(house.house.settings.database)
        level, text = boards(rules, house.house.catalogue)
        assert (level, text.partition(";")[0]) == (
            "FAIL",
            "1 open board of version 1 of lines, which is not installed",
        )
        house.house.close()
    source = MISERE.format(earlier="earlier = (Before(),)")
    install(tmp_path / "four", monkeypatch, "lines_four", source)
    house = again(house)
    house.reply(asked, "b3")
    assert str(house.last_to("alice@example.org")["From"]).startswith("You won - Lines 101")


OUT_OF_ORDER = "This game is out of order at the moment. Its matches wait"


def test_a_game_that_is_broken_holds_up_no_other_and_goes_on_when_it_is_mended(
    begun: HouseUnderTest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    asked = begun.last_to("alice@example.org")
    with monkeypatch.context() as patch:
        install(tmp_path / "three", patch, "lines_broken", "import nowhere_to_be_found")
        house = again(begun)
        (answer,) = house.reply(asked, "b3")
        assert "Board 101 is a match of lines, a game that this server does not have" in " ".join(
            text_of(answer).split()
        )
        assert "The game lines_broken:game cannot be loaded: ModuleNotFoundError" in caplog.text
        for line in ("lines challenge alice alice-pw bob", "lines"):
            (answer,) = house.mail("alice@example.org", line)
            assert OUT_OF_ORDER in " ".join(text_of(answer).split())
        house.begin_match()
        house.reply(house.last_to("alice@example.org"), "c3")
        assert str(house.last_to("bob@example.org")["From"]).startswith("Your move - Gonnect 102")
        house.house.close()
    install(tmp_path / "four", monkeypatch, "lines_mended", FIRST)
    house = again(house)
    house.reply(asked, "b3")
    assert str(house.last_to("alice@example.org")["From"]).startswith("You won - Lines 101")


def test_who_leaves_is_forgotten_though_the_game_of_an_invitation_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        install(tmp_path / "one", patch, "lines_one", FIRST)
        house = HouseUnderTest(tmp_path)
        house.add("alice", "bob")
        house.mail("alice@example.org", "lines challenge alice alice-pw bob")
        house.mail("alice@example.org", "gonnect challenge alice alice-pw bob")
        house.house.close()
    house = again(house)
    house.mail("bob@example.org", "signoff bob bob-pw")
    house.reply(house.last_to("bob@example.org"), "yes")
    assert str(house.last_to("alice@example.org")["From"]).startswith("Declined - Gonnect 102")
    with house.house.open_reading() as work:
        bob = work.players.by_userid("bob")
        assert bob is not None
        assert bob.addresses == ()


OTHER_KEY = replace(Noughts.info, key="lines")


@pytest.mark.parametrize(
    ("earlier", "law"), [(OTHER_KEY, "the same key"), (Noughts.info, "other versions")]
)
def test_earlier_rules_must_be_of_the_same_game_and_another_version(
    earlier: GameInfo, law: str
) -> None:
    before = type("Before", (Noughts,), {"info": earlier})()
    game = type("Now", (Noughts,), {"earlier": (before,)})()
    with pytest.raises(ConformanceError, match=law):
        check_info(game)
