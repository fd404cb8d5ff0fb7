"""Letters in several hundred client styles and in over forty languages, as they are read.

Each letter answers a real board mail of ours. The forms of plain.txt and html.txt are filled with
`{own}`, the player's text, `{move}` and `{comment}`, its parts, `{n}` and `{a}`, name and address
of the server, the words of languages.txt, and the board mail: `{board}`, `{mail}` with the line
ends at its end, `{quote}` with a mark before each line.
"""

import html
from collections.abc import Callable, Iterator, Mapping
from email.message import EmailMessage
from email.utils import parseaddr
from pathlib import Path

import pytest

from pbm.dispatch.script import LineReader, read_script
from tests.house import HouseUnderTest, text_of
from tests.mail.reading.received import ADDRESS, reading
from tests.readings import rows, sections
from tests.service.houses import GRAMMAR, REPLY

FOLDER = Path(__file__).parent / "styles"
KINDS = ("plain", "html")
MOVE = "H13"
CONTACT = "Game Server"
"""Names under which players save the server in their address books."""

COMMENTS = (
    "Good luck to you too - it is my second game.",
    "Hi Alice,\n\nthat was unexpected. On we go!\n\nBob",
    "",
    "I have written to pbm before, in 2025 at 18:00, but never got this far.",
    "Schöne Grüße aus dem Zug: bis morgen um 7:30 Uhr.\nDein Bob",
    "A question: may I swap later?\nTwo things:\n- the corner\n- the side",
)
"""Texts of players below their move; some resemble an introduction."""


def table(text: str) -> dict[str, str]:
    """Return the rows `name = value` of a table."""
    return {name: value for name, _, value in (row.partition(" = ") for row in rows(text))}


LANGUAGES = {code: table(text) for code, text in sections(FOLDER / "languages.txt").items()}


def styles() -> Iterator[tuple[str, str, str, Mapping[str, str]]]:
    """Yield the name, the kind, the form and the language of each style."""
    forms = {kind: [*map(table, sections(FOLDER / f"{kind}.txt").values())] for kind in KINDS}
    for at, (code, words) in enumerate(LANGUAGES.items()):
        for kind, (often, some, _) in forms.items():
            for name, form in (*often.items(), *[*some.items()][at % 3 :: 3]):
                yield f"{name}, {kind}, {code}", kind, form, words
    for kind, (_, _, once) in forms.items():
        yield from ((f"{name}, {kind}", kind, once[name], LANGUAGES["en"]) for name in once)


def marked(text: str, mark: str = "> ") -> str:
    return "\n".join(f"{mark}{line}".rstrip() for line in text.rstrip("\n").split("\n"))


def broken(text: str) -> str:
    return html.escape(text).replace("\n", "<br>\r\n")


def divs(text: str) -> str:
    return "".join(f"<div>{html.escape(line) or '<br>'}</div>" for line in text.split("\n"))


def paragraphs(text: str) -> str:
    lines = (html.escape(line) or "<o:p>&nbsp;</o:p>" for line in text.split("\n"))
    return "".join(f'<p class="MsoNormal">{line}</p>' for line in lines)


def wrapped(line: str, width: int) -> str:
    """Return an introduction broken where Gmail breaks it: at the last space that fits."""
    if len(line) <= width or " " not in line[:width]:
        return line
    cut = line.rindex(" ", 0, width)
    return f"{line[:cut]}\n{line[cut + 1 :]}"


def in_three_lines(line: str) -> str:
    words = line.split(" ")
    third = len(words) // 3
    return "\n".join(map(" ".join, (words[:third], words[third : 2 * third], words[2 * third :])))


def of_the_answer(comment: str) -> dict[str, str]:
    own = f"{MOVE}\n\n{comment}" if comment else MOVE
    return {
        "own": own, "own html": broken(own), "own divs": divs(own), "own pre": html.escape(own),
        "own paragraphs": paragraphs(own), "move": MOVE, "comment": comment,
        "comment html": broken(comment), "comment divs": divs(comment),
    }  # fmt: skip


