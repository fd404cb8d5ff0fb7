"""Mails handed to a smart host: who gets them, who does not, and what the verdict is."""

from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

from pbm.relay.connection import smtp_target
from pbm.relay.smtp import SmtpRelay
from pbm.service.relaying import Deferred, Failed, Sent
from tests.relay.relays import deliver, mail, relay_to, scripted, unreached, verdicts_of
from tests.sink import Sink
from tests.tables import each


@pytest.fixture(params=[False, True], ids=["one by one", "pipelined"])
def sink(request: pytest.FixtureRequest) -> Iterator[Sink]:
    with Sink(pipelining=request.param) as served:
        yield served


def test_a_mail_arrives_byte_for_byte_with_its_envelope(sink: Sink) -> None:
    content = b".leading dot\r\nSubject: x\r\n\r\n.\r\n..\r\nFrom here\r\n.end\r\n"
    assert deliver(f"smtp://localhost:{sink.port}", mail(content=content)) == [Sent()]
    (taken,) = sink.mails
    assert taken.content == content
    assert (taken.sender, taken.recipient) == ("bounce+k3v9@games.example.org", "bob@example.net")


def test_a_content_without_a_last_line_end_gets_one(sink: Sink) -> None:
    deliver(f"smtp://localhost:{sink.port}", mail(content=b"Subject: x\r\n\r\nhello"))
    assert sink.mails[0].content == b"Subject: x\r\n\r\nhello\r\n"


def test_eight_bits_are_announced_and_ascii_is_not(sink: Sink) -> None:
    umlauts = "Subject: x\r\n\r\nÄÖÜ\r\n".encode()
    deliver(f"smtp://localhost:{sink.port}", mail(content=umlauts), mail())
    assert [taken.options for taken in sink.mails] == [("BODY=8BITMIME",), ()]
    assert sink.mails[0].content == umlauts


def test_the_relay_is_greeted_with_our_name_and_once_for_many_mails(sink: Sink) -> None:
    with relay_to(f"smtp://localhost:{sink.port}") as relay:
        for batch in range(3):
            verdicts = verdicts_of(relay, *(mail(f"p{batch}{n}@example.net") for n in range(5)))
            assert verdicts == [Sent()] * 5
    assert len(sink.mails) == 15
    assert sink.greeted == ["games.example.org"]


def test_a_dead_recipient_and_a_full_mailbox_hold_nobody(sink: Sink) -> None:
    sink.answers = {
        "dead@example.net": "550 5.1.1 no such user",
        "full@example.net": "451 4.2.2 mailbox full",
    }
    names = ("a", "dead", "b", "full", "c")
    verdicts = deliver(
        f"smtp://localhost:{sink.port}", *(mail(f"{name}@example.net") for name in names)
    )
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
    names = ("a", "poison", "b")
    verdicts = deliver(
        f"smtp://localhost:{sink.port}", *(mail(f"{name}@example.net") for name in names)
    )
    assert [type(verdict) for verdict in verdicts] == [Sent, Deferred, Sent]
    assert len(sink.greeted) == 2


def test_a_421_closes_the_connection_and_the_next_mail_gets_a_new_one(sink: Sink) -> None:
    sink.answers = {"many@example.net": "421 4.7.0 too many mails"}
    names = ("a", "many", "b")
    verdicts = deliver(
        f"smtp://localhost:{sink.port}", *(mail(f"{name}@example.net") for name in names)
    )
    assert verdicts == [
        Sent(),
        Deferred("The relay answered 421 4.7.0 too many mails", relay_down=True),
        Sent(),
    ]
    assert len(sink.greeted) == 2


def test_a_connection_that_the_relay_has_closed_meanwhile_is_replaced(sink: Sink) -> None:
    with relay_to(f"smtp://localhost:{sink.port}") as relay:
        assert verdicts_of(relay, mail()) == [Sent()]
        sink.hang_up()
        assert verdicts_of(relay, mail()) == [Sent()]
    assert len(sink.greeted) == 2


def test_a_connection_idle_for_long_is_replaced(sink: Sink) -> None:
    relay = SmtpRelay(smtp_target(f"smtp://localhost:{sink.port}"), "h.example", keep=0)
    assert verdicts_of(relay, mail(), mail()) == [Sent(), Sent()]
    assert verdicts_of(relay, mail()) == [Sent()]
    relay.close()
    assert len(sink.greeted) == 2


def test_a_retry_is_the_same_mail(sink: Sink) -> None:
    sink.answers = {"bob@example.net": "451 later"}
    url, board = f"smtp://localhost:{sink.port}", mail()
    assert deliver(url, board) == [Deferred("The relay answered 451 later")]
    sink.answers = {}
    assert deliver(url, board) == [Sent()]
    assert sink.mails[0].content == board.content
    assert board.message_id.encode() in sink.mails[0].content


def test_when_nobody_listens_every_mail_waits() -> None:
    with Sink() as sink:
        url = f"smtp://localhost:{sink.port}"
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
    verdicts = deliver(f"smtp://localhost:{sink.port}", bad, good)
    assert [type(verdict) for verdict in verdicts] == [Failed, Sent]
    assert [taken.recipient for taken in sink.mails] == ["carol@example.net"]


