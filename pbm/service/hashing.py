"""Password hashes: few a mail, and worked out before the transaction that needs them.

A hash takes about 25 ms on purpose. So the play stage finds out which ones a mail will need
(pbm.dispatch.prefetch), works them out while it holds no lock, and hands them in.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pbm.domain.errors import NotAllowed
from pbm.service.ports import Passwords

HASHES_A_MAIL = 3
"""The most hashes that one mail can make the server work out, new passwords included."""

STRANGE_HASHES = "strange-hashes"
"""What counts hashes of new passwords that were made for mails which prove nothing."""

STRANGE_HASHES_AN_HOUR = 300
"""So many are made before the transaction. Beyond them those are made in it which are needed."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A hash that a mail will need: of a new password, or to compare with the `stored` one."""

    password: str = field(repr=False)
    stored: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Hashes:
    """Hashes worked out for one mail: new ones by password, verdicts by stored hash and password.

    A verdict holds for the stored hash that it was made with. If the account has another one by
    the time of the transaction, there is no verdict.
    """

    made: Mapping[str, str] = field(default_factory=dict, repr=False)
    verdicts: Mapping[tuple[str, str], bool] = field(default_factory=dict, repr=False)


NO_HASHES = Hashes()


def work_out(passwords: Passwords, wanted: Iterable[Wanted]) -> Hashes:
    """Return the hashes wanted, as many of them as one mail may cost."""
    made: dict[str, str] = {}
    verdicts: dict[tuple[str, str], bool] = {}
    for each in tuple(dict.fromkeys(wanted))[:HASHES_A_MAIL]:
        if each.stored is None:
            made[each.password] = passwords.hash(each.password)
        else:
            verdicts[each.stored, each.password] = passwords.verify(each.stored, each.password)
    return Hashes(made, verdicts)


class HashesOfMail:
    """`pbm.service.ports.Passwords` for one mail: knows `worked_out`, and makes few more.

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
