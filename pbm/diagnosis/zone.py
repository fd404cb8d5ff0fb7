"""`pbm doctor --dns`: gathers what the check of the DNS records needs to know."""

import socket
from collections.abc import Iterator
from contextlib import suppress

from pbm import dkim
from pbm.config import Settings
from pbm.diagnosis.front import local_relay
from pbm.diagnosis.records import LookupFailed, Sender, examine_records
from pbm.diagnosis.resolver import open_lookup
from pbm.diagnosis.verdict import Finding, Level
from pbm.relay.connection import ConnectionLost, SmtpTarget, open_connection

_NO_RESOLVER = "nothing is looked up: install pbm-server with the extra dns"


def examine_zone(settings: Settings, name_server: str | None) -> Iterator[Finding]:
    """Yield a finding for each record that the domain of `settings` needs.

    Raises DkimError if the key that signs cannot be read, ConfigError for a bad `name_server`.
    """
    look = open_lookup(name_server)
    if look is None:
        yield Finding("dns", Level.WARN, _NO_RESOLVER)
    relay = local_relay(settings.relay)
    key = dkim.load(settings.dkim_key) if settings.dkim_key else None
    host = _name_of(relay, settings.domain) if relay else ""
    if not host and look is not None:
        with suppress(LookupFailed):
            exchangers = look(settings.domain, "MX")
            host = exchangers[0].rpartition(" ")[2].rstrip(".") if exchangers else ""
    sender = Sender(settings.domain, host, relay is not None, key, settings.dkim_selector)
    yield from examine_records(sender, look)


def _name_of(relay: SmtpTarget, domain: str) -> str:
    """Return by which name the MTA of this host says hello to the world; "" if it gives none."""
    try:
        connection = open_connection(relay, domain)
    except ConnectionLost:
        return ""
    hello = (connection.ehlo_resp or b"").decode("ascii", "replace").split()
    with suppress(OSError):
        connection.quit()
    name = hello[0] if hello else ""
    return name if "." in name else socket.getfqdn()
