"""Plain words: by the question of the answered mail and what its reader says, the line meant.

This is for mails without a command or move. No row makes a move of words. Words without a row are
refused.
"""

from collections.abc import Mapping

from pbm.core.context import Context
from pbm.core.grammar import CHAT, find_verb
from pbm.core.words import Words, void
from pbm.dispatch.moves import moves_within
from pbm.dispatch.rooms import PLAYED, Asked, Room, people_in, room_of
from pbm.dispatch.script import (
    COMMAND_LINES,
    COMMENT_LINES,
    STOP_LINE,
    LineReader,
    Script,
    comment_of,
)
from pbm.domain.confirmations import Consent, read_answer
from pbm.domain.errors import NotNow, NotUnderstood, Refusal
from pbm.domain.mail import IncomingMail
from pbm.domain.phrases import (
    address_in,
    challenge_in,
    greets,
    is_weak,
    meaning_of,
    opening_of,
    says_more,
)
from pbm.domain.player import fold_userid
from pbm.domain.words import Meaning
from pbm.engine import frozen

_BOARDS = (*PLAYED, Asked.STARTED, Asked.OVER, Asked.FOLLOWED)

_NO_BOARD = (Asked.WAITING, Asked.OVER, Asked.SEVERAL, Asked.NOTHING)

ROWS: Mapping[tuple[Asked, Meaning], str] = {
    (Asked.INVITED, Meaning.YES): "accept",
    (Asked.INVITED, Meaning.NO): "decline",
    (Asked.WAITING, Meaning.YES): "accept",
    (Asked.STARTED, Meaning.YES): "accept",
    (Asked.WAITING, Meaning.UNDO): "withdraw",
    (Asked.OFFER, Meaning.YES): "accept",
    (Asked.OFFER, Meaning.NO): "reject",
    (Asked.EARLIER, Meaning.YES): "accept",
    (Asked.EARLIER, Meaning.NO): "reject",
    (Asked.BOARD, Meaning.YES): CHAT,
    (Asked.BOARD, Meaning.NO): CHAT,
    (Asked.OVER, Meaning.YES): CHAT,
    (Asked.OVER, Meaning.NO): CHAT,
    (Asked.OVER, Meaning.AGAIN): "rematch",
    (Asked.OVER, Meaning.RESIGN): "resign",
    **{(asked, Meaning.POLITE): CHAT for asked in (*PLAYED, Asked.OVER)},
    **{(asked, Meaning.SWAP): "swap" for asked in (*PLAYED, Asked.STARTED, Asked.SEVERAL)},
    **{(asked, Meaning.DRAW): "draw" for asked in (*PLAYED, Asked.STARTED, Asked.SEVERAL)},
    **{(asked, Meaning.UNDO): "undo" for asked in (*PLAYED, Asked.STARTED, Asked.SEVERAL)},
    **{(asked, Meaning.SHOW): "show" for asked in _BOARDS},
    (Asked.SEVERAL, Meaning.SHOW): "games",
    (Asked.NOTHING, Meaning.SHOW): "games",
    **{(asked, Meaning.GAMES): "games" for asked in Asked},
    **{(asked, Meaning.AWAY): "vacation" for asked in Asked},
    **{(asked, Meaning.FORGOT): "forgot" for asked in Asked},
    **{(asked, Meaning.ADDRESS): "change address {address}" for asked in Asked},
    **{(asked, Meaning.AGAIN): "rematch" for asked in (*PLAYED, Asked.STARTED)},
    **{(asked, Meaning.HINT): "hint" for asked in (*_BOARDS, Asked.SEVERAL)},
    **{(asked, Meaning.ANALYSE): "analyse" for asked in (*_BOARDS, Asked.SEVERAL)},
    **{(asked, Meaning.RULES): "help {game}" for asked in Asked},
    **{(asked, Meaning.HELP): "help" for asked in Asked},
    **{(asked, Meaning.OPPONENT): "help" for asked in _NO_BOARD},
    **{(asked, Meaning.LIST): "list" for asked in Asked},
    **{(asked, Meaning.LOOK): "set" for asked in Asked},
    **{(asked, Meaning.ROBOT): "robot" for asked in (Asked.SEVERAL, Asked.NOTHING)},
    **{(asked, Meaning.ROBOT): "robot {game}" for asked in (Asked.WAITING, Asked.OVER)},
}
"""The line that is meant by the words, for each kind of mail that they answer."""

_RESIGN = NotUnderstood(
    "Do you want to give this match up? That cannot be taken back, so please say it in one word, "
    "resign or yes.",
    "resign",
)

_WHICH_OFFER = NotUnderstood(
    "That mail asks for no yes or no, so nothing was done. An offer is answered by accept or "
    "reject and the number of its board; help tells how to begin a match.",
    "accept board-number",
    "help",
)

