"""A whole house for tests: a real store on disk, real reading and composing, no sockets.

Mails enter the inbox as bytes and come out of the outbox as parsed mails.
"""

import random
import shutil
import sys
import weakref
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import Self

from pbm.config import Settings
from pbm.core.audit import Signature
from pbm.core.heartbeat import ALL_PARTS, SERVING
from pbm.core.relaying import Judged, Sent, Verdict, always
from pbm.core.token_masking import OpeningRelay, opened
from pbm.domain.catalogue import Catalogue
from pbm.domain.mail import OutgoingMail, ReceivedMail
from pbm.mail.writing.pictures import PictureCache
from pbm.operator.administration import Administration
from pbm.plugins import installed_games
from pbm.server.assembly import App
from pbm.server.hashing import Argon2Passwords
from pbm.store.unit import UnitOfWork
from pbm.system import SystemChance
from tests.databases import migrated_file
from tests.sent_mails import SentMail
from tests.sent_mails import text_of as text_of  # noqa: PLC0414 - others import it from here

ADDRESS = "pbm@games.example.org"
START = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)

AT_ONCE = 16
"""So many mails of a flood are played together."""

Work = UnitOfWork
"""A transaction of a house, with a repository for each subject."""

UNSIGNED = Signature()
NO_TERMS: Mapping[str, str] = {}
SMALL = {"size": "5"}
"""The options of a match of Gonnect on a small board."""

MOST_ROUNDS = 1000
"""So many batches of what is due are never needed."""

LOWEST = {"kibibytes": 8, "passes": 1}
"""The least cost of a hash."""

QUICK_PASSWORDS = Argon2Passwords(**LOWEST)
"""The usual hashing at the lowest cost that argon2 allows: tests have no burglars."""


@cache
def _games(path: tuple[str, ...]) -> Catalogue:
    """Return the games that are installed on this `path`: to look through it takes 5 ms."""
    del path
    return installed_games()


@cache
def _pictures() -> PictureCache:
    """Return what draws the boards of all houses: each would draw the same empty boards."""
    return PictureCache()


@dataclass
class Clock:
    """A clock that tests turn by hand."""

    now: datetime = START

    def __call__(self) -> datetime:
        return self.now


class SeededChance(SystemChance):
    """Chance that is the same in every run."""

    def __init__(self) -> None:
        super().__init__()
        self._random = random.Random(104)

    def twin(self) -> Self:
        """Return one that goes on as this one; `deepcopy` takes a millisecond."""
        twin = type(self)()
        twin._random.setstate(self._random.getstate())
        return twin


@dataclass
class ChoosyRelay:
    """A relay that takes the mails to which it `says` so."""

    says: Callable[[OutgoingMail], Verdict]
    taken: list[OutgoingMail] = field(default_factory=list)

    def deliver(
        self, mails: Sequence[OutgoingMail], go_on: Callable[[], bool] = always
    ) -> Generator[Judged, None, None]:
        for place, mail in enumerate(mails):
            verdict = self.says(mail)
            if isinstance(verdict, Sent):
                self.taken.append(mail)
            yield place, verdict

    def close(self) -> None:
        pass


