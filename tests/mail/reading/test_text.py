"""From parts to text: which part is read, format=flowed, HTML."""

from tests.mail.reading.received import letter, reading
from tests.tables import each


def lines(*headers: str, body: str | bytes) -> tuple[str, ...]:
    return reading(letter(*headers, body=body)).lines


def html(source: str) -> tuple[str, ...]:
    return lines("Content-Type: text/html; charset=utf-8", body=source)


def multipart(kind: str, *parts: str) -> tuple[str, ...]:
    body = "".join(f"--b\n{part}\n" for part in parts) + "--b--\n"
    return lines(f"Content-Type: multipart/{kind}; boundary=b", body=body)


def test_invisible_characters_and_spaces_of_all_kinds_are_made_plain() -> None:
    assert lines(body="\ufeffmove\u00a01\u2003c3\u200b\n\u202eab\u00ad\u200dc\n") == (
        "move 1 c3",
        "abc",
    )


def test_letters_dashes_quotes_and_emoji_of_a_comment_stay_as_they_were() -> None:
    comment = "\u201cgut\u201d \u2013 \u5929\u5143 \U0001f468\u200d\U0001f469\u200d\U0001f467"
    assert lines(body=comment) == (comment,)


def test_control_characters_reach_nobody() -> None:
    assert lines(body=b"D4\x00\x1b[31m\x07\x0c x\x0b\xc2\x9by\xe2\x80\xa8z\rw") == (
        "D4  [31m   x  y",
        "z",
        "w",
    )


def test_flowed_lines_are_one_paragraph() -> None:
    header = "Content-Type: text/plain; format=flowed"
    body = "one \ntwo\nthree\n\n  stuffed \nfour\n"
    assert lines(header, body=body) == ("one two", "three", "", " stuffed four")


def test_flowed_text_with_delsp_loses_the_space_that_was_put_in() -> None:
    header = "Content-Type: text/plain; Format=Flowed; DelSp=Yes"
    assert lines(header, body="move 10 \n4 c3 \n d4\n") == ("move 104 c3d4",)


def test_a_flowed_quote_does_not_flow_into_what_is_below_it() -> None:
    header = "Content-Type: text/plain; format=flowed"
    assert lines(header, body="> resign \nD4\n>> x \n> y \nend\n") == ("D4", "end")


def test_a_signature_ends_a_flowed_paragraph() -> None:
    header = "Content-Type: text/plain; format=flowed"
    assert lines(header, body="D4 \n-- \nBob\n") == ("D4",)


def test_text_that_does_not_flow_keeps_its_lines() -> None:
    assert lines(body="one \ntwo\n") == ("one", "two")


PLAIN, HTML = "\nplain", "Content-Type: text/html\n\n<p>html</p>"


@each(
    ("kind", "parts", "read"),
    [
        ("alternative", [PLAIN, HTML], "plain"),
        ("alternative", [HTML, PLAIN], "plain"),
        ("alternative", ["\n \n", HTML], "html"),
        ("alternative", [HTML], "html"),
        ("mixed", [PLAIN, HTML], "plain"),
        ("mixed", [HTML, PLAIN], "html plain"),
        ("mixed", [PLAIN, "Content-Type: image/png\n\nPNG", PLAIN], "plain plain"),
        ("mixed", [PLAIN, "Content-Disposition: attachment\n\nno"], "plain"),
        ("mixed", ["Content-Disposition: ATTACHMENT; x=y\n\nno", PLAIN], "plain"),
        ("mixed", ['Content-Disposition: inline; filename="a.txt"\n\nno', PLAIN], "plain"),
        ("mixed", ['Content-Disposition: inline; filename="a.txt"\n\nonly'], "only"),
        ("mixed", ['Content-Disposition: inline; filename="a.txt"\n\nonly', "\n \n"], "only"),
        ("mixed", ["Content-Disposition: attachment; filename=a.txt\n\nno"], ""),
        ("mixed", ["Content-Type: message/rfc822\n\nSubject: x\n\nno", PLAIN], "plain"),
        ("mixed", ["Content-Type: text/calendar\n\nno", PLAIN], "plain"),
        ("related", [HTML, PLAIN], "html"),
        ("signed", [PLAIN, "Content-Type: application/pgp-signature\n\nno"], "plain"),
        ("unheard-of", [PLAIN], "plain"),
    ],
)
def test_the_text_is_found_among_the_parts(kind: str, parts: list[str], read: str) -> None:
    assert " ".join(filter(None, multipart(kind, *parts))) == read


