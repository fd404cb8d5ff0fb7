"""Programs that do not do what they should: each is started, and the operator reads why."""

import json
import os
import select
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from pbm.engine import Turn
from pbm.programs import MIB, Limits, ProgramFailed, ask
from tests.processes import start
from tests.programs.samples import PATIENT, READY, program
from tests.robots.questions import NOUGHTS, question

HASTY = replace(PATIENT, slack_seconds=0.05)
QUESTION = question()
BRIEF = replace(QUESTION, position=replace(QUESTION.position, seconds=0.1))
"""The same with little time to think."""

FAILURES = {
    "dies at once": (
        "raise SystemExit(3)",
        "The program ended with status 3 and without an answer.",
    ),
    "dies of an error": (
        READY + "raise ValueError('no book')",
        (
            "The program ended with status 1 and without an answer. "
            'It last wrote to stderr: "ValueError: no book".'
        ),
    ),
    "dies of a signal": (
        READY + "os.kill(os.getpid(), signal.SIGSEGV)",
        "The program was ended by signal SIGSEGV without an answer.",
    ),
    "dies of its processor time": (
        READY + "os.kill(os.getpid(), signal.SIGXCPU)",
        "The program used up its processor time.",
    ),
    "floods stdout": (
        READY + "while True: sys.stdout.write('x' * 5000)",
        "The program wrote more than 65536 octets to stdout.",
    ),
    "floods stderr": (
        READY + "while True: sys.stderr.write('x' * 5000)",
        "The program wrote more than 65536 octets to stderr.",
    ),
    "eats memory": (
        READY + "eaten = [bytearray(1 << 20) for _ in range(1 << 14)]",
        (
            "The program ended with status 1 and without an answer. "
            'It last wrote to stderr: "MemoryError".'
        ),
    ),
    "fills the disk": (
        READY + "os.truncate(os.open('big', os.O_CREAT | os.O_RDWR), 17 << 20)",
        (
            "The program ended with status 1 and without an answer. "
            'It last wrote to stderr: "OSError: [Errno 27] File too large".'
        ),
    ),
    "writes no JSON": (
        READY + "print('I play b2', flush=True); time.sleep(60)",
        'The program gave no move. The line "I play b2" cannot be read as JSON.',
    ),
    "writes JSON of another shape": (
        READY + "say(play='b2'); time.sleep(60)",
        'The program gave no move. "move" is missing; it must be a text.',
    ),
    "plays an illegal move": (
        READY + "say(move='z9'); time.sleep(60)",
        (
            'The program gave no move. The move "z9" is refused: '
            '"z9" is not a legal move in this position.'
        ),
    ),
    "answers for another position": (
        READY + "say(move='b2', ply=7); time.sleep(60)",
        "The program gave no move. It answers for ply 7, and ply 0 was asked.",
    ),
    "reports an error": (
        READY + "say(error='My book is lost'); time.sleep(60)",
        'The program gave no move. It reports an error: "My book is lost".',
    ),
    "speaks another protocol": (
        "print('{\"protocol\": 2}', flush=True); import time; time.sleep(60)",
        "The program gave no move. It speaks protocol 2, and the server 1.",
    ),
}


@pytest.mark.parametrize("kind", FAILURES)
def test_a_program_that_fails_is_told_of_in_a_sentence(kind: str, tmp_path: Path) -> None:
    source, sentence = FAILURES[kind]
    with pytest.raises(ProgramFailed) as failure:
        ask(program(tmp_path, source), NOUGHTS, QUESTION, replace(PATIENT, memory=64 * MIB))
    assert str(failure.value) == sentence


def test_a_program_that_hangs_before_a_word_is_given_so_long_to_start(tmp_path: Path) -> None:
    hangs = program(tmp_path, "import time; time.sleep(60)")
    with pytest.raises(ProgramFailed) as failure:
        ask(hangs, NOUGHTS, QUESTION, replace(PATIENT, start_seconds=0.05))
    assert str(failure.value) == "The program did not answer within 0.05 seconds."


def test_a_program_that_hangs_after_half_a_line_is_given_its_time_to_think(tmp_path: Path) -> None:
    hangs = program(tmp_path, READY + "print('{\"move\":', end='', flush=True); time.sleep(60)")
    with pytest.raises(ProgramFailed) as failure:
        ask(hangs, NOUGHTS, BRIEF, HASTY)
    assert str(failure.value).startswith("The program did not answer within 0.15 seconds.")


