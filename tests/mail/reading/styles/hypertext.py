"""Clients that answer in HTML alone: one function each, from an answer to its HTML."""

# ruff: noqa: E501 - as the clients write it

from collections.abc import Callable

from tests.mail.reading.styles.paper import ADDRESS, CONTACT, Answer, broken, divs, paragraphs, pre

BODY = (
    '<html><head><meta charset="utf-8"><style>p { margin: 0 }</style></head><body>{}</body></html>'
)


def lines(a: Answer, name: str = "") -> str:
    header = a.header(name=name or f"{CONTACT} <{ADDRESS}>")
    return "<br>".join(
        f"<b>{label}:</b> {broken(value)}"
        for label, value in (each.split(": ", 1) for each in header.split("\n"))
    )


def gmail(a: Answer) -> str:
    return (
        f'<div dir="ltr">{divs(a.text)}</div><br><div class="gmail_quote gmail_quote_container">'
        f'<div dir="ltr" class="gmail_attr">{broken(a.intro(a.words.gmail))}<br></div>'
        f'<blockquote class="gmail_quote" style="margin:0 0 0 .8ex">{broken(a.board)}</blockquote></div>'
    )


def gmail_below(a: Answer) -> str:
    """The cursor stood inside the container, below its blockquote."""
    return (
        '<div dir="ltr"><br><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">'
        f'{broken(a.intro(a.words.gmail))}<br></div><blockquote class="gmail_quote">'
        f"{broken(a.board)}</blockquote>{divs(a.text)}</div></div>"
    )


def gmail_between(a: Answer) -> str:
    head, _, rest = a.board.partition("\n\n")
    return (
        '<div dir="ltr"><div class="gmail_quote"><div class="gmail_attr">'
        f'{broken(a.intro(a.words.gmail))}</div><blockquote class="gmail_quote">{broken(head)}'
        f"</blockquote><div>{a.move}</div><blockquote class='gmail_quote'>{broken(rest)}"
        f"</blockquote>{divs(a.comment)}</div></div>"
    )


def gmail_signed(a: Answer) -> str:
    return gmail(a).replace(
        '</div><br><div class="gmail_quote',
        '<br><div class="gmail_signature">Bob Smith<br>resign</div></div><br><div class="gmail_quote',
    )


def apple(a: Answer) -> str:
    return (
        f'{divs(a.text)}<div><br><blockquote type="cite"><div>{broken(a.intro(a.words.apple))}</div>'
        f"<br><div>{broken(a.board)}</div></blockquote></div>"
    )


def iphone(a: Answer) -> str:
    return (
        f'{divs(a.text)}<br id="lineBreakAtBeginningOfSignature"><div dir="ltr">{a.words.iphone}'
        f'</div><div dir="ltr"><br><blockquote type="cite">{broken(a.intro(a.words.apple))}<br><br>'
        f"</blockquote></div><blockquote type='cite'><div>{broken(a.board)}</div></blockquote>"
    )


def thunderbird(a: Answer) -> str:
    return (
        f'<p>{broken(a.text)}<br></p><div class="moz-cite-prefix">'
        f"{broken(a.intro(a.words.thunderbird))}<br></div>"
        f'<blockquote type="cite" cite="mid:1@x">{pre(a.board)}</blockquote>'
    )


def thunderbird_below(a: Answer) -> str:
    return (
        f'<div class="moz-cite-prefix">{broken(a.intro(a.words.thunderbird))}<br></div>'
        f'<blockquote type="cite">{pre(a.board)}</blockquote><p>{broken(a.text)}</p>'
        '<div class="moz-signature">-- <br>Bob</div>'
    )


def outlook(a: Answer) -> str:
    return (
        f'<div class="WordSection1">{paragraphs(a.text)}<p class="MsoNormal"><o:p>&nbsp;</o:p></p>'
        '<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm">'
        f'<p class="MsoNormal">{lines(a)}<o:p></o:p></p></div>{paragraphs(a.board)}</div>'
    )


def outlook_web(a: Answer) -> str:
    return (
        f'<div class="elementToProof">{broken(a.text)}</div><div id="appendonsend"></div>'
        f'<hr style="display:inline-block;width:98%"><div id="divRplyFwdMsg" dir="ltr">{lines(a)}'
        f"<div>&nbsp;</div></div><div>{broken(a.board)}</div>"
    )


def outlook_mobile(a: Answer) -> str:
    return (
        f'<div dir="auto">{divs(a.text)}</div><div id="ms-outlook-mobile-signature"><div><br></div>'
        f'<a href="https://aka.ms/o0ukef">{a.words.outlook_app}</a></div>'
        f'<div id="mail-editor-reference-message-container"><hr>{lines(a)}<br><br>'
        f"{broken(a.board)}</div>"
    )


def windows_mail(a: Answer) -> str:
    return (
        f'{paragraphs(a.text)}<p class="MsoNormal">{a.words.windows}</p><div '
        f'style="mso-element:para-border-div;border-top:solid #E1E1E1 1.0pt"><p>{lines(a)}</p></div>'
        f"{paragraphs(a.board)}"
    )


def yahoo(a: Answer) -> str:
    return (
        f'<div class="yahoo-style-wrap">{divs(a.text)}<div><br></div></div><div '
        f'id="yahoo_quoted_123" class="yahoo_quoted"><div>{broken(a.intro(a.words.gmail))}</div>'
        f"<div><br></div><div>{broken(a.board)}</div></div>"
    )


def samsung(a: Answer) -> str:
    return (
        f'<div dir="auto">{broken(a.text)}</div><div><br></div><div align="left" '
        f'style="font-size:100%;color:#000000"><div>-------- {a.words.original} --------</div>'
        f"<div>{lines(a)}</div><div><br></div></div>{broken(a.board)}"
    )


def unclassed(a: Answer) -> str:
    """A client that marks its quote by a blockquote and nothing else."""
    return f"{divs(a.text)}<div>{broken(a.intro(a.words.apple))}</div><blockquote>{broken(a.board)}</blockquote>"


def unclassed_over_lines(a: Answer) -> str:
    intro = broken(a.intro(a.words.gmail, CONTACT)).replace(" &lt;", "<br>&lt;", 1)
    return f"{divs(a.text)}<p>{intro}</p><blockquote>{broken(a.board)}</blockquote>"


def unclassed_below(a: Answer) -> str:
    return f"<p>{broken(a.intro(a.words.apple))}</p><blockquote>{broken(a.board)}</blockquote>{divs(a.text)}"


IN_EVERY_LANGUAGE: tuple[Callable[[Answer], str], ...] = (gmail, outlook, unclassed, iphone)

IN_SOME_LANGUAGES: tuple[Callable[[Answer], str], ...] = (
    gmail_below,
    gmail_between,
    gmail_signed,
    apple,
    thunderbird,
    thunderbird_below,
    outlook_web,
    outlook_mobile,
    windows_mail,
    yahoo,
    samsung,
    unclassed_over_lines,
    unclassed_below,
)
