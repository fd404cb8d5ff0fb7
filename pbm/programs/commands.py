"""The command that an operator types for a robot, read into its words without a shell."""

import shlex
import shutil
from pathlib import Path

from pbm.engine import quote
from pbm.programs.starting import PATH


class CommandError(Exception):
    """A command that would not start a program; `str()` says why and what would work."""


def command_from(typed: str) -> tuple[str, ...]:
    """Return the words of a command as a shell would divide them; raise CommandError.

    The program is there when this returns. It is started in an empty folder, so a file of the
    folder of today must be given by its whole path.
    """
    try:
        words = shlex.split(typed)
    except ValueError as error:
        raise CommandError(f"The command {quote(typed)} cannot be read: {error}.") from error
    if not words:
        raise CommandError("The command is empty; one looks like: python3 /opt/robots/minimax.py")
    for word in words:
        if not Path(word).is_absolute() and Path(word).is_file():
            raise CommandError(
                f"The program is started in an empty folder, where there is no {quote(word)}: "
                f"write {Path(word).resolve()}."
            )
    if shutil.which(words[0], path=PATH) is None:
        raise CommandError(
            f"There is no program {quote(words[0])} that can be run; write its whole path, or one "
            f"that is in {PATH.replace(':', ', ')}."
        )
    return tuple(words)
