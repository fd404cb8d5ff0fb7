"""`pbm doctor` on the listeners: whether pbm greets at each of them."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.patients import found
from tests.smtp.house import House

pytestmark = pytest.mark.usefixtures("table")


@contextmanager
def saying(words: bytes) -> Iterator[str]:
    """Run a program that says this to whoever connects; yield where."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def greet() -> None:
            wire, _ = server.accept()
            with wire:
                wire.sendall(words)

        thread = threading.Thread(target=greet)
        thread.start()
        yield f"127.0.0.1:{server.getsockname()[1]}"
        thread.join()


def test_each_listener_that_greets_is_told(tmp_path: Path) -> None:
    path = tmp_path / "lmtp"
    with House(lmtp=path) as house:
        at = str(house.endpoint("smtp"))
        told = found("listeners", "--smtp", at, "--lmtp", str(path))
    assert told == ("ok", f"pbm answers at smtp {at}, lmtp {path}")


def test_a_listener_behind_a_proxy_is_greeted_through_its_header() -> None:
    with House(proxy_protocol=True) as house:
        at = str(house.endpoint("smtp"))
        assert found("listeners", "--smtp", at, "--proxy-protocol")[0] == "ok"


def test_where_nobody_listens_is_a_fault_if_the_operator_has_named_it() -> None:
    level, text = found("listeners", "--smtp", "127.0.0.1:1")
    assert (level, text) == (
        "FAIL",
        "nobody answers at smtp 127.0.0.1:1 (Connection refused): is pbm serve running?",
    )
    Path("pbm.toml").write_text('lmtp = "./nowhere"\nsmtp = ""\n')
    level, text = found("listeners")
    assert (level, "nobody answers at lmtp nowhere (No such file" in text) == ("FAIL", True)


def test_another_program_there_is_a_fault() -> None:
    with saying(b"220 mail.example.org ESMTP Postfix\r\n") as at:
        level, text = found("listeners", "--smtp", at)
    assert (level, text) == ("FAIL", f"another program than pbm answers at smtp {at}")