def test_multiparts_inside_one_another_are_read() -> None:
    header = 'Content-Type: multipart/alternative; boundary="b c"'
    inner = f"{header}\n\n--b c\n{PLAIN}\n--b c\n{HTML}\n--b c--"
    assert multipart("mixed", inner, "Content-Type: application/pdf\n\nno") == ("plain",)


@each(
    ("content_type", "body", "read"),
    [
        ("multipart/mixed; boundary=b", "--b\n\nD4\n", ("D4",)),
        ("multipart/mixed; boundary=b", "preamble\n--b \t\n\nD4\n--b--\nepilogue\n", ("D4",)),
        ("multipart/mixed; boundary=b", "--bc\n\n--b\n\nD4\n--b--", ("D4",)),
        ("multipart/mixed; boundary=b", "x --b\n--b\n--b\n\nD4\n y--b--\n--b--", ("D4", " y--b--")),
        ("multipart/mixed; boundary=b", "D4\n", ("D4",)),
        ("multipart/mixed", "D4\n", ("D4",)),
        ('multipart/mixed; boundary="', "D4\n", ("D4",)),
        ("multipart/mixed; boundary*=b; boundary=c", "--b\n\nD4\n--b--", ("D4",)),
        ("nonsense", "D4\n", ("D4",)),
        ("text", "D4\n", ("D4",)),
        ("text/plain/x; charset", "D4\n", ("D4",)),
        ("image/png", "D4\n", ()),
    ],
)
def test_a_mail_with_defects_is_read(content_type: str, body: str, read: tuple[str, ...]) -> None:
    assert lines(f"Content-Type: {content_type}", body=body) == read


@each(
    ("source", "read"),
    [
        ("D4", ("D4",)),
        ("<div>move 1\n  c3</div><div><br></div><div>hello</div>", ("move 1 c3", "", "hello")),
        ("<p>D4</p><p>hello<br>you</p>", ("D4", "", "hello", "you")),
        ("D4<br><br><br>hello", ("D4", "", "hello")),
        ("<b>mo</b>ve&nbsp;1 &lt;c3&gt; &#x26; &amp;amp;", ("move 1 <c3> & &amp;",)),
        ("<table><tr><td>move</td><td>1</td></tr><tr><td>x</td></tr></table>", ("move  1", "x")),
        ("<pre>one\n  two</pre>\n three", ("one", "two", "", "three")),
        ("<style>p { color: red }</style><title>no</title>D4", ("D4",)),
        ("<!-- no > -->D4<!-- <p>no -->", ("D4",)),
        ("<!doctype html><?xml no?><![if mso]>D4</ bogus>", ("D4",)),
        ("<a title=\"no > no\" href='x'>D4</a>", ("D4",)),
        ("1 < 2 <3 > 0", ("1 < 2 <3 > 0",)),
        ("D4<blockquote>no<blockquote>no</blockquote>no</blockquote>below", ("D4", "below")),
        ('D4<div class="x gmail_quote">no<div>no</div>no</div>below', ("D4", "below")),
        ("D4<BLOCKQUOTE TYPE=cite>no", ("D4",)),
        ("D4<div class=moz-cite-prefix>Bob wrote:</div><blockquote>no</blockquote>", ("D4",)),
        ('D4<hr><div id="appendonsend"></div>no', ("D4",)),
        ("D4<style/>below", ("D4below",)),
        ("D4&#99999999999999999999;", ("D4\ufffd",)),
        ("D4&#0;&#27;&#8203;", ("D4\ufffd",)),
        ("<p>D4</p", ("D4",)),
        ("D4<!-- never closed", ("D4",)),
        ('D4<a href="never closed>x</a>', ("D4x",)),
    ],
)
def test_html_is_read_as_it_is_seen_and_without_quotes(source: str, read: tuple[str, ...]) -> None:
    assert html(source) == read


