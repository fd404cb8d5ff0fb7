"""What board mails cost: `python -m tests.gallery.mail_costs` prints ms of CPU and octets.

Boards of up to 60 random turns; Gonnect is of size 19, with some 300 points to tap. `new` is the
median over positions that were never drawn before, `kept` over some that the same reader has seen.
"""

import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import mkdtemp

from pbm.domain.play import LiveMatch, match_at, positions
from pbm.domain.player import People
from pbm.service.context import Composer, board_token
from pbm.service.notices.happenings import Event, Happening
from pbm.service.notices.play import BoardNotice
from tests.house import START
from tests.service.worst_mails import long_board, long_boards

_TURNS = 60
_FORMS: Mapping[str, Mapping[str, str]] = {
    "text": {"format": "text"},
    "without picture": {"picture": "no"},
    "all": {},
}
"""The settings of the readers."""


def cost(
    boards: Sequence[LiveMatch], settings: Mapping[str, str], people: People, composer: Composer
) -> tuple[float, int]:
    """Return the median CPU time of a mail with one of `boards`, and the octets of the last."""
    times, octets = [], 0
    for number, board in enumerate(boards):
        to = replace(people[board.match.players[board.to_move[0]]], settings=settings)
        told = (Happening(Event.MOVED, 1, "C3"),)
        token = board_token(board, to.id)
        notice = BoardNotice(to, told, board, people, START, reply=token)
        began = time.process_time()
        octets = len(composer.compose(notice, f"{number:024}", "r", START).content)
        times.append(time.process_time() - began)
    return 1000 * statistics.median(times), octets


def main() -> None:
    house = long_boards(Path(mkdtemp())).house
    with house.open_unit() as work:
        people = work.players.by_ids([1, 2])
    print(f"{'board':10}{'form':18}{'new':>8}{'kept':>8}{'octets':>8}")
    for game in sorted(house.catalogue, key=lambda game: game.info.key):
        board = long_board(game, 1)
        past = [match_at(board, position) for position in positions(board)]
        waiting = [one for one in past[2:-1] if one.to_move][:_TURNS]
        for form, settings in _FORMS.items():
            new, octets = cost(waiting, settings, people, house.services.composer)
            kept, _ = cost(waiting[-5:] * 10, settings, people, house.services.composer)
            print(f"{game.info.key:10}{form:18}{new:8.2f}{kept:8.2f}{octets:8}")


if __name__ == "__main__":
    main()
