"""Connections at the same time: strangers have shares, and relays have a place reserved."""

import ipaddress
import re
from dataclasses import replace
from pathlib import Path

import pytest

from pbm.mail.reading.incoming import read
from pbm.server.smtp import SmtpLimits, read_network
from tests.readings import answers
from tests.smtp.house import MAIL, Client, House

FEW = SmtpLimits(
    connections=6,
    connections_for_relays=2,
    connections_per_peer=2,
    connections_per_network=3,
    linger_seconds=0.2,
)
RELAYS = tuple(map(read_network, ("10.0.0.0/8", "2001:db8:ffff::25")))

IN, FULL = "220", "421"


def call(house: House, host: str) -> Client:
    """Connect from `host`, as a proxy tells it."""
    client = house.visitor()
    family = f"TCP{ipaddress.ip_address(host).version}"
    here = "2001:db8::9" if family == "TCP6" else "192.0.2.9"
    client.type(f"PROXY {family} {host} {here} 4000 25\r\n".encode())
    return client


VISITS = """
192.0.2.1 x2                                                                      -> 220
192.0.2.1 x3                                                                      -> 421
192.0.2.1 x2, 192.0.2.2                                                           -> 220
192.0.2.1 x2, 192.0.2.2, 192.0.2.3                                                -> 421
192.0.2.1 x2, 192.0.2.2, 192.0.3.3                                                -> 220
2001:db8:1:1::1, 2001:db8:1:1::2, 2001:db8:1:1::3                                 -> 421
2001:db8:1:1::1, 2001:db8:1:2::1, 2001:db8:1:3::1                                 -> 220
2001:db8:1:1::1, 2001:db8:1:2::1, 2001:db8:1:3::1, 2001:db8:1:4::1                -> 421
2001:db8:1:1::1, 2001:db8:1:2::1, 2001:db8:1:3::1, 2001:db8:2:4::1                -> 220
192.0.0.1, 192.0.1.1, 192.0.2.1, 192.0.3.1, 192.0.4.1, 192.0.5.1                  -> 220
192.0.0.1, 192.0.1.1, 192.0.2.1, 192.0.3.1, 192.0.4.1, 192.0.5.1, 192.0.6.1       -> 421
192.0.0.1, 192.0.1.1, 192.0.2.1, 192.0.3.1, 192.0.4.1, 192.0.5.1, 10.1.2.3        -> 220
192.0.0.1, 192.0.1.1, 192.0.2.1, 192.0.3.1, 192.0.4.1, 192.0.5.1, 2001:db8:ffff::25 -> 220
192.0.0.1, 192.0.1.1, 192.0.2.1, 192.0.3.1, 192.0.4.1, 192.0.5.1, 2001:db8:ffff::26 -> 421
10.1.2.3 x8                                                                       -> 220
10.1.2.3 x9                                                                       -> 421
10.1.2.3 x2, 192.0.0.1, 192.0.1.1, 192.0.2.1, 192.0.3.1, 192.0.4.1, 192.0.5.1     -> 220
"""
"""The greeting of the last who connects; all before are let in."""


def test_the_last_to_come_is_let_in_or_told_to_come_later() -> None:
    def greeting(visits: str) -> str:
        found = re.findall(r"([\w:.]+)(?: x(\d))?(?:,|$)", visits)
        hosts = [host for host, times in found for _ in range(int(times or 1))]
        with House(FEW, proxy_protocol=True, relays=RELAYS) as house:
            *first, last = [call(house, host).hear()[:3] for host in hosts]
            assert first == [IN] * (len(hosts) - 1)
            return last

    assert answers(VISITS, greeting) == VISITS


def test_who_has_most_of_the_places_makes_room_for_those_who_have_none() -> None:
    """Two hosts that connect and say nothing do not keep all others out."""
    limits = replace(FEW, connections=4)
    with House(limits, proxy_protocol=True) as house:
        silent = [call(house, host) for host in ("192.0.2.1", "192.0.2.1", "192.0.3.1")]
        one, two, three = (client for client in silent if client.hear().startswith(IN))
        busy = call(house, "192.0.3.1")
        assert busy.hear().startswith(IN)
        newcomer = call(house, "198.51.100.1")
        assert newcomer.hear().startswith(IN)
        assert one.ends("421 4.7.0 Others wait for this place")
        assert newcomer.say("EHLO x").startswith("250")
        assert newcomer.send().startswith("250")
        # Who was sent away has no more than others now, and sends nobody away.
        assert call(house, "192.0.2.1").hear().startswith(FULL)
        assert [client.say("NOOP")[:3] for client in (two, three, busy)] == ["250"] * 3


def test_a_mail_on_its_way_is_not_cut_off_for_a_newcomer_while_others_idle() -> None:
    limits = replace(FEW, connections=2)
    with House(limits, proxy_protocol=True) as house:
        writing, idle = call(house, "192.0.2.1"), call(house, "192.0.2.1")
        assert [client.hear()[:3] for client in (writing, idle)] == [IN] * 2
        assert writing.say("EHLO x").startswith("250")
        writing.address()
        assert call(house, "198.51.100.1").hear().startswith(IN)
        assert idle.hear().startswith("421")
        writing.type(MAIL + b".\r\n")
        assert writing.hear().startswith("250")


def test_a_place_is_free_again_when_its_peer_has_gone() -> None:
    with House(FEW, proxy_protocol=True) as house:
        callers = [call(house, host) for host in ("192.0.2.1", "192.0.2.1", "192.0.2.2")]
        assert [caller.hear()[:3] for caller in callers] == [IN] * 3
        assert callers[0].say("QUIT").startswith("221")
        assert callers[0].hear() == ""
        assert call(house, "192.0.2.1").hear().startswith(IN)
        assert call(house, "192.0.2.3").hear().startswith(FULL)


@pytest.mark.parametrize("unix", [True, False])
def test_lmtp_is_served_while_strangers_hold_all_that_they_may(tmp_path: Path, unix: bool) -> None:
    limits = SmtpLimits(connections=2, connections_for_relays=1)
    with House(limits, lmtp=tmp_path / "lmtp" if unix else None) as house:
        strangers = [house.client() for _ in range(2)]
        assert house.visitor().hear().startswith(FULL)
        assert house.front_mta().send().startswith("250")
        assert strangers[0].send().startswith("250")


FRONT = (
    b"Received: from x (x [198.51.100.1]) by front\r\n"
    b"Authentication-Results: front; dmarc=pass header.from=example.com\r\n"
    b"From: a@example.com\r\n"
)


def test_where_a_mail_comes_from_is_believed_of_relays_alone() -> None:
    with House(proxy_protocol=True, relays=RELAYS) as house:
        for host in ("192.0.2.7", "10.1.2.3"):
            client = call(house, host)
            assert client.hear().startswith(IN)
            client.say("EHLO x")
            assert client.send(FRONT + MAIL).startswith("250")
        assert house.front_mta().send(FRONT + MAIL).startswith("250")
        mails = house.inbox.mails
        assert [mail.network for mail in mails] == [
            "192.0.2.0/24", "198.51.100.0/24", "198.51.100.0/24"
        ]  # fmt: skip
        proven = [read(mail, "pbm@example.org", "front").authenticated for mail in mails]
        assert proven == [False, True, True], "and so is who wrote it"
