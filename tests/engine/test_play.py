"""Turns and positions: the pie rule, replay, counted lines of play, and playthroughs as text."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm.engine import (
    Diagram,
    IllegalMoveError,
    MoveError,
    MoveSyntaxError,
    Plate,
    Position,
    Transcript,
    TranscriptError,
    Turn,
    Viewer,
    advance,
    begin,
    divide,
    draw,
    is_swap,
    may_swap,
    parse_transcript,
    perft,
    play_transcript,
    replay,
    write_transcript,
)
from pbm.engine.transcript import RemarkStep, TurnStep
from tests.engine.noughts import Noughts, State, game
from tests.readings import answers, sections

SETUP = game.info.setup()


def after(*texts: str) -> Position[State]:
    """Return the position after these turns, each by whoever is to move."""
    position = begin(game, SETUP)
    for text in texts:
        (seat,) = game.to_move(position.state)
        position, _ = advance(game, position, seat, text)
    return position


def test_a_turn_is_stored_in_its_canonical_form_and_the_position_before_it_stays() -> None:
    before = begin(game, SETUP)
    position, turn = advance(game, before, 0, " B\u00a02 ")
    assert turn == Turn(0, "b2")
    assert position == Position(State("....x....", "b2"), 1)
    assert before == Position(State(), 0)


def test_a_swap_in_any_spelling_counts_as_a_ply_and_leaves_the_position() -> None:
    before = after("b2")
    for word in ("swap", "SWAP", " Swap ", "Swap.", "pie", "s\u200bwap"):
        position, turn = advance(game, before, 1, word)
        assert turn == Turn(1, "swap")
        assert position == Position(before.state, 2)
        assert game.to_move(position.state) == (1,)
    assert not any(is_swap(word) for word in ("swaps", "s wap", "pies", "", "b2"))


@pytest.mark.parametrize("turns", ["", "b2 a1", "b2 swap", "b2 a1 c3"])
def test_a_swap_at_any_other_time_is_illegal_and_says_when(turns: str) -> None:
    position = after(*turns.split())
    (seat,) = game.to_move(position.state)
    assert not may_swap(game, position)
    with pytest.raises(IllegalMoveError) as refused:
        advance(game, position, seat, "swap")
    due = len(turns.split()) + 1
    assert str(refused.value) == (f"swap is possible once, in place of move 2; move {due} is due.")


def test_only_the_player_to_move_may_swap_or_move_and_nobody_once_it_is_over() -> None:
    with pytest.raises(IllegalMoveError, match="swap is possible once"):
        advance(game, after("b2"), 0, "swap")
    with pytest.raises(IllegalMoveError, match="It is not Nought's turn"):
        advance(game, begin(game, SETUP), 1, "b2")
    position = after("b2", "a1", "c2", "c1", "a2")
    assert not may_swap(game, Position(position.state, 1))
    for text in ("swap", "a3"):
        with pytest.raises(IllegalMoveError):
            advance(game, position, 1, text)


def test_without_a_pie_rule_the_word_is_read_as_a_move() -> None:
    class Plain(Noughts):
        info = replace(game.info, swap_after=None)

    plain = Plain()
    with pytest.raises(IllegalMoveError, match='"swap" is not a legal move'):
        advance(plain, begin(plain, SETUP), 0, "swap")
    with pytest.raises(MoveSyntaxError):
        advance(game, begin(game, SETUP), 0, " \u200b ")


@settings(max_examples=60)
@given(st.data())
def test_a_replay_goes_through_the_positions_of_the_play(data: st.DataObject) -> None:
    position = begin(game, SETUP)
    played, turns = [position], []
    while seats := game.to_move(position.state):
        choices = list(game.legal_moves(position.state, seats[0]))
        choices += ["swap"] * may_swap(game, position)
        position, turn = advance(game, position, seats[0], data.draw(st.sampled_from(choices)))
        played.append(position)
        turns.append(turn)
    assert list(replay(game, SETUP, turns)) == played
    assert all(b.ply == a.ply + 1 for a, b in pairwise(played))


def test_a_replay_stops_where_the_log_breaks_a_rule() -> None:
    positions = replay(game, SETUP, [Turn(0, "b2"), Turn(1, "b2")])
    assert [next(positions).ply, next(positions).ply] == [0, 1]
    with pytest.raises(IllegalMoveError):
        next(positions)


LINES = (9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872)
"""Lines of play of exactly n plies, for n = 1 to 9.

