"""Many mails in a row over few connections: what goes together, and what a break in it costs."""

import socket
import threading
from collections import Counter
from io import BufferedRWPair as Wire
from pathlib import Path

import pytest

from tests.doors import Deferred, Failed, Sent, Verdict
from tests.processes import PATIENCE
from tests.relay.relays import (
    Deed,
    Scripted,
    deliver,
    kinds,
    listening,
    mail,
    mails,
    relay_to,
    say,
    verdicts_of,
)
from tests.sink import Sink


def _hang_up(_wire: Wire) -> bool:
    return True


def _say_goodbye(wire: Wire) -> bool:
    say(wire, b"421 4.3.2 going down")
    return True


def names_of(many: int) -> list[str]:
    return [f"p{n}" for n in range(many)]


def test_the_envelope_of_the_next_mail_goes_with_the_content_of_the_one_before() -> None:
    """The relay answers for a content only when it has seen what must come with it."""
    heard: list[bytes] = []

    class Waiting(Scripted):
        def talk(self, wire: Wire) -> None:
            say(wire, b"220 x")
            wire.readline()
            say(wire, self.hello)
            for group in ("envelope", "content and envelope", "content and envelope", "content"):
                answers = b""
                if "content" in group:
                    while (line := wire.readline()) != b".\r\n":
                        heard.append(line)
                    answers += b"250 taken\r\n"
                if "envelope" in group:
                    heard.extend(wire.readline() for _ in range(3))
                    answers += b"250 OK\r\n250 OK\r\n354 go\r\n"
                wire.write(answers)
                wire.flush()
            wire.readline()

    with listening(Waiting()) as url:
        assert deliver(url, *mails("a", "b", "c")) == [Sent()] * 3
    assert [line for line in heard if line.startswith(b"RCPT")] == [
        f"RCPT TO:<{name}@example.net>\r\n".encode() for name in "abc"
    ]


def test_a_relay_that_offers_no_pipelining_gets_one_command_at_a_time() -> None:
    together: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def talk() -> None:
            connection, _ = server.accept()
            answers = {b"DATA": b"354 go\r\n", b"QUIT": b"221 bye\r\n"}
            with connection:
                connection.sendall(b"220 x\r\n")
                while heard := connection.recv(65_536):
                    if heard.count(b"\r\n") > 1 and not heard.endswith(b"\r\n.\r\n"):
                        together.append(heard)
                    connection.sendall(answers.get(heard[:4].upper(), b"250 OK\r\n"))

        thread = threading.Thread(target=talk)
        thread.start()
        url = f"smtp://127.0.0.1:{server.getsockname()[1]}"
        assert deliver(url, *mails("a", "b", "c")) == [Sent()] * 3
        thread.join(PATIENCE)
    assert together == []


@pytest.mark.parametrize("break_off", [_hang_up, _say_goodbye], ids=["lost", "421"])
@pytest.mark.parametrize("extension", ["PIPELINING", "SIZE"])
def test_a_break_leaves_one_mail_uncertain_or_unsent_and_no_other(
    break_off: Deed, extension: str
) -> None:
    """After a content, the envelope of the next mail was on its way, too: it goes out once."""
    after, at = Scripted(extension=extension), Scripted(extension=extension)
    after.at_end["b"] = break_off
    at.at_rcpt["b"] = break_off
    for relay, whole in ((after, ["a", "b", "c", "d"]), (at, ["a", "c", "d"])):
        with listening(relay) as url:
            verdicts = deliver(url, *mails("a", "b", "c", "d"))
        assert kinds(verdicts) == "SDSS"
        assert isinstance(verdicts[1], Deferred)
        assert verdicts[1].relay_down
        assert ("421 4.3.2 going down" in verdicts[1].error) is (break_off is _say_goodbye)
        assert relay.whole == whole
        assert relay.connections == 2


def test_refusals_between_others_cost_nobody_else_anything() -> None:
    refused = {f"p{n}@example.net": f"{code} no" for n, code in ((0, 550), (3, 451), (4, 550))}
    with Sink(refused, pipelining=True) as sink:
        verdicts = deliver(f"smtp://localhost:{sink.port}", *mails(*names_of(7)))
    no, later = Failed("The relay answered 550 no"), Deferred("The relay answered 451 no")
    assert verdicts == [no, Sent(), Sent(), later, no, Sent(), Sent()]
    assert [taken.recipient[:2] for taken in sink.mails] == ["p1", "p2", "p5", "p6"]
    assert len(sink.greeted) == 1


