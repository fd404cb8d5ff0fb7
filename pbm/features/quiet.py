"""Quiet boards: a player gets no mails about turns on a board while others are to move."""

from collections.abc import Iterator

from pbm.core.command import (
    BoardNumber,
    CommandLine,
    Proof,
    Request,
    command,
    read_board_text,
    written_words,
)
from pbm.core.context import Context
from pbm.core.letters import Message, noted
from pbm.core.tokens import player_token
from pbm.domain.errors import NotUnderstood
from pbm.domain.mail import quiet_name
from pbm.domain.play import check_open
from pbm.engine import fold
from pbm.features.turns import seated

_OFF = "off"


def _read_quiet(line: CommandLine) -> Request:
    """Read `B [userid password] [off]`."""
    number, _, text, credentials = read_board_text(line)
    if fold(text) not in ("", _OFF):
        raise NotUnderstood("quiet takes a board, and off to end it.", line.example)
    return line.request(credentials, number=number, wanted=not text)


@command(
    "quiet", "B [userid password] [off]", "stops mails about a board while others are to move",
    "quiet 104 alice your-password", needs=Proof.BOARD, locks=True, read=_read_quiet,
    writes=lambda request: (
        *written_words(request), *(() if request.arguments["wanted"] else (_OFF,)),
    ),
    opens=lambda line: fold(line).partition(" ")[2] in ("", _OFF) or any(map(str.isdigit, line)),
    text="It does for one board what set echo no does for all: no mail about a move means that it "
         "was accepted. You still get your turns, messages, offers and the end. quiet 104 off "
         "brings all mails back.",
)  # fmt: skip
def quiet(context: Context, number: BoardNumber, wanted: bool) -> Iterator[Message]:  # noqa: FBT001
    """Stop the mails about turns on a board that leave the player nothing to do."""
    player, (board, _) = context.sender(), seated(context, number)
    check_open(board)
    number = board.match.number
    context.work.players.set_setting(player.id, quiet_name(number), "yes" if wanted else None)
    yield noted(
        player,
        f"You get no more mails about moves on board {number} while others are to move. To get all "
        f"mails again, reply quiet {number} off."
        if wanted
        else f"You get all mails about board {number} again.",
        reply=player_token(player.id),
    )
