"""A mail read once: its tokens, what they prove, and what its lines ask for.

The stage that hashes passwords and the door share one value, so no token is looked for and no line
is parsed a second time, even if the mail has waited for its hashes.
"""

from pbm.domain.errors import NotUnderstood, UnreadSecret
from pbm.domain.mail import IncomingMail
from pbm.service.command import Request
from pbm.service.grammar import Grammar
from pbm.service.identity import Identity, prove
from pbm.service.line import Reply
from pbm.service.ports import UnitOfWork
from pbm.service.tokens import DatedToken, Token, TokenKind, TokenMint


class LineReader:
    """Reads the lines of a mail as its sender meant them, each once."""

    def __init__(self, grammar: Grammar, reply: Reply | None) -> None:
        self.grammar = grammar
        self.reply = reply
        self._read: dict[str, Request | NotUnderstood] = {}
        self._unproven = self if reply is None else LineReader(grammar, None)

    def begins_command(self, line: str) -> bool:
        """Return whether the first word of `line` is a verb or a game."""
        return self.grammar.begins_command(line)

    def read(self, line: str) -> Request:
        """Return what a line that `begins_command` asks for; raise NotUnderstood."""
        if line not in self._read:
            try:
                self._read[line] = self.grammar.read(line, self.reply)
            except NotUnderstood as error:
                self._read[line] = error
        found = self._read[line]
        if isinstance(found, NotUnderstood):
            raise found
        return found

    def read_move(self, line: str) -> Request:
        """Return what `line` asks for, a move without its verb."""
        return self.grammar.read_move(line, self.reply)

    def understood(self, line: str) -> Request | None:
        """Return what `line` asks for; None if it is no command, or one that cannot be read."""
        if not self.begins_command(line):
            return None
        try:
            return self.read(line)
        except NotUnderstood:
            return None

    def is_secret(self, line: str) -> bool:
        """Return whether `line` is a command that holds a password, whoever writes it."""
        if not self.begins_command(line):
            return False
        try:
            request = self._unproven.read(line)
        except NotUnderstood as error:
            return isinstance(error, UnreadSecret)
        return request.credentials is not None or bool(request.command.new_password)


class Reading:
    """What is read in a mail; what it proves holds in the unit of work that it was read in."""

    def __init__(self, mail: IncomingMail, grammar: Grammar, mint: TokenMint) -> None:
        self.mail = mail
        self.tokens: tuple[DatedToken, ...] = tuple(filter(None, map(mint.read, mail.plus_words)))
        self._grammar = grammar
        self._mint = mint
        self._proof: tuple[UnitOfWork, Identity] | None = None
        self._lines: dict[tuple[int, int | None] | None, LineReader] = {}

    @property
    def button(self) -> Token | None:
        """The token of the unsubscribe button that the mail was sent by; None for others."""
        dated = (dated.token for dated in self.tokens)
        return next((token for token in dated if token.kind is TokenKind.LEAVE), None)

    def proof(self, work: UnitOfWork) -> Identity:
        """Return what the mail proves in this unit of work.

        It is worked out again in another one, because a log-out may have come between.
        """
        if self._proof is None or self._proof[0] is not work:
            self._proof = work, prove(work, self._mint, self.mail, self.tokens)
        return self._proof[1]

    def lines(self, reply: Reply | None) -> LineReader:
        """Return what reads the lines of this mail as part of that reply."""
        key = None if reply is None else (reply.player.id, reply.number)
        if key not in self._lines:
            self._lines[key] = LineReader(self._grammar, reply)
        return self._lines[key]
