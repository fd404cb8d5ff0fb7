"""Programs of others that play for a robot, and what happens where one fails.

Each is started: that they die, hang, flood and eat is what the walls around them are for.
"""

import json
import os
import re
import select
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from pbm.domain.robots import Brain
from pbm.engine import Turn, advance, begin
from pbm.programs import (
    MIB,
    CommandError,
    Limits,
    ProgramFailed,
    ask,
    command_from,
    command_of,
    robot_names,
)
from pbm.robots.asking import checked
from pbm.robots.protocol import Hello, Quit, Ready, read_answer, read_ready, written
from tests.house import HouseUnderTest, text_of
from tests.processes import start
from tests.readings import answers
from tests.robots.brute import GAMES
from tests.robots.questions import NOUGHTS, question
from tests.thinking.conftest import add_robot, begin_match, log_of, think_in_processes

pytestmark = pytest.mark.slow

PATIENT = Limits(start_seconds=30, slack_seconds=30, quit_seconds=30)
"""Time for a host that is busy with other tests."""
HASTY = replace(PATIENT, slack_seconds=0.05)
QUESTION = question()
BRIEF = replace(QUESTION, position=replace(QUESTION.position, seconds=0.1))
"""The same with little time to think."""

HERE = Path(__file__).parent
_PARTS = re.split(r"^== (\w+) ==\n", (HERE / "programs.txt").read_text("utf-8"), flags=re.MULTILINE)
PROGRAMS = dict(zip(_PARTS[1::2], _PARTS[2::2], strict=True))
READY = PROGRAMS["READY"]
"""The beginning of a program that misbehaves only when it is asked for a move."""


def program(folder: Path, source: str) -> tuple[str, ...]:
    """Return the command of a Python program with that source."""
    file = folder / "robot.py"
    file.write_text(source)
    return (sys.executable, "-I", "-S", str(file))


def failure_of(
    folder: Path, source: str, limits: Limits = PATIENT, asked: object = QUESTION
) -> str:
    """Return what the operator reads of a program that fails."""
    with pytest.raises(ProgramFailed) as failure:
        ask(program(folder, source), NOUGHTS, asked, limits)  # type: ignore[arg-type]
    return str(failure.value)


# ---- failures

FAILING = (HERE / "failing.txt").read_text("utf-8").strip().split("\n\n== ")[1:]


@pytest.mark.parametrize("case", FAILING, ids=lambda case: case.partition(" ==")[0])
def test_a_program_that_fails_is_told_of_in_a_sentence(case: str, tmp_path: Path) -> None:
    source, _, sentence = case.partition(" ==\n")[2].rpartition("\n")
    limits = replace(PATIENT, memory=64 * MIB)
    assert failure_of(tmp_path, source.replace("...\n", READY), limits) == sentence


def test_a_program_that_hangs_before_a_word_is_given_so_long_to_start(tmp_path: Path) -> None:
    told = failure_of(tmp_path, "import time; time.sleep(60)", replace(PATIENT, start_seconds=0.05))
    assert told == "The program did not answer within 0.05 seconds."


def test_a_program_that_hangs_after_half_a_line_is_given_its_time_to_think(tmp_path: Path) -> None:
    half = READY + "print('{\"move\":', end='', flush=True); time.sleep(60)"
    told = failure_of(tmp_path, half, HASTY, BRIEF)
    assert told.startswith("The program did not answer within 0.15 seconds.")


def test_a_program_that_closes_its_stdout_is_not_waited_for(tmp_path: Path) -> None:
    silent = READY + "os.close(1); time.sleep(60)"
    told = failure_of(tmp_path, silent, replace(PATIENT, quit_seconds=0.05))
    assert told == "The program closed its stdout without an answer."


def test_a_program_that_does_not_read_holds_nobody_up(tmp_path: Path) -> None:
    deaf = "import time; print('{\"protocol\": 1}', flush=True); time.sleep(60)"
    turns = tuple(Turn(0, "b2") for _ in range(100_000))
    long = replace(BRIEF, position=replace(BRIEF.position, turns=turns))
    assert "did not answer within 0.15 seconds" in failure_of(tmp_path, deaf, HASTY, long)