def test_a_kept_connection_that_the_relay_gives_up_puts_no_mail_off() -> None:
    """It says so before the next command, as servers do that have waited for long."""
    silent = Scripted()
    with listening(silent) as url, relay_to(url) as kept:
        silent.at_end["a"] = _answer_and_leave
        assert verdicts_of(kept, *mails("a")) == [Sent()]
        assert verdicts_of(kept, *mails("b", "c")) == [Sent(), Sent()]
    assert (silent.whole, silent.connections) == (["a", "b", "c"], 2)


def _answer_and_leave(wire: Wire) -> bool:
    say(wire, b"250 taken\r\n421 4.4.2 idle for too long")
    return True


@pytest.mark.parametrize("pipelining", [False, True])
def test_a_large_batch_takes_a_few_connections_and_each_mail_goes_out_once(
    pipelining: bool,
) -> None:
    with Sink(pipelining=pipelining) as sink:
        batch = mails(*names_of(100))
        assert deliver(f"smtp://localhost:{sink.port}", *batch) == [Sent()] * 100
    assert Counter(taken.recipient for taken in sink.mails) == Counter(
        each.recipient for each in batch
    )
    assert len(sink.greeted) == 4


def test_mails_to_one_recipient_keep_their_order_on_whatever_connection() -> None:
    with Sink(pipelining=True) as sink:
        batch = [
            mail(f"p{n % 3}@example.net", b"Subject: %d\r\n\r\nhello\r\n" % n) for n in range(90)
        ]
        assert deliver(f"smtp://localhost:{sink.port}", *batch) == [Sent()] * 90
    for person in range(3):
        own = [taken for taken in sink.mails if taken.recipient.startswith(f"p{person}")]
        numbers = [int(taken.content.split()[1]) for taken in own]
        assert numbers == list(range(person, 90, 3))


def test_a_relay_that_allows_one_connection_gets_all_mails_by_it_and_is_not_asked_again() -> None:
    relay = Scripted(b"220 x", b"421 4.7.0 too many connections")
    with listening(relay) as url, relay_to(url) as kept:
        for _ in range(2):
            assert verdicts_of(kept, *mails(*names_of(60))) == [Sent()] * 60
    assert relay.connections == 2
    assert len(relay.taken) == 120


@pytest.mark.parametrize("timeout", ["_TIMEOUT", "_CONTENT_TIMEOUT"])
def test_a_connection_that_hangs_holds_up_no_other(
    timeout: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"pbm.relay.session.{timeout}", 0.3)
    relay, over = Scripted(), threading.Event()

    def hang(_wire: Wire) -> bool:
        return over.wait(PATIENCE)

    (relay.at_rcpt if timeout == "_TIMEOUT" else relay.at_end)["p0"] = hang
    with listening(relay) as url:
        verdicts = deliver(url, *mails(*names_of(40)))
        over.set()
    assert verdicts[0] == Deferred("The relay cannot be used: timed out.", relay_down=True)
    assert verdicts[1:] == [Sent()] * 39
    assert sorted(relay.taken) == sorted(names_of(40)[1:])


