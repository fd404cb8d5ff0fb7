"""`pbm serve` and `pbm work`: run a server, or do all waiting work."""

from __future__ import annotations

import faulthandler
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbm.cli.completion import complete_roles
from pbm.cli.log import log_to_stderr
from pbm.cli.options import endpoints, listening, setting, with_app
from pbm.cli.printing import echo
from pbm.config import ROLES, ConfigError, Settings, TcpEndpoint, address_file, read_roles
from pbm.engine import counted, frozen

if TYPE_CHECKING:
    from pbm.core.relaying import Relay
    from pbm.server.assembly import App
    from pbm.server.smtp import Certificate, Listener
    from pbm.server.watch.metrics import Watched

_HINT = """\
Write to {address} from another terminal (after . .venv/bin/activate), for example:

  pbm send --from alice@example.com "signup alice"
  pbm mail list

README.md shows a whole match, line by line. Ctrl-C stops the server."""


@click.command()
@listening
@setting("--roles", default=",".join(ROLES), shell_complete=complete_roles,
         help="What this process does.")  # fmt: skip
@setting("--log-level", default="INFO", help="DEBUG, INFO, WARNING or ERROR.")
@setting("--log-format", default="text", help="text, or json: one object per line.")
@setting("--metrics", default="", show_default=False,
         help="HOST:PORT for /metrics (Prometheus), /healthz and /readyz.")  # fmt: skip
@with_app
def serve(
    app: App,
    smtp: str,
    lmtp: str,
    roles: str,
    tls_certificate: str | None,
    tls_key: str | None,
    relay_from: tuple[str, ...],
    proxy_protocol: bool,
    log_level: str,
    log_format: str,
    metrics: str,
) -> None:
    """Run the server: receive email, play it, send the answers. SIGTERM stops it."""
    import asyncio

    from pbm.server.smtp import ListenerSettings, read_network

    log_to_stderr(log_level, log_format)
    from pbm.server.process import serve as run

    settings = ListenerSettings(
        hostname=app.settings.domain,
        smtp=endpoints(smtp),
        lmtp=endpoints(lmtp),
        tls=_tls(tls_certificate, tls_key),
        proxy_protocol=proxy_protocol,
        relays=tuple(map(read_network, relay_from)),
    )
    used = _used(read_roles(roles), app.settings)
    with watching(app, metrics) as seen:

        def ready(listeners: tuple[Listener, ...]) -> None:
            # Whoever reads below that it listens may say pbm send at once.
            _write_address(app.settings, listeners)
            for listener in listeners:
                echo(f"listening {listener}")
            if seen.endpoint:
                echo(f"listening metrics {seen.endpoint}")
            sys.stdout.flush()
            if listeners and app.settings.relay.startswith("maildir:"):
                echo(_HINT.format(address=app.settings.address), err=True)

        # A watchdog ends a stuck process by SIGABRT: then the log shows where each thread is.
        faulthandler.enable(_STDERR)
        if not asyncio.run(run(seen.app, settings, used, ready, seen.watched)):
            raise SystemExit(1)


def _used(roles: frozenset[str], settings: Settings) -> frozenset[str]:
    """Return the roles without that which needs a mailbox, if there is none."""
    used = roles if settings.mailbox else roles - {"fetch"}
    if not used:
        raise ConfigError("The role fetch needs a mailbox: see deploy/mailbox.md.")
    return used


def _write_address(settings: Settings, listeners: tuple[Listener, ...]) -> None:
    """Write beside the database where the server listens, for pbm send."""
    file = address_file(settings)
    for listener in listeners:
        if file and listener.protocol == "smtp" and isinstance(listener.endpoint, TcpEndpoint):
            with suppress(OSError):  # it is a convenience at a terminal
                file.write_text(f"{listener.endpoint}", "ascii")
            return


def _tls(certificate: str | None, key: str | None) -> Certificate | None:
    from pbm.server.smtp import Certificate

    return Certificate(Path(certificate), Path(key) if key else None) if certificate else None


