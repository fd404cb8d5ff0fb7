"""The mails of simulated players: replies with a move, as mail programs write them, 3 KB each."""

OCTETS = 3 * 1024
"""About how long a mail of the benchmarks is, with all its headers."""

_QUOTED = "\r\n".join(
    f"> {row:2} " + " ".join("+" if (row + column) % 5 else "x" for column in range(13))
    for row in range(13, 0, -1)
)
"""What such a reply quotes: a board drawn in text."""

_MAIL = (
    """\
Received: from phone.example.net (phone.example.net [192.0.2.7])
\tby mail.example.org (Postfix) with ESMTPSA id 4KcJ8b0000z1
\tfor <{to}>; Sun, 22 Nov 2026 07:40:00 +0000 (UTC)
From: {author}
To: {to}
Subject: Re: {subject}
Date: Sun, 22 Nov 2026 07:40:00 +0000
Message-ID: <{identity}@mail.example.org>
In-Reply-To: <previous@games.example.org>
References: <first@games.example.org> <previous@games.example.org>
User-Agent: A mail program
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary="=_part_of_a_benchmark"

--=_part_of_a_benchmark
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: 7bit

{text}

On Sun, 22 Nov 2026, pbm wrote:
{quoted}

--=_part_of_a_benchmark
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: 7bit

<html><body><div>{text}</div><br>
<div class="quote">On Sun, 22 Nov 2026, pbm wrote:<br>
<blockquote style="margin:0 0 0 8px;border-left:1px solid #ccc;padding-left:8px"><pre>
{quoted}
</pre>{filling}</blockquote></div></body></html>
--=_part_of_a_benchmark--
""".replace("\n", "\r\n")
    .replace("{quoted}", _QUOTED)
    .replace(
        "{filling}", "\r\n".join(["<p>The rest of the mail that is answered, in HTML.</p>"] * 18)
    )
)


def reply(author: str, to: str, text: str, identity: str, subject: str = "your move") -> bytes:
    """Return a reply whose first line is `text`, with CRLF; `identity` makes its Message-ID."""
    mail = _MAIL.format(author=author, to=to, text=text, identity=identity, subject=subject)
    return mail.encode()
