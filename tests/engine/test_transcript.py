"""Playthroughs: an error in reading or playing one names its line."""

from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm.engine import (
    Diagram,
    MoveError,
    Plate,
    Transcript,
    TranscriptError,
    Turn,
    Viewer,
    begin,
    draw,
    parse_transcript,
    play_transcript,
    replay,
    write_transcript,
)
from pbm.engine.transcript import RemarkStep, TurnStep
from tests.engine.noughts import Noughts, State, game
from tests.tables import each

STORY = """\
Cross has the middle.
Nought takes it.

game noughts misere=no seed=7  # what is played
1 Cross b2
2 Nought b2 ! illegal: not a legal move

# Now the pie rule.
2 Nought swap
3 Nought a1
board
            a b c
         3  . . .   3
         2  . x .   2
         1 (o). .   1
            a b c
4 Cross c3
result open
"""


def play(text: str) -> int:
    """Play a playthrough and return the ply that it reaches."""
    return play_transcript(game, parse_transcript(dedent(text))).ply


def turned(old: str, new: str) -> str:
    """Return the story with some words replaced."""
    assert old in STORY
    return STORY.replace(old, new)


def test_a_playthrough_is_read_with_its_story_options_and_seed() -> None:
    transcript = parse_transcript(STORY)
    assert transcript.story == "Cross has the middle.\nNought takes it."
    assert (transcript.key, transcript.options, transcript.seed) == ("noughts", {"misere": "no"}, 7)
    assert transcript.reason is None


def test_a_hash_sign_begins_a_remark_only_at_the_head_of_a_word() -> None:
    text = turned("1 Cross b2\n", "1 Cross b2 # in the middle\n").replace(
        "3 Nought a1", "3 Nought a1#"
    )
    text = text.replace("result open", "result open\n# to be continued")
    steps = parse_transcript(text).steps
    remarks = [step.words for step in steps if isinstance(step, RemarkStep)]
    assert remarks == ["in the middle", "Now the pie rule.", "to be continued"]
    assert [step.text for step in steps if isinstance(step, TurnStep)][-2:] == ["a1#", "c3"]
    assert parse_transcript(text).reason is None


def test_a_picture_that_has_a_margin_is_written_without_another_one() -> None:
    setup = game.info.setup()
    text = write_transcript(game, setup, [Turn(0, "b2")], "")
    start = begin(game, setup)
    drawn = draw(game.diagram(game.play(start.state, 0, "b2"), Viewer()))
    assert f"board\n{drawn}\nresult open\n" in text


class Margins(Noughts):
    """Draws its board from the left edge of the page, with an empty line in it."""

    def diagram(self, state: State, viewer: Viewer) -> Diagram:
        places = {"a1": (2, 0), "b2": (1, 1), "c3": (0, 2)}
        points = tuple(p for p in super().diagram(state, viewer).points if p.name in places)
        pieces = tuple(p for p in super().diagram(state, viewer).pieces if p.at in places)
        plate = Plate(("game", "  result", "1 Cross b2"), places)
        return Diagram((), (), points, pieces, below=("", "# all"), plate=plate)


def test_the_picture_that_a_failing_playthrough_prints_can_be_pasted_as_it_is() -> None:
    head, tail = "game noughts\n1 Cross b2\nboard\n", "\nresult open\n"
    with pytest.raises(TranscriptError) as failed:
        play_transcript(Margins(), parse_transcript(f"{head}  wrong{tail}"))
    printed = str(failed.value).partition("\n")[2]
    assert play_transcript(Margins(), parse_transcript(f"{head}{printed}{tail}")).ply == 1


def test_a_playthrough_is_played_to_its_end() -> None:
    assert play(STORY) == 4


