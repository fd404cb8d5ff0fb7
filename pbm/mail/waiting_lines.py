"""Boards that wait for a reader, a line each: for mails that tell how his clocks stand."""

import textwrap
from collections.abc import Iterable, Sequence

from pbm.domain.player import People, Player
from pbm.domain.playing import LiveMatch
from pbm.domain.timekeeping import schedule
from pbm.engine import listing
from pbm.mail.local_time import local_time
from pbm.mail.move_list import userid
from pbm.render.templates import LINE


def waiting_lines(tables: Iterable[LiveMatch], people: People, reader: Player) -> tuple[str, ...]:
    """Return "  104  Gonnect, against bob: by Fri 4 Dec 2026 18:20 UTC" for each board.

    A long one goes on below, set in.
    """
    return tuple(
        textwrap.fill(
            f"{table.match.number:>5}  {_waiting(table, people, reader)}", LINE,
            subsequent_indent=" " * 7, break_on_hyphens=False, break_long_words=False,
        )
        for table in tables
    )  # fmt: skip


def _waiting(table: LiveMatch, people: People, reader: Player) -> str:
    others = (p for p in table.match.players if p != reader.id)
    against = listing((userid(people, p) for p in others), last="and")
    end = schedule(table.match, reader.id).forfeit_at
    when = f"by {local_time(end, reader)}" if end else "the clock stands"
    return f"{table.game.info.title}, against {against}: {when}"


def boards_named(numbers: Sequence[int]) -> str:
    """Return "board 104", or "boards 104 and 105"."""
    word = "board" if len(numbers) == 1 else "boards"
    return f"{word} {listing(map(str, numbers), last='and')}"
