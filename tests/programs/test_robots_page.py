"""What docs/robots.md shows to authors of robots is run, and is true."""

import json
import re
from pathlib import Path

import pytest

from pbm.engine import advance, begin
from pbm.programs import ask, command_from
from pbm.robots.asking import checked
from pbm.robots.protocol import Hello, Quit, Ready, read_answer, read_ready, written
from tests.programs.samples import PATIENT
from tests.robots.brute import GAMES
from tests.robots.questions import question

PAGE = (Path(__file__).parents[2] / "docs" / "robots.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    """Return the page's blocks in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("key", GAMES)
def test_the_program_of_the_page_plays_a_legal_move_in_each_game(key: str, tmp_path: Path) -> None:
    file = tmp_path / "robot.py"
    file.write_text(blocks("python")[0])
    game = GAMES[key]
    answer = ask(command_from(f"python3 -IS {file}"), game, question(game), PATIENT)
    position = begin(game, game.info.setup())
    _, turn = advance(game, position, game.to_move(position.state)[0], answer.move)
    assert turn.text == answer.move
    assert answer.why == "it came to my mind"


def test_the_conversation_of_the_page_is_what_is_said() -> None:
    (text,) = blocks("text")
    lines = re.sub(r"\n ", " ", text).splitlines()
    server = [json.loads(line.partition(">")[2]) for line in lines if line.startswith("server>")]
    game = GAMES["gonnect"]
    asked = question(game, "A5", options={"size": "5"})
    said = (Hello(), asked.match, asked.position, Quit())
    assert server == [json.loads(written(message)) for message in said]
    ready, answer = (line.partition(">")[2] for line in lines if line.startswith("program>"))
    assert read_ready(ready.encode()) == Ready()
    assert checked(game, asked, read_answer(answer.encode())).move == "C3"
