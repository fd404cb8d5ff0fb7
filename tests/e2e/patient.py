"""`pbm`, whose stages look for work by themselves only once in an hour: what is quick was woken.

Run as a program of its own, because a server's patience is no setting.
"""

from pbm import server
from pbm.cli import main

if __name__ == "__main__":
    server.POLL_SECONDS = server.DEAF_SECONDS = 3600.0
    main()
