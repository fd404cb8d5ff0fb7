"""Every sentence of NOTWO'S, and every ruling on it, as a position."""

import re

from games.notwos import game
from games.notwos.board import CELL, NAMES
from games.notwos.turns import State, heights, stock
from pbm.engine import Mark, MarkKind, Result, Viewer, draw

ROW_FIVE = "a5 b5 c5 d5 e5 f5 g5"
"""Second lacks one stone on the h column to join left and right."""

DIAGONAL = "a1 b2 c3 e5 f6 g7 h8"
"""A stone on d4 would join both pairs of edges."""


def at(stones: str, turn: int = 0, first: int = 0, **stacks: int) -> State:
    """Return the position with these single stones and stacks; seat 0 is First by default."""
    piles = tuple(sorted((CELL[name], height) for name, height in stacks.items()))
    return State(sum(1 << CELL[name] for name in stones.split()), piles, turn, first)


def board(state: State) -> dict[str, int]:
    return {NAMES[cell]: height for cell, height in heights(state).items()}


def legal(state: State) -> list[str]:
    return list(game.legal_moves(state, state.turn))


def after(state: State, turn: str) -> State:
    assert turn in legal(state)
    return game.play(state, state.turn, turn)


def opened(first_or_second: str) -> State:
    state = game.play(game.start(game.info.setup()), 0, "b3,e5")
    return game.play(state, 1, first_or_second)


# Rule text, first two sentences: the empty board and the common stock.


def test_the_board_is_empty_and_forty_stones_are_in_stock() -> None:
    start = game.start(game.info.setup())
    assert board(start) == {}
    assert stock(start) == 40


# Rule text, the pie rule, and the ruling on who moves next.


def test_the_opening_is_two_stones_on_two_different_cells() -> None:
    start = game.start(game.info.setup())
    pairs = [frozenset(turn.split(",")) for turn in game.legal_moves(start, 0)]
    assert len(pairs) == len(set(pairs)) == 64 * 63 // 2
    assert all(len(pair) == 2 for pair in pairs)
    assert board(game.play(start, 0, "b3,e5")) == {"b3": 1, "e5": 1}


def test_the_other_player_then_chooses_sides_and_nothing_else() -> None:
    state = game.play(game.start(game.info.setup()), 0, "b3,e5")
    assert game.to_move(state) == (1,)
    assert legal(state) == ["first", "second"]
    assert game.sides(state) == ("Placer", "Chooser")


def test_the_one_who_is_now_first_moves_next() -> None:
    assert game.to_move(opened("first")) == (1,)
    assert game.sides(opened("first")) == ("Second", "First")
    assert game.to_move(opened("second")) == (0,)
    assert game.sides(opened("second")) == ("First", "Second")


def test_turns_alternate_after_the_choice() -> None:
    state = after(opened("first"), "c4")
    assert game.to_move(state) == (0,)
    assert game.to_move(after(state, "c5")) == (1,)


# Rule text, the first kind of turn: the drop.


def test_a_drop_goes_to_any_empty_cell_and_to_no_other() -> None:
    state = at("d5", b3=3)
    drops = [turn for turn in legal(state) if len(turn) == 2]
    assert drops == [name for name in NAMES if name not in {"d5", "b3"}]
    assert stock(after(state, "c4")) == stock(state) - 1


def test_a_drop_needs_a_stone_in_stock() -> None:
    state = at("a4", b3=39)
    assert stock(state) == 0
    assert legal(state) == []


# Rule text, the second kind of turn: the build, and the important note below it.


def test_a_build_needs_a_threat_of_the_opponent() -> None:
    assert "g5>a5" in legal(at(ROW_FIVE, turn=0))
    assert "d5>a5" not in legal(at("a5 b5 c5 d5"))


def test_the_own_threat_allows_no_build() -> None:
    assert not [turn for turn in legal(at(ROW_FIVE, turn=1)) if ">" in turn]


def test_a_threat_that_would_join_both_pairs_of_sides_allows_no_build() -> None:
    assert not [turn for turn in legal(at(DIAGONAL)) if ">" in turn]


def test_a_threat_by_distribution_alone_allows_a_build() -> None:
    # With nothing in stock Second could still play d2-d5, which captures d3 and closes row 5.
    state = at("a5 b5 c5 d3 e5 f5 g5 h5 a8 b8 c8", d2=3, a2=26)
    assert stock(state) == 0
    assert "a8>c8" in legal(state)


