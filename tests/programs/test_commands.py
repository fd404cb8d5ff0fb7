"""The command that an operator types for a robot."""

from pathlib import Path

import pytest

from pbm.programs import CommandError, command_from


def test_a_command_is_divided_as_a_shell_would_and_read_by_none() -> None:
    assert command_from("python3 -c 'print(1); x' \"two words\" $HOME *") == (
        *("python3", "-c", "print(1); x", "two words", "$HOME", "*"),
    )


def test_a_command_that_would_start_nothing_is_refused_with_what_would(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "robot.py").touch()
    for typed, sentence in (
        ("", "The command is empty; one looks like: python3 /opt/robots/minimax.py"),
        ("python3 'robot.py", 'The command "python3 \'robot.py" cannot be read: No closing'),
        ("python3 robot.py", f'robot.py": write {tmp_path}/robot.py.'),
        ("./robot.py", f'robot.py": write {tmp_path}/robot.py.'),
        ("no-such-robot -v", 'There is no program "no-such-robot" that can be run; write its'),
    ):
        with pytest.raises(CommandError) as error:
            command_from(typed)
        assert sentence in str(error.value)
