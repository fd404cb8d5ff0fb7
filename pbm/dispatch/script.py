"""A mail is read once: its tokens and their proof, its steps, and its comment.

Commands come from the subject or, if it has none, from the first lines that the sender wrote, at
most ten. In a reply, a command in the first line and a move in the text go before a subject. They
end at `quit`, `end`, `--`, or at the first line after a command that is not one
itself.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from itertools import islice, pairwise, takewhile

from pbm.core.command import Request
from pbm.core.grammar import MESSAGE, MOVE, Grammar
from pbm.core.identity import Identity, prove
from pbm.core.tokens import DatedToken, Token, TokenKind, TokenMint
from pbm.core.words import Reply
from pbm.domain.errors import NotUnderstood, Refusal, UnreadSecret
from pbm.domain.mail import IncomingMail
from pbm.domain.phrases import is_quote, meaning_of, split_remark
from pbm.domain.player import PASSWORD_LENGTHS, Player, fold_userid
from pbm.domain.words import PASSWORD, Meaning, any_of
from pbm.engine import fold, frozen
from pbm.store.unit import UnitOfWork

_CONFIRMING = (TokenKind.SIGNUP, TokenKind.CONFIRMATION)


@frozen
class Step:
    """One line of a mail, and the request in it or why it has none.

    `begun`: the line begins with a verb or a game; if not, it is a bare move, or nothing.
    """

    line: str
    meant: Request | Refusal
    begun: bool = False

    @property
    def request(self) -> Request | None:
        """The request, or None if the line could not be read."""
        return self.meant if isinstance(self.meant, Request) else None

    def asked(self) -> Request:
        """Return the request; raise the Refusal of a line that could not be read."""
        if isinstance(self.meant, Refusal):
            raise self.meant
        return self.meant


class LineReader:
    """Reads the lines of a mail as its sender meant them, each once."""

    def __init__(self, grammar: Grammar, reply: Reply | None) -> None:
        self.grammar = grammar
        self.reply = reply
        self._steps: dict[str, Step] = {}
        self._unproven = self if reply is None else LineReader(grammar, None)

    def begins_command(self, line: str) -> bool:
        """Return whether the first word of `line` is a verb or a game."""
        return self.grammar.begins_command(line)

    def step(self, line: str) -> Step:
        """Return the step of a line: that of a command, or else of a move without its verb."""
        if line not in self._steps:
            begun = self.begins_command(line)
            read = self.grammar.read if begun else self.grammar.read_move
            try:
                self._steps[line] = Step(line, read(line, self.reply), begun)
            except NotUnderstood as error:
                self._steps[line] = Step(line, error, begun)
        return self._steps[line]

    def understood(self, line: str) -> Request | None:
        """Return the request in `line`, or None if it is no command that can be read."""
        return self.step(line).request if self.begins_command(line) else None

    def is_secret(self, line: str) -> bool:
        """Return whether `line` is a command with a password, whoever writes it."""
        if not self.begins_command(line):
            return False
        meant = self._unproven.step(line).meant
        if isinstance(meant, Refusal):
            return isinstance(meant, UnreadSecret)
        return meant.credentials is not None or bool(meant.command.new_password)


class Reading:
    """The reading of a mail; its proof is valid in the unit of work in which it was made."""

    def __init__(self, mail: IncomingMail, grammar: Grammar, mint: TokenMint) -> None:
        self.tokens: tuple[DatedToken, ...] = tuple(filter(None, map(mint.read, mail.plus_words)))
        answers = any(dated.token.kind is not TokenKind.LEAVE for dated in self.tokens)
        self.mail = replace(mail, silence=None) if mail.unless_proven and answers else mail
        self._grammar = grammar
        self._mint = mint
        self._proof: tuple[UnitOfWork, Identity] | None = None
        self._lines: dict[tuple[int, int | None] | None, LineReader] = {}

    @property
    def button(self) -> Token | None:
        """The token of the unsubscribe button, if the mail was sent by one."""
        dated = (dated.token for dated in self.tokens)
        return next((token for token in dated if token.kind is TokenKind.LEAVE), None)

    @cached_property
    def has_verb(self) -> bool:
        """Whether a line may be a command with a verb; a move in a reply has none."""
        begins = self.lines(None).begins_command
        return any(map(begins, (self.mail.subject, *self.mail.lines)))

    @property
    def confirms(self) -> bool:
        """Whether the mail may confirm what was asked, as a signup."""
        return any(dated.token.kind in _CONFIRMING for dated in self.tokens)

    def proof(self, work: UnitOfWork) -> Identity:
        """Return the proof in the mail, for this unit of work.

        It is made again for another one, because there may have been a log-out since.
        """
        if self._proof is None or self._proof[0] is not work:
            self._proof = work, prove(work, self._mint, self.mail, self.tokens)
        return self._proof[1]

    def lines(self, reply: Reply | None) -> LineReader:
        """Return the reader of the lines of this mail as part of that reply."""
        key = None if reply is None else (reply.player.id, reply.number)
        if key not in self._lines:
            self._lines[key] = LineReader(self._grammar, reply)
        return self._lines[key]


COMMAND_LINES = 10

LINES_COUNTED = 30
"""Lines that are read to count the commands that were too many."""

COMMENT_LENGTH = 4000
"""Characters of a comment that are kept, so that a board mail still mainly shows the board."""

COMMENT_LINES = 500
"""Lines of a mail in which a comment is looked for, because each must be read as a command."""

STOP_LINE = "help stop"
"""The line that is carried out for those who want fewer mails."""

_ENDS = frozenset({"quit", "end", "--", "stop", "-"})
"""The ends of the commands, folded; phones make one dash of two hyphens, which folds to "-"."""


MoveReader = Callable[[str], str | None]
"""Returns the move that a line without a verb is meant as, without words around it, or None.

