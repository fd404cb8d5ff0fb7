"""When the rules of a game change, a match that is open goes on under those that it began with.

A conversation cannot install other games; rules_versions.txt is a few that are told between starts.
"""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from pbm.domain.catalogue import Catalogue, InstalledGame
from pbm.engine import AnyGame, GameInfo, IllegalMoveError, MoveSyntaxError, Seat
from pbm.engine.conformance import ConformanceError, check_info
from tests.conversations.conversation import Section, play, sections_of
from tests.engine.noughts import Noughts, State
from tests.house import HouseUnderTest, text_of
from tests.installing import install
from tests.readings import answers

FIRST = """
from dataclasses import replace
from tests.engine.noughts import Noughts

class Lines(Noughts):
    info = replace(Noughts.info, key="lines", title="Lines", rules_version=1)

game = Lines()
"""

MISERE = """
from dataclasses import replace
from tests.engine.noughts import Noughts

class Before(Noughts):
    info = replace(Noughts.info, key="lines", title="Lines", rules_version=1)

class Lines(Noughts):
    info = replace(Noughts.info, key="lines", title="Lines", rules_version=2)
    earlier = EARLIER

    def result(self, state):
        found = super().result(state)
        if found is None or not found.winners:
            return found
        return replace(found, winners=tuple(1 - seat for seat in found.winners))

game = Lines()
"""

SOURCES = {
    "first": FIRST,
    "misere": MISERE.replace("EARLIER", "()"),
    "misere with first": MISERE.replace("EARLIER", "(Before(),)"),
    "broken": "import nowhere_to_be_found",
}
STORIES = sections_of(Path(__file__).with_name("rules_versions.txt").read_text("utf-8"))


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.title)
def test_a_game_is_played_by_the_rules_that_are_installed(
    story: Section, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "house").mkdir()
    starts = [n for n, step in enumerate(story.steps) if step.head.startswith("install: ")]
    house = HouseUnderTest(tmp_path / "house")
    for start, end in zip(starts, [*starts[1:], None], strict=True):
        source = story.steps[start].head.removeprefix("install: ")
        with monkeypatch.context() as patch:
            if source != "nothing":
                install(tmp_path / str(start), patch, f"lines_{start}", SOURCES[source])
            house = replace(house)  # which opens the same house anew, with what is installed now
            play(house, Section(story.title, story.steps[start + 1 : end]))
            house.house.close()


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


def house_with(folder: Path, game: AnyGame) -> HouseUnderTest:
    house = HouseUnderTest(folder)
    house.add("alice", "bob", "carol")
    known = Catalogue([InstalledGame(game, "# A game\n")])
    house.house = replace(house.house, find_games=lambda: known)
    return house


class Talkative(Noughts):
    """Quotes what it was given, once as the rules ask and once, for a longer text, unquoted."""

    def parse(self, state: State, seat: Seat, text: str) -> str:
        typed = self.readable(text)
        if typed in self.legal_moves(state, seat):
            return typed
        if len(text.split()) == 3:
            raise MoveSyntaxError(f"No cell is called {text}; the cells are a1 to c3.")
        if typed.startswith("b"):
            raise IllegalMoveError(f'"{typed[:2]}" may not be followed by "{typed[2:]}".')
        raise MoveSyntaxError(f'"{text}" is no cell; the cells are a1 to c3.')


REFUSED = """
z1                 -> "z1" is no cell; the cells are a1 to c3.
hunter22           -> That is no cell; the cells are a1 to c3.
z1 hunter22        -> That is no cell; the cells are a1 to c3.
a1 hunter22        -> Is a1 your move? Nothing was done yet.
b2 hunter22        -> That may not be followed by that.
z1 hunter22 please -> What you wrote could not be read as a move.
is cell or         -> No cell is called is cell or; the cells are a1 to c3.
"""


def test_a_game_refuses_in_its_own_words_and_none_that_may_be_a_password_is_repeated(
    tmp_path: Path,
) -> None:
    house = house_with(tmp_path, Talkative())
    house.create_match("alice", "bob", game="noughts", options={})
    house.play()
    asked = house.last_to("alice@example.org")

    def refused(typed: str) -> str:
        text = text_of(*house.reply(asked, typed))
        assert not any(word in text for word in ("hunter22", "please"))
        first = " ".join(text.partition("\n\n")[0].split())
        return re.sub(r"^Send this to .* something else: |(?<=\.) Please reply.*", "", first)

    assert answers(REFUSED, refused) == REFUSED