def of_the_mail(mail: str) -> dict[str, str]:
    """Return the forms in which a board mail is quoted."""
    board = mail.rstrip("\n")
    head, _, rest = board.partition("\n\n")
    _, _, to_its_end = mail.partition("\n\n")
    forms = {
        "mail": mail, "mail html": broken(mail), "mail paragraphs": paragraphs(mail),
        "mail pre": f'<pre class="moz-quote-pre" wrap="">{html.escape(mail)}</pre>',
        "board": board, "board html": broken(board), "quote": marked(board),
        "quote html": broken(marked(board)), "quote pre": html.escape(marked(board)),
        "quote with a mark": marked(f"\ufeff{board}"), "first line": board.partition("\n")[0],
        "quoted head": marked(head), "quoted rest": marked(rest), "head html": broken(head),
        "rest html": broken(to_its_end),
    }  # fmt: skip
    marks = {"tight quote": ">", "barred": "| ", "bat": "GP> ", "supercite": "    Gonnect> ",
             "vm": " > ", "fullwidth": "\uff1e"}  # fmt: skip
    return forms | {name: marked(board, mark) for name, mark in marks.items()}


def in_words(words: Mapping[str, str], name: str) -> dict[str, str]:
    """Return the words of a language, about a mail from `name`."""
    intro = {key: words[key].format(n=name, a=ADDRESS) for key in ("gmail", "apple", "thunderbird")}
    of_a_contact = words["gmail"].format(n=CONTACT, a=ADDRESS)
    return {
        **words, **intro, **{f"{key} html": broken(line) for key, line in intro.items()},
        "gmail wrapped": wrapped(intro["gmail"], 76),
        "gmail wrapped early": wrapped(intro["gmail"], 60),
        "gmail in three lines": in_three_lines(intro["gmail"]), "gmail of a contact": of_a_contact,
        "gmail of a contact, broken": broken(of_a_contact).replace(" &lt;", "<br>&lt;", 1),
        "day html": broken(words["day"]), "ipad": words["iphone"].replace("iPhone", "iPad"),
        "outlook on Android": words["outlook"].replace("iOS", "Android"), "n": name, "a": ADDRESS,
    }  # fmt: skip


def letters(name: str, mail: str) -> Iterator[tuple[str, bytes, str]]:
    """Yield style, content and comment of all letters that answer a mail from `name`.

    The comments go round.
    """
    quoted = of_the_mail(mail)
    for number, (style, kind, form, words) in enumerate(styles()):
        comment, text = COMMENTS[number % len(COMMENTS)], form
        for field, value in (of_the_answer(comment) | quoted | in_words(words, name)).items():
            text = text.replace(f"{{{field}}}", value)
        head = (
            "From: bob@example.net\nTo: pbm@games.example.org\nMessage-ID: <1@example.net>\n"
            f"Subject: Re: [Gonnect 101] alice - bob\nContent-Type: text/{kind}; charset=utf-8\n\n"
        )
        yield style, (head + text).encode(), comment


@pytest.fixture(scope="module")
def board_mail(tmp_path_factory: pytest.TempPathFactory) -> EmailMessage:
    """Return a board mail of ours, with a command in the opponent's remark."""
    house = HouseUnderTest(tmp_path_factory.mktemp("house"))
    house.add("alice", "bob")
    house.mail("alice@example.org", "gonnect challenge alice alice-pw bob")
    house.reply(house.last_to("bob@example.org"), "accept")
    house.reply(house.last_to("alice@example.org"), "F13\n\nresign\nGood luck!")
    return house.last_to("bob@example.org")


def failure(style: str, content: bytes, comment: str) -> tuple[str, str]:
    """Return which of "move" and "comment" is read wrongly, and what was read; "" if none is."""
    script = read_script(
        reading(content), LineReader(GRAMMAR, REPLY), lambda line: line if line == MOVE else None
    )
    if script.lines != (MOVE,):
        return "move", f"{style}: {script.lines}"
    if script.comment != comment:
        return "comment", f"{style}: {script.comment!r} for {comment!r}"
    return "", ""


def sent_text_of(mail: EmailMessage) -> str:
    """Return the text of a mail as a client quotes it that knows nothing of format=flowed."""
    part = mail.get_body(("plain",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


@pytest.mark.parametrize("quoted", [text_of, sent_text_of])
def test_every_move_and_every_comment_is_read_in_several_hundred_client_styles(
    board_mail: EmailMessage, quoted: Callable[[EmailMessage], str]
) -> None:
    name, _ = parseaddr(str(board_mail["From"]))
    corpus = list(letters(name, quoted(board_mail)))
    failures = [found for found in (failure(*letter) for letter in corpus) if found[0]]
    moves = [told for kind, told in failures if kind == "move"]
    told = "\n".join(f"{kind} {what}" for kind, what in failures)
    print(f"{len(corpus)} letters; {len(moves)} moves, {len(failures)} in all read wrongly\n{told}")
    assert len({style for style, _, _ in corpus}) == len(corpus) >= 300
    assert not moves, told
    assert len(failures) <= len(corpus) // 100, told