It is a move on the board replied to, or follows the number of one of the boards in the mail
replied to.
"""


@frozen
class Script:
    """The content of a mail: its `steps`, commands and bare moves, and the `comment`.

    `unread` counts the commands beyond the limit. They are neither carried out nor part of
    the comment. `guess`, if not None: the mail has no command, and this is the line that looks
    most like one, or "" for none; `text` is then all that was written.
    """

    steps: tuple[Step, ...]
    comment: str = ""
    unread: int = 0
    guess: str | None = None
    text: str = ""

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of the steps; if there are none, the line that is guessed."""
        return tuple(step.line for step in self.steps) or tuple(filter(None, [self.guess]))

    @property
    def private(self) -> bool:
        """Whether the text is for no other player: a command keeps or reports it."""
        return any(step.request and step.request.command.private for step in self.steps)


def read_script(
    mail: IncomingMail,
    lines: LineReader,
    as_move: MoveReader,
    is_sentence: Callable[[Request], bool] = lambda _: False,
) -> Script:
    """Return the steps of `mail`, and its comment.

    `is_sentence` is whether a request in a reply is none if a move is below it.
    """
    reply = lines.reply
    if reply is not None and reply.writes_to is not None:
        return _letter(mail, lines, reply.writes_to)
    steps = _StepReader(lines, as_move)
    if lines.begins_command(mail.subject) and not (
        _answers(mail, lines) and (not steps.at(mail.subject) or steps.are_in(mail.lines))
    ):
        return Script((lines.step(mail.subject),), comment_of(mail.lines, lines))
    found = _first(mail.lines, steps.first_at)
    if found and reply and found[1].request and is_sentence(found[1].request):
        found = _first(mail.lines, steps.move_at) or found
    if found is None:
        return _guess(mail, lines, steps)
    return steps.script(mail.lines, *found)


@frozen
class _StepReader:
    """Reads lines as whole commands or, in a reply, as moves."""

    lines: LineReader
    as_move: MoveReader

    def move_at(self, line: str) -> Step | None:
        """Return the step of a move in a reply."""
        move = self.as_move(line) if self.lines.reply is not None else None
        return self.lines.step(move) if move else None

    def at(self, line: str) -> Step | None:
        """Return the step of a command or a move."""
        request = self.lines.understood(line)
        if request and request.command.name == MOVE and request.number is None:
            # "Move over!" below a move is talk: what follows the verb must be a move there.
            request = request if self.as_move(request.move) == request.move else None
        return self.lines.step(line) if request else self.move_at(line)

    def first_at(self, line: str) -> Step | None:
        """Return the step of a line that is the first one: "Accept." or "F6." in a reply.

        Below it, "Help!" is talk. Longer lines are prose or end in a password.
        """
        short = self.lines.reply is not None and len(line.split()) <= 2
        meant = line.rstrip(" .!") if short else line
        return self.at(meant) or (self.at(line) if meant != line else None)

    def are_in(self, text: tuple[str, ...]) -> bool:
        """Return whether the first line is a command or a move, or another one is a move."""
        first = next(filter(str.strip, text), "")
        return bool(self.first_at(first) or _first(text, self.move_at))

    def more(self, text: tuple[str, ...]) -> tuple[list[Step], tuple[str, ...]]:
        """Return the steps at the head of the `text` below the first step, and its other lines.

        Only what is clearly a step counts there. But several boards are equals: a player who
        answers for them writes below each, so there may be blank lines between.
        """
        several = self.lines.reply is not None and self.lines.reply.number is None
        steps: list[Step] = []
        for n, line in enumerate(text):
            if several and not line.strip():
                continue
            found = None if len(steps) == LINES_COUNTED else self.at(line)
            if found is None or not (several or found.line == line):
                return steps, text[n + (fold(line) in _ENDS) :]
            steps.append(found)
        return steps, ()

    def script(self, text: tuple[str, ...], start: int, first: Step) -> Script:
        """Return the script of a `text` whose `first` step is in its line `start`."""
        more, rest = self.more(text[start + 1 :])
        remark = split_remark(text[start])[1] if first.line != text[start] else ""
        comment = comment_of((*text[:start], *filter(None, [remark]), *rest), self.lines)
        unread = max(0, 1 + len(more) - COMMAND_LINES)
        return Script((first, *more)[:COMMAND_LINES], comment, unread)


