"""Mails as values: received, read, with their outcome, and outgoing."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta, tzinfo
from enum import IntEnum, StrEnum
from functools import cache

from pbm.engine import frozen


class Mailing(IntEnum):
    """A kind of mail that its reader can unsubscribe from, which ends no game.

    The numbers are part of tokens; do not change them.
    """

    FOLLOWED = 1  # about boards that the reader follows
    SEEKS = 2
    BROADCASTS = 3
    REMINDERS = 4  # all but the last one of a turn
    NEWS = 5
    MOVES = 6  # each for itself, of one's own matches; they then come once a day
    ALL = 7  # all that settings can stop


FOLLOWED_AN_HOUR = 60
"""Mails that one reader gets in an hour about boards that they only follow.

Two players can move all day, and somebody who follows every board of a game did not choose them.
"""

ENDS_AN_HOUR = 120
"""The same at the end of a match, which many wait for."""


@frozen
class Leaving:
    """The mails that a button stops, with the `number` of a board or the key of a `game`."""

    mailing: Mailing
    number: int = 0
    game: str = ""

    @property
    def subject(self) -> str:
        """The subject of the mail that the button writes."""
        return f"{self.game} unsubscribe seeks" if self.game else "unsubscribe"


HELD = "held."
"""The prefix of the settings that note moves held back for a digest, one for each board.