The first four are falling factorials, 9, 9*8, 9*8*7, 9*8*7*6, because nobody can have a row
before the fifth ply. From then on the counts fall short of 9!/(9-n)! because some lines end
sooner: 1,440 end at ply 5, 5,328 at 6, 47,952 at 7, 72,576 at 8, and 127,872 reach ply 9 (81,792
of them with a row, 46,080 drawn). That makes 255,168 games, the well-known count for this game.
"""


def test_the_lines_of_play_are_as_many_as_counted_by_hand() -> None:
    assert [perft(game, game.start(SETUP), depth) for depth in range(6)] == [1, *LINES[:5]]
    over = after("b2", "a1", "c2", "c1", "a2").state
    assert perft(game, over, 1) == 0, "a line that ends sooner does not count"


def test_all_255168_games_are_found() -> None:
    """Look at each position of the tree once, and count the lines that lead to it."""
    level, counts = {game.start(SETUP).cells: 1}, []
    for _ in range(9):
        deeper: dict[str, int] = {}
        for cells, ways in level.items():
            state = State(cells)
            for seat in game.to_move(state):
                for move in game.legal_moves(state, seat):
                    reached = game.play(state, seat, move).cells
                    deeper[reached] = deeper.get(reached, 0) + ways
        counts.append(sum(deeper.values()))
        level = deeper
    assert tuple(counts) == LINES


def test_the_count_is_told_below_each_move() -> None:
    below = divide(game, after("b2").state, 2)
    assert below == dict.fromkeys(game.legal_moves(after("b2").state, 1), 7)


STORY = """\
Cross has the middle.
Nought takes it.

game noughts misere=no  # what is played
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


def test_a_playthrough_is_read_with_its_story_and_options() -> None:
    transcript = parse_transcript(STORY)
    assert transcript.story == "Cross has the middle.\nNought takes it."
    assert (transcript.key, transcript.options) == ("noughts", {"misere": "no"})
    assert transcript.reason is None


def test_a_hash_sign_begins_a_remark_only_at_the_head_of_a_word() -> None:
    text = STORY.replace("1 Cross b2\n", "1 Cross b2 # in the middle\n")
    text = text.replace("3 Nought a1", "3 Nought a1#")
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


def refused(text: str, words: str) -> str:
    """Return "refused" if the error that a playthrough meets has these words."""
    with pytest.raises(TranscriptError) as error:
        play_transcript(game, parse_transcript(text))
    return "refused" if words in str(error.value) else str(error.value)


def replaced(old: str, new: str, words: str) -> str:
    assert old in STORY
    return refused(STORY.replace(old, new), words)


def test_a_playthrough_that_goes_wrong_is_told_with_its_line() -> None:
    assert play_transcript(game, parse_transcript(STORY)).ply == 4
    tables = sections(Path(__file__).with_name("transcripts.txt"))
    table = tables["not readable"]
    assert answers(table, refused) == table
    table = tables["not played as written"]
    assert answers(table, replaced) == table


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
    assert refused(f"{head}\nresult {wrong}\n", f"the result is: {right}") == "refused"


@settings(max_examples=50)
@given(st.lists(st.sampled_from(["a1", "b2", "c3", "a3", "c1", "b1", "swap"]), max_size=6))
def test_what_is_written_is_read_and_played_to_the_same_position(moves: list[str]) -> None:
    turns = [Turn(n % 2, move) for n, move in enumerate(moves)]
    turns = turns[: playable(turns)]
    setup = game.info.setup({"misere": "yes"})
    text = write_transcript(game, setup, turns, "A story\nof two lines.")
    transcript = parse_transcript(text)
    *_, last = replay(game, setup, turns)
    assert play_transcript(game, transcript) == last
    assert transcript == Transcript(
        "A story\nof two lines.", "noughts", {"misere": "yes"}, (), transcript.steps
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