def test_a_program_that_closes_its_stdout_is_not_waited_for(tmp_path: Path) -> None:
    silent = program(tmp_path, READY + "os.close(1); time.sleep(60)")
    with pytest.raises(ProgramFailed) as failure:
        ask(silent, NOUGHTS, QUESTION, replace(PATIENT, quit_seconds=0.05))
    assert str(failure.value) == "The program closed its stdout without an answer."


def test_a_program_that_does_not_read_holds_nobody_up(tmp_path: Path) -> None:
    deaf = program(tmp_path, "import time; print('{\"protocol\": 1}', flush=True); time.sleep(60)")
    turns = tuple(Turn(0, "b2") for _ in range(100_000))
    long = replace(BRIEF, position=replace(BRIEF.position, turns=turns))
    with pytest.raises(ProgramFailed, match=r"did not answer within 0\.15 seconds"):
        ask(deaf, NOUGHTS, long, HASTY)


def test_a_program_that_is_not_there_or_cannot_be_run_is_told_of(tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_text("#!/no/such/interpreter\n")
    broken.chmod(0o700)
    for command, sentence in (
        (("no-such-robot",), '"no-such-robot" cannot be run.'),
        ((str(tmp_path),), f'"{tmp_path}" cannot be run.'),
        ((str(broken),), "No such file or directory."),
    ):
        with pytest.raises(ProgramFailed) as failure:
            ask(command, NOUGHTS, QUESTION, PATIENT)
        assert str(failure.value) == f"The program could not be started: {sentence}"


LEAVES_A_CHILD = """
reading, writing = os.pipe()
if not os.fork():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.setsid()
    if not os.fork():
        os.write(writing, str(os.getpid()).encode())
        time.sleep(60)
    os._exit(0)
say(move='b2', why=os.read(reading, 20).decode())
"""

IGNORES_THE_END = """
signal.signal(signal.SIGTERM, signal.SIG_IGN)
say(move='b2', why=str(os.getpid()))
while True: time.sleep(60)
"""


@pytest.mark.parametrize("ending", [LEAVES_A_CHILD, IGNORES_THE_END])
def test_no_process_outlives_the_answer(ending: str, tmp_path: Path) -> None:
    limits = replace(PATIENT, quit_seconds=0.05)
    answer = ask(program(tmp_path, READY + ending), NOUGHTS, QUESTION, limits)
    assert answer.move == "b2"
    with pytest.raises(ProcessLookupError):
        os.kill(int(answer.why), 0)


ASKS = """
import sys
from pbm.programs import ask
from tests.processes import start
from tests.programs.samples import PATIENT
from tests.robots.questions import NOUGHTS, question
ask(sys.argv[1:], NOUGHTS, question(), PATIENT)
"""


def test_no_process_and_no_folder_outlives_a_server_that_is_killed(tmp_path: Path) -> None:
    told = tmp_path / "told"
    os.mkfifo(told)
    tells = f"print(os.getpid(), os.getppid(), os.getcwd(), file=open({str(told)!r}, 'w'))\n"
    hangs = program(tmp_path, READY + tells + "time.sleep(60)")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with start(sys.executable, "-c", ASKS, *hangs, environment=environment):
        robot, keeper, folder = told.read_text().split()
        left = [os.pidfd_open(int(process)) for process in (robot, keeper)]
        assert Path(folder).is_dir()
    for process in left:
        assert select.select([process], [], [], 30)[0]
        os.close(process)
    assert not Path(folder).exists()


LOOKS_AROUND = """
import resource
names = ("CPU", "DATA", "AS", "FSIZE", "NOFILE", "CORE", "NPROC")
json.dump({
    "environment": dict(os.environ), "files": os.listdir("/proc/self/fd"), "folder": os.listdir(),
    "cwd": os.getcwd(), "nice": os.nice(0), "group": os.getpgrp() == os.getpid(),
    "limits": {name: resource.getrlimit(getattr(resource, "RLIMIT_" + name))[0] for name in names},
}, open(sys.argv[1], "w"))
say(move="b2")
"""


def test_a_program_sees_no_secret_and_no_file_of_the_server_and_has_its_limits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBM_SECRET", "hush")
    with (tmp_path / "secret").open("w") as secret:
        os.set_inheritable(secret.fileno(), True)
        looks = (*program(tmp_path, READY + LOOKS_AROUND), str(tmp_path / "seen"))
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