@each("extension", ["SIZE", "PIPELINING"])
@each("code", [452, 552])
@each(("command", "ours"), [(b"MAIL", True), (b"RCPT", False), (b"DATA", False)])
def test_before_a_recipient_is_named_it_is_trouble_of_the_relay(
    extension: str, command: bytes, code: int, ours: bool
) -> None:
    def talk(reader: IO[bytes], writer: IO[bytes]) -> None:
        writer.write(b"220 x\r\n")
        for line in reader:
            hello = f"250-x\r\n250 {extension}".encode()
            reply = hello if line[:4].upper() == b"EHLO" else b"250 OK"
            refused = line.startswith(command) or (command == b"MAIL" and line[:4] == b"RCPT")
            writer.write((f"{code} disk full".encode() if refused else reply) + b"\r\n")

    with scripted(talk) as port:
        (verdict,) = deliver(f"smtp://localhost:{port}", mail())
    error = f"The relay answered {code} disk full"
    assert verdict == (Deferred(error, ours) if code == 452 else Failed(error, ours))


@pytest.mark.parametrize("greeting", ["554 no service for you", "421 too busy", "SSH-2.0-x"])
def test_a_refusal_at_the_greeting_is_our_trouble_and_loses_no_mail(greeting: str) -> None:
    def talk(_reader: IO[bytes], writer: IO[bytes]) -> None:
        writer.write(f"{greeting}\r\n".encode())

    with scripted(talk) as port:
        verdicts = deliver(f"smtp://localhost:{port}", mail(), mail())
    assert [getattr(verdict, "relay_down", None) for verdict in verdicts] == [True, True]


@pytest.mark.parametrize("reply", ["530 5.7.0 STARTTLS first", "535 login first", "503 bad order"])
def test_a_relay_that_wants_a_login_first_loses_no_mail(sink: Sink, reply: str) -> None:
    sink.answers = {"bob@example.net": reply}
    assert deliver(f"smtp://localhost:{sink.port}", mail()) == [
        Deferred(f"The relay answered {reply}", relay_down=True)
    ]


def test_a_pipelining_relay_that_asks_for_the_content_of_a_refused_mail_gets_an_empty_one() -> None:
    heard: list[bytes] = []
    answers = {b"EHLO": b"250-x\r\n250 PIPELINING", b"DATA": b"354 go", b"QUIT": b"221 bye"}

    def talk(reader: IO[bytes], writer: IO[bytes]) -> None:
        writer.write(b"220 x\r\n")
        for line in reader:
            heard.append(line.rstrip())
            reply = (
                b"550 no" if b"dead" in line else answers.get(line[:4].upper().rstrip(), b"250 OK")
            )
            if line.startswith((b"Subject", b"Message-ID", b"\r", b"alice")):
                continue
            writer.write(reply + b"\r\n")

    with scripted(talk) as port:
        verdicts = deliver(f"smtp://localhost:{port}", mail("dead@example.net"), mail())
    assert verdicts == [Failed("The relay answered 550 no"), Sent()]
    after = heard.index(b"DATA") + 1
    assert heard[after : after + 2] == [b".", b"RSET"]


def test_a_pipelining_relay_that_says_goodbye_in_the_middle_is_heard_out() -> None:
    def talk(reader: IO[bytes], writer: IO[bytes]) -> None:
        writer.write(b"220 x\r\n")
        for line in reader:
            if line[:4].upper() == b"EHLO":
                writer.write(b"250-x\r\n250 PIPELINING\r\n")
            if line.startswith(b"DATA"):
                writer.write(b"250 OK\r\n421 4.3.2 going down\r\n")
                return

    with scripted(talk) as port:
        verdicts = deliver(f"smtp://localhost:{port}", mail())
    assert verdicts == [Deferred("The relay answered 421 4.3.2 going down", relay_down=True)]


def test_a_connection_lost_before_the_last_reply_lets_the_mail_wait() -> None:
    def talk(reader: IO[bytes], writer: IO[bytes]) -> None:
        writer.write(b"220 x\r\n")
        for line in reader:
            if line.startswith(b"DATA"):
                writer.write(b"354 go\r\n")
            elif line == b".\r\n":
                return
            elif line[:4].upper() in {b"EHLO", b"MAIL", b"RCPT"}:
                writer.write(b"250 OK\r\n")

    with scripted(talk) as port:
        (verdict,) = deliver(f"smtp://localhost:{port}", mail())
    assert isinstance(verdict, Deferred)
    assert verdict.relay_down


def test_lmtp_by_a_socket_takes_mails_and_refuses_one_recipient(tmp_path: Path) -> None:
    path = tmp_path / "lmtp"
    with Sink(answers={"dead@example.net": "550 unknown"}, path=path) as sink:
        verdicts = deliver(f"lmtp:{path}", mail("dead@example.net"), mail())
    assert verdicts == [Failed("The relay answered 550 unknown"), Sent()]
    assert sink.mails[0].content == mail().content
