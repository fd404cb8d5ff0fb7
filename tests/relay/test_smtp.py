"""Mails handed to a smart host: who gets them, who does not, and what the verdict is."""

import base64
import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from io import BufferedRWPair as Wire
from pathlib import Path

import pytest

from pbm.server.relay.connection import smtp_target
from pbm.server.relay.smtp import SmtpRelay
from pbm.system import Secret
from tests.doors import Deferred, Failed, Sent
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
    unreached,
    verdicts_of,
)
from tests.sink import Sink


@pytest.fixture
def sink() -> Iterator[Sink]:
    with Sink() as served:
        yield served


def _hang_up(_wire: Wire) -> bool:
    return True


def _say_goodbye(wire: Wire) -> bool:
    say(wire, b"421 4.3.2 going down")
    return True


def names_of(many: int) -> list[str]:
    return [f"p{n}" for n in range(many)]


def test_a_mail_arrives_byte_for_byte_with_its_envelope(sink: Sink) -> None:
    content = b".leading dot\r\nSubject: x\r\n\r\n.\r\n..\r\nFrom here\r\n.end\r\n"
    assert deliver(sink.relay, mail(content=content)) == [Sent()]
    (taken,) = sink.mails
    assert taken.content == content
    assert (taken.sender, taken.recipient) == ("bounce+k3v9@games.example.org", "bob@example.net")


def test_a_content_without_a_last_line_end_gets_one(sink: Sink) -> None:
    deliver(sink.relay, mail(content=b"Subject: x\r\n\r\nhello"))
    assert sink.mails[0].content == b"Subject: x\r\n\r\nhello\r\n"


def test_eight_bits_are_announced_and_ascii_is_not(sink: Sink) -> None:
    umlauts = "Subject: x\r\n\r\nÄÖÜ\r\n".encode()
    deliver(sink.relay, mail(content=umlauts), mail())
    assert [taken.options for taken in sink.mails] == [("BODY=8BITMIME",), ()]
    assert sink.mails[0].content == umlauts


def test_the_relay_is_greeted_with_our_name_and_once_for_many_mails(sink: Sink) -> None:
    with relay_to(sink.relay) as relay:
        for batch in range(3):
            verdicts = verdicts_of(relay, *mails(*(f"p{batch}{n}" for n in range(5))))
            assert verdicts == [Sent()] * 5
    assert len(sink.mails) == 15
    assert sink.greeted == ["games.example.org"]


def test_a_dead_recipient_and_a_full_mailbox_hold_nobody(sink: Sink) -> None:
    sink.answers = {
        "dead@example.net": "550 5.1.1 no such user",
        "full@example.net": "451 4.2.2 mailbox full",
    }
    verdicts = deliver(sink.relay, *mails("a", "dead", "b", "full", "c"))
    assert verdicts == [
        Sent(),
        Failed("The relay answered 550 5.1.1 no such user"),
        Sent(),
        Deferred("The relay answered 451 4.2.2 mailbox full"),
        Sent(),
    ]
    assert [taken.recipient[0] for taken in sink.mails] == ["a", "b", "c"]
    assert len(sink.greeted) == 1


def test_a_mail_at_which_the_relay_falls_over_holds_no_other(sink: Sink) -> None:
    sink.answers = {"poison@example.net": ""}
    verdicts = deliver(sink.relay, *mails("a", "poison", "b"))
    assert kinds(verdicts) == "SDS"
    assert len(sink.greeted) == 2


def test_a_421_closes_the_connection_and_the_next_mail_gets_a_new_one(sink: Sink) -> None:
    sink.answers = {"many@example.net": "421 4.7.0 too many mails"}
    verdicts = deliver(sink.relay, *mails("a", "many", "b"))
    assert verdicts == [
        Sent(),
        Deferred("The relay answered 421 4.7.0 too many mails", relay_down=True),
        Sent(),
    ]
    assert len(sink.greeted) == 2