UNSURE: Mapping[Asked, Refusal] = {
    Asked.OFFER: NotUnderstood(
        "An offer waits for your answer, and it is not sure that you agree to it. Reply accept or "
        "reject in one word.",
        "accept",
        "reject",
    ),
    Asked.INVITED: NotUnderstood(
        "This invitation waits for your answer. Reply accept if you want to play, or decline.",
        "accept",
        "decline",
    ),
}
"""The questions back, if words follow a yes that cannot be understood."""

_NO_OFFER = "A yes or a no counts only in a reply to the mail that asks for it. Nothing was done."

QUESTIONS: Mapping[tuple[Asked, Meaning], Refusal] = {
    **{(asked, Meaning.RESIGN): _RESIGN for asked in (*PLAYED, Asked.STARTED)},
    (Asked.INVITED, Meaning.POLITE): UNSURE[Asked.INVITED],
    (Asked.STARTED, Meaning.NO): NotNow(
        "The match that you accepted has begun. If you do not want to play it, reply decline "
        "before your first move, and it does not count.",
        "decline",
    ),
    (Asked.SEVERAL, Meaning.RESIGN): NotUnderstood(
        "To give a match up, reply resign and the number of its board. If you want to leave this "
        "server, reply stop.",
        "resign board-number",
    ),
    **{(Asked.SEVERAL, meaning): _WHICH_OFFER for meaning in (Meaning.YES, Meaning.NO)},
    (Asked.NOTHING, Meaning.YES): NotUnderstood(_NO_OFFER, "games", "help"),
    (Asked.NOTHING, Meaning.NO): NotUnderstood(_NO_OFFER, "games"),
}
"""The questions back, if the words are clear but not enough."""

SILENT = frozenset(
    (asked, Meaning.POLITE)
    for asked in (Asked.WAITING, Asked.STARTED, Asked.FOLLOWED, Asked.SEVERAL, Asked.NOTHING)
)
"""Courtesies that are not answered, except for a greeting that is no reply."""


def in_plain_words(
    context: Context, mail: IncomingMail, script: Script, reader: LineReader
) -> Script | None:
    """Return `script` with the line that the plain words of `mail` mean, if they mean one.

    Returns None for a courtesy that needs no answer. Raises the Refusal that asks back. A mail
    with a command or a move, and one whose words have no row, is left as it is.
    """
    reply = context.reply
    counts = reply is None or (reply.writes_to is None and void(reply) is None)
    if context.reader is None or not counts:
        return script
    written = any(map(str.strip, mail.lines))
    lines = mail.lines[:COMMENT_LINES] if written else (mail.subject,)
    if len(script.lines) < 2 and (asked := _help_or_stop(context, lines)):
        return Script((reader.step(asked),))
    if script.guess is None:
        return script
    return _chat_line(context, lines, reader) or _meant(context, script, lines, reader)


def _meant(
    context: Context, script: Script, lines: tuple[str, ...], reader: LineReader
) -> Script | None:
    """Return what the words mean in the room in which they were written, as `in_plain_words`."""
    room = room_of(context)
    names = tuple(player.userid for player in people_in(context, room))
    said = _said(lines, names, asked=room.asked in (Asked.INVITED, Asked.OFFER))
    meaning, at = said.meaning, said.at
    _check_sure(room, said, lines)
    if meaning and (question := QUESTIONS.get((room.asked, meaning))):
        raise question
    if meaning and _is_silent(context, room, meaning):
        return Script(()) if room.asked is Asked.NOTHING and greets(lines[at]) else None
    row = ROWS.get((room.asked, meaning)) if meaning else None
    row = row or _challenge(context, lines[at])
    if row is None:
        return _as_talk(context, room, script, lines, reader)
    game = room.match.game if room.match else ""
    line = row.format(game=game, address=address_in(lines[at])).strip()
    opens = not said.whole and opening_of(lines[at], names) is not None
    if not (line == CHAT or says_more(lines[at]) or opens):
        lines = (*lines[:at], *lines[at + 1 :])  # nothing in that line is for others
    return Script((reader.step(line),), comment_of(lines, reader))


def _chat_line(context: Context, lines: tuple[str, ...], reader: LineReader) -> Script | None:
    """Return the chat of a reply whose words begin on the line of the command, else None."""
    at = next((n for n, line in enumerate(lines) if line.strip()), None)
    verb, _, said = (lines[at] if at is not None else "").strip().partition(" ")
    found = find_verb(verb)
    if context.reply is None or at is None or found is None or found.name != CHAT:
        return None
    words = Words(said.split())
    number, _ = words.board_number()
    board = "" if number is None else f" {number}"
    named = words.rest[:1] and fold_userid(words.rest[0]) == fold_userid(context.asker().userid)
    if len(words.rest) < 2 or named:
        return None  # what follows may be a password
    talk = (" ".join(words.rest), *lines[at + 1 :])
    return Script((reader.step(f"{CHAT}{board}"),), comment_of(talk, reader))


