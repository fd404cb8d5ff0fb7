"""`pbm doctor --dns`: which DNS records the domain of a server needs, and which of them are set.

The standard library cannot look up MX and TXT. MX is RFC 5321 section 5, SPF RFC 7208, DKIM
RFC 6376, DMARC RFC 7489. A PTR is what large hosts ask of whoever connects to them.
"""

import ipaddress
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from pbm.config import ConfigError, Settings, TcpEndpoint, read_endpoint
from pbm.engine import frozen, listing
from pbm.operator.doctor.verdict import Finding, Severity, Verdict, fail, ok, warn
from pbm.server import dkim
from pbm.server.postfix import local_relay
from pbm.server.relay.connection import ConnectionLost, SmtpTarget, open_connection

_SECONDS = 3.0
"""The longest wait for a name server."""

Lookup = Callable[[str, str], Sequence[str]]
"""Returns the records of a name and a type, as texts; none if there are none.

Raises LookupFailed if nobody can say.
"""


class LookupFailed(Exception):  # noqa: N818 - an ordinary event
    """The DNS cannot be asked now; `str()` is a sentence for the operator."""


@frozen
class Sender:
    """The sender for a `domain`: mails come to `host`, "" if that is not known.

    `directly`: what the server sends goes out from that host. `key` is the one that signs, if there
    is one, by the record of the `selector`.
    """

    domain: str
    host: str
    directly: bool
    key: dkim.SigningKey | None = None
    selector: str = ""


def examine_zone(settings: Settings, name_server: str | None) -> Iterator[Finding]:
    """Yield a finding for each record that the domain of `settings` needs.

    Raises DkimError if the key that signs cannot be read, ConfigError for a bad `name_server`.
    """
    look = open_lookup(name_server)
    if look is None:
        yield Finding(
            "dns", Severity.WARN, "nothing is looked up: install pbm-server with the extra dns"
        )
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


def open_lookup(name_server: str | None) -> Lookup | None:
    """Return a lookup at `name_server` (HOST or HOST:PORT) or the host's, None without dnspython.

    Raises ConfigError for a name server that cannot be read.
    """
    try:
        import dns.exception  # noqa: PLC0415 - an extra, and slow to import
        import dns.resolver  # noqa: PLC0415
    except ImportError:
        return None
    resolver = dns.resolver.Resolver(configure=name_server is None)
    resolver.lifetime = _SECONDS
    if name_server is not None:
        resolver.nameservers, resolver.port = _address_of(name_server)
    silent = False

    def look(name: str, kind: str) -> Sequence[str]:
        nonlocal silent
        if silent:
            raise LookupFailed("cannot be looked up: no name server answers")
        try:
            answer = resolver.resolve(name, kind, search=False)
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
            return ()
        except dns.exception.Timeout:
            # The next question would wait as long.
            silent = True
            return look(name, kind)
        except (dns.exception.DNSException, OSError) as error:
            raise LookupFailed(f"cannot be looked up: {type(error).__name__}") from None
        return tuple(_text(record) for record in answer)

    return look


def _address_of(name_server: str) -> tuple[list[str], int]:
    """Return the address of a name server, in a list as dnspython wants it, and its port."""
    with suppress(ConfigError, ValueError):
        at = read_endpoint(name_server if ":" in name_server else f"{name_server}:53")
        if isinstance(at, TcpEndpoint):
            return [str(ipaddress.ip_address(at.host))], at.port
    raise ConfigError("A name server is an address, such as 9.9.9.9 or 127.0.0.1:5353.")


def _text(record: object) -> str:
    """Return a record as text; the strings of a TXT are joined (RFC 7208 section 3.3)."""
    strings = getattr(record, "strings", None)
    return b"".join(strings).decode("utf-8", "replace") if strings else str(record)


def examine_records(sender: Sender, look: Lookup | None) -> Iterator[Finding]:
    """Yield each record that must be set, and whether it is; without a `look` only the record."""
    for name, (written, check) in _RECORDS.items():
        try:
            level, text = (Severity.WARN, "") if look is None else check(sender, look)
        except LookupFailed as error:
            level, text = Severity.WARN, str(error)
        yield Finding(name, level, f"{written(sender)}   {text}".rstrip())


