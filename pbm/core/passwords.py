"""Password hashes, made before the transaction that needs them, and the limits on guessing."""

from collections.abc import Iterable, Mapping
from dataclasses import field
from datetime import datetime, timedelta

from pbm.core.context import Passwords, day_of, hour_of
from pbm.core.letters import Message, letter
from pbm.core.words import Reply, void
from pbm.domain.errors import NotAllowed, TooManyGuesses
from pbm.domain.player import Player, PlayerId
from pbm.engine import counted, frozen
from pbm.store.unit import UnitOfWork

HASHES_A_MAIL = 3
"""The most hashes that one mail can make the server work out, new passwords included."""


@frozen
class Wanted:
    """A hash that a mail will need: of a new password, or to compare with the `stored` one."""

    password: str = field(repr=False)
    stored: str | None = field(default=None, repr=False)


@frozen
class Hashes:
    """Hashes worked out for one mail: new ones by password, verdicts by stored hash and password.

    A verdict is for the stored hash that it was made with. If the account has another one by the
    time of the transaction, there is no verdict.
    """

    made: Mapping[str, str] = field(default_factory=dict, repr=False)
    verdicts: Mapping[tuple[str, str], bool] = field(default_factory=dict, repr=False)


NO_HASHES = Hashes()


def work_out(passwords: Passwords, wanted: Iterable[Wanted]) -> Hashes:
    """Return the wanted hashes, as many as one mail may cost."""
    made: dict[str, str] = {}
    verdicts: dict[tuple[str, str], bool] = {}
    for each in tuple(dict.fromkeys(wanted))[:HASHES_A_MAIL]:
        if each.stored is None:
            made[each.password] = passwords.hash(each.password)
        else:
            verdicts[each.stored, each.password] = passwords.verify(each.stored, each.password)
    return Hashes(made, verdicts)


class HashesOfMail:
    """`pbm.core.context.Passwords` for one mail: knows `worked_out`, and makes few more.

    More are needed if something has changed since they were worked out. Raises NotAllowed
    instead of working out more than `HASHES_A_MAIL` in all.
    """

    def __init__(self, passwords: Passwords, worked_out: Hashes = NO_HASHES) -> None:
        self._passwords = passwords
        self._made = dict(worked_out.made)
        self._verdicts = dict(worked_out.verdicts)

    def hash(self, password: str) -> str:
        """Return the hash of a new password."""
        if password not in self._made:
            self._check_bound()
            self._made[password] = self._passwords.hash(password)
        return self._made[password]

    def verify(self, password_hash: str, password: str) -> bool:
        """Return whether `password` matches."""
        asked = (password_hash, password)
        if asked not in self._verdicts:
            self._check_bound()
            self._verdicts[asked] = self._passwords.verify(password_hash, password)
        return self._verdicts[asked]

    def well_known(self, password: str) -> bool:
        """Return whether it is among the first that anybody would try."""
        return self._passwords.well_known(password)

    def _check_bound(self) -> None:
        if len(self._made) + len(self._verdicts) >= HASHES_A_MAIL:
            raise NotAllowed(
                f"A mail holds at most {HASHES_A_MAIL} different passwords. Please send this "
                "in another mail."
            )


FREE_GUESSES = 5
"""Wrong passwords for an account before the first pause."""

FIRST_PAUSE, LONGEST_PAUSE = timedelta(minutes=1), timedelta(days=1)

FORGOTTEN_AFTER = timedelta(days=7)
"""The time without a wrong password after which earlier ones no longer count."""

STRANGE_AN_HOUR = 300
"""Wrong passwords in an hour, for all accounts, before strangers' passwords are not tried."""

NETWORK_AN_HOUR = 20
"""The same for one network."""

_GUESSES = "wrong-passwords"
"""Its name in the store: a setting of the player, which `set` does not show, and a tally."""

_IN_REPLIES = "wrong-passwords-in-replies"
"""The same for mails that are proven to be the player's, so that nobody else can pause those."""


@frozen
class Origin:
    """The origin of a mail: its From address, and the client's network if that is known.

    `proven` is the player whose mail it answers, or to whom an authenticated From belongs.
    """

    address: str
    network: str = ""
    proven: PlayerId | None = None

    @classmethod
    def of(cls, address: str, network: str, reply: Reply | None) -> "Origin":
        """Return the origin of a mail that answers as `reply` says."""
        counts = reply is not None and reply.writes_to is None and void(reply) is None
        return cls(address, network, reply.player.id if reply and counts else None)


def pause_after(wrong: int) -> timedelta:
    """Return how long an account accepts no password after so many wrong ones in a row."""
    if wrong < FREE_GUESSES:
        return timedelta()
    # Beyond 11 doublings it is the longest anyway.
    return min(FIRST_PAUSE * (1 << min(wrong - FREE_GUESSES, 11)), LONGEST_PAUSE)


def check_may_guess(work: UnitOfWork, player: Player | None, origin: Origin, now: datetime) -> None:
    """Raise TooManyGuesses if no password is tried for `player` now, None for an unknown userid."""
    ends = _wrong(player, _name(player, origin), now)[1] if player else now
    if ends > now:
        raise TooManyGuesses(
            f"There were too many wrong passwords for that userid. Wait {_in_words(ends - now)}."
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
    wrong = 1 + _wrong(player, name, now)[0]
    work.players.set_setting(player.id, name, f"{wrong} {now.isoformat()}")
    if wrong < FREE_GUESSES or work.tally(f"guessed:{player.id}", day_of(now)) > 1:
        return []
    return [letter(player, "identity/guessed")]


def forget_wrong(work: UnitOfWork, player: Player) -> None:
    """Count from zero again, because the owner has given the right password."""
    for name in (_GUESSES, _IN_REPLIES):
        if name in player.settings:
            work.players.set_setting(player.id, name, None)


def _name(player: Player, origin: Origin) -> str:
    """Return the name under which wrong passwords of this player from there are counted."""
    return _IN_REPLIES if player.id == origin.proven else _GUESSES


def _wrong(player: Player, name: str, now: datetime) -> tuple[int, datetime]:
    """Return the number of wrong passwords since the last right one, and when their pause ends."""
    stored = player.settings.get(name, "").split()
    if not stored:
        return 0, now
    wrong, last = int(stored[0]), datetime.fromisoformat(stored[1])
    return (wrong, last + pause_after(wrong)) if now - last < FORGOTTEN_AFTER else (0, now)


def _counts(origin: Origin) -> tuple[tuple[str, int], ...]:
    """Return the tallies of an hour and their bounds."""
    network = ((f"{_GUESSES}:{origin.network}", NETWORK_AN_HOUR),) if origin.network else ()
    return ((_GUESSES, STRANGE_AN_HOUR), *network)


def _in_words(pause: timedelta) -> str:
    minutes = -(-pause // timedelta(minutes=1))
    return counted(-(-minutes // 60), "hour") if minutes > 60 else counted(minutes, "minute")