A mail that reports the move removes its setting. So no move is forgotten, even if the reader turns
the digest off. No player can set them.
"""

HOUR = time(6)
"""The time of a digest in the zone of its reader."""


@frozen
class Held:
    """The plies of board `number` from `ply` on, held back for the digest since `since`."""

    number: int
    ply: int
    since: datetime

    @property
    def value(self) -> str:
        """The stored value."""
        return f"{self.ply} {self.since.isoformat()}"


def held_name(number: int) -> str:
    """Return the name of the setting that notes what is held back of board `number`."""
    return f"{HELD}{number}"


def quiet_name(number: int) -> str:
    """Return the name of the setting of a player who wants fewer mails about board `number`."""
    return f"quiet.{number}"


def held_on(number: int, stored: Mapping[str, str]) -> Held | None:
    """Return the plies of board `number` that are held back, or None."""
    value = stored.get(held_name(number))
    if value is None:
        return None
    ply, _, since = value.partition(" ")
    return Held(number, int(ply), datetime.fromisoformat(since))


def all_held(stored: Mapping[str, str]) -> tuple[Held, ...]:
    """Return everything that is held back, in order of board."""
    numbers = sorted(int(name.removeprefix(HELD)) for name in stored if name.startswith(HELD))
    return tuple(held for number in numbers if (held := held_on(number, stored)))


def due_at(held: Iterable[Held], zone: tzinfo) -> datetime | None:
    """Return when the digest is due: at the first HOUR in `zone` after the oldest, or None.

    One digest reports everything that is held back, so the next one comes a day later at least.
    """
    since = min((each.since for each in held), default=None)
    if since is None:
        return None
    local = since.astimezone(zone)
    days = (local.date(), local.date() + timedelta(days=1))
    hours = (datetime.combine(day, HOUR, zone).astimezone(UTC) for day in days)
    return next(hour for hour in hours if hour > since)


LOOP_HEADER = "X-PBM-Loop"
"""A header of all our mails. Its value does not matter: another pbm is a machine too."""


OPERATOR_NAMES = frozenset({"postmaster", "abuse"})
"""Local parts under which every mail host has a person (RFC 5321 section 4.5.1, RFC 2142)."""


SERVER_NAMES = frozenset({"bounce", *OPERATOR_NAMES})
"""Local parts that every server takes mail for; one more is its own address."""


def local_name(recipient: str) -> str:
    """Return the part before the @ without a plus-tag, in lower case, or all of it without an @."""
    address = recipient.strip("<> ").lower()
    return (address.rpartition("@")[0] or address).partition("+")[0]


def with_word(address: str, word: str) -> str:
    """Return `address` with a word behind "+", or behind "-" if it has a plus-tag of its own."""
    local, _, domain = address.rpartition("@")
    return f"{local}{'-' if '+' in local else '+'}{word}@{domain}"


def words_at(address: str, word: str) -> str:
    """Return a regular expression for `with_word`, where `word` is one; all in lower case."""
    return re.escape(with_word(address.lower(), "WORD")).replace("WORD", word)


def is_of_server(address: str, server: str, *, at_provider: bool = False) -> bool:
    """Return whether mails to `address` come to the server whose address is `server`.

    `at_provider`: that is an address at a mail provider, and only this one is ours.
    """
    if "+" in server:
        ours = f"{re.escape(server.lower())}|{words_at(server, '.*')}"
        return re.fullmatch(ours, address.lower()) is not None
    same_host = address.rpartition("@")[2].lower() == server.rpartition("@")[2].lower()
    names = {local_name(server), *(() if at_provider else SERVER_NAMES)}
    return same_host and local_name(address) in names


@frozen
class ReceivedMail:
    """A mail as the listener took it: the envelope and the bytes.

    `sender` is the envelope sender, "" for the null sender; it proves nothing and is never
    answered. `content` has CRLF line endings. Headers may have lone ones, and then the mail has no
    author. `received_at` is in UTC. `network` is the one that it came from, as far as that is known
    when it is received, and is stored until the mail is played. `peer` is the host that brought it,
    and is not stored. `listener` is the one that received it, such as "smtp 127.0.0.1:8025"
    or, if a relay of ours brought it there, the same with `BY_RELAY`.
    """

    sender: str
    recipients: tuple[str, ...]
    content: bytes
    received_at: datetime
    network: str = field(default="", compare=False)
    peer: str = field(default="", compare=False)
    listener: str = field(default="", compare=False)

    @property
    def from_host_of_ours(self) -> bool:
        """Whether a host of ours brought it, whose word on its author counts."""
        return not self.listener.startswith("smtp ") or self.listener.endswith(BY_RELAY)


BY_RELAY = " by a relay"
"""The end of the name of an SMTP listener for a mail that a relay of ours has brought."""


def message_key(message_id: str | bytes) -> int | None:
    """Return the number under which a Message-ID is remembered, of 64 bits; None for an empty one.

    A Message-ID can be of any length and can name a person; its number cannot. The brackets around
    it do not count.
    """
    octets = message_id.encode("utf-8", "replace") if isinstance(message_id, str) else message_id
    bare = octets.strip(b" \t\r\n<>")
    if not bare:
        return None
    return int.from_bytes(hashlib.sha256(bare).digest()[:8], "big", signed=True)


@frozen
class Source:
    """The sender that a waiting mail is counted for, and a group that no sender leaves easily.

    `proven`: a reply token says which player it is.
    """

    sender: str
    group: str
    proven: bool = field(default=False, compare=False)


@frozen
class Report:
    """A host's report that one of our mails was not delivered and will not be.

    `word` is that of the `bounce_address` which the report came to; it identifies the mail. Only
    the recipient and the hosts on the way know it. `status` is the reason, such as "5.1.1" (RFC
    3463), or "" if the report gives none. If it came to another address, `word` is "", and one of
    `names`, from the copy of our mail in it or from what it answers, identifies the mail.
    """

    word: str
    status: str
    names: tuple[str, ...] = ()


def bounce_address(word: str, address: str, *, at_provider: bool = False) -> str:
    """Return the envelope sender of one mail of the server at `address`: reports come back there.

    It is bounce+WORD, or PBM+bounce-WORD `at_provider`, where no other name is ours; see
    `with_word`.

    The `word` is used for this mail only, and is nowhere in the mail itself: only the key of the
    server makes it of the mail's name (`TokenMint.return_word`).
    """
    if at_provider:
        return with_word(address, f"bounce-{word}")
    return f"bounce+{word}@{address.rpartition('@')[2]}"


@frozen
class IncomingMail:
    """A mail of any kind as it was read.

    `author` is the one address of the one From header, in lower case, or None if there is not
    exactly one. `author_name` is the name in that header, which proves nothing. `subject` is
    decoded, on one line, without "Re:" and the like. `lines` are the sender's own text in order,
    without quotes and signature, with the blank lines between paragraphs. `plus_words` are the
    words after "+" in those of our addresses that the mail was sent to, in lower case; they may be
    reply tokens. `message_id` is the mail's own id if it has the strict form `<a@b>`. `silence` is
    the reason why the mail must be neither executed nor answered, or None if it may be; with
    `unless_proven` it does not count if one of `plus_words` is a reply token. `follows`: it answers
    or passes on another mail, whose subject it may have. `report` is
    about one of our mails that came back; such a mail is always silenced. `authenticated` means
    that the front MTA vouches for the author. `network` is the one that the mail came from, from
    that MTA or from intake, or "" if neither knows. `for_operator` is the whole mail, if it was
    sent only to the postmaster.
    """

    author: str | None
    subject: str
    lines: tuple[str, ...]
    plus_words: tuple[str, ...] = ()
    message_id: str | None = None
    silence: str | None = None
    follows: bool = False
    unless_proven: bool = False
    report: Report | None = None
    authenticated: bool = False
    network: str = ""
    author_name: str = ""
    for_operator: bytes | None = field(default=None, repr=False)


JOIN_WITHIN = timedelta(seconds=15)
"""The time that a mail waits for a robot's turn. An idle server looks for mails every 5 seconds, so
it goes out after 20 at the latest."""


@frozen
class Joinable:
    """The plies of board `number` from `ply` on, in a mail that waits to be joined with the next.

    `answers` is the mail of the inbox that led to it, if any.
    """

    number: int
    ply: int
    answers: int | None = None


@frozen
class OutgoingMail:
    """A composed mail, as it is in the outbox until a relay accepts it.

    `message_id` is the same at every try. `content` has CRLF line endings, lines of at
    most 998 octets, and ASCII headers. With `waits` it goes out only after JOIN_WITHIN.
    """

    sender: str
    recipient: str
    message_id: str
    content: bytes = field(repr=False)
    waits: Joinable | None = None


def unflowed(text: str) -> str:
    """Return a text of ours, sent as format=flowed (RFC 3676), in the lines it was written in.

    The line above a signature keeps its space (section 4.3).
    """
    return "\n".join(
        line if line == "-- " else line.removeprefix(" ").rstrip(" ") for line in text.split("\n")
    )


MOST_SHOWN = 5
"""The most deeds of one mail that are named; the others are counted."""

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")


class Fate(StrEnum):
    """The outcome of a mail in one word."""

    PLAYED = "played"
    """At least one of its lines was carried out, or it was answered with help."""
    REFUSED = "refused"
    """None was, and its sender got the reason."""
    SILENCED = "silenced"
    """It did nothing and was not answered, by some rule."""
    SHUNTED = "shunted"
    """It met a bug."""


@frozen
class MailOutcome:
    """The outcome of a mail.

    `rule` names what refused or silenced it, such as "not-now" or "auto-submitted"; there are a
    few dozen of them. `deeds` says what was carried out, such as "move on board 104", and
    `boards` are the numbers in it.
    """

    fate: Fate
    rule: str = ""
    deeds: tuple[str, ...] = ()
    boards: tuple[int, ...] = ()

    def __str__(self) -> str:
        """Return it as one short line in ASCII."""
        shown = self.deeds[:MOST_SHOWN]
        rest = len(self.deeds) - len(shown)
        facts = (*shown, *([f"{rest} more"] if rest else []), *([self.rule] if self.rule else []))
        return f"{self.fate}: {', '.join(facts)}" if facts else str(self.fate)


@dataclass(slots=True)
class OutcomeLog:
    """Notes about one mail while it is played, from which its outcome is made."""

    _deeds: list[str] = field(default_factory=list)
    _boards: list[int] = field(default_factory=list)
    _refusals: list[str] = field(default_factory=list)
    _silence: str = ""

    def did(self, name: str, board: int | None) -> None:
        """Note that the command of this name was carried out, on a board if it was about one."""
        self._deeds.append(name if board is None else f"{name} on board {board}")
        if board is not None:
            self._boards.append(board)

    def refused(self, why: Exception) -> None:
        """Note that a line was not carried out."""
        self._refusals.append(_in_words(type(why).__name__))

    def silenced(self, rule: str) -> None:
        """Note the rule that kept the server from answering; the first one counts."""
        self._silence = self._silence or rule

    def outcome(self, *, answered: bool) -> MailOutcome:
        """Return the outcome of the mail, which was `answered` or not."""
        refusals = tuple(dict.fromkeys(self._refusals))
        if self._deeds:
            also = (f"but refused {', '.join(refusals)}",) if refusals else ()
            deeds = (*dict.fromkeys(self._deeds), *also)
            return MailOutcome(Fate.PLAYED, "", deeds, tuple(dict.fromkeys(self._boards)))
        if not answered:
            return MailOutcome(
                Fate.SILENCED, self._silence or (refusals or ("nothing-to-answer",))[0]
            )
        if refusals:
            return MailOutcome(Fate.REFUSED, refusals[0])
        return MailOutcome(Fate.PLAYED, deeds=("answered",))


@cache
def _in_words(name: str) -> str:
    """Return the name of a class as words: "not-now" for NotNow."""
    return _HUMP.sub("-", name).lower()