def test_without_stock_and_without_stacks_there_is_no_threat() -> None:
    state = at(ROW_FIVE, h1=33)
    assert stock(state) == 0
    assert legal(state) == []


def test_a_build_stacks_the_whole_line_on_either_end() -> None:
    state = at(f"{ROW_FIVE} d4 d3")
    assert board(after(state, "d5>d3"))["d3"] == 3
    assert board(after(state, "d3>d5"))["d5"] == 3
    assert not {"d4", "d5"} & board(after(state, "d5>d3")).keys()


def test_any_part_of_a_longer_line_may_be_built_if_it_is_three_or_more() -> None:
    turns = legal(at(ROW_FIVE))
    assert {"b5>d5", "e5>g5", "g5>c5"} <= set(turns)
    assert not {"a5>b5", "b5>a5"} & set(turns)


def test_a_line_of_a_build_may_be_diagonal() -> None:
    assert {"b2>d4", "d4>b2"} <= set(legal(at(f"{ROW_FIVE} b2 c3 d4")))


def test_a_line_of_a_build_has_no_gap_and_no_stack_in_it() -> None:
    assert "a1>a4" not in legal(at(f"{ROW_FIVE} a1 a2 a4"))
    assert "a1>a3" not in legal(at(f"{ROW_FIVE} a1 a3", a2=3))


def test_there_is_no_duty_to_parry() -> None:
    assert game.result(after(at(ROW_FIVE), "a1")) is None


# Rule text, the limit to the height of a stack, and its example on g5 and a5.


def test_seven_stones_can_be_stacked_on_a5_but_not_on_g5() -> None:
    turns = legal(at(ROW_FIVE))
    assert "g5>a5" in turns
    assert "a5>g5" not in turns
    assert "b5>g5" in turns  # six stones, and six cells to the west


# Rule text, the third kind of turn: the distribution, and its example on b3 (to e6).


def test_the_stack_on_b3_can_be_distributed_to_e6_and_captures_d5() -> None:
    state = at("d5", b3=3)
    after_it = after(state, "b3-e6")
    assert board(after_it) == {"c4": 1, "e6": 1}
    # The two captured stones are back in stock.
    assert stock(after_it) == stock(state) + 2


# Rule text, the same example: b6 and e3 capture nothing, b1 is too near the edge.


def test_the_stack_on_b3_can_be_distributed_to_nowhere_else() -> None:
    turns = legal(at("d5", b3=3))
    assert [turn for turn in turns if "-" in turn] == ["b3-e6"]


def test_a_capture_does_not_excuse_a_stone_over_the_edge() -> None:
    assert not [turn for turn in legal(at("b2", b3=3)) if "-" in turn]


def test_a_stone_laid_on_a_stack_makes_it_higher_and_captures_nothing() -> None:
    assert board(after(at("b3", a3=3, c3=4), "a3-d3")) == {"c3": 5, "d3": 1}
    assert "a3-d3" not in legal(at("h8", a3=3, c3=4))


def test_one_distribution_can_capture_several_times() -> None:
    assert board(after(at("b3 d3", a3=4), "a3-e3")) == {"c3": 1, "e3": 1}


# Rule text, the last example: the stack on d3, and why distributing it upwards is no parry.


def test_the_story_of_the_stack_on_d3_goes_as_the_text_tells_it() -> None:
    state = at("a5 b5 c5 d3 d4 d5 e5 f5 g5")
    for turn in ("d5>d3", "d5", "d3-d6"):
        state = after(state, turn)
    assert board(state) == dict.fromkeys(["a5", "b5", "c5", "d4", "d6", "e5", "f5", "g5"], 1)
    assert game.result(after(state, "h5")) == Result((1,), "chain")


# Rule text, the goal: whose edges are which, diagonals, and stacks that do not count.


def test_first_wins_by_joining_top_and_bottom() -> None:
    state = at("c1 c2 d3 d4 c5 b6 a7")
    assert game.result(after(state, "b8")) == Result((0,), "chain")


def test_second_wins_by_joining_left_and_right() -> None:
    assert game.result(after(at(ROW_FIVE, turn=1), "h6")) == Result((1,), "chain")


def test_whoever_chose_first_joins_top_and_bottom() -> None:
    state = at("c1 c2 d3 d4 c5 b6 a7", turn=1, first=1)
    assert game.result(after(state, "b8")) == Result((1,), "chain")


def test_a_stack_is_no_link_of_a_chain() -> None:
    assert game.result(after(at("a5 b5 c5 e5 f5 g5", turn=1, d5=3), "h5")) is None


