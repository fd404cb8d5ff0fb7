"""Who may be connected at the same time: strangers have shares, and relays a place of their own."""

import ipaddress
from dataclasses import replace
from pathlib import Path

import pytest

from pbm.smtp import Network, SmtpLimits, read_network
from pbm.smtp.connections import network_of, told_network
from tests.smtp.house import MAIL, Client, House
from tests.tables import each

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


@each(
    ("hosts", "greeting"),
    [
        (["192.0.2.1"] * 2, IN),
        (["192.0.2.1"] * 3, FULL),
        (["192.0.2.1", "192.0.2.1", "192.0.2.2"], IN),
        (["192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.3"], FULL),
        (["192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.3.3"], IN),
        (["2001:db8:1:1::1", "2001:db8:1:1::2", "2001:db8:1:1::3"], FULL),
        (["2001:db8:1:1::1", "2001:db8:1:2::1", "2001:db8:1:3::1"], IN),
        (["2001:db8:1:1::1", "2001:db8:1:2::1", "2001:db8:1:3::1", "2001:db8:1:4::1"], FULL),
        (["2001:db8:1:1::1", "2001:db8:1:2::1", "2001:db8:1:3::1", "2001:db8:2:4::1"], IN),
        ([f"192.0.{n}.1" for n in range(6)], IN),
        ([f"192.0.{n}.1" for n in range(7)], FULL),
        ([*(f"192.0.{n}.1" for n in range(6)), "10.1.2.3"], IN),
        ([*(f"192.0.{n}.1" for n in range(6)), "2001:db8:ffff::25"], IN),
        ([*(f"192.0.{n}.1" for n in range(6)), "2001:db8:ffff::26"], FULL),
        (["10.1.2.3"] * 8, IN),
        (["10.1.2.3"] * 9, FULL),
        ([*["10.1.2.3"] * 2, *(f"192.0.{n}.1" for n in range(6))], IN),
    ],
)
def test_the_last_to_come_is_let_in_or_told_to_come_later(hosts: list[str], greeting: str) -> None:
    with House(FEW, proxy_protocol=True, relays=RELAYS) as house:
        *first, last = [call(house, host).hear()[:3] for host in hosts]
        assert first == [IN] * (len(hosts) - 1)
        assert last == greeting


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
        assert one.hear().startswith("421 4.7.0 Others wait for this place")
        assert one.hear() == ""
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


@each(
    ("content", "network"),
    [
        (b"from x.example (x.example [192.0.2.7]) by mx (Postfix)", "192.0.2.0/24"),
        (b"from [9.9.9.9] (unknown [192.0.2.7])\r\n\tby mx (Postfix)", "192.0.2.0/24"),
        (b"from a(b[9.9.9.9]) (unknown [192.0.2.7]) by mx", "192.0.2.0/24"),
        (b"from x ([192.0.2.7] helo=[9.9.9.9]) by mx (Exim)", "192.0.2.0/24"),
        (b"from [192.0.2.7] (helo=[9.9.9.9]) by mx (Exim)", "192.0.2.0/24"),
        (b"from x (x [192.0.2.7] (may be forged)) by mx (Sendmail)", "192.0.2.0/24"),
        (b"from x (x [IPv6:2001:db8:1:2::3]) by mx", "2001:db8:1::/48"),
        (b"from x\r\n (x [192.0.2.7])\r\n by mx", "192.0.2.0/24"),
        (b"by mx (Postfix, from userid 0)", ""),
        (b"from x (x [999.0.2.7]) by mx", ""),
        (b"from x by mx", ""),
        (b"", ""),
    ],
)
def test_a_relay_tells_where_a_mail_comes_from_on_top(content: bytes, network: str) -> None:
    below = b"Received: from y (y [198.51.100.1]) by liar\r\n" + MAIL
    assert told_network(b"Received: " + content + b"\r\n" + below) == network
    assert told_network(b"Return-Path: <a@b.cd>\r\nreceived: " + content + b"\r\n\r\n") == network


def test_what_stands_in_the_text_is_no_field() -> None:
    assert told_network(b"Subject: x\r\n\r\nReceived: from y (y [198.51.100.1]) by z\r\n") == ""


RECEIVED = b"Received: from x (x [198.51.100.1]) by front\r\n"


def test_where_a_mail_comes_from_is_believed_of_relays_alone() -> None:
    with House(proxy_protocol=True, relays=RELAYS) as house:
        for host in ("192.0.2.7", "10.1.2.3"):
            client = call(house, host)
            assert client.hear().startswith(IN)
            client.say("EHLO x")
            assert client.send(RECEIVED + MAIL).startswith("250")
        assert house.front_mta().send(RECEIVED + MAIL).startswith("250")
        assert [mail.network for mail in house.inbox.mails] == [
            "192.0.2.0/24", "198.51.100.0/24", "198.51.100.0/24"
        ]  # fmt: skip


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("192.0.2.7", "192.0.2.0/24"),
        ("::ffff:192.0.2.7", "192.0.2.0/24"),
        ("2001:db8:1:2:3::4", "2001:db8:1::/48"),
        ("fe80::1%eth0", "fe80::/48"),
        ("", ""),
        ("nobody", ""),
    ],
)
def test_a_network_is_the_24_of_an_ipv4_and_the_48_of_an_ipv6_address(
    host: str, network: str
) -> None:
    assert network_of(host) == network


@pytest.mark.parametrize("text", ["192.0.2.1", "192.0.2.0/24", "2001:db8::/32", "::1"])
def test_a_relay_is_an_address_or_a_network(text: str) -> None:
    found: Network = read_network(text)
    assert str(found).startswith(text.partition("/")[0])


@pytest.mark.parametrize("text", ["", "192.0.2.1/24", "192.0.2.1/33", "front.example.org"])
def test_any_other_relay_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match="is not a network like"):
        read_network(text)


def test_who_has_a_full_share_is_told_to_come_later_and_others_of_the_batch_are_not() -> None:
    with House() as house:
        house.inbox.full_for = frozenset({"flood@example.com"})
        house.inbox.open.clear()
        flood, alice = house.client(), house.client()
        for client, sender in ((flood, "flood"), (alice, "alice")):
            client.address(sender=f"<{sender}@example.com>")
            client.type(MAIL + b".\r\n")
        house.inbox.open.set()
        assert flood.hear() == "451 4.3.0 Trouble on our side, please try again later"
        assert alice.hear().startswith("250")
        assert [mail.sender for mail in house.inbox.mails] == ["alice@example.com"]
