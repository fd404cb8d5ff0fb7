"""Notes: what players write down about a match, for themselves alone."""

from collections.abc import Iterator

from pbm.domain.errors import NotAllowed
from pbm.engine import fold
from pbm.features.turns import seated
from pbm.service.board_messages import Event, Happening
from pbm.service.command import BoardNumber, Line, Proof, Request, command, no_board
from pbm.service.context import Context
from pbm.service.letters import Message
from pbm.service.line import is_board
from pbm.service.readers import board_messages

MOST = 4000
"""The most letters of the notes of one player on one board."""

_DIGITS = 3
"""The digits of the number of the first board; a note may begin with a smaller number."""


def _read_note(line: Line) -> Request:
    """Read `B [userid password] TEXT`; "note 3 stones are weak" names no board."""
    word = next(iter(line.words.rest), "")
    named = is_board(word) and (line.answered is None or len(word) >= _DIGITS)
    number = line.words.board_number()[0] if named else None
    if number is None and line.answered is None:
        raise no_board(line)
    credentials = line.who()
    return line.request(credentials, number=number, text=" ".join(line.words.rest))


def _opens(line: str) -> bool:
    """Return whether a line is a command: "Note that I am away" is for the opponent."""
    return fold(line).split()[1:2] != ["that"]


@command(
    "note", "B [userid password] TEXT", "keeps a private note on a match",
    "note 104 alice your-password weak in the corner", needs=Proof.BOARD, read=_read_note,
    aliases=("notes",), private=True, opens=_opens,
    text="Only you see it, in each mail of the board. What you write below that line belongs to "
         "the note as well; nothing of it goes to your opponent. A further note is added to the "
         "others; note 104 clear removes them.",
)  # fmt: skip
def note(context: Context, number: BoardNumber, text: str) -> Iterator[Message]:
    """Add to the notes of a player on a board, remove them, or show them."""
    player, (board, _) = context.sender().id, seated(context, number)
    plans, added = context.work.plans, "\n".join(filter(None, (text, context.comment)))
    notes = "\n".join(filter(None, (plans.kept(board.match.number, player).note, added)))
    if fold(added) == "clear":
        notes = ""
    if len(notes) > MOST:
        raise NotAllowed(f"Your notes on a board can have {MOST} letters. note clear removes them.")
    if added:
        plans.set_note(board.match.number, player, notes)
    noted = Happening(Event.NOTED, player, "notes" if notes else "", only_for=player)
    yield from board_messages(context, board, noted)
