r"""Sessions with a listener, as a client types them in dialogues.txt.

`TYPED -> REPLY` types a command, and the reply must begin with REPLY, or, after `has` and `lacks`,
hold these words or not; none means that the connection is closed. `type OCTETS` types no line end;
`send OCTETS` is a whole mail, with its envelope and the dot; `hear` waits for one more reply;
`N times` compares the codes of N replies. `mails` counts those that were stored; `sender`,
`recipients` and `content` are those of the newest. `[x*9]` is nine x, `{mail}` a mail.

The client has said EHLO or LHLO, unless a `visitor` begins, who has heard a greeting, or a `silent
visitor`. The section may begin with `lmtp`, `proxy` and `limits: NAME=VALUE`.
"""

import re
from pathlib import Path

import pytest

from pbm.server.smtp import SmtpLimits
from tests.readings import sections
from tests.smtp.house import MAIL, Client, House

DIALOGUES = sections(Path(__file__).with_name("dialogues.txt"))
STORED = ("errors logged", "mails", "sender", "recipients", "content")
_REPEATED = re.compile(r"\[([^\]]+)\*(\d+)\]")


@pytest.mark.parametrize("title", DIALOGUES)
def test_a_session_goes_as_it_is_written(title: str, caplog: pytest.LogCaptureFixture) -> None:
    lines = [line for line in DIALOGUES[title].splitlines() if line]
    said = [line for line in lines if "->" in line]
    options = [line for line in lines if "->" not in line]
    chosen = re.findall(r"(\w+)=([\d.]+)", " ".join(options))
    limits = {name: float(value) if "." in value else int(value) for name, value in chosen}
    protocol = "lmtp" if "lmtp" in options else "smtp"
    with House(SmtpLimits(**limits), proxy_protocol="proxy" in options) as house:  # type: ignore[arg-type]
        talk = Talk(house, protocol, caplog)
        for line in said:
            typed, _, expected = line.partition("->")
            typed, expected = typed.strip(), expected.strip()
            reply = talk.answer(typed)
            right = unescaped(expected) == reply if typed in STORED else fits(reply, expected)
            assert right, f"{line}\n{reply!r}"


def fits(reply: str, expected: str) -> bool:
    """Return whether a reply is as expected."""
    word, _, rest = expected.partition(" ")
    if word in ("has", "lacks"):
        return (rest in reply) is (word == "has")
    return reply.startswith(unescaped(expected)) if expected else reply == ""


def unescaped(text: str) -> str:
    """Return what a line of the file stands for."""
    plain = text.encode("latin-1", "backslashreplace").decode("unicode-escape")
    return _REPEATED.sub(lambda found: found[1] * int(found[2]), plain)


class Talk:
    """One session."""

    def __init__(self, house: House, protocol: str, caplog: pytest.LogCaptureFixture) -> None:
        self._house = house
        self._protocol = protocol
        self._log = caplog
        self._client: Client | None = None

    @property
    def client(self) -> Client:
        if self._client is None:
            house = self._house
            self._client = house.client() if self._protocol == "smtp" else house.front_mta()
        return self._client

    def answer(self, typed: str) -> str:
        """Do what a line says, and return what comes of it."""
        times = re.match(r"(\d+) times (.*)", typed)
        if times:
            return " ".join(self.answer(times[2])[:3] for _ in range(int(times[1])))
        if typed.endswith("visitor"):
            self._client = self._house.visitor(self._protocol)
            return self._client.hear() if typed == "visitor" else ""
        return self._stored(typed) if typed in STORED else self._said(typed)

    def _said(self, typed: str) -> str:
        word, _, rest = typed.partition(" ")
        octets = unescaped(rest).replace("{mail}", MAIL.decode())
        if word == "send":
            return self.client.send(octets.encode("latin-1"))
        if word == "type":
            self.client.type(octets.encode("latin-1"))
        return self.client.hear() if word in ("type", "hear") else self.client.say(unescaped(typed))

    def _stored(self, word: str) -> str:
        if word == "errors logged":
            return str(sum(record.levelname == "ERROR" for record in self._log.records))
        mails = self._house.inbox.mails
        return {
            "mails": lambda: str(len(mails)),
            "sender": lambda: mails[-1].sender,
            "recipients": lambda: " ".join(mails[-1].recipients),
            "content": lambda: mails[-1].content.decode("latin-1"),
        }[word]()