def test_a_connection_that_the_relay_has_closed_meanwhile_is_replaced(sink: Sink) -> None:
    with relay_to(sink.relay) as relay:
        assert verdicts_of(relay, mail()) == [Sent()]
        sink.hang_up()
        assert verdicts_of(relay, mail()) == [Sent()]
    assert len(sink.greeted) == 2


def test_a_connection_idle_for_long_is_replaced(sink: Sink) -> None:
    relay = SmtpRelay(smtp_target(sink.relay), "h.example", keep=0)
    assert verdicts_of(relay, mail(), mail()) == [Sent(), Sent()]
    assert verdicts_of(relay, mail()) == [Sent()]
    relay.close()
    assert len(sink.greeted) == 2


def test_when_nobody_listens_every_mail_waits() -> None:
    with Sink() as sink:
        url = sink.relay
    refused = unreached("The relay cannot be used: Connection refused.")
    assert deliver(url, mail(), mail()) == [refused, refused]


@pytest.mark.parametrize(
    ("recipient", "content"),
    [
        ("bob@example.net>\r\nRCPT TO:<eve@example.net", None),
        ("bob @example.net", None),
        ("bób@example.net", None),
        ("", None),
        ("bob@example.net", b"Subject: x\r\n\r\nhi\n.\nMAIL FROM:<eve@example.net>\r\n"),
        ("bob@example.net", b"Subject: x\r\n\r\nhi\r.\r\r\n"),
    ],
)
def test_a_mail_that_could_smuggle_commands_never_goes_out_and_holds_no_other(
    sink: Sink, recipient: str, content: bytes | None
) -> None:
    bad, good = mail(recipient, content), mail("carol@example.net")
    verdicts = deliver(sink.relay, bad, good)
    assert kinds(verdicts) == "FS"
    assert [taken.recipient for taken in sink.mails] == ["carol@example.net"]


@pytest.mark.parametrize("reply", ["530 5.7.0 STARTTLS first", "535 login first", "503 bad order"])
def test_a_relay_that_wants_a_login_first_loses_no_mail(sink: Sink, reply: str) -> None:
    sink.answers = {"bob@example.net": reply}
    assert deliver(sink.relay, mail()) == [Deferred(f"The relay answered {reply}", relay_down=True)]


@pytest.mark.parametrize("break_off", [_hang_up, _say_goodbye], ids=["lost", "421"])
def test_a_break_leaves_one_mail_uncertain_or_unsent_and_no_other(break_off: Deed) -> None:
    after, at = Scripted(), Scripted()
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


def test_refusals_between_others_cost_nobody_else_anything(sink: Sink) -> None:
    refused = ((0, 550), (3, 451), (4, 550))
    sink.answers = {f"p{n}@example.net": f"{code} no" for n, code in refused}
    verdicts = deliver(sink.relay, *mails(*names_of(7)))
    no, later = Failed("The relay answered 550 no"), Deferred("The relay answered 451 no")
    assert verdicts == [no, Sent(), Sent(), later, no, Sent(), Sent()]
    assert [taken.recipient[:2] for taken in sink.mails] == ["p1", "p2", "p5", "p6"]
    assert len(sink.greeted) == 1


def test_a_relay_that_cannot_reset_after_a_refusal_gets_a_new_connection() -> None:
    relay = Scripted(answers={"dead": b"550 no"}, replies={b"RSET": b"500 what?"})
    with listening(relay) as url:
        assert deliver(url, *mails("dead", "a")) == [Failed("The relay answered 550 no"), Sent()]
    assert relay.connections == 2


def test_each_command_waits_for_the_answer_to_the_one_before() -> None:
    """Also where PIPELINING is offered: some relays that offer it fall over a group."""
    together: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def talk() -> None:
            connection, _ = server.accept()
            answers = {b"ehlo": b"250-x\r\n250 PIPELINING\r\n", b"data": b"354 go\r\n"}
            with connection:
                connection.sendall(b"220 x\r\n")
                while heard := connection.recv(65_536):
                    if heard.count(b"\r\n") > 1 and not heard.endswith(b"\r\n.\r\n"):
                        together.append(heard)
                    connection.sendall(answers.get(heard[:4].lower(), b"250 OK\r\n"))

        thread = threading.Thread(target=talk)
        thread.start()
        url = f"smtp://127.0.0.1:{server.getsockname()[1]}"
        assert deliver(url, *mails("a", "b", "c")) == [Sent()] * 3
        thread.join(PATIENCE)
    assert together == []