def _answers(mail: IncomingMail, lines: LineReader) -> bool:
    """Return whether the mail answers one of ours by a text.

    Its subject may be anything then; some programs write "Message from Jo" by themselves.
    """
    written = any(map(str.strip, mail.lines))
    return lines.reply is not None and lines.reply.answers and written


def _letter(mail: IncomingMail, lines: LineReader, sender: str) -> Script:
    """Return the answer to a message or broadcast: the whole text goes back to its `sender`.

    A first line with credentials, one that blocks or reports somebody, and one that asks for fewer
    mails are not for the sender.
    """
    line = next((line for line in mail.lines if line.strip()), "")
    request = lines.understood(line)
    if request and (request.credentials or request.command.in_letters):
        at = mail.lines.index(line)
        return Script((lines.step(line),), comment_of(mail.lines[at + 1 :], lines))
    if meaning_of(line) is Meaning.STOP:
        return Script((lines.step(STOP_LINE),))
    if not line:
        return Script(())
    return Script((lines.step(f"{MESSAGE} {sender}"),), comment_of(mail.lines, lines))


def _head(text: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Return the first ten lines that are not blank, each after its index, up to an end."""
    left = COMMAND_LINES
    for n, line in enumerate(text):
        if not left or fold(line) in _ENDS:
            return
        if line.strip():
            left -= 1
            yield n, line


def _first(text: tuple[str, ...], step_at: Callable[[str], Step | None]) -> tuple[int, Step] | None:
    """Return the first step of the head of a text, after its index, or None if it has none."""
    for n, line in _head(text):
        if found := step_at(line):
            return n, found
    return None


def candidates(mail: IncomingMail, lines: LineReader) -> Iterator[Request]:
    """Yield what can be a command with a password; the commands of the script are among them."""
    found = [mail.subject] if lines.begins_command(mail.subject) else []
    if not found or _answers(mail, lines):
        before_end = takewhile(lambda line: fold(line) not in _ENDS, mail.lines)
        found += islice(filter(lines.begins_command, before_end), COMMAND_LINES)
    yield from filter(None, map(lines.understood, found))


def _guess(mail: IncomingMail, lines: LineReader, steps: _StepReader) -> Script:
    """Return what is most likely meant as a command, to be refused with a reason.

    It is certain only if it is a move in the subject of a reply.
    """
    if move := steps.move_at(mail.subject):
        return Script((move,), comment_of(mail.lines, lines))
    written = [line for _, line in _head(mail.lines) if not is_quote(line)]
    first, reply = written[:1], lines.reply
    likely = [line for line in first if lines.begins_command(line)]
    if not likely and reply and reply.answers:
        # A sentence that may name a move says more than the greeting above it.
        likely = [line for line in written if any(map(str.isdigit, line))][:1]
        likely = likely or [*filter(lines.begins_command, (mail.subject,))] or first
    elif not likely:
        resembles = lines.grammar.resembles_command
        likely = [line for line in (mail.subject, *first) if resembles(line)]
    return Script((), guess=next(iter(likely), ""), text=comment_of(mail.lines, lines))


def comment_of(text: tuple[str, ...], lines: LineReader) -> str:
    """Return the lines as one text, without those that look like commands with a password."""
    kept = [line for line in text[:COMMENT_LINES] if not lines.is_secret(line)]
    return "\n".join(kept).strip()[:COMMENT_LENGTH]


_WORDS = re.compile(r"\S+")

_NAMED_PASSWORD = re.compile(
    rf"(\b{any_of(PASSWORD)}\b"
    r"(?:\s*[:=]\s*|[ \t]+(?:is|ist|est|es|é|это)\s+|[ \t]+(?=\S*\d)))\S{4,}",
    re.IGNORECASE,
)


def without_secrets(player: Player, text: str, own_name: str = "") -> str:
    """Return `text` without what could be the player's password: all that follows their userid.

    A word behind "password:" is left out too, and behind "password" if it has a digit and is on the
    same line. The words of their `own_name`, as their mails give it, are kept: many sign with both.

    A command typed below the lines that are read is a comment, and the opponent would read the
    password. The rule does not compare words with the password, so an answer does not give it
    away.
    """
    names = frozenset(_bare(word) for word in own_name.split())
    text = _NAMED_PASSWORD.sub(r"\1***", text)
    return "\n".join(_masked(player, line, names) for line in text.split("\n"))


def _bare(word: str) -> str:
    return fold(word).strip(".,!()\"'")


def _masked(player: Player, line: str, names: frozenset[str]) -> str:
    words = list(_WORDS.finditer(line))
    userid = fold_userid(player.userid)
    for name, word in pairwise(words):
        may_be_password = len(word[0]) >= PASSWORD_LENGTHS[0] and _bare(word[0]) not in names
        if fold_userid(name[0]) == userid and may_be_password:
            return f"{line[: name.end()]} ***"
    return line