def test_a_mail_that_the_relay_scans_for_long_is_told_and_waits_alone(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("pbm.relay.session._SLOW", 0.1)
    relay, others_are_out = Scripted(), threading.Event()

    def scan(_wire: Wire) -> bool:
        # It is taken in the end, and what went another way meanwhile must not come again.
        assert others_are_out.wait(PATIENCE)
        return False

    relay.at_end["p0"] = scan
    with listening(relay) as url, relay_to(url) as kept:
        judged: dict[int, Verdict] = {}
        for place, verdict in kept.deliver(mails(*names_of(5))):
            judged[place] = verdict
            if len(judged) == 4:
                assert 0 not in judged
                others_are_out.set()
        assert judged == dict.fromkeys(range(5), Sent())
        assert sorted(relay.taken) == names_of(5)
        assert verdicts_of(kept, *mails("z")) == [Sent()]
    assert relay.connections == 2
    (told,) = caplog.messages
    assert "and has not said whether it takes it, <" in told
    assert told.endswith("and other mails that wait with it go out on another connection")


def test_asked_to_stop_it_finishes_what_it_has_begun_and_begins_nothing_more() -> None:
    relay = Scripted()
    with listening(relay) as url, relay_to(url) as kept:
        judged: dict[int, Verdict] = {}
        judged.update(kept.deliver(mails(*names_of(100)), lambda: len(relay.taken) < 10))
        assert set(judged.values()) == {Sent()}
        assert sorted(relay.whole) == sorted(f"p{place}" for place in judged)
        assert 10 <= len(judged) < 30
        # The connections are good for the next batch.
        open_then = relay.connections
        assert verdicts_of(kept, *mails("z")) == [Sent()]
    assert relay.connections == open_then


def test_a_caller_that_leaves_in_the_middle_hands_no_part_of_a_mail_over() -> None:
    relay = Scripted()
    with listening(relay) as url, relay_to(url) as kept:
        batch = kept.deliver(mails("a", "b", "c"))
        assert next(batch) == (0, Sent())
        batch.close()
        assert verdicts_of(kept, *mails("d")) == [Sent()]
    assert set(relay.whole) <= {"a", "b", "d"}
    assert relay.whole[-1] == "d"


@pytest.mark.parametrize("pipelining", [True, False])
def test_an_lmtp_relay_gets_envelope_and_content_together_and_its_refusals_count(
    tmp_path: Path, pipelining: bool
) -> None:
    path = tmp_path / "lmtp"
    refused = {"p2@example.net": "550 unknown", "p5@example.net": "451 full"}
    with Sink(answers=refused, pipelining=pipelining, path=path) as sink:
        verdicts = deliver(f"lmtp:{path}", *mails(*names_of(8)))
    assert kinds(verdicts) == "SSFSSDSS"
    assert [taken.recipient[:2] for taken in sink.mails] == ["p0", "p1", "p3", "p4", "p6", "p7"]


def test_an_lmtp_relay_that_asks_for_a_content_for_nobody_gets_none_and_a_new_connection() -> None:
    """It would answer an empty one once for each recipient, and there is none."""
    relay = Scripted(answers={"dead": b"550 no"})
    with listening(relay) as url:
        verdicts = deliver(url.replace("smtp:", "lmtp:"), *mails("dead", "a"))
    assert verdicts == [Failed("The relay answered 550 no"), Sent()]
    assert relay.heard.count(b".\r\n") == 1
    assert relay.connections == 2


def test_a_relay_that_asks_for_the_content_of_a_refused_mail_gets_an_empty_one() -> None:
    relay = Scripted(answers={"dead": b"550 no"})
    with listening(relay) as url:
        assert deliver(url, *mails("dead", "a")) == [Failed("The relay answered 550 no"), Sent()]
    after = relay.heard.index(b"data\r\n" if b"data\r\n" in relay.heard else b"DATA\r\n") + 1
    assert relay.heard[after : after + 2] == [b".\r\n", b"RSET\r\n"]


@pytest.mark.parametrize(
    ("command", "reply", "error"),
    [
        # It takes the command for the whole mail.
        (b"DATA", b"250 OK", "The relay answered 250 OK"),
        (b"MAIL", b"250-more\r\n" * 30_000, "The relay cannot be used: The reply does not end."),
    ],
    ids=["hasty", "endless"],
)
def test_a_reply_that_is_none_of_the_protocol_lets_the_mail_wait(
    command: bytes, reply: bytes, error: str
) -> None:
    with listening(Scripted(replies={command: reply})) as url:
        assert deliver(url, mail()) == [Deferred(error, relay_down=True)]


@pytest.mark.parametrize("extension", ["SIZE", "PIPELINING"])
@pytest.mark.parametrize("code", [452, 552])
@pytest.mark.parametrize(("command", "ours"), [(b"MAIL", True), (b"RCPT", False), (b"DATA", False)])
def test_before_a_recipient_is_named_it_is_trouble_of_the_relay(
    extension: str, command: bytes, code: int, ours: bool
) -> None:
    full = f"{code} disk full".encode()
    replies = {command: full} | ({b"RCPT": full} if ours else {})
    with listening(Scripted(extension=extension, replies=replies)) as url:
        (verdict,) = deliver(url, mail())
    error = f"The relay answered {code} disk full"
    assert verdict == (Deferred(error, ours) if code == 452 else Failed(error, ours))


@pytest.mark.parametrize("greeting", [b"554 no service for you", b"421 too busy", b"SSH-2.0-x"])
def test_a_refusal_at_the_greeting_is_our_trouble_and_loses_no_mail(greeting: bytes) -> None:
    with listening(Scripted(greeting, greeting, greeting)) as url:
        verdicts = deliver(url, mail(), mail())
    assert [getattr(verdict, "relay_down", None) for verdict in verdicts] == [True, True]
