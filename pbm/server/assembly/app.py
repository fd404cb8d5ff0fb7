"""The parts of a server: the services, the stages, the relay."""

import logging
import os
import socket
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cache, cached_property, partial

from pbm import plugins, system
from pbm.config import ConfigError, Settings
from pbm.core import delivery, heartbeat
from pbm.core.bugs import trace_of
from pbm.core.context import Passwords, Randomness, Services
from pbm.core.delivery import Lease
from pbm.core.grammar import Grammar
from pbm.core.leases import Leased, Leases
from pbm.core.letters import letter
from pbm.core.relaying import Relay
from pbm.core.schedule import Due
from pbm.core.token_masking import OpeningRelay
from pbm.dispatch.arrivals import beyond_bounds
from pbm.dispatch.jobs import announce, do_what_is_due, list_what_is_due
from pbm.dispatch.script import Reading
from pbm.domain.catalogue import Catalogue
from pbm.domain.errors import UnknownName
from pbm.domain.mail import OutgoingMail, ReceivedMail
from pbm.domain.observer import Handed, Observer
from pbm.domain.pages import USUAL_NAME, Pages
from pbm.features.bounces import note_queued, note_undelivered
from pbm.mail.reading.incoming import content_key, message_id_of, read, source_of, tokens_to
from pbm.mail.writing.outgoing import MailComposer
from pbm.mail.writing.pictures import PictureCache
from pbm.render.templates import Templates
from pbm.server import dkim
from pbm.server.assembly.database import Database
from pbm.server.assembly.robots import ThinkingRobots
from pbm.server.hashing import Argon2Passwords, HashWorks
from pbm.server.mailbox.connection import open_mailbox
from pbm.server.mailbox.fetching import Fetcher
from pbm.server.play_stage import PlayStage
from pbm.server.postfix import HostQueue
from pbm.server.relay import RationedRelay, open_relay
from pbm.server.token_keys import Keychain
from pbm.store.errors import Conflict, StoreUnavailable
from pbm.store.intake import Letterbox
from pbm.store.liveness import Lifeline
from pbm.store.unit import UnitOfWork
from pbm.system import SystemChance, utc_now
from pbm.system.cores import usable
from pbm.system.time_limit import TimeLimit

log = logging.getLogger("pbm")

DELIVERIES = 128
"""Mails leased and handed to the relay at a time: as many as a batch of 64 moves leads to where two
play, so that those need one lease."""

HIGH_WATER = 50_000
"""Waiting mails beyond which intake asks senders to come back later."""


@cache
def _templates() -> Templates:
    """Return the program's templates, compiled once per process for all apps."""
    return Templates(system.folder("templates"))


