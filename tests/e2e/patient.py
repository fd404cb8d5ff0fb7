"""`pbm` with another patience: one that hardly looks by itself, and one that does so all the time.

Programs of their own, because a server's patience is no setting.
"""

from pbm import server, stage
from pbm.cli import main


def patient(arguments: list[str]) -> None:
    """Be a `pbm` whose stages look for work once in an hour: what is quick was woken."""
    server.POLL_SECONDS = server.DEAF_SECONDS = 3600.0
    main(arguments)


def restless(arguments: list[str]) -> None:
    """Be a `pbm` that does after a moment what another does after one second or five."""
    server.POLL_SECONDS = server.DEAF_SECONDS = stage.OUTAGE_SECONDS = 0.1
    main(arguments)


def beating(arguments: list[str]) -> None:
    """Be a restless `pbm` that gives ten signs of life a second."""
    server.ROUND_SECONDS = 0.1
    restless(arguments)