@each(
    ("text", "message"),
    [
        ("", "has a line that begins with `game`"),
        ("1 Cross b2\nresult open", "has a line that begins with `game`"),
        ("game noughts\n1 Cross b2", "ends with a line that begins with `result`"),
        ("game noughts", "ends with a line that begins with `result`"),
        ("x\ngame noughts misere\nresult open", "line 2: 'game noughts misere' is not"),
        ("game noughts =yes\nresult open", "line 1: 'game noughts =yes' is not"),
        ("game noughts seed=many\nresult open", "line 1: 'game noughts seed=many' is not"),
        ("game noughts\nCross b2\nresult open", "line 2: 'Cross b2' is no turn, board or result"),
        ("game noughts\n1 Cross\nresult open", "line 2: '1 Cross' is no turn"),
        ("game noughts\n\n# x\none Cross b2\nresult open", "line 4: 'one Cross b2' is no turn"),
        ("game noughts\nresult", "line 2: a result is `open`, or who has won"),
        ("game noughts\nresult Cross", "line 2: a result is `open`, or who has won"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(text: str, message: str) -> None:
    with pytest.raises(TranscriptError) as refused:
        parse_transcript(text)
    assert message in str(refused.value)


@each(
    ("old", "new", "message"),
    [
        ("game noughts", "game crosses", "this is a playthrough of crosses"),
        ("misere=no", "misere=maybe", 'misere of Noughts and Crosses cannot be "maybe"'),
        ("misere=no", "size=3", 'has no option "size"'),
        ("1 Cross b2", "1 Kross b2", "line 5: the sides are Cross, Nought"),
        ("1 Cross b2", "1 Nought b2", "line 5: refused, illegal: It is not Nought's turn."),
        ("1 Cross b2", "2 Cross b2", "line 5: ply 1 is due"),
        ("1 Cross b2", "1 Cross B2", "line 5: the canonical notation is b2"),
        ("1 Cross b2", "1 Cross z9", "line 5: refused, illegal:"),
        ("2 Nought b2 ! illegal: not", "2 Nought a3 ! illegal: not", "line 6: a3 was played, not"),
        ("! illegal: not a legal", "! syntax: not a legal", "line 6: refused, but illegal: "),
        ("not a legal move", "it is Tuesday", "line 6: refused, but illegal: "),
        ("2 Nought swap", "2 Nought pie", "line 9: the canonical notation is swap"),
        (" 2  . x .", " 2  . . .", "line 11: the board at ply 3 is\n"),
        ("result open", "result Cross row", "line 18: the result is: open"),
    ],
)
def test_what_is_not_played_as_written_is_told_with_its_line(
    old: str, new: str, message: str
) -> None:
    with pytest.raises(TranscriptError) as refused:
        play(turned(old, new))
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("turns", "right", "wrong"),
    [
        ("b2 a1 c2 c1 a2", "Cross row", "Nought row"),
        ("b2 a1 c1 a3 a2 c2 b3 b1 c3", "draw full", "draw row"),
    ],
)
def test_the_result_is_compared_with_the_one_of_the_game(
    turns: str, right: str, wrong: str
) -> None:
    lines = [f"{n + 1} {game.info.seats[n % 2]} {move}" for n, move in enumerate(turns.split())]
    head = "\n".join(["game noughts", *lines])
    transcript = parse_transcript(f"{head}\nresult {right}\n")
    play_transcript(game, transcript)
    assert transcript.reason == right.split()[1]
    with pytest.raises(TranscriptError, match=f"the result is: {right}"):
        play(f"{head}\nresult {wrong}")


@settings(max_examples=50)
@given(st.lists(st.sampled_from(["a1", "b2", "c3", "a3", "c1", "b1", "swap"]), max_size=6))
def test_what_is_written_is_read_and_played_to_the_same_position(moves: list[str]) -> None:
    turns = [Turn(n % 2, move) for n, move in enumerate(moves)]
    turns = turns[: playable(turns)]
    setup = game.info.setup({"misere": "yes"}, seed=3)
    text = write_transcript(game, setup, turns, "A story\nof two lines.")
    transcript = parse_transcript(text)
    *_, last = replay(game, setup, turns)
    assert play_transcript(game, transcript) == last
    assert transcript == Transcript(
        "A story\nof two lines.", "noughts", {"misere": "yes"}, 3, transcript.steps
    )
    assert "board" in text


def playable(turns: list[Turn]) -> int:
    """Return how many of these turns can be played one after the other."""
    for count in range(len(turns) + 1):
        try:
            list(replay(game, game.info.setup({"misere": "yes"}), turns[:count]))
        except MoveError:
            return count - 1
    return len(turns)