@dataclass(frozen=True)
class App:
    """The parts of a server, each created on first use."""

    settings: Settings
    clock: Callable[[], datetime] = utc_now
    chance: Randomness = field(default_factory=SystemChance)
    passwords: Passwords = field(default_factory=Argon2Passwords)
    observer: Observer = field(default_factory=Observer)
    find_games: Callable[[], Catalogue] = plugins.installed_games
    pictures: PictureCache = field(default_factory=PictureCache)
    """Draws boards and keeps what it has drawn: apps of one process may share it."""
    cores: frozenset[int] = field(default_factory=usable)
    """Those that may be used; the threads of `pbm serve` may keep to one of them."""
    time_limit: TimeLimit = field(default_factory=TimeLimit)
    """Ends work in which a game loops."""

    @cached_property
    def catalogue(self) -> Catalogue:
        """The installed games; the log tells of those that cannot be loaded."""
        found = self.find_games()
        for broken in found.broken:
            (log.info if broken.can_wait else log.error)("%s", broken.why)
        try:
            return found.offering(self.settings.games)
        except UnknownName as error:
            raise ConfigError(f"The setting games: {error}") from error

    @cached_property
    def database(self) -> Database:
        """The database of the settings."""
        return Database(self.settings.database)

    def open_unit(self) -> UnitOfWork:
        """Return a unit of work that may write."""
        return self.database.open_unit()

    def open_reading(self) -> UnitOfWork:
        """Return a unit of work that only reads and blocks nobody."""
        return self.database.open_reading()

    @cached_property
    def inbox(self) -> Letterbox:
        """Where intake stores mails."""
        source = partial(source_of, mint=self.services.mint)
        return Letterbox(
            self.database.engine, content_key, HIGH_WATER, source_of=source,
            message_id_of=message_id_of, observer=self.observer, beyond=self._beyond_bounds,
        )  # fmt: skip

    def _beyond_bounds(self, mails: Sequence[ReceivedMail]) -> Iterable[int]:
        """Return the places of the mails whose hosts are asked to try again later."""
        unread = [partial(self._reading, mail) for mail in mails]
        return beyond_bounds(self.open_reading, unread, self.clock())

    def _reading(self, mail: ReceivedMail) -> Reading:
        incoming = read(mail, self.settings.address, self.settings.authserv_id)
        return Reading(incoming, self.services.grammar, self.services.mint)

    @cached_property
    def services(self) -> Services:
        """The services that the use cases share."""
        settings = self.settings
        return Services(
            catalogue=self.catalogue,
            grammar=Grammar(self.catalogue),
            passwords=self.passwords,
            mint=self._composer.mint,
            chance=self.chance,
            composer=self._composer,
            time_limited=self.time_limit,
            address=settings.address,
            periods=settings.periods,
            operator=settings.operator,
            pages=self._pages,
            at_provider=settings.mailbox is not None,
        )

    @cached_property
    def _composer(self) -> MailComposer:
        address, mint = self.settings.address, self.keychain.mint
        at_provider = self.settings.mailbox is not None
        return MailComposer(_templates(), mint, address, self.pictures, self._pages, at_provider)

    @property
    def _pages(self) -> Pages:
        name = self.settings.site_name
        place = "" if name == USUAL_NAME else name
        return Pages(self.settings.site_url or "", self.settings.public, place)

    @cached_property
    def keychain(self) -> Keychain:
        """The keys of the reply tokens."""
        return Keychain(self.settings.secret, self.open_unit, self.open_reading, self.clock)

    def prepare(self) -> None:
        """Make ready, while nothing waits, what the first mails to be composed would wait for.

        A game that cannot be drawn is left out: its own mails meet the bug, and no others.
        """
        self._composer.prepare(())
        for game in self.catalogue:
            try:
                with self.time_limit():
                    self._composer.prepare((game,))
            except Exception as bug:  # noqa: BLE001 - whatever a third-party game does
                log.error("%s cannot be drawn at its beginning:\n%s", game.info.key, trace_of(bug))  # noqa: TRY400 - no values

    @cached_property
    def play_stage(self) -> PlayStage:
        """The stage between the inbox and the outbox."""
        hashes = HashWorks(self.passwords, self.cores)
        return PlayStage(
            self.database.open_batch, self.open_unit, self.open_reading, self.services, hashes,
            self.clock, self._note_to_operator, self.settings.authserv_id, self.observer,
        )  # fmt: skip

    def _note_to_operator(self, number: int, now: datetime) -> OutgoingMail | None:
        if self.settings.operator is None:
            return None
        message = letter(self.settings.operator, "bounces/shunted", number=number)
        uid = self.services.chance.new_id()
        returns = self.services.mint.return_word(uid)
        return self.services.composer.compose(message, uid, returns, now)

    def new_relay(self, *, spare: bool = False) -> Relay:
        """Return a new relay, for one delivering thread; a `spare` one is for one that helps.

        Raises DkimError for a key that is bad.
        """
        settings = self.settings
        relay = open_relay(settings.relay, settings.domain, settings.relay_secret, spare=spare)
        if settings.mailbox and settings.mailbox.daily:
            relay = RationedRelay(relay, partial(self._left_today, settings.mailbox.daily))
        return OpeningRelay(relay, self.services.mint, self._finishing())

    def _finishing(self) -> Callable[[OutgoingMail], OutgoingMail]:
        """Return what signs a mail, and takes its tagged sender off where none is allowed."""
        settings, key = self.settings, self.settings.dkim_key
        strict = settings.mailbox is not None and settings.mailbox.strict
        signer = key and dkim.Signer(dkim.load(key), settings.domain, settings.dkim_selector)

        def finished(mail: OutgoingMail) -> OutgoingMail:
            mail = replace(mail, sender=settings.address) if strict else mail
            return replace(mail, content=signer.signed(mail.content)) if signer else mail

        return finished

    def _left_today(self, daily: int) -> int:
        with self.open_reading() as work:
            return daily - work.outbox.sent_since(self.clock() - timedelta(days=1))

    def new_fetcher(self, good_for: timedelta) -> Fetcher | None:
        """Return a new fetcher, for one thread; its signs are `good_for` so long."""
        account = self.settings.mailbox
        if account is None:
            return None
        mint = self.services.mint
        return Fetcher(
            account, self.settings.address, open_mailbox, self.inbox.put,
            lambda mail: any(tokens_to(mail, mint)), self.clock,
            partial(self.beat, (heartbeat.FETCH,), good_for), self.observer,
        )  # fmt: skip

    @cached_property
    def host_queue(self) -> HostQueue:
        """The queue of this host's Postfix, if that is the relay."""
        return HostQueue(self.settings.relay, self.clock)

    @cached_property
    def _lifeline(self) -> Lifeline:
        return self.database.open_lifeline()

    @cached_property
    def robots(self) -> ThinkingRobots:
        """The robots, and the processes in which they think."""
        return ThinkingRobots(
            self.settings, self.services, self.clock, self.observer, self.cores, self.database,
            self.leases_of,
        )  # fmt: skip

    @cached_property
    def leases(self) -> Leases:
        """The mails that this process leases, and those that dead processes have left leased."""
        return self._leases_by(self._lifeline)

    def new_leases(self) -> Leases:
        """Return the leases of a thread that helps to deliver; its caller renounces them."""
        return self._leases_by(self.database.open_lifeline())

    def _leases_by(self, lifeline: Lifeline) -> Leases:
        return self.leases_of(Leased(lambda work: work.outbox.owners(), self._free), lifeline)

    def leases_of(self, leased: Leased, lifeline: Lifeline) -> Leases:
        """Return the leases of this process on what is `leased`."""
        host = socket.gethostname()
        return Leases(leased, lifeline, host, self.chance.new_id, _is_running, self.clock)

    def _free(self, work: UnitOfWork, owner: str) -> None:
        delivery.release_dead(work, owner, self._lifeline.noted_by(owner), self.clock())

    def deliver_waiting(
        self,
        relay: Relay,
        stopping: Callable[[], bool] = lambda: False,
        outlast: Callable[[StoreUnavailable], bool] = lambda _: False,
        began: Callable[[Lease], None] = lambda _: None,
        helping: Leases | None = None,
    ) -> int:
        """Hand due mails to `relay`; return how many. See `pbm.core.delivery`.

        A thread that is `helping` another has leases of its own. It notes mails one by one. So does
        each thread with those that a dead process may have sent, or they would go out three times.
        """
        leases = helping or self.leases
        dead = () if helping else leases.free_abandoned(self.open_unit, self.open_reading)
        for owner in dead:
            log.warning("took over the mails that %s was delivering", owner.rpartition(":")[0])
        try:
            delivered = delivery.deliver_waiting(
                self.open_unit, relay, self.clock, leases.hold(), DELIVERIES,
                stopping=stopping, given_up=self._note_undelivered, outlast=outlast, began=began,
                notes=leases.lifeline, careful=bool(helping or dead), observer=self.observer,
            )  # fmt: skip
        except StoreUnavailable:
            leases.renounce()
            raise
        leases.end_batch()
        return delivered

    def _note_undelivered(self, undelivered: Sequence[Handed]) -> None:
        note_undelivered(self.open_unit, self.services, undelivered, self.clock())

    def beat(self, parts: Iterable[str], good_for: timedelta) -> None:
        """Give a sign of life for `parts`; the next one is due within `good_for`.

        A sign that conflicts with another process is skipped, because the next one is enough. It is
        also when the keys of the tokens are looked at.
        """
        self.keychain.renew()
        with suppress(Conflict), self.open_unit() as work:
            now, fetches = self.clock(), self.settings.mailbox is not None
            heartbeat.watch_fetching(work, now, good_for, used=fetches)
            heartbeat.beat(work, parts, now, good_for)
            work.commit()

    def silent_since(self) -> datetime | None:
        """Return since when a part of the server has been silent; None if all are alive."""
        with self.open_reading() as work:
            return heartbeat.silent_since(work, self.clock())

    def do_what_is_due(
        self, *, drill: bool = False, goes_on: Callable[[], bool] = lambda: True
    ) -> Counter[str]:
        """Remind, end what is overdue, tidy up; return how often each was done.

        Does nothing while a part of the server is silent, except in a `drill`, whose clock does
        not show the real time. Ends between two batches once `goes_on` is False.
        """
        now = self.clock()
        if not drill:
            # Outside of a transaction, which it would hold up.
            note_queued(self.open_unit, self.services, self.host_queue.mails(), now)
        return do_what_is_due(self.open_unit, self.services, now, drill=drill, goes_on=goes_on)

    def announce(self) -> Counter[str]:
        """Send all players the pending news about the server now; return how many got them."""
        return announce(self.open_unit, self.services, self.clock())

    def list_what_is_due(self) -> list[Due]:
        """Return what `do_what_is_due` would do, and change nothing."""
        return list_what_is_due(self.open_reading, self.services, self.clock())

    def close(self) -> None:
        """Close what this process has open."""
        if "play_stage" in vars(self):
            self.play_stage.hashes.close()
        for name in ("_lifeline", "robots"):
            if name in vars(self):
                getattr(self, name).close()
        if "database" in vars(self):
            self.database.close()


def _is_running(pid: int) -> bool:
    """Return whether there is a process of this number on this host."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