def test_a_program_that_is_not_there_or_cannot_be_run_is_told_of(tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_text("#!/no/such/interpreter\n")
    broken.chmod(0o700)
    for command, sentence in (
        ("no-such-robot", '"no-such-robot" cannot be run.'),
        (str(tmp_path), f'"{tmp_path}" cannot be run.'),
        (str(broken), "No such file or directory."),
    ):
        with pytest.raises(ProgramFailed) as failure:
            ask((command,), NOUGHTS, QUESTION, PATIENT)
        assert str(failure.value) == f"The program could not be started: {sentence}"


# ---- the walls around a program


@pytest.mark.parametrize("ending", [PROGRAMS["LEAVES_A_CHILD"], PROGRAMS["IGNORES_THE_END"]])
def test_no_process_outlives_the_answer(ending: str, tmp_path: Path) -> None:
    limits = replace(PATIENT, quit_seconds=0.05)
    answer = ask(program(tmp_path, READY + ending), NOUGHTS, QUESTION, limits)
    assert answer.move == "b2"
    with pytest.raises(ProcessLookupError):
        os.kill(int(answer.why), 0)


def test_no_process_and_no_folder_outlives_a_server_that_is_killed(tmp_path: Path) -> None:
    told = tmp_path / "told"
    os.mkfifo(told)
    tells = f"print(os.getpid(), os.getppid(), os.getcwd(), file=open({str(told)!r}, 'w'))\n"
    hangs = program(tmp_path, READY + tells + "time.sleep(60)")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with start(sys.executable, "-c", PROGRAMS["ASKS"], *hangs, environment=environment):
        robot, keeper, folder = told.read_text().split()
        left = [os.pidfd_open(int(process)) for process in (robot, keeper)]
        assert Path(folder).is_dir()
    for process in left:
        assert select.select([process], [], [], 30)[0]
        os.close(process)
    assert not Path(folder).exists()


def test_a_program_sees_no_secret_and_no_file_of_the_server_and_has_its_limits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBM_SECRET", "hush")
    with (tmp_path / "secret").open("w") as secret:
        os.set_inheritable(secret.fileno(), True)
        looks = (*program(tmp_path, READY + PROGRAMS["LOOKS_AROUND"]), str(tmp_path / "seen"))
        ask(looks, NOUGHTS, QUESTION, Limits(start_seconds=30))
    seen = json.loads((tmp_path / "seen").read_text())
    home = seen["cwd"]
    assert seen["environment"] == {
        "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": home, "TMPDIR": home,
    }  # fmt: skip
    assert seen["folder"] == []
    assert not Path(home).exists()
    assert len(seen["files"]) == 4  # its three streams, and the list of files
    assert seen["group"]
    assert seen["nice"] >= 10
    limits = seen["limits"]
    assert limits.pop("NPROC") > 32
    assert limits == {
        "CPU": 42, "DATA": 1024 * MIB, "AS": 8192 * MIB, "FSIZE": 16 * MIB, "NOFILE": 64, "CORE": 0,
    }  # fmt: skip


# ---- the command that an operator types

COMMANDS = (HERE / "commands.txt").read_text("utf-8")


def test_a_command_is_read_as_words_of_a_program_that_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "robot.py").touch()
    table = COMMANDS.replace("HERE", str(tmp_path))
    assert answers(table, lambda typed: [*command_from(typed)], CommandError) == table


# ---- the page for authors, docs/robots.md

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


# ---- robots of Python packages, found by entry point and asked in a process of their own


MOVES = """
# A broken package stops no other, as none is imported by the server.
first           -> a1
# What a robot prints is not taken for its answer.
prints          -> d1
broken          -> ! ModuleNotFoundError: No module named 'no_such_module'
raises          -> ! KeyError: 'morris'
returns_nothing -> ! ProtocolError: "move" is missing; it must be a text.
"""


def test_robots_of_packages_are_found_and_what_one_raises_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A package has the robot of docs/robots.md, some bad ones, and one that is broken."""
    (tmp_path / "pbm_first.py").write_text(blocks("python")[1])
    (tmp_path / "mischief.py").write_text(PROGRAMS["MISCHIEF"])
    facts = tmp_path / "pbm_first-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: pbm-first\nVersion: 1.0\n")
    names = ("prints", "raises", "returns_nothing")
    entries = "".join(f"{name} = mischief:{name}\n" for name in names)
    (of_the_page,) = (block for block in blocks("toml") if "pbm.robots" in block)
    entries = "[pbm.robots]\n" + entries + "broken = no_such_module:choose\n"
    entries += of_the_page.partition("\n")[2].replace('"', "")
    (facts / "entry_points.txt").write_text(entries)
    monkeypatch.syspath_prepend(str(tmp_path))

    def move_of(name: str) -> str:
        try:
            return ask(command_of(name), GAMES["morris"], question(GAMES["morris"]), PATIENT).move
        except ProgramFailed as failure:
            (reported,) = re.findall(r'It reports an error: "(.*?)"\.(?: It|$)', str(failure))
            return f"! {reported}"

    assert robot_names() == ["broken", "first", "prints", "raises", "returns_nothing"]
    assert answers(MOVES, move_of) == MOVES
    with pytest.raises(CommandError) as error:
        command_of("second")
    assert str(error.value) == (
        'No installed package has a robot called "second"; there is broken, first, prints, raises '
        "or returns_nothing."
    )


# ---- a robot of a server for which a program plays


def with_program(house: HouseUnderTest, source: str) -> None:
    """Make a robot for which a program plays."""
    file = house.folder / "robot.py"
    file.write_text(source)
    add_robot(house.house, "others", Brain(3, command=(sys.executable, str(file))))


def test_a_program_plays_for_a_robot(house: HouseUnderTest) -> None:
    with_program(house, PROGRAMS["GOOD"])
    number = begin_match(house.house, "gonnect", "others", "alice", size="5")
    thinking = house.house.robots.thinking()
    think_in_processes(thinking)
    thinking.close()
    assert log_of(house.house, number) == ["A1"]
    assert [mail["To"] for mail in house.deliver()] == ["alice@example.org"]


def test_where_it_fails_level_1_plays_and_the_operator_is_told_once_a_day(
    house: HouseUnderTest,
) -> None:
    with_program(house, "print('no')")
    numbers = [begin_match(house.house, "gonnect", "others", "alice", size="5") for _ in "ab"]
    thinking = house.house.robots.thinking()
    think_in_processes(thinking)
    assert all(len(log_of(house.house, number)) == 1 for number in numbers)
    (told,) = (mail for mail in house.deliver() if mail["To"] == "root@example.org")
    assert told["Subject"] == "The program of others has failed"
    assert "level 1 of this server moved for it" in " ".join(text_of(told).split())
    house.clock.now += timedelta(days=1)
    begin_match(house.house, "gonnect", "others", "alice", size="5")
    think_in_processes(thinking)
    thinking.close()
    assert "root@example.org" in [mail["To"] for mail in house.deliver()]
