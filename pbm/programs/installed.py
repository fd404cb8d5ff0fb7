"""The robots of installed Python packages, found by entry point."""

import sys
from importlib import metadata

from pbm.engine import listing, quote
from pbm.programs.commands import CommandError

GROUP = "pbm.robots"
"""The entry point group; a value names what chooses, like `minimax = "pbm_minimax:choose"`."""

_START = (
    "import sys; name, *sys.path[:] = sys.argv[1:];"
    "from pbm.programs.python_robot import main; main(name)"
)
"""Starts one with the module path of this process, as its environment will be empty."""


def robot_names() -> list[str]:
    """Return the names of the robots that packages bring.

    None of them is imported: a broken one fails when it is asked, in a process of its own.
    """
    return sorted({point.name for point in metadata.entry_points(group=GROUP)})


def command_of(name: str) -> tuple[str, ...]:
    """Return the command that starts that robot; raise CommandError if there is none."""
    if name not in robot_names():
        known = listing(robot_names()) or "none"
        raise CommandError(
            f"No installed package has a robot called {quote(name)}; there is {known}."
        )
    return (sys.executable, "-I", "-c", _START, name, *filter(None, sys.path))