@each(
    "hidden",
    [
        '<div style="display:none">no</div>',
        "<span style='max-height: 0px; overflow:hidden'>no<span>no</span></span>",
        '<p style="font-size:0">no',
        '<div style="mso-hide:all">no</div>',
        '<div style="visibility : hidden">no</div>',
        "<div hidden>no</div>",
        '<div aria-hidden="true">no</div>',
        "<!--[if mso]>no<![endif]-->",
        '<img src="https://t.example" alt="no">',
    ],
)
def test_what_html_does_not_show_is_not_read(hidden: str) -> None:
    assert html(f"{hidden}<p>D4</p>") == ("D4",)


@each(
    "shown",
    [
        '<div style="max-height:0.9em; font-size:0.9em">D4</div>',
        '<div aria-hidden="false">D4</div>',
        "<div title=hiddenish>D4</div>",
        '<blockquote style="margin:0 0 0 40px;border:none;padding:0px">D4</blockquote>',
    ],
)
def test_what_only_resembles_hidden_or_quoted_html_is_read(shown: str) -> None:
    assert html(shown) == ("D4",)


@each(
    ("source", "read"),
    [
        ("<p>Xyzzy:</p><blockquote>no</blockquote>D4", ("Xyzzy:", "", "D4")),
        ("D4<p>hello</p><p>Xyzzy:</p><blockquote>no</blockquote>", ("D4", "", "hello")),
        ("D4<div>On 24 Nov,<br>Alice<br>wrote:</div><blockquote>no</blockquote>x", ("D4", "x")),
        ("<div class=gmail_quote>no<blockquote class=gmail_quote>no</blockquote>D4</div>", ("D4",)),
        ("<div class=gmail_quote>no<blockquote>no</blockquote>no</div>D4", ("D4",)),
        ("<div class=gmail_quote>no<div>no</div>no</div>D4", ("D4",)),
        ("<div class=gmail_extra><div class=gmail_quote>no</div>no</div>D4", ("D4",)),
        ("<div class=yahoo_quoted>no<div/>no</div>D4", ("D4",)),
        ("<div class=yahoo_quoted>no<blockquote>no</blockquote>no</div>D4", ("D4",)),
        ("D4<blockquote>no<blockquote>no</blockquote>no</blockquote>x", ("D4", "x")),
        ("D4<hr id=zwchr>no", ("D4",)),
        ("D4<p>hello</p><p>---- Xyzzy ----</p><hr id=zwchr>no", ("D4", "", "hello")),
        ('D4<blockquote class=quote style="margin:0 0 0 40px;border:none">no', ("D4",)),
        ("<p class=MsoNormal>D4</p><p class=MsoNormal>x</p><p>y</p>", ("D4", "x", "", "y")),
    ],
)
def test_own_text_in_and_below_quotes_of_html_is_read(source: str, read: tuple[str, ...]) -> None:
    assert html(source) == read


@each(
    ("written", "read"),
    [
        ("&lsaquo;&hellip;&eacute;", "\u2039\u2026é"),
        ("&amp&lt", "&<"),
        ("&nosuchthing; &a", "&nosuchthing; &a"),
        ("&#233;&#xE9;&#XE9", "ééé"),
        ("&#128;&#150;", "\u20ac\u2013"),
        ("&#55296;&#1114112;&#x110000;", "\ufffd\ufffd\ufffd"),
    ],
)
def test_character_references_are_read_as_browsers_do(written: str, read: str) -> None:
    assert html(f"D4 {written}") == (f"D4 {read}",)