def test_a_distribution_can_win() -> None:
    state = at("a5 b5 c5 d3 e5 f5 g5 h5", turn=1, d2=3)
    assert game.result(after(state, "d2-d5")) == Result((1,), "chain")


# Rule text, the goal's last sentence: the opponent's edges lose, both pairs lose too.


def test_joining_the_opponents_edges_loses() -> None:
    assert game.result(after(at(ROW_FIVE), "h5")) == Result((1,), "own_goal")


def test_joining_both_pairs_of_edges_loses_for_either_side() -> None:
    assert game.result(after(at(DIAGONAL, turn=0), "d4")) == Result((1,), "own_goal_both")
    assert game.result(after(at(DIAGONAL, turn=1), "d4")) == Result((0,), "own_goal_both")


def test_nobody_is_to_move_once_it_is_over() -> None:
    state = after(at(ROW_FIVE), "h5")
    assert game.to_move(state) == ()
    assert [list(game.legal_moves(state, seat)) for seat in (0, 1)] == [[], []]


# The last ruling on NOTWO'S: having no legal turn is a draw.


def test_a_player_without_a_legal_turn_makes_a_draw() -> None:
    last_stone = at("a1", h8=38)
    assert game.result(after(last_stone, "c4")) == Result((), "no_move")


def test_an_empty_stock_is_no_draw_while_a_stack_can_capture() -> None:
    last_stone = at("b3", a3=3, h8=35)
    state = after(last_stone, "c7")
    assert game.result(state) is None
    assert legal(state) == ["a3-d3"]


# The picture.


def test_the_picture_shows_heights_stock_sides_and_the_last_turn() -> None:
    state = after(at("d5", turn=1, first=1, b3=3, h8=12), "b3-e6")
    assert draw(game.diagram(state, Viewer())).split("\n") == [
        "          a b c d e f g h",
        "       8  . . . . . . . C   8",
        "       7  . . . . . . . .   7",
        "       6  . . . .(o). . .   6",
        "       5  . . . . . . . .   5",
        "       4  . .(o). . . . .   4",
        "       3  . . . . . . . .   3",
        "       2  . . . . . . . .   2",
        "       1  . . . . . . . .   1",
        "          a b c d e f g h",
        "",
        "      First (Chooser) wins by joining top and bottom, Second",
        "      (Placer) left and right, with a chain of single stones (o).",
        "      Stock: 26. A turn now: drop a stone (a1).",
    ]


def words_below(state: State) -> str:
    return " ".join(" ".join(game.diagram(state, Viewer()).told).split())


def test_the_words_below_the_board_say_what_is_chosen_and_who_chooses() -> None:
    start = game.start(game.info.setup())
    placed = game.play(start, 0, "b3,e5")
    chosen = game.play(placed, 1, "second")
    assert "Placer puts the first two stones on any two cells" in words_below(start)
    assert "Chooser now replies first (to join top and bottom)" in words_below(placed)
    assert "First (Placer) wins by joining top and bottom" in words_below(chosen)


def test_the_words_below_the_board_name_a_legal_turn_of_each_kind_that_is_possible() -> None:
    def named(state: State) -> list[str]:
        turns = re.findall(r"\(([a-h][1-8][^)]*)\)", words_below(state))
        assert set(turns) <= set(game.legal_moves(state, state.turn))
        return [turn[2:3] for turn in turns]

    assert named(at("d5")) == [""]
    assert named(at("d5", b3=3)) == ["", "-"]
    assert named(at("a5 b5 c5")) == [""]
    assert named(at(f"{ROW_FIVE} d4 d3", a1=3)) == ["", ">", "-"]
    assert named(after(at(f"{ROW_FIVE} a8", turn=1), "h5")) == []


def test_the_picture_marks_captures_builds_and_the_winning_chain() -> None:
    captured = game.diagram(after(at("d5", b3=3), "b3-e6"), Viewer())
    assert Mark("d5", MarkKind.CAPTURED) in captured.marks
    built = game.diagram(after(at(ROW_FIVE), "g5>a5"), Viewer())
    assert built.marks == (Mark("a5", MarkKind.LAST),)
    won = game.diagram(after(at(f"{ROW_FIVE} a8", turn=1), "h5"), Viewer())
    winning = [mark.at for mark in won.marks if mark.kind is MarkKind.WINNING]
    assert winning == f"{ROW_FIVE} h5".split()