def _answer_and_leave(wire: Wire) -> bool:
    say(wire, b"250 taken\r\n421 4.4.2 idle for too long")
    return True


def test_a_connection_that_the_relay_gives_up_between_two_mails_puts_no_mail_off() -> None:
    """It says so before the next command, as servers do that have waited for long."""
    relay = Scripted()
    relay.at_end["a"] = _answer_and_leave
    with listening(relay) as url:
        assert deliver(url, *mails("a", "b", "c")) == [Sent()] * 3
    assert (relay.whole, relay.connections) == (["a", "b", "c"], 2)


@pytest.mark.parametrize(
    "timeout", ["pbm.server.relay.connection.TIMEOUT", "pbm.server.relay.smtp._CONTENT_TIMEOUT"]
)
def test_a_mail_at_which_the_relay_is_silent_waits_and_holds_no_other(
    timeout: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timeout, 0.3)
    relay, over = Scripted(), threading.Event()

    def hang(_wire: Wire) -> bool:
        return over.wait(PATIENCE)

    (relay.at_end if "CONTENT" in timeout else relay.at_rcpt)["p0"] = hang
    with listening(relay) as url:
        verdicts = deliver(url, *mails(*names_of(4)))
        over.set()
    assert verdicts[0] == Deferred("The relay cannot be used: timed out.", relay_down=True)
    assert verdicts[1:] == [Sent()] * 3
    assert sorted(relay.taken) == names_of(4)[1:]


def test_asked_to_stop_it_finishes_what_it_has_begun_and_begins_nothing_more() -> None:
    relay = Scripted()
    with listening(relay) as url, relay_to(url) as kept:
        judged = dict(kept.deliver(mails(*names_of(9)), lambda: len(relay.whole) < 4))
        assert judged == dict.fromkeys(range(4), Sent())
        assert relay.whole == names_of(4)
        # The connection is good for the next batch.
        assert verdicts_of(kept, *mails("z")) == [Sent()]
    assert relay.connections == 1


def test_a_caller_that_leaves_in_the_middle_hands_no_part_of_a_mail_over() -> None:
    relay = Scripted()
    with listening(relay) as url, relay_to(url) as kept:
        batch = kept.deliver(mails("a", "b", "c"))
        assert next(batch) == (0, Sent())
        batch.close()
        assert verdicts_of(kept, *mails("d")) == [Sent()]
    assert relay.whole == ["a", "d"]


def test_the_refusals_of_an_lmtp_relay_count(tmp_path: Path) -> None:
    path = tmp_path / "lmtp"
    refused = {"p2@example.net": "550 unknown", "p5@example.net": "451 full"}
    with Sink(answers=refused, path=path) as sink:
        verdicts = deliver(f"lmtp:{path}", *mails(*names_of(8)))
    assert kinds(verdicts) == "SSFSSDSS"
    assert [taken.recipient[:2] for taken in sink.mails] == ["p0", "p1", "p3", "p4", "p6", "p7"]


@pytest.mark.parametrize(
    ("command", "reply", "error"),
    [
        (b"DATA", b"250 OK", "The relay answered 250 OK"),
        (b"MAIL", b"SSH-2.0-x", "The relay answered -1 2.0-x"),
        (b"MAIL", b"250 " + b"x" * 10_000, "The relay answered 500 Line too long."),
    ],
    ids=["hasty", "foreign", "long"],
)
def test_a_reply_that_is_none_of_the_protocol_lets_the_mail_wait(
    command: bytes, reply: bytes, error: str
) -> None:
    with listening(Scripted(replies={command: reply})) as url:
        assert deliver(url, mail()) == [Deferred(error, relay_down=True)]