def _challenge(context: Context, line: str) -> str | None:
    """Return the challenge that "play gonnect with bob" or "play bob" means, else None."""
    named, opponent = challenge_in(line)
    if named:
        game = context.catalogue.find(named)
        return f"{game.info.key} challenge {opponent}" if game else None
    if context.reply is not None and context.reply.number is not None:
        return None  # on a board it is talk, or a move
    player = context.work.players.by_userid(opponent) if opponent else None
    return f"challenge {player.userid}" if player and player != context.reader else None


def _is_silent(context: Context, room: Room, meaning: Meaning) -> bool:
    """Return whether words of that meaning need no answer: robots do not wait for thanks."""
    if (room.asked, meaning) in SILENT:
        return True
    if meaning is not Meaning.POLITE or not room.board:
        return False
    people = context.people(room.board.match.players).values()
    return all(player.is_robot for player in people if player != context.reader)


@frozen
class _Said:
    """The meaning and the index of the first line with one; `whole`: all else is courtesy."""

    meaning: Meaning | None = None
    at: int = 0
    whole: bool = True


def _said(lines: tuple[str, ...], names: tuple[str, ...], *, asked: bool) -> _Said:
    """Return the meaning of a text. Courtesies may precede it; prose ends the search.

    If the mail answered has `asked` for a yes, it counts in every language, and as a thumbs-up.
    """
    written = [(n, line) for n, line in enumerate(lines) if line.strip()]
    means = [meaning_of(line, names) for _, line in written[:COMMAND_LINES]]
    if asked:
        agreed = (read_answer(line) is Consent.YES for _, line in written[:COMMAND_LINES])
        means = [Meaning.YES if yes else m for yes, m in zip(agreed, means, strict=True)]
    polite = [
        meaning is Meaning.POLITE or (meaning is None and n > 0 and _is_name(line))
        for n, (meaning, (_, line)) in enumerate(zip(means, written, strict=False))
    ]
    first = next((n for n, courtesy in enumerate(polite) if not courtesy), None)
    if first is None:
        return _Said(Meaning.POLITE if 0 < len(written) <= COMMAND_LINES else None)
    at, line = written[first]
    if meaning := means[first]:
        return _Said(meaning, at, all(polite[first + 1 :]) and len(written) <= COMMAND_LINES)
    return _Said(opening_of(line, names), at, whole=False)


def _check_sure(room: Room, said: _Said, lines: tuple[str, ...]) -> None:
    """Raise the Refusal for a yes with words after it that may take it back."""
    if said.meaning is not Meaning.YES or said.whole:
        return
    if room.asked is Asked.OFFER or (room.asked is Asked.INVITED and is_weak(lines[said.at])):
        raise UNSURE[room.asked]


def _is_name(line: str) -> bool:
    word = line.strip(" .,!-")
    return word.isalpha() and word.istitle() and find_verb(word) is None


def _as_talk(
    context: Context, room: Room, script: Script, lines: tuple[str, ...], reader: LineReader
) -> Script:
    """Return the text as a chat if it cannot be anything else, and otherwise `script`.

    That is so after the end of a match, and in a reply to a chat if no word of it is a move: a plan
    that could not be read must not reach the opponent.
    """
    reply, board = context.reply, room.board
    first = next((line for line in lines if line.strip()), "")
    if not first or board is None or reader.begins_command(first):
        return script
    answers_talk = reply is not None and reply.talk and room.asked in PLAYED
    text = " ".join(lines)
    if len(text.split()) == 1:
        return script  # it is more likely a move that went wrong
    talks = reply and answers_talk and not moves_within(board, reply.player, text)
    if room.asked is Asked.OVER or talks:
        return Script((reader.step(CHAT),), comment_of(lines, reader))
    return script


def _help_or_stop(context: Context, lines: tuple[str, ...]) -> str:
    """Return the command for a first line that asks for help or for fewer mails; else "".

    These may begin like a command, such as "help me please" and "unsubscribe". The second is left
    to the grammar if that can carry it out.
    """
    line = next(filter(str.strip, lines), "")
    if any(map(str.isdigit, line)):
        return ""  # as in most moves, and in no phrase
    meaning = meaning_of(line)
    if meaning is Meaning.HELP:
        return "help"
    if meaning is not Meaning.STOP:
        return ""
    verb = find_verb(line.strip(" .!"))
    follows = context.reply is not None and room_of(context).asked is Asked.FOLLOWED
    return "" if verb is not None and follows else STOP_LINE