@dataclass
class HouseUnderTest:
    """A house in a folder, and the mails that it has sent."""

    folder: Path
    operator: str | None = None
    clock: Clock = field(default_factory=Clock)
    sent: list[EmailMessage] = field(default_factory=list)
    senders: dict[str, str] = field(default_factory=dict)
    """The envelope sender of each mail sent, by Message-ID: reports on it come there."""
    wire: list[bytes] = field(default_factory=list)
    """The bytes of each mail sent."""
    letters: int = 0
    authserv_id: str | None = None
    url: str | None = None
    """The database, if it is no file in the folder: one with tables and without rows."""
    chance: SeededChance = field(default_factory=SeededChance)
    listener: str = "lmtp /run/pbm"
    """Where mails come in."""
    busy: bool = False
    """Whether mails wait in the inbox until `play`."""
    says: Callable[[OutgoingMail], Verdict] | None = None
    """The relay's answer to a mail; without it, all mails are taken and no stage delivers them."""

    def __post_init__(self) -> None:
        database = self.folder / "pbm.db"
        self.untouched = not (self.url or database.exists())
        if self.untouched:
            shutil.copy(migrated_file(), database)
        settings = Settings(
            ADDRESS, self.url or f"sqlite:///{database}", "null:", self.folder / "key",
            self.operator, authserv_id=self.authserv_id,
        )  # fmt: skip
        self.house = App(
            settings, self.clock, self.chance, QUICK_PASSWORDS,
            find_games=lambda: _games((*sys.path,)), pictures=_pictures(),
        )  # fmt: skip

    @property
    def environment(self) -> dict[str, str]:
        """The settings of the house for commands of the operator."""
        settings = self.house.settings
        return {
            "PBM_AS_ROOT": "1",
            "PBM_ADDRESS": ADDRESS,
            "PBM_DATABASE": settings.database,
            "PBM_RELAY": settings.relay,
            "PBM_SECRET": str(settings.secret),
            **({"PBM_OPERATOR": self.operator} if self.operator else {}),
        }

    def __setattr__(self, name: str, value: object) -> None:
        """Set an attribute; a house is closed when the test has let it go."""
        super().__setattr__(name, value)
        if isinstance(value, App):
            weakref.finalize(self, value.close)

    def twin(self, folder: Path) -> Self:
        """Return a house in `folder` that is as this one is now, and goes its own way from here.

        Copying one is quicker than playing it to the same point for each test of a module.
        """
        # The last connection to close empties SQLite's log into the file.
        self.house.close()
        for name in ("pbm.db", "key"):
            if (self.folder / name).exists():  # a house that has sent nothing has no key
                shutil.copy(self.folder / name, folder / name)
        return replace(
            self, folder=folder, clock=replace(self.clock), chance=self.chance.twin(),
            sent=[*self.sent], senders={**self.senders}, wire=[*self.wire],
        )  # fmt: skip

    def add(self, *userids: str, text_alone: bool = False) -> None:
        """Open accounts: alice with the password alice-pw at alice@example.org, and so on.

        `text_alone`: they want no HTML, so that long stories are told sooner.
        """
        # SQLite's log is there as long as somebody has the database open.
        opened = (self.folder / "pbm.db-wal").exists()
        if self.untouched and not opened and self.clock.now == START:
            shutil.copy(_with_accounts(userids, text_alone=text_alone), self.folder / "pbm.db")
        else:
            self._add(userids, text_alone=text_alone)
        self.untouched = False

    def _add(self, userids: tuple[str, ...], *, text_alone: bool) -> None:
        with self.administration() as admin:
            for userid in userids:
                player = admin.add_player(userid, f"{userid}-pw", [f"{userid}@example.org"])
                if text_alone:
                    admin.context.work.players.set_setting(player.id, "format", "text")

    @contextmanager
    def administration(self, signature: Signature = UNSIGNED) -> Iterator[Administration]:
        """Yield what operators can do, in one transaction."""
        with self.house.open_unit() as work:
            yield Administration(self.house.services, work, self.clock(), signature)
            work.commit()

    def create_match(
        self, *userids: str, game: str = "gonnect", terms: Mapping[str, str] = NO_TERMS,
        options: Mapping[str, str] = SMALL,
    ) -> int:  # fmt: skip
        """Let the operator begin a match of these players; return its number."""
        with self.administration() as admin:
            return admin.create_match(self.house.catalogue.get(game), userids, options, terms)

    def take(self, raw: bytes, sender: str = "", to: str = ADDRESS) -> list[EmailMessage]:
        """Take in a raw mail, play it, and return the mails that result; no other may wait."""
        mail = ReceivedMail(sender, (to,), raw, self.clock(), listener=self.listener)
        self.house.inbox.put([mail])
        if self.busy:
            return []
        # One mail is one batch, and another look at the inbox would take a tenth of the time.
        self.house.play_stage.play_waiting()
        return self._go_on()

    def play(self) -> list[EmailMessage]:
        """Play what waits and return the mails that result."""
        self.busy = False
        while self.house.play_stage.play_waiting():
            pass
        return self._go_on()

    def _go_on(self) -> list[EmailMessage]:
        """Do what mails have begun, and return the mails that result of all."""
        while self.house.play_stage.go_on():
            pass
        return self.deliver()

    def think(self) -> list[EmailMessage]:
        """Think all that is due, in this process, and return the mails that result."""
        queue = self.house.robots.queue()
        while (taken := queue.take("test:1:think")) is not None:
            claimed, task = taken
            rules = self.house.catalogue.rules(task.game, task.rules_version)
            assert rules
            queue.carry_out(claimed, task.run(rules, lambda: False), 0.5)
        return self.deliver()

    def remind(self) -> list[EmailMessage]:
        """Do what is due, as `pbm remind` does, and return the mails that result."""
        rounds = count()
        self.house.do_what_is_due(goes_on=lambda: next(rounds) < MOST_ROUNDS)
        assert next(rounds) < MOST_ROUNDS, "something is due again and again"
        return self.deliver()

    def beat(self, *parts: str, days: float = 0) -> None:
        """Give signs of life of these parts, or of all: as a server does, or good for `days`."""
        self.house.beat(parts or ALL_PARTS, timedelta(days=days) or SERVING)

    def deliver(self) -> list[EmailMessage]:
        """Deliver the mails that wait, and return those that the relay has taken."""
        if self.says is not None:
            relay = ChoosyRelay(self.says)
            while self.house.deliver_waiting(OpeningRelay(relay, self.house.services.mint)):
                pass
            return self._arrived(relay.taken)
        now = self.clock()
        with self.house.open_unit() as work:
            out = work.outbox.claim(1000, "test:1:x", now, now + timedelta(hours=1))
            work.outbox.sent([row.id for row in out], now)
            work.commit()
        return self._arrived([opened(self.house.services.mint, row.mail) for row in out])

    def _arrived(self, out: Sequence[OutgoingMail]) -> list[EmailMessage]:
        wire = [mail.content for mail in out]
        mails: list[EmailMessage] = [SentMail(content) for content in wire]
        self.wire += wire
        self.senders.update((mail.message_id, mail.sender) for mail in out)
        self.sent += mails
        return mails

    def mail(
        self, author: str, subject: str, text: str = "", to: str = ADDRESS, headers: str = ""
    ) -> list[EmailMessage]:
        """Write a mail as a simple client would; return the mails that result."""
        return self.take(self._written(author, subject, text, to, headers), author, to)

    def flood(self, author: str, *mails: tuple[str, str], headers: str = "") -> list[EmailMessage]:
        """Write many mails of subject and text; they are played as many at a time as come at once.

        Some together and some after others, because what is counted must be right in both cases.
        """
        sent: list[EmailMessage] = []
        for first in range(0, len(mails), AT_ONCE):
            batch = [
                self._written(author, *mail, headers=headers) for mail in mails[first:][:AT_ONCE]
            ]
            now = self.clock()
            self.house.inbox.put([ReceivedMail(author, (ADDRESS,), raw, now) for raw in batch])
            sent += self.play()
        return sent

    def _written(
        self, author: str, subject: str, text: str = "", to: str = ADDRESS, headers: str = ""
    ) -> bytes:
        """Return a mail as a simple client writes it."""
        self.letters += 1
        raw = (
            f"From: {author}\nTo: {to}\nSubject: {subject}\nDate: {self.clock():%a, %d %b %Y} "
            f"12:00:00 +0000\nMessage-ID: <letter-{self.letters}@example.org>\n{headers}"
            f"Content-Type: text/plain; charset=utf-8\n\n{text}\n"
        )
        return raw.replace("\n", "\r\n").encode()

    def reply(
        self, original: EmailMessage, text: str, author: str = "", headers: str = ""
    ) -> list[EmailMessage]:
        """Answer a mail as its reader would, with the original quoted below."""
        quoted = "\n".join(f"> {line}" for line in text_of(original).splitlines())
        return self.mail(
            author or str(original["To"]),
            f"Re: {original['Subject']}",
            f"{text}\n\nOn Friday, pbm wrote:\n{quoted}",
            str(original["Reply-To"] or ADDRESS).strip("<>"),
            headers,
        )

    def begin_match(self) -> None:
        """Let alice and bob begin a match of Gonnect on a small board; alice is to move."""
        self.mail("alice@example.org", "gonnect challenge alice alice-pw bob -size=5")
        self.reply(self.last_to("bob@example.org"), "accept")

    def shunted(self) -> tuple[str, ...]:
        """Return the errors of the mails that met a bug."""
        with self.house.open_reading() as work:
            return tuple(str(mail.error) for mail in work.shunt.listing())

    def last_to(self, address: str) -> EmailMessage:
        """Return the newest mail to an address."""
        return next(mail for mail in reversed(self.sent) if mail["To"] == address)


@cache
def _with_accounts(userids: tuple[str, ...], *, text_alone: bool) -> Path:
    """Return the database of a house whose first accounts these are; most houses begin alike."""
    house = HouseUnderTest(Path(mkdtemp()))
    house._add(userids, text_alone=text_alone)
    house.house.close()
    return house.folder / "pbm.db"
