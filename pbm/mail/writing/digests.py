"""What a digest says: one board as its own mail would, several one below the other."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pbm.mail.writing.board_facts import Remark
from pbm.mail.writing.board_mails import board_wording
from pbm.mail.writing.happenings import remarks_of, sentence
from pbm.mail.writing.reminders import PICTURES, WaitingBoard, figures_of, waiting_board
from pbm.mail.writing.wording import Wording
from pbm.service.board_messages import BoardNotice
from pbm.service.notices.digests import Digest


@dataclass(frozen=True, slots=True)
class DigestBoard:
    """A board that waits for the reader, with what happened and what was written there."""

    template: ClassVar[str] = "digests/board.txt.j2"
    board: WaitingBoard
    happened: tuple[str, ...]
    remarks: tuple[Remark, ...]


@dataclass(frozen=True, slots=True)
class DigestMail:
    """Boards that wait for the reader, the most urgent first."""

    template: ClassVar[str] = "digests/digest.txt.j2"
    reader: str
    boards: tuple[DigestBoard, ...]


def _digest(notice: Digest, address: str) -> Wording:
    if len(notice.boards) == 1:
        return board_wording(notice.boards[0], address)
    boards = tuple(_board(each, drawn=place < PICTURES) for place, each in enumerate(notice.boards))
    context = DigestMail(notice.to.userid, boards)
    subject = f"{len(boards)} boards wait for your move"
    drawn = figures_of(each.board for each in boards)
    return Wording(subject, context, "Your boards today - pbm", answer=False, figures=drawn)


def _board(told: BoardNotice, *, drawn: bool) -> DigestBoard:
    return DigestBoard(
        waiting_board(told.board, told.people, told.to, told.now, last=False, drawn=drawn),
        tuple(sentence(happening, told) for happening in told.happenings),
        remarks_of(told),
    )


WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {Digest: _digest}
"""What is said for each kind of notice of digests."""
