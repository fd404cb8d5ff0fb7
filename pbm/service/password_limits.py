"""Limits on wrong passwords, which stop somebody from guessing and nobody else from playing.

After some wrong passwords an account takes none for a while, and for twice as long after each
further one. What a reply token or an authenticated From proves is never stopped, and passwords in
such a mail are counted apart: others cannot keep a player from changing theirs. Wrong passwords
for all accounts together, and from one network, only stop those who write from an address that
is not the account's: a stranger must not be able to shut everybody out.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from pbm.domain.errors import TooManyGuesses
from pbm.domain.player import Player, PlayerId
from pbm.engine import counted
from pbm.service.context import day_of, hour_of
from pbm.service.letters import Message, letter
from pbm.service.line import Reply
from pbm.service.ports import UnitOfWork
from pbm.service.proofs import void

FREE_GUESSES = 5
"""Wrong passwords for an account before the first pause."""

FIRST_PAUSE, LONGEST_PAUSE = timedelta(minutes=1), timedelta(days=1)

FORGOTTEN_AFTER = timedelta(days=7)
"""Wrong passwords no longer count if there has been none in this time."""

STRANGE_AN_HOUR = 300
"""Wrong passwords in an hour, for all accounts, before strangers' passwords are not tried."""

NETWORK_AN_HOUR = 20
"""The same for one network."""

_GUESSES = "wrong-passwords"
"""What the store calls it: a setting of the player, which `set` does not show, and a count."""

_IN_REPLIES = "wrong-passwords-in-replies"
"""The same of mails that prove to be the player's, so that nobody else can pause those."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a mail came from: its From address, and the client's network if that is known.

    `proven` is the player whose mail it answers, or who an authenticated From says that it is.
    """

    address: str
    network: str = ""
    proven: PlayerId | None = None

    @classmethod
    def of(cls, address: str, network: str, reply: Reply | None) -> "Origin":
        """Return the origin of a mail that is such a reply."""
        counts = reply is not None and reply.writes_to is None and void(reply) is None
        return cls(address, network, reply.player.id if reply and counts else None)


@dataclass(frozen=True, slots=True)
class Guesses:
    """How many wrong passwords there were since the last right one, and when the last came."""

    wrong: int
    last: datetime

    @property
    def pause_ends(self) -> datetime:
        """When the account takes a password again."""
        return self.last + pause_after(self.wrong)


def pause_after(wrong: int) -> timedelta:
    """Return how long an account takes no password after so many wrong ones in a row."""
    if wrong < FREE_GUESSES:
        return timedelta()
    # Beyond 11 doublings it is the longest anyway.
    return min(FIRST_PAUSE * (1 << min(wrong - FREE_GUESSES, 11)), LONGEST_PAUSE)


def check_may_guess(work: UnitOfWork, player: Player | None, origin: Origin, now: datetime) -> None:
    """Raise TooManyGuesses if no password is tried for `player` now; None is an unknown userid."""
    guesses = _guesses(player, _name(player, origin), now) if player else None
    if guesses and guesses.pause_ends > now:
        raise TooManyGuesses(
            f"There were too many wrong passwords for that userid. Wait "
            f"{_in_words(guesses.pause_ends - now)}."
        )
    if player and origin.address in player.addresses:
        return
    for key, most in _counts(origin):
        if work.tallied(key, hour_of(now)) >= most:
            raise TooManyGuesses(
                "There were too many wrong passwords. Wait an hour, or write from an address of "
                "your account."
            )


def count_wrong(
    work: UnitOfWork, player: Player | None, origin: Origin, now: datetime
) -> list[Message]:
    """Count a wrong password; return the mail that warns the owner, which goes out once a day."""
    for key, _ in _counts(origin):
        work.tally(key, hour_of(now))
    if player is None or not player.active:
        return []
    name = _name(player, origin)
    earlier = _guesses(player, name, now)
    wrong = 1 + (earlier.wrong if earlier else 0)
    work.players.set_setting(player.id, name, f"{wrong} {now.isoformat()}")
    if wrong < FREE_GUESSES or work.tally(f"guessed:{player.id}", day_of(now)) > 1:
        return []
    return [letter(player, "identity/guessed")]


def forget_wrong(work: UnitOfWork, player: Player) -> None:
    """Count from zero again: the owner has been heard from."""
    for name in (_GUESSES, _IN_REPLIES):
        if name in player.settings:
            work.players.set_setting(player.id, name, None)


def _name(player: Player, origin: Origin) -> str:
    """Return under which name wrong passwords of this player from there are counted."""
    return _IN_REPLIES if player.id == origin.proven else _GUESSES


def _guesses(player: Player, name: str, now: datetime) -> Guesses | None:
    stored = player.settings.get(name, "").split()
    if not stored:
        return None
    guesses = Guesses(int(stored[0]), datetime.fromisoformat(stored[1]))
    return guesses if now - guesses.last < FORGOTTEN_AFTER else None


def _counts(origin: Origin) -> tuple[tuple[str, int], ...]:
    """Return what is counted in an hour, and how far."""
    network = ((f"{_GUESSES}:{origin.network}", NETWORK_AN_HOUR),) if origin.network else ()
    return ((_GUESSES, STRANGE_AN_HOUR), *network)


def _in_words(pause: timedelta) -> str:
    minutes = -(-pause // timedelta(minutes=1))
    return counted(-(-minutes // 60), "hour") if minutes > 60 else counted(minutes, "minute")
