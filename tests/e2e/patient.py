"""`pbm`, whose stages look for work by themselves only once in an hour: what is quick was woken.

Run as a program of its own, because a server's patience is no setting.
"""

from pbm import stages
from pbm.cli import main

if __name__ == "__main__":
    stages.POLL_SECONDS = stages.DEAF_SECONDS = 3600.0
    main()