@pytest.mark.parametrize("code", [452, 552])
@pytest.mark.parametrize(("command", "ours"), [(b"MAIL", True), (b"RCPT", False), (b"DATA", False)])
def test_before_a_recipient_is_named_it_is_trouble_of_the_relay(
    command: bytes, code: int, ours: bool
) -> None:
    full = f"{code} disk full".encode()
    with listening(Scripted(replies={command: full})) as url:
        (verdict,) = deliver(url, mail())
    error = f"The relay answered {code} disk full"
    assert verdict == (Deferred(error, ours) if code == 452 else Failed(error, ours))


@pytest.mark.parametrize("greeting", [b"554 no service for you", b"421 too busy", b"SSH-2.0-x"])
def test_a_refusal_at_the_greeting_is_our_trouble_and_loses_no_mail(greeting: bytes) -> None:
    with listening(Scripted(greeting, greeting, greeting)) as url:
        verdicts = deliver(url, mail(), mail())
    assert [getattr(verdict, "relay_down", None) for verdict in verdicts] == [True, True]


AT_A_PROVIDER = {b"AUTH": b"235 2.7.0 welcome"}
LIMITS = [
    b"550 5.4.5 Daily user sending limit exceeded",
    b"554 5.7.1 Rate limit exceeded, wait an hour",
    b"550 You have reached your hourly message quota",
    b"550 5.7.0 Too many mails: limit of 20 per day",
]


@pytest.mark.parametrize("reply", LIMITS)
def test_the_limit_of_a_provider_holds_up_all_mails_and_fails_none(reply: bytes) -> None:
    relay = Scripted(extension="AUTH PLAIN", replies=AT_A_PROVIDER, answers={"b": reply})
    with listening(relay) as url:
        verdicts = deliver(url.replace("//", "//pbm:pw@"), *mails("a", "b", "c"))
    waits = unreached(f"The relay answered {reply.decode()}")
    assert verdicts == [Sent(), waits, waits]


OTHER_REFUSALS = [
    b"552 5.2.2 The mailbox is over its daily limit",
    b"552 5.3.4 Message size exceeds fixed limit",
    b"552 Message exceeds the size limit",
    b"550 5.1.1 no such user",
]


@pytest.mark.parametrize("reply", OTHER_REFUSALS)
def test_a_full_mailbox_is_no_limit_of_the_provider(reply: bytes) -> None:
    relay = Scripted(extension="AUTH PLAIN", replies=AT_A_PROVIDER, answers={"b": reply})
    with listening(relay) as url:
        assert kinds(deliver(url.replace("//", "//pbm:pw@"), *mails("a", "b", "c"))) == "SFS"


def test_a_command_prints_the_token_of_each_login(tmp_path: Path) -> None:
    token = tmp_path / "token"
    secret = Secret(f"cat {token}", is_token=True)
    relay = Scripted(extension="AUTH XOAUTH2", replies=AT_A_PROVIDER)
    with listening(relay) as url:
        for word in ("first", "second"):
            token.write_text(f"{word}\n")
            target = smtp_target(url.replace("//", "//me%40provider.example@"), secret)
            with closing(SmtpRelay(target, "x")) as logged_in:
                assert verdicts_of(logged_in, mail()) == [Sent()]
    logins = [line.split()[-1] for line in relay.heard if line.startswith(b"AUTH")]
    assert [base64.b64decode(each) for each in logins] == [
        f"user=me@provider.example\1auth=Bearer {word}\1\1".encode() for word in ("first", "second")
    ]


@pytest.mark.parametrize(
    ("command", "error"),
    [
        ("exit 3", "The password command fails with status 3."),
        ("true", "The password command gives no password."),
    ],
)
def test_a_password_that_cannot_be_had_lets_mails_wait(command: str, error: str) -> None:
    relay = Scripted(extension="AUTH PLAIN", replies=AT_A_PROVIDER)
    with listening(relay) as url:
        target = smtp_target(url.replace("//", "//pbm@"), Secret(command))
        (verdict,) = verdicts_of(SmtpRelay(target, "x"), mail())
    assert verdict == unreached(f"The relay cannot be used: {error}")
