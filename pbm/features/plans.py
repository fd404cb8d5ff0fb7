"""Plans and notes: queued moves, moves to be confirmed, previews, and a player's private notes."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from pbm.core.audience import board_messages
from pbm.core.board_messages import DrawnPosition
from pbm.core.budget import TURN_TRIED, Cost, drawn
from pbm.core.command import (
    BoardNumber,
    CommandLine,
    MoveText,
    Ply,
    Proof,
    Request,
    command,
    no_board,
    read_board_text,
    reply_command,
    written_words,
)
from pbm.core.context import Context, everybody, seat_token
from pbm.core.events import Effect, Event, Happening
from pbm.core.letters import Letter, Message, answer
from pbm.core.open_boards import setup_of
from pbm.core.tokens import Token
from pbm.core.words import Reply, is_board, split_options
from pbm.domain.description import about, headline, options, reason_of, side_of, thread_subject
from pbm.domain.errors import NotAllowed, NotNow, NotUnderstood, StaleMove
from pbm.domain.invitations import Terms
from pbm.domain.match import new_match
from pbm.domain.plans import (
    LONGEST_MOVE,
    MOST_MOVES,
    RESIGN,
    QueuedMove,
    conditional,
    conditionals_in,
    play_variation,
    spoken_lines,
    still_possible,
    unconditional,
    with_move,
)
from pbm.domain.play import Board, check_open, live, look
from pbm.domain.player import People, Player, PlayerId
from pbm.domain.seen import seen
from pbm.engine import deal, fold, is_swap, listing
from pbm.features.turns import due_ply, seated, take_turn

_IF = re.compile(r"(?:^|\s+)if\b\s*", re.IGNORECASE)

_BOARD_OR_I = re.compile(r"(#?\d{3,}\s)|(?:i|we)\b", re.IGNORECASE)


def _opens(line: str) -> bool:
    """Return whether a line is a command: after "if" come moves, or the number of a board.

    A word is taken for a move if it has a digit, as are dots that have not been filled in, and
    "resign" behind a move. All else is a sentence for the opponent.
    """
    first, _, rest = line.strip().partition(" ")
    if fold(first) != "if":
        return True
    if named := _BOARD_OR_I.match(rest.strip()):
        return named[1] is not None
    words = " ".join(spoken_lines(rest)).replace(" then ", " ").split()
    if words[1:] and fold(words[-1]) == RESIGN:
        del words[-1]
    named_all = all(any(map(str.isdigit, word)) or is_swap(word.strip(".,")) for word in words)
    return named_all and bool(words or "..." in fold(rest))


_CLEAR = frozenset({"clear", "none", "off"})


def _read_queue(line: CommandLine) -> Request:
    """Read `B [userid password] MOVE [if MOVE...]`, or `clear` in place of the moves."""
    number, _, text, credentials = read_board_text(line)
    if fold(line.said) == "if":
        text = f"if {text}"
    if fold(text) in _CLEAR:
        return line.request(credentials, clear_queue, number=number)
    move, *condition = _IF.split(text, maxsplit=1)
    awaited = condition[0] if condition else None
    return line.request(credentials, number=number, text=move, condition=awaited)


def _write_queue(request: Request) -> tuple[str, ...]:
    condition = request.arguments["condition"]
    awaited = () if condition is None else ("if", condition)
    return (*written_words(request), *awaited)


def _needs_to_queue(context: Context, reply: Reply, request: Request) -> Proof:
    """Return what queueing a move needs: one that is played at once is a move."""
    board = context.boards.get(context.board_number(request.number))
    at_turn = set(board.match.seats_of(reply.player.id)) & set(board.to_move)
    at_once = request.move and request.arguments["condition"] is None and at_turn
    return Proof.FRESH_REPLY if at_once else Proof.BOARD


@command(
    "queue", "B [userid password] MOVE [if MOVE...]", "plans moves for your next turns",
    "queue 104 alice your-password G7 if F6", needs=Proof.BOARD, read=_read_queue,
    writes=_write_queue,
    needs_when=_needs_to_queue, aliases=("if",), opens=_opens,
    text="In a reply to a board mail, if F6 G7 plans ahead: if your opponent plays F6, you play "
         "G7. If you play F6, I play G7 is the same, and if F6 G7 if E5 D4 goes on from there. "
         "Several lines make a tree, which each mail of the board shows. if E5 resign gives "
         "up after that move.\n"
         "queue 104 G7 keeps a move for your next turn, whatever comes before it; several are "
         "played in the order given. queue 104 G7 if F6 then F5 then E5 waits for all moves from "
         "now on: your opponent's, yours and theirs again.\n"
         "If a move has become illegal, it is dropped and you get a mail. queue 104 alone shows "
         "your plan, queue 104 clear forgets it.\n"
         "Nobody else sees your plan, or whether a move came from it.",
)  # fmt: skip
def queue(
    context: Context, number: BoardNumber, text: MoveText, condition: str | None
) -> Iterator[Message]:
    """Keep a move for the player's turn, or say which moves are kept.

    `condition` has the moves that must come first, None: any. Without `text` its last move is the
    one to keep. A move without a condition is played at once if it is the player's turn.
    """
    player, board = _seated(context, number)
    kept = still_possible(board.match, context.work.plans.queued(board.match.number, player))
    at_turn = player in {board.match.players[seat] for seat in board.to_move}
    if not text and condition is None:
        yield from _shown(context, board, kept)
    elif at_turn and condition is None:
        yield from take_turn(context, board.match.number, text, board.due)
    else:
        for added in _read_moves(context, board, kept, text, condition):
            kept = with_move(board.match, kept, added)
        yield from _kept(context, board, kept)


@reply_command(
    "clear queue", needs=Proof.BOARD, writes=lambda asked: (*written_words(asked), "clear")
)
def clear_queue(context: Context, number: BoardNumber) -> Iterator[Message]:
    """Forget what the player has queued on a board."""
    _, board = _seated(context, number)
    yield from _kept(context, board, ())


def _seated(context: Context, number: int | None) -> tuple[PlayerId, Board]:
    board, _ = seated(context, number)
    check_open(board)
    return context.sender().id, board


def _read_moves(
    context: Context,
    board: Board,
    kept: tuple[QueuedMove, ...],
    text: str,
    condition: str | None,
) -> tuple[QueuedMove, ...]:
    player, budget = context.sender().id, context.budget
    if condition is None:
        trying = partial(budget.charge_step, TURN_TRIED)
        return (unconditional(board, player, kept, text, trying),)
    budget.charge_step(_variation(condition))
    lines = spoken_lines(condition)
    if not text:
        return tuple(move for each in lines for move in conditionals_in(board, player, each))
    return (conditional(board, player, text, " then ".join(lines)),)


def _variation(text: str) -> Cost:
    """Return the price of playing the moves of `text`: a move may be any run of its words."""
    words = len(text.replace(",", " ").replace(";", " ").split())
    return TURN_TRIED * (LONGEST_MOVE * min(words, MOST_MOVES))


def _kept(context: Context, board: Board, kept: tuple[QueuedMove, ...]) -> Iterator[Message]:
    """Store the queue, and save the match unchanged.

    Saving the match changes its version. A worker that plays on this board at the same time has
    not seen the queue; it now plays again, or the queued moves would wait for ever.
    """
    context.work.plans.set_queued(board.match.number, context.sender().id, kept)
    yield from _shown(context, context.boards.save(board, board), kept)


QUEUED = Event(
    "queued",
    lambda seen: "Your plan is saved." if seen.text else "You have nothing queued on this board.",
    Effect.PRIVATE,
)


def _shown(context: Context, board: Board, kept: tuple[QueuedMove, ...]) -> Iterator[Message]:
    me = context.sender().id
    said = Happening(QUEUED, me, "moves" if kept else "", only_for=me)
    yield from board_messages(context, board, said)


@command(
    "submit", "B [userid password] MOVE[#n]", "previews a move before you play it",
    "submit 104 alice your-password G7", needs=Proof.FRESH_REPLY, least=4,
    text="Only you get the board with that move. Reply confirm to play it, or submit another move.",
)  # fmt: skip
def submit(context: Context, number: BoardNumber, text: MoveText, due: Ply) -> Iterator[Message]:
    """Keep a move until it is confirmed, and show the player the position it would lead to."""
    player, (board, seat) = context.sender(), seated(context, number)
    due = due_ply(context, board.match.number, due)
    context.budget.charge_step(TURN_TRIED + drawn(0))
    after = look(board, seat, text, due=due)
    move = after.match.plies[-1].text
    context.work.plans.set_submitted(board.match.number, player.id, (board.due, move))
    people = context.people(everybody(board))
    token = seat_token(board, player)
    yield preview_letter(player, after, (move,), people, submitted=True, reply=token)


@command(
    "confirm", "B [userid password]", "plays the move that you submitted",
    "confirm 104 alice your-password", needs=Proof.FRESH_REPLY,
    text="It is refused if another move is due now.",
)  # fmt: skip
def confirm(context: Context, number: BoardNumber) -> Iterator[Message]:
    """Play the move that was submitted, if that ply is still due."""
    player = context.sender()
    board = context.board(number)
    number = board.match.number
    submitted = context.work.plans.submitted(number, player.id)
    if submitted is None:
        raise NotNow(f"You have submitted no move on board {number}.", f"show {number}")
    due, text = submitted
    if due != board.due:
        raise StaleMove(
            f"You submitted {text} as move {due} of board {number}, but move {board.due} is due.",
            f"show {number}",
        )
    context.work.plans.set_submitted(number, player.id, None)
    yield from take_turn(context, number, text, due)


def _read_preview(line: CommandLine) -> Request:
    """Read `B[#n] MOVE...`, or `new MOVE... [-option=value]` behind a game."""
    if line.words.rest and fold(line.words.rest[0]) == "new":
        return _read_preview_new(line)
    number, ply = line.words.board_number()
    if number is None and line.answered is None:
        raise NotUnderstood("preview needs the number of a board, or new.", line.example)
    if line.reply and line.words.credentials(line.reply.player, least_rest=1) and number is None:
        number, ply = line.words.board_number()
    return line.request(number=number, text=" ".join(line.words.rest), ply=ply)


def _read_preview_new(line: CommandLine) -> Request:
    if line.game is None:
        raise NotUnderstood("preview new begins with the name of a game.", "help preview")
    options = split_options(line.words.rest[1:])
    moves = " ".join(options.words)
    return line.request(None, preview_new, game=line.game, text=moves, options=options.game)


def _echo(request: Request) -> Request:
    """Return the request without its moves, which may be a password."""
    return replace(request, arguments={**request.arguments, "text": "", "options": {}})


@command(
    "preview", "B[#n] MOVE..., or GAME preview new MOVE... [-option=value]",
    "shows a position without storing it", "preview 104 G7 F6", needs=Proof.REGISTERED,
    read=_read_preview, least=4, echo=_echo,
    text="The sides move in turn, from the current position or from the one after n plies. "
         "Nothing is played, and nobody else is notified.",
)  # fmt: skip
def preview(context: Context, number: BoardNumber, text: MoveText, ply: Ply) -> Iterator[Message]:
    """Show a board as it would be after some moves; nothing changes."""
    reader = context.asker()
    context.budget.charge(drawn(0) + _variation(text))
    now = board = context.board(number)
    if ply is not None:
        board = context.boards.position_at(board, ply)
    moves, after = play_variation(board, text)
    people = context.people(everybody(board))
    token = seat_token(now, reader)
    yield preview_letter(reader, after, moves, people, reply=token)


@reply_command(
    "preview new",
    needs=Proof.REGISTERED,
    echo=_echo,
    writes=lambda asked: ("new", *asked.words("text"), *asked.options),
)
def preview_new(
    context: Context, game: str, text: str, options: Mapping[str, str]
) -> Iterator[Message]:
    """Show a new board of a game as it would be after some moves."""
    reader = context.asker()
    context.budget.charge(drawn(0) + _variation(text))
    rules = context.catalogue.get(game)
    setup = deal(rules, setup_of(rules, options), context.draw)
    nobody = tuple(-seat for seat in range(rules.info.players(setup)))
    board = live(new_match(0, rules, setup, Terms(), nobody, context.now), rules)
    moves, after = play_variation(board, text)
    yield preview_letter(reader, after, moves, {})


def preview_letter(
    to: Player,
    board: Board,
    moves: Sequence[str],
    people: People,
    *,
    submitted: bool = False,
    reply: Token | None = None,
) -> Letter:
    """Return the mail with a position that is not stored; a board numbered 0 is a new one.

    `submitted`: the one move is the reader's own and is played once they confirm it.
    """
    match, game = board.match, board.game
    mover = next(iter(board.to_move), None)
    sides = game.sides(board.position.state)
    news = "To be confirmed" if submitted else "Only a look"
    new = ", ".join([game.info.title, *options(match.setup, game)])
    stored = match.number > 0
    return answer(
        to, "boards/preview", board=match.number if stored else None,
        subject=thread_subject(match, game, people) if stored else news,
        sender=headline(news, game, match.number) if stored else "pbm",
        submitted=submitted, number=match.number, key=match.game, title=game.info.title,
        moves=listing(moves, most=40, last="and"),
        side="" if mover is None else side_of(sides[mover], game.info.signs[mover]),
        due=board.due, ending=_ending(board, sides), position=DrawnPosition(seen(board, to.id)),
        about=about(match, game) if stored else new, reply=reply,
    )  # fmt: skip


def _ending(board: Board, sides: Sequence[str]) -> str:
    """Return how the moves would end the match: "Eks wins: a chain ..."; "" if they do not."""
    outcome = board.match.outcome
    if outcome is None:
        return ""
    reason = reason_of(outcome, board.game)
    winners = listing((sides[seat] for seat in outcome.winners), last="and")
    return f"{winners} wins: {reason}" if winners else f"a draw: {reason}"


MOST_NOTES = 4000
"""The most letters of the notes of one player on one board."""

_DIGITS = 3
"""The digits of the number of the first board; a note may begin with a smaller number."""


def _read_note(line: CommandLine) -> Request:
    """Read `B [userid password] TEXT`; "note 3 stones are weak" names no board."""
    word = next(iter(line.words.rest), "")
    named = is_board(word) and (line.answered is None or len(word) >= _DIGITS)
    number = line.words.board_number()[0] if named else None
    if number is None and line.answered is None:
        raise no_board(line)
    credentials = line.who()
    return line.request(credentials, number=number, text=" ".join(line.words.rest))


def _opens_note(line: str) -> bool:
    """Return whether a line is a command: "Note that I am away" is for the opponent."""
    return fold(line).split()[1:2] != ["that"]


NOTED = Event(
    "noted",
    lambda seen: "Your notes are saved." if seen.text else "You have no notes on this board.",
    Effect.PRIVATE,
)


@command(
    "note", "B [userid password] TEXT", "keeps a private note on a match",
    "note 104 alice your-password weak in the corner", needs=Proof.BOARD, read=_read_note,
    writes=lambda request: (*written_words(request), request.arguments["text"]),
    aliases=("notes",), private=True, opens=_opens_note,
    text="Only you see it, in each mail of the board. What you write below that line belongs to "
         "the note as well; nothing of it goes to your opponent. A further note is added to the "
         "others; note 104 clear removes them.",
)  # fmt: skip
def note(context: Context, number: BoardNumber, text: str) -> Iterator[Message]:
    """Add to the notes of a player on a board, remove them, or show them."""
    player, (board, _) = context.sender().id, seated(context, number)
    plans, added = context.work.plans, "\n".join(filter(None, (text, context.comment)))
    notes = "\n".join(filter(None, (plans.private_notes(board.match.number, player).note, added)))
    if fold(added) == "clear":
        notes = ""
    if len(notes) > MOST_NOTES:
        raise NotAllowed(
            f"Your notes on a board can have {MOST_NOTES} letters. note clear removes them."
        )
    if added:
        plans.set_note(board.match.number, player, notes)
    noted = Happening(NOTED, player, "notes" if notes else "", only_for=player)
    yield from board_messages(context, board, noted)
