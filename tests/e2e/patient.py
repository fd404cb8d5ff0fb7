"""`pbm`, whose stages look for work by themselves only once in an hour: what is quick was woken.

A program of its own, because a server's patience is no setting.
"""

from pbm import stages
from pbm.cli import main


def patient(arguments: list[str]) -> None:
    """Be a patient `pbm` with these arguments."""
    stages.POLL_SECONDS = stages.DEAF_SECONDS = 3600.0
    main(arguments)