def _host(sender: Sender) -> str:
    return sender.host or "HOST"


def _mx(sender: Sender, look: Lookup) -> Verdict:
    found = [text.rpartition(" ")[2].rstrip(".").lower() for text in look(sender.domain, "MX")]
    if not found:
        return fail("is not set: nobody's mail arrives")
    if sender.host and sender.host.lower() not in found:
        return warn(f"differs: mails go to {listing(found, last='and')}")
    return ok("is set")


def _addresses(sender: Sender, look: Lookup) -> tuple[str, ...]:
    return (*look(sender.host, "A"), *look(sender.host, "AAAA")) if sender.host else ()


def _address(sender: Sender, look: Lookup) -> Verdict:
    if not sender.host:
        return warn("cannot be looked up: which name has this host? Its MTA does not say")
    found = _addresses(sender, look)
    return ok(f"is {listing(found, last='and')}") if found else fail("is not set")


def _ptr(sender: Sender, look: Lookup) -> Verdict:
    addresses = _addresses(sender, look)
    if not addresses:
        return warn("cannot be looked up before the address is set")
    wrong = []
    for address in addresses:
        names = [n.rstrip(".") for n in look(ipaddress.ip_address(address).reverse_pointer, "PTR")]
        if sender.host.lower() not in (name.lower() for name in names):
            wrong.append(f"{address} is called {listing(names, last='and') or 'nothing'}")
    if wrong:
        return fail(f"{listing(wrong, last='and')}: the provider of the host sets it")
    return ok("is set")


def _spf(sender: Sender, look: Lookup) -> Verdict:
    found = [text for text in look(sender.domain, "TXT") if text.lower().startswith("v=spf1")]
    if len(found) > 1:
        return fail("is set twice, so neither counts (RFC 7208 section 4.5)")
    if not found:
        return fail("is not set: anybody can forge these mails, and large hosts refuse them")
    words = found[0].lower().split()
    names_host = {"mx", "+mx", f"a:{sender.host}".lower(), f"mx:{sender.domain}".lower()}
    if sender.directly and names_host.isdisjoint(words) and "ip4:" not in found[0]:
        return warn(f"differs, and seems not to name the host: {found[0]}")
    return ok("is set")


def _dkim(sender: Sender, look: Lookup) -> Verdict:
    if sender.key is None:
        return warn("there is no key yet: see pbm dkim new")
    found = look(dkim.record_name(sender.selector, sender.domain), "TXT")
    if not found:
        return fail("is not set: all signatures are wrong until it is")
    faults = [dkim.record_fault(sender.key, text) for text in found]
    return ok("is set") if None in faults else fail(f"is wrong: {faults[0]}")


def _dmarc(sender: Sender, look: Lookup) -> Verdict:
    found = [text for text in look(f"_dmarc.{sender.domain}", "TXT") if text.startswith("v=DMARC1")]
    if not found:
        return fail("is not set")
    asks = dict(dkim.tags(found[0])).get("p") != "none"
    return ok("is set") if asks else warn(f"asks for nothing: {found[0]}")


_WHO = {True: "mx", False: "mx include:WHAT-YOUR-RELAY-SAYS"}

_RECORDS: dict[str, tuple[Callable[[Sender], str], Callable[[Sender, Lookup], Verdict]]] = {
    "MX": (lambda s: f"{s.domain}. MX 10 {_host(s)}.", _mx),
    "address": (lambda s: f"{_host(s)}. A (and AAAA) of this host", _address),
    "PTR": (lambda s: f"the name of that address: PTR {_host(s)}.", _ptr),
    "SPF": (lambda s: f'{s.domain}. TXT "v=spf1 {_WHO[s.directly]} -all"', _spf),
    "DKIM": (
        lambda s: (
            dkim.zone_line(s.key, s.selector, s.domain)
            if s.key
            else "a TXT with the key that signs"
        ),
        _dkim,
    ),
    "DMARC": (
        lambda s: (
            f'_dmarc.{s.domain}. TXT "v=DMARC1; p=quarantine; rua=mailto:postmaster@{s.domain}"'
        ),
        _dmarc,
    ),
}
"""Each record as it is written into a zone, and the check that it is set."""
