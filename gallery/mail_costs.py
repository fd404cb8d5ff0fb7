"""The costs of board mails: `python -m gallery.mail_costs` prints ms of CPU and octets.

Boards of up to 60 random turns; Gonnect is of size 19, with some 300 points to tap. Each turn is
told to both players, first to the one who is to move: `first` and `second` are the medians over
positions that were never drawn before, `kept` those over some that the same readers have seen. The
mails are sealed. Those of a process that has not been prepared (`App.prepare`) cost more.
"""

import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import mkdtemp

from pbm.core.board_messages import BoardMessage, Common
from pbm.core.context import Services, board_token
from pbm.core.events import Happening
from pbm.core.plies import MOVED
from pbm.domain.play import Board, match_at, positions
from pbm.domain.player import People
from pbm.domain.seen import seen
from tests.house import START
from tests.service.worst_mails import long_board, long_boards

_TURNS = 60
_FORMS: Mapping[str, Mapping[str, str]] = {
    "text": {"format": "text"},
    "without picture": {"picture": "no"},
    "all": {},
}
"""The settings of the readers."""


Costs = tuple[float, float]
"""CPU of the mail to the player to move, and of that to the other one, in milliseconds."""


def event(board: Board, settings: Mapping[str, str], people: People) -> list[BoardMessage]:
    """Return what both players are told of `board`, the one to move first."""
    mover = board.to_move[0]
    told, common, view = (Happening(MOVED, 1, "C3"),), Common(), seen(board, None)
    readers = (board.match.players[mover], board.match.players[1 - mover])
    return [
        BoardMessage(
            replace(people[reader], settings=settings), told, view, people, START,
            common=common, reply=board_token(board, reader),
        )
        for reader in readers
    ]  # fmt: skip


def costs(
    boards: Sequence[Board], settings: Mapping[str, str], people: People, services: Services
) -> tuple[Costs, int]:
    """Return the median costs of a turn's mails, and the octets of the last to a player to move."""
    times: tuple[list[float], list[float]] = ([], [])
    octets = 0
    for board in boards:
        for place, notice in enumerate(event(board, settings, people)):
            uid = services.chance.new_id()
            began = time.process_time()
            mail = services.composer.compose(notice, uid, "r", START)
            times[place].append(1000 * (time.process_time() - began))
            octets = octets if place else len(mail.content)
    first, second = map(statistics.median, times)
    return (first, second), octets


def main() -> None:
    house = long_boards(Path(mkdtemp())).house
    house.prepare()
    with house.open_unit() as work:
        people = work.players.by_ids([1, 2])
    heads = "".join(f"{head:>8}" for head in ("first", "second", "kept", "kept", "octets"))
    print(f"{'board':10}{'form':18}{heads}")
    for game in sorted(house.catalogue, key=lambda game: game.info.key):
        board = long_board(game, 1)
        past = [match_at(board, position) for position in positions(board)]
        waiting = [one for one in past[2:-1] if one.to_move][:_TURNS]
        for form, settings in _FORMS.items():
            new, octets = costs(waiting, settings, people, house.services)
            kept, _ = costs(waiting[-5:] * 10, settings, people, house.services)
            figures = "".join(f"{value:8.2f}" for value in (*new, *kept))
            print(f"{game.info.key:10}{form:18}{figures}{octets:8}")


if __name__ == "__main__":
    main()
