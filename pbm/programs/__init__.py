"""Robots of others: programs that are started for a move, under limits, and asked by a protocol.

`ask` is the door. Modules: `asking` (one conversation), `starting` (a program begins and ends) with
`keeper` (the process that holds it to its limits and ends all of it) and `limits`, `program` (what
is said and heard), `commands` (what an operator types), `installed` (robots of Python packages)
with `python_robot` (the process that one runs in).
"""

from pbm.programs.asking import ask
from pbm.programs.commands import CommandError, command_from
from pbm.programs.installed import command_of, robot_names
from pbm.programs.limits import Limits
from pbm.programs.program import ProgramFailed

__all__ = [
    "CommandError",
    "Limits",
    "ProgramFailed",
    "ask",
    "command_from",
    "command_of",
    "robot_names",
]
