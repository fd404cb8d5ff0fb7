"""`pbm doctor`: one table of checks, each a function from what it needs to a verdict.

No check creates or changes anything, sends a mail or reveals a secret. An error in a check is a
FAIL of that check. A check that depends on one that fails is skipped.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from pbm.config import Settings
from pbm.domain.catalogue import Catalogue
from pbm.engine import frozen
from pbm.operator.doctor import host, net, stored
from pbm.operator.doctor.host import Written
from pbm.operator.doctor.mailbox import mailbox
from pbm.operator.doctor.net import Listeners
from pbm.operator.doctor.stored import Stored
from pbm.operator.doctor.verdict import Finding, Severity, Verdict, fail, ok
from pbm.plugins import installed_games
from pbm.system import folder

__all__ = [
    "CHECKS", "Check", "Finding", "Listeners", "Patient", "Severity", "Written", "choose",
    "examine",
]  # fmt: skip

Explain = Callable[[Exception], str | None]
"""Returns a sentence for an error that the operator can fix; None for a bug."""


@dataclass(frozen=True)
class Patient:
    """A server to examine: its settings, and what is stored at `now`, read on first use."""

    settings: Settings
    written: Written
    certificate: str | None
    key: str | None
    now: datetime
    listeners: Listeners = Listeners()  # noqa: RUF009 - frozen
    backups: str | None = None
    site: str | None = None

    @cached_property
    def catalogue(self) -> Catalogue:
        """The installed games."""
        return installed_games()

    @cached_property
    def stored(self) -> Stored:
        """The part of the database that tells how the server is doing."""
        return stored.read(self.settings.database, self.now)


@frozen
class Check:
    """A check; it is skipped if the check called `after` has failed."""

    name: str
    look: Callable[[Patient], Verdict]
    after: str = ""


def _domain(settings: Settings) -> Verdict:
    if settings.mailbox:
        return ok(f"{settings.domain} is the provider of the mailbox")
    return net.domain_resolves(settings.domain)


CHECKS = (
    Check("package", lambda _: host.ours()),
    Check("settings", lambda p: host.settings_file(p.written)),
    Check("names", lambda p: host.unknown_names(p.written)),
    Check("key", lambda p: host.key_file(p.settings.secret)),
    Check("dkim", lambda p: host.dkim_key(p.settings)),
    Check("templates", lambda _: host.templates_there(folder("templates"))),
    Check("games", lambda p: host.games_start(p.catalogue)),
    Check("database", lambda p: stored.usable(p.settings.database)),
    Check("tables", lambda p: stored.fits(p.settings.database), after="database"),
    Check("tokens", lambda p: host.key_of_mails(p.settings.secret, p.stored.keys), after="tables"),
    Check("permissions", lambda p: stored.private(p.settings.database)),
    Check("disk", lambda p: stored.disk_space(p.settings.database)),
    Check(
        "relay", lambda p: net.relay(p.settings.relay, p.settings.domain, p.settings.relay_secret)
    ),
    Check("mailbox", lambda p: mailbox(p.settings.mailbox, p.settings.address, p.now)),
    Check("listeners", lambda p: net.answering(p.listeners)),
    Check("authserv", lambda p: net.vouching(p.settings.authserv_id, p.listeners)),
    Check("front", lambda p: net.front(p.settings.relay, p.settings.address, p.listeners)),
    Check("domain", lambda p: _domain(p.settings)),
    Check("operator", lambda p: net.operator_hears(p.settings.operator)),
    Check("certificate", lambda p: net.certificate(p.certificate, p.key, p.now)),
    Check("backups", lambda p: host.backups(p.backups, p.now)),
    Check("site", lambda p: host.site(p.site, p.now)),
    Check("signs", lambda p: stored.signs_of_life(p.stored.figures), after="tables"),
    Check("outages", lambda p: stored.outages(p.stored.pauses, p.now), after="tables"),
    Check("clocks", lambda p: stored.clocks(p.stored.figures, p.stored.pauses), after="tables"),
    Check("inbox", lambda p: stored.inbox(p.stored.figures), after="tables"),
    Check("outbox", lambda p: stored.outbox(p.stored.figures), after="tables"),
    Check("returned", lambda p: stored.returned(p.stored.returns), after="tables"),
    Check("queue", lambda p: stored.host_queue(p.settings.relay, p.now)),
    Check("thoughts", lambda p: stored.thoughts(p.stored.figures), after="tables"),
    Check("boards", lambda p: stored.boards(p.stored.open_rules, p.catalogue), after="tables"),
)
"""All checks, in the order of the report."""


def choose(names: Collection[str]) -> tuple[Check, ...]:
    """Return the checks called `names` and those that they depend on; all if none is named."""
    wanted = set(names or (check.name for check in CHECKS))
    for check in reversed(CHECKS):
        if check.name in wanted:
            wanted.add(check.after)
    return tuple(check for check in CHECKS if check.name in wanted)


def examine(
    patient: Patient, explain: Explain, checks: Iterable[Check] = CHECKS
) -> Iterator[Finding]:
    """Yield the finding of each of `checks` as soon as it is known: some take a while.

    Checks that need one that has failed share a finding, the last.
    """
    hindered: dict[str, str] = {}
    for check in checks:
        if check.after in hindered:
            hindered[check.name] = hindered[check.after]
            continue
        level, text = _look(check, patient, explain)
        if level is Severity.FAIL:
            hindered[check.name] = check.name
        yield Finding(check.name, level, text)
    for cause in dict.fromkeys(hindered.values()):
        waiting = [name for name, by in hindered.items() if cause == by != name]
        if waiting:
            text = f"not checked until {cause} is in order"
            yield Finding(", ".join(waiting), Severity.WARN, text)


def _look(check: Check, patient: Patient, explain: Explain) -> Verdict:
    try:
        return check.look(patient)
    except Exception as error:  # noqa: BLE001 - no fault of the server may stop the doctor
        # The text of a bug may hold a secret, so only its type is named.
        return fail(explain(error) or f"the check met a bug in pbm: {type(error).__name__}")
