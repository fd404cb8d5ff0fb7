"""Checks of what the database says about the server: that it lives and leaves nothing undone."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from pbm.diagnosis.verdict import Verdict, fail, ok, warn
from pbm.domain.catalogue import Catalogue
from pbm.domain.pauses import Pause, PauseKind
from pbm.engine import counted, listing
from pbm.operator.statistics import Figures

RECENT = timedelta(days=7)
"""How far back outages are reported."""

LATE = timedelta(hours=2)
"""How long a clock may go unchecked, or a mail wait, before somebody should look.

Cron may run pbm remind only once an hour.
"""


LATE_THOUGHT = timedelta(minutes=10)
"""How long a robot may have waited for somebody to think: it answers within a minute otherwise."""


def signs_of_life(figures: Figures) -> Verdict:
    """Check that every part of the server has given its sign in time."""
    signs = figures.signs_of_life
    if not signs:
        return warn("no server has run yet; start pbm serve, or pbm work by cron")
    texts = []
    silent = [sign for sign in signs if sign.silent and not sign.failing]
    if silent:
        told = listing((f"{sign.part} since {_written(sign.at)}" for sign in silent), last="and")
        texts.append(f"no sign of {told}: is pbm serve running, or pbm work by cron?")
    texts += [
        f"{sign.part} has taken no mails since {_written(sign.at)}: see pbm outbox list."
        for sign in signs
        if sign.failing
    ]
    if texts:
        return (fail if any(sign.silent for sign in signs) else warn)(" ".join(texts))
    return ok(f"{', '.join(sign.part for sign in signs)} have given theirs in time")


def clocks(figures: Figures, pauses: Iterable[Pause]) -> Verdict:
    """Check that clocks run, and that they are checked in time."""
    maintenance = next((pause for pause in pauses if _is_maintenance(pause, figures.at)), None)
    if maintenance is not None:
        return warn(
            f"all have stood since {_written(maintenance.began_at)}; pbm resume starts them"
        )
    found = figures.clocks
    if found.next_due is not None and figures.at - found.next_due > LATE:
        return fail(
            f"{counted(found.overdue, 'board')} should have been checked, the first on "
            f"{_written(found.next_due)}: does pbm remind run, or pbm serve with the role remind?"
        )
    return ok("they are checked in time")


def _is_maintenance(pause: Pause, now: datetime) -> bool:
    return pause.kind is PauseKind.MAINTENANCE and pause.covers(now)


def outages(pauses: Iterable[Pause], now: datetime) -> Verdict:
    """Check for outages in the last week, during which all clocks stood."""
    told = [
        f"{_written(pause.began_at)} to {_written(pause.until)}"
        for pause in pauses
        if pause.kind is PauseKind.OUTAGE
        and pause.until is not None
        and pause.until > max(pause.began_at, now - RECENT)
    ]
    return warn("; ".join(told)) if told else ok("none in the last week")


def inbox(figures: Figures) -> Verdict:
    """Check that mails are played, and that none has met a bug."""
    box = figures.inbox
    if box.shunted:
        return warn(f"{counted(box.shunted, 'mail')} met a bug: see pbm shunt list")
    if box.oldest_waiting is not None and figures.at - box.oldest_waiting > LATE:
        return warn(
            f"{counted(box.waiting, 'mail')} waiting, the oldest since "
            f"{_written(box.oldest_waiting)}: does pbm serve run with the role play?"
        )
    return ok("no mail has met a bug or waits long")


def outbox(figures: Figures) -> Verdict:
    """Check that mails go out, and that none has been given up."""
    box = figures.outbox
    if box.dead:
        return warn(f"{counted(box.dead, 'mail')} given up: see pbm outbox list")
    if box.next_due is not None and figures.at - box.next_due > LATE:
        return warn(
            f"{counted(box.waiting, 'mail')} waiting, the first due since "
            f"{_written(box.next_due)}: does pbm serve run with the role deliver?"
        )
    if box.put_off:
        return warn(
            f"{counted(box.put_off, 'mail')} put off by the relay for about an hour or longer: "
            "pbm outbox list shows what it says"
        )
    return ok("no mail is given up or waits long")


def thoughts(figures: Figures) -> Verdict:
    """Check that somebody thinks for the robots."""
    found = figures.thoughts
    if found.oldest_due is not None and figures.at - found.oldest_due > LATE_THOUGHT:
        told = f"{counted(found.waiting, 'thought')} of robots waiting, the oldest since "
        told += _written(found.oldest_due)
        if found.held:
            return warn(f"{told}: robots have more to think about than they can; see pbm stats")
        return warn(
            f"{told}, and no process thinks: does pbm serve run with the role think, or pbm work "
            "by cron?"
        )
    return ok("robots are not late")


def boards(open_rules: Mapping[tuple[str, int], int], catalogue: Catalogue) -> Verdict:
    """Check that the games of all open boards are installed, under the rules they began with."""
    missing = [
        f"{counted(number, 'open board')} of {_rules_told(key, version, catalogue)}"
        for (key, version), number in open_rules.items()
        if catalogue.rules(key, version) is None
    ]
    if missing:
        return fail(f"{', '.join(missing)}, which is not installed; install it again")
    return ok(f"{sum(open_rules.values())} open, each of a game that is installed")


def _rules_told(key: str, version: int, catalogue: Catalogue) -> str:
    return key if catalogue.find(key) is None else f"version {version} of {key}"


def _written(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"