_STDERR = 2
"""The file descriptor of standard error, for faulthandler."""


@click.command()
@setting("--think-minutes", default=1.0, help="How long robots may go on to the next move.")
@setting("--log-level", default="", show_default=False,
         help="Write a log: DEBUG, INFO, WARNING or ERROR.")  # fmt: skip
@setting("--log-format", default="text", help="text, or json: one object per line.")
@with_app
def work(app: App, think_minutes: float, log_level: str, log_format: str) -> None:
    """Play and deliver what is waiting, then exit (for cron).

    Together with `pbm inject` this makes a server without a daemon (docs/running.md). Run it every
    hour or so: after two hours without a run the server counts as down, and all clocks stop.
    """
    if log_level:
        log_to_stderr(log_level, log_format)
    with watching(app, "") as seen:
        _work(seen.app, think_minutes)


def _work(app: App, think_minutes: float) -> None:
    from pbm.core.heartbeat import ALL_PARTS, WORKING

    app.beat(ALL_PARTS, WORKING)
    if think_minutes > 0:
        app.robots.make()
    fetched = _fetched(app)
    played = 0
    while (taken := app.play_stage.play_waiting()) or app.play_stage.go_on():
        played += taken
    relay = app.new_relay()
    try:
        # No mail should wait for a robot, so there is delivery before and after.
        delivered = _delivered(app, relay)
        thought = app.robots.think_waiting(timedelta(minutes=think_minutes))
        delivered += _delivered(app, relay)
    finally:
        relay.close()
    app.beat(ALL_PARTS, WORKING)
    robots = f"robots have thought {counted(thought, 'time')}, " if thought else ""
    echo(f"{fetched}{counted(played, 'mail')} played, {robots}{delivered} handed to the relay")


def _fetched(app: App) -> str:
    """Take what waits in the mailbox, if there is one; return what to say about it."""
    from pbm.core.heartbeat import WORKING
    from pbm.server.mailbox.connection import MailboxError

    fetcher = app.new_fetcher(WORKING)
    if fetcher is None:
        return ""
    try:
        return f"{counted(fetcher.look(), 'mail')} fetched, "
    except MailboxError as error:
        echo(f"The mailbox cannot be read: {error}", err=True)
        return ""
    finally:
        fetcher.close()


def _delivered(app: App, relay: Relay) -> int:
    """Hand all mails that are due to the relay; return their number."""
    delivered = 0
    while handed := app.deliver_waiting(relay):
        delivered += handed
    return delivered


@frozen
class Seen:
    """An app with an observer, and the endpoint of its metrics, if there is one."""

    app: App
    watched: Watched | None = None
    endpoint: TcpEndpoint | None = None


@contextmanager
def watching(app: App, metrics: str) -> Iterator[Seen]:
    """Yield an app like this one with an observer, and with metrics at the endpoint `metrics`.

    Raises ConfigError if `metrics` is no HOST:PORT, if it is in use, or if the library is missing.
    """
    from pbm.server.watch.traces import LogObserver

    if not metrics:
        with closing(replace(app, observer=LogObserver(time.monotonic))) as watched_app:
            yield Seen(watched_app)
        return
    endpoint = _endpoint(metrics)
    try:
        from pbm.server.watch.metrics import MetricsObserver, Watched
    except ImportError:
        raise ConfigError("--metrics needs a library: pip install prometheus-client") from None
    counts = MetricsObserver()
    log = LogObserver(time.monotonic, counts)
    with closing(replace(app, observer=log)) as watched_app:
        watched = Watched(
            counts.registry, watched_app.open_reading, watched_app.clock,
            queue=watched_app.host_queue.mails,
        )  # fmt: skip
        with watched.shown_at(endpoint) as shown:
            yield Seen(watched_app, watched, shown)


def _endpoint(text: str) -> TcpEndpoint:
    endpoint, *more = endpoints(text)
    if more or not isinstance(endpoint, TcpEndpoint):
        raise ConfigError("The metrics are shown at HOST:PORT.")
    return endpoint
