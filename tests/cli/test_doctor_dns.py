"""`pbm doctor --dns` asks a name server, which is a real one on a port of the test's."""

import json
import smtplib
import socketserver
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import dns.flags
import dns.message
import dns.rcode
import dns.rrset
import pytest

from tests.cli.terminal import done, pbm, refused
from tests.sink import Sink

pytestmark = pytest.mark.usefixtures("bare")

DOMAIN = "games.pbm.test"
ADDRESS = ("--address", f"pbm@{DOMAIN}")

Zone = Mapping[tuple[str, str], tuple[str, ...]]

COMPLETE: Zone = {
    (DOMAIN, "MX"): ("10 mail.pbm.test.",),
    (DOMAIN, "TXT"): ('"google-site=1"', '"v=spf1 mx" " -all"'),
    (f"_dmarc.{DOMAIN}", "TXT"): ('"v=DMARC1; p=quarantine"',),
    ("mail.pbm.test", "A"): ("192.0.2.7",),
    ("mail.pbm.test", "AAAA"): ("2001:db8::7",),
    ("7.2.0.192.in-addr.arpa", "PTR"): ("mail.pbm.test.",),
    (f"7.{'0.' * 23}8.b.d.0.1.0.0.2.ip6.arpa", "PTR"): ("mail.pbm.test.",),
}


@contextmanager
def name_server(zone: Zone, trouble: dns.rcode.Rcode = dns.rcode.NXDOMAIN) -> Iterator[str]:
    """Yield the address of a name server that knows `zone`; of other names it says `trouble`."""

    class Answering(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            octets, sock = self.request
            question = dns.message.from_wire(octets)
            answer = dns.message.make_response(question)
            asked = question.question[0]
            name, kind = asked.name.to_text(omit_final_dot=True), asked.rdtype.name
            found = zone.get((name.lower(), kind), ())
            if found:
                answer.answer.append(dns.rrset.from_text(asked.name, 60, "IN", kind, *found))
            elif all(name.lower() != known for known, _ in zone):
                answer.set_rcode(trouble)
            answer.flags |= dns.flags.RA
            sock.sendto(answer.to_wire(), self.client_address)

    with socketserver.UDPServer(("127.0.0.1", 0), Answering) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def looked(zone: Zone, *arguments: str) -> dict[str, tuple[str, str]]:
    """Return level and text of each record."""
    with name_server(zone) as server:
        typed = pbm("doctor", "--dns", "--name-server", server, "--json", *ADDRESS, *arguments)
    told = {each["name"]: (each["level"], each["text"]) for each in json.loads(typed.out)}
    assert typed.status == int("FAIL" in {level for level, _ in told.values()})
    return told


def test_records_that_are_set_are_found() -> None:
    assert pbm("dkim", "new", "key.pem", *ADDRESS).status == 0
    line = done("dkim", "show", "--dkim-key", "key.pem", *ADDRESS)
    text = line.partition("( ")[2].rpartition(" )")[0]
    zone = {**COMPLETE, (f"pbm._domainkey.{DOMAIN}", "TXT"): (text,)}
    told = looked(zone, "--dkim-key", "key.pem")
    assert list(told) == ["MX", "address", "PTR", "SPF", "DKIM", "DMARC"]
    assert {level for level, _ in told.values()} == {"ok"}, told
    assert told["DKIM"][1].startswith(line.strip())
    assert told["address"][1].endswith("is 192.0.2.7 and 2001:db8::7")


def test_of_a_bare_domain_each_record_is_told_as_it_is_written_into_a_zone() -> None:
    told = looked({(DOMAIN, "A"): ("192.0.2.7",)})
    assert told["MX"] == ("FAIL", f"{DOMAIN}. MX 10 HOST.   is not set: nobody's mail arrives")
    assert told["SPF"][0] == told["DMARC"][0] == "FAIL"
    assert f'_dmarc.{DOMAIN}. TXT "v=DMARC1; p=quarantine; rua=mailto:post' in told["DMARC"][1]
    assert told["DKIM"][1].endswith("there is no key yet: see pbm dkim new")


@pytest.mark.parametrize(
    ("changed", "name", "level", "text"),
    [
        ({(DOMAIN, "TXT"): ('"v=spf1 -all"', '"v=spf1 mx -all"')}, "SPF", "FAIL", "set twice"),
        ({(f"_dmarc.{DOMAIN}", "TXT"): ('"v=DMARC1; p=none"',)}, "DMARC", "warn", "for nothing"),
        ({("7.2.0.192.in-addr.arpa", "PTR"): ("static.isp.test.",)}, "PTR", "FAIL",
         "192.0.2.7 is called static.isp.test"),
    ],
)  # fmt: skip
def test_a_record_that_is_wrong_is_told(changed: Zone, name: str, level: str, text: str) -> None:
    found = looked({**COMPLETE, **changed})[name]
    assert (found[0], text in found[1]) == (level, True), found


def test_the_mta_of_this_host_says_by_which_name_it_is_known() -> None:
    with Sink() as sink:
        relay = ("--relay", f"smtp://127.0.0.1:{sink.port}")
        with smtplib.SMTP("127.0.0.1", sink.port) as client:
            name = client.ehlo()[1].decode().split()[0]
        found = looked(COMPLETE, *relay)["MX"]
    assert found == ("warn", f"{DOMAIN}. MX 10 {name}.   differs: mails go to mail.pbm.test")


def test_a_name_server_in_trouble_is_told_and_what_to_set_all_the_same() -> None:
    with name_server({}, dns.rcode.SERVFAIL) as server:
        told = pbm("doctor", "--dns", "--name-server", server, *ADDRESS)
    assert f"MX: {DOMAIN}. MX 10 HOST.   cannot be looked up" in told.out
    assert "A name server is an address" in refused(
        "doctor", "--dns", "--name-server", "nowhere", *ADDRESS
    )
