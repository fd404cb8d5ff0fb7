"""A game's help page in Markdown becomes a plain text that a person might have written."""

from textwrap import dedent

from pbm.mail.writing.game_page import printed
from tests.engine.noughts import game
from tests.tables import each

PAGE = """\
# Noughts and **Crosses**

Reply with a cell, such as `b2`; see [the rules](https://example.org/x).

## An example

Cross begins.

```transcript
In the middle.

game noughts misere=no
1 Cross b2
2 Nought b2 ! illegal: not a legal move
2 Nought a1
# Now the row.
3 Cross c2
4 Nought c1
5 Cross a2
board
        a b c
     3  . . .   3
     2 [x x x]  2
     1  o . o   1
        a b c
result Cross row
```

That was all.

    ``b2`` stands as it is
"""

PLAIN = """\
Noughts and Crosses

Reply with a cell, such as "b2"; see the rules (https://example.org/x).


An example

Cross begins.

In the middle.

    1. Cross b2
    2. Nought b2 is refused: "b2" is not a legal move in this position.
    2. Nought a1

Now the row.

    3. Cross c2  4. Nought c1  5. Cross a2

       a b c
    3  . . .   3
    2 [x x x]  2
    1  o . o   1
       a b c

Cross has won: three in a row.

That was all.

    ``b2`` stands as it is
"""


def test_a_page_is_told_without_marks_and_its_examples_in_words() -> None:
    assert printed(PAGE, game) == PLAIN


def test_a_long_row_of_moves_is_broken_between_moves_and_not_within_one() -> None:
    moves = ["b2", "a1", "c1", "a3", "a2", "c2", "b3", "b1", "c3"]
    turns = [f"{n + 1} {game.info.seats[n % 2]} {move}" for n, move in enumerate(moves)]
    example = "\n".join(["```transcript", "game noughts", *turns, "result draw full", "```"])
    first, second, _, ended = printed(example, game).rstrip().split("\n")
    assert first.startswith("    1. Cross b2  2. Nought a1  3.")
    assert second.endswith("9. Cross c3")
    assert len(first) <= 72
    assert ended == "The game is a draw: the board is full."


@each(
    "inside",
    [
        "game noughts size=3\n1 Cross b2\nresult open",
        "game noughts\n1 Kross b2\nresult open",
        "game noughts\n1 Cross b2",
        "nothing of the kind",
    ],
)
def test_an_example_that_cannot_be_played_is_shown_as_it_was_written(inside: str) -> None:
    page = f"Look:\n\n```transcript\n{inside}\n```\n"
    shown = inside.replace("\n", "\n    ")
    assert printed(page, game) == f"Look:\n\n    {shown}\n"


def test_a_block_of_another_kind_is_indented_and_an_open_one_loses_its_marks() -> None:
    page = dedent("""\
        ```text
        # b2
        ```
        Then
        ```
        b3
    """)
    assert printed(page, game) == '    # b2\n\nThen\n"\nb3\n'
