"""Limits on clients: nothing may go on for ever."""

import socket
import tracemalloc

import pytest

from pbm.config import TcpEndpoint
from pbm.server.smtp import SmtpLimits
from tests.smtp.house import MAIL, Client, House

MIB = 1024 * 1024


def flood(client: Client, octets: int) -> None:
    """Send that many octets without a line end; raises ConnectionError if nobody takes them."""
    piece = b"x" * 65536
    for _ in range(octets // len(piece)):
        client.type(piece)


def test_a_line_of_100_mib_costs_no_memory_and_is_answered() -> None:
    with House(SmtpLimits(discarded_bytes=200 * MIB)) as house:
        client = house.client()
        client.address()
        tracemalloc.start()
        flood(client, 100 * MIB)
        client.type(b"\r\n.\r\n")
        assert client.hear().startswith("552")
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 8 * MIB
        assert client.send().startswith("250")
        assert len(house.inbox.mails) == 1


def test_who_reads_the_answer_only_after_sending_it_all_still_hears_it() -> None:
    with House(SmtpLimits(discarded_bytes=2 * MIB)) as house:
        client = house.client()
        client.address()
        flood(client, 16 * MIB)
        assert client.hear().startswith("552")
        assert house.client().send().startswith("250")


def test_who_goes_on_sending_after_the_answer_is_cut_off() -> None:
    with House(SmtpLimits(message_bytes=1000, discarded_bytes=2000, linger_seconds=0.2)) as house:
        client = house.client()
        client.address()
        with pytest.raises(ConnectionError):
            flood(client, 10_000 * MIB)
        assert client.hear().startswith("552")
        assert client.hear() == ""


def test_mails_on_their_way_share_some_memory_and_the_longest_must_come_again() -> None:
    with House(SmtpLimits(data_bytes=MIB)) as house:
        clients = [house.client() for _ in range(4)]
        for client in clients:
            client.address()
            flood(client, MIB // 2)
        short = house.client()
        assert short.send().startswith("250"), "a short mail is taken all the same"
        for client in clients:
            client.type(b"\r\n.\r\n")
        heard = sorted(client.hear()[:3] for client in clients)
        assert heard == ["250", "452", "452", "452"]
        assert clients[0].send().startswith("250"), "there is room again"


def test_a_command_of_20_mib_costs_no_memory_and_is_answered() -> None:
    with House() as house:
        client = house.client()
        tracemalloc.start()
        flood(client, 20 * MIB)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        client.type(b"\r\n")
        assert client.hear().startswith("500")
        assert peak < 4 * MIB


@pytest.mark.parametrize(
    ("limits", "typed"),
    [
        (SmtpLimits(idle_seconds=0.3, errors=10_000), ""),
        (SmtpLimits(session_seconds=0.3, commands_between_mails=10**6), "NOOP"),
    ],
    ids=["empty lines are idle", "a session has its time"],
)
def test_a_client_that_types_without_end_is_sent_away(limits: SmtpLimits, typed: str) -> None:
    with House(limits) as house:
        client = house.client()
        usual = client.say(typed)[:3]
        while (reply := client.say(typed)[:3]) == usual:
            pass
        assert reply in {"421", ""}


def test_a_mail_on_its_way_is_taken_though_the_time_of_the_session_is_over() -> None:
    with House(SmtpLimits(session_seconds=0.2)) as house:
        client = house.client()
        client.address()
        house.visitor().hear()
        assert house.client().hear().startswith("421")  # the later session is over by now
        client.type(MAIL + b".\r\n")
        assert client.hear().startswith("250")
        assert client.ends("421")


def test_a_mail_that_trickles_in_is_cut_off() -> None:
    limits = SmtpLimits(data_grace_seconds=0.3, data_bytes_per_second=1e6, idle_seconds=5)
    with House(limits) as house:
        client = house.client()
        client.address()
        client.socket.settimeout(0.02)
        heard = b""
        for _ in range(500):
            try:
                client.type(b"x")
                heard = client.socket.recv(100)
            except TimeoutError:
                continue
            break
        assert heard.startswith(b"421 4.4.2")
        assert house.inbox.mails == []


def test_a_slow_commit_is_not_held_against_the_client() -> None:
    limits = SmtpLimits(idle_seconds=0.2, data_grace_seconds=0.2)
    with House(limits) as house:
        house.inbox.open.clear()
        client = house.client()
        client.post()
        other = house.client()
        assert other.hear().startswith("421")  # so long it took
        house.inbox.open.set()
        assert client.hear().startswith("250")


def test_a_client_that_reads_nothing_is_cut_off() -> None:
    limits = SmtpLimits(
        idle_seconds=0.3, linger_seconds=0.1, commands_between_mails=10**9, connections=1
    )
    # A long name makes long replies, which fill the buffers of both sides soon.
    with House(limits, hostname="x" * 50_000) as house, socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        endpoint = house.endpoint("smtp")
        assert isinstance(endpoint, TcpEndpoint)
        deaf.connect((endpoint.host, endpoint.port))
        deaf.sendall(b"HELO x\r\n" * 1000)
        house.wait_for_room()
