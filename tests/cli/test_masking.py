"""Raw mails in listings: nobody can read a password or a token in them."""

from pathlib import Path

from pbm.cli.printing import mask
from tests.tables import each

RAW = """\
Received: from mx.example.net by games.example.org
\tfor <pbm+k3v9qd7xw2@games.example.org>; Tue, 24 Nov 2026 18:20:01 +0100
From: Bob <bob+private@example.net>
To: "pbm+k3v9qd7xw2@games.example.org" <PBM+k3v9qd7xw2@games.example.org>
Subject: gonnect move 104 bob s3cret
 continued-s3cret c3
Thread-Topic: gonnect move 104 bob s3cret
X-Original-Subject: s3cret
Date: Tue, 24 Nov 2026 18:20:00 +0100
Message-ID: <1.abc@example.net>
In-Reply-To: <pbm+k3v9qd7xw2@games.example.org>
no header s3cret

move 104 bob s3cret c3

From: s3cret
c2VjcmV0Cg==
"""


def test_what_an_operator_needs_is_shown_and_nothing_else() -> None:
    assert (
        mask(RAW)
        == """\
Received: from mx.example.net by games.example.org
\tfor <pbm+***@games.example.org>; Tue, 24 Nov 2026 18:20:01 +0100
From: Bob <bob+***@example.net>
To: "pbm+***@games.example.org" <PBM+***@games.example.org>
Subject: *** *** *** *** ***
 *** ***
Thread-Topic: *** *** *** *** ***
X-Original-Subject: ***
Date: Tue, 24 Nov 2026 18:20:00 +0100
Message-ID: <1.abc@example.net>
In-Reply-To: <pbm+***@games.example.org>
*** *** ***

*** *** *** *** ***

*** ***
***
"""
    )


@each("secret", ["s3cret", "k3v9qd7xw2", "private", "c2VjcmV0"])
@each("end", ["\n", "\r\n"])
def test_no_secret_is_left(secret: str, end: str) -> None:
    assert secret not in mask(RAW.replace("\n", end))


@each(
    "text",
    [
        "s3cret",
        "\ns3cret",
        "\n\ns3cret",
        "\r\n\r\ns3cret",
        "From: a@b\n\nFrom: s3cret",
        "From: a@b\n\n\nDate: s3cret",
        " s3cret\nFrom: a@b",
        "Subject:s3cret",
        "Subject: a\n\ts3cret",
        "subject : s3cret",
        "From: a@b\rSubject: s3cret",
        "Subject: a\rFrom: s3cret\n",
        "To: pbm+s3cret",
        "To: x+y+s3cret@b",
    ],
)
def test_no_odd_form_of_a_mail_shows_a_secret(text: str) -> None:
    assert "s3cret" not in mask(text)


def test_the_length_of_a_word_is_not_told() -> None:
    assert mask("Subject: a\n\nb") == mask("Subject: aaaaaaaa\n\nbbbbb")


def test_no_word_of_a_letter_is_left_in_its_text() -> None:
    for path in (Path(__file__).parent / "letters").glob("*.eml"):
        _, _, body = mask(path.read_bytes().decode("latin-1")).partition("\n\n")
        assert set(body.split()) == {"***"}
