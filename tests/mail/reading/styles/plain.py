"""Clients that answer in plain text: one function each, from an answer to the text of its mail."""

from collections.abc import Callable

from tests.mail.reading.styles.paper import ADDRESS, CONTACT, Answer, marked, wrapped

RULE = "_" * 32


def gmail(a: Answer) -> str:
    intro = wrapped(a.intro(a.words.gmail))
    return f"{a.text}\n\n{intro}\n\n{marked(a.board)}\n"


def gmail_below(a: Answer) -> str:
    intro = wrapped(a.intro(a.words.gmail), 60)
    return f"{intro}\n\n{marked(a.board)}\n\n{a.text}\n"


def gmail_unbroken_contact(a: Answer) -> str:
    return f"{a.text}\n\n{a.intro(a.words.gmail, CONTACT)}\n{marked(a.board)}\n"


def gmail_cut_to_one_line(a: Answer) -> str:
    first = a.board.partition("\n")[0]
    return f"{a.intro(a.words.gmail)}\n> {first}\n\n{a.text}\n"


def apple_mail(a: Answer) -> str:
    return f"{a.text}\n\n> {a.intro(a.words.apple)}\n> \n{marked(a.board)}\n"


def iphone(a: Answer) -> str:
    quote = marked(f"{a.intro(a.words.apple)}\n\n\ufeff{a.board}")
    return f"{a.text}\n\n{a.words.iphone}\n\n{quote}\n"


def iphone_unmarked(a: Answer) -> str:
    return f"{a.text}\n\n{a.words.iphone}\n\n{a.intro(a.words.apple)}\n\n{a.board}\n"


def ipad_close(a: Answer) -> str:
    signature = a.words.iphone.replace("iPhone", "iPad")
    return f"{a.text}\n\n{signature}\n{a.intro(a.words.apple)}\n{marked(a.board)}\n"


def thunderbird(a: Answer) -> str:
    return f"{a.text}\n\n{a.intro(a.words.thunderbird)}\n{marked(a.board)}\n"


def thunderbird_below(a: Answer) -> str:
    return f"{a.intro(a.words.thunderbird)}\n{marked(a.board)}\n\n{a.text}\n\n-- \nBob\n"


def thunderbird_between(a: Answer) -> str:
    head, _, rest = a.board.partition("\n\n")
    return (
        f"{a.intro(a.words.thunderbird)}\n{marked(head)}\n\n{a.move}\n\n"
        f"{marked(rest)}\n\n{a.comment}\n"
    )


def outlook(a: Answer) -> str:
    return f"{a.text}\n\n \n\n{a.header()} \n\n \n\n{a.board}\n"


def outlook_name_only(a: Answer) -> str:
    return f"{a.text}\n\n{a.header(name=a.name)}\n\n{a.board}\n"


def outlook_contact(a: Answer) -> str:
    return f"{a.text}\n\n{RULE}\n\n{a.header(name=CONTACT)}\n\n{a.board}\n"


def outlook_mobile(a: Answer) -> str:
    link = f"{a.words.outlook_app}<https://aka.ms/o0ukef>"
    return f"{a.text}\n\n{link}\n{RULE}\n{a.header()}\n\n{a.board}\n"


def outlook_mobile_android(a: Answer) -> str:
    link = a.words.outlook_app.replace("iOS", "Android")
    return f"{a.text}\n\n{link}\n\n{a.header(bold=True)}\n\n{a.board}\n"


def outlook_express(a: Answer) -> str:
    header = a.header(name=f'"{a.name}" <{ADDRESS}>')
    return f"{a.text}\n\n----- {a.words.original} ----- \n{header}\n\n\n{marked(a.board)}\n"


def outlook_97(a: Answer) -> str:
    header = a.header(name=f"{a.name} [mailto:{ADDRESS}]")
    return f"{a.text}\n\n-----{a.words.original}-----\n{header}\n\n{a.board}\n"


def windows_mail(a: Answer) -> str:
    return f"{a.text}\n\n{a.words.windows}\n\n{a.header()}\n\n{a.board}\n"


def samsung(a: Answer) -> str:
    dashed = f"-------- {a.words.original} --------"
    return f"{a.text}\n\n\n\n{dashed}\n{a.header()}\n\n{a.board}\n"


def em_client(a: Answer) -> str:
    dashed = f"------ {a.words.original} ------"
    return f"{a.text}\n\n{dashed}\n{a.header(name=CONTACT)}\n\n{marked(a.board, '>')}\n"


def roundcube(a: Answer) -> str:
    return f"{a.text}\n\n{a.intro(a.words.thunderbird)}\n\n{marked(a.board)}\n"


def roundcube_above(a: Answer) -> str:
    return f"{a.intro(a.words.thunderbird)}\n\n{marked(a.board)}\n{a.text}\n"


def header_below_bars(a: Answer) -> str:
    return f"{a.text}\n\n{'=' * 40}\n{a.header(name=f'<{ADDRESS}>')}\n{'=' * 40}\n{a.board}\n"


def intro_over_three_lines(a: Answer) -> str:
    words = a.intro(a.words.gmail).split(" ")
    third = len(words) // 3
    pieces = (words[:third], words[third : 2 * third], words[2 * third :])
    intro = "\n".join(" ".join(piece) for piece in pieces)
    return f"{a.text}\n\n{intro}\n\n{marked(a.board)}\n"


def intro_right_below(a: Answer) -> str:
    return f"{a.text}\n{a.intro(a.words.apple)}\n{marked(a.board)}\n"


def bars(a: Answer) -> str:
    return f"{a.text}\n\n{a.intro(a.words.gmail)}\n{marked(a.board, '| ')}\n"


def initials(a: Answer) -> str:
    return f"{a.text}\n\n{a.intro(a.words.thunderbird)}\n\n{marked(a.board, 'GP> ')}\n"


def unmarked(a: Answer) -> str:
    return f"{a.text}\n\n{wrapped(a.intro(a.words.gmail))}\n\n{a.board}\n"


def unmarked_after_name(a: Answer) -> str:
    return f"{a.text}\n\n{a.intro(a.words.thunderbird)}\n\n{a.board}\n"


def outlook_below(a: Answer) -> str:
    return f"\n\n{a.header()}\n\n{a.board}\n\n{a.text}\n"


def unmarked_below(a: Answer) -> str:
    return f"{wrapped(a.intro(a.words.gmail))}\n\n{a.board}\n{a.text}\n"


IN_EVERY_LANGUAGE: tuple[Callable[[Answer], str], ...] = (
    gmail,
    gmail_below,
    apple_mail,
    iphone,
    iphone_unmarked,
    thunderbird,
    outlook,
    outlook_name_only,
    outlook_mobile,
    windows_mail,
    samsung,
    em_client,
    intro_over_three_lines,
)

IN_SOME_LANGUAGES: tuple[Callable[[Answer], str], ...] = (
    gmail_unbroken_contact,
    gmail_cut_to_one_line,
    ipad_close,
    thunderbird_below,
    thunderbird_between,
    outlook_contact,
    outlook_mobile_android,
    outlook_express,
    outlook_97,
    roundcube,
    roundcube_above,
    header_below_bars,
    intro_right_below,
    bars,
    initials,
    unmarked,
    outlook_below,
    unmarked_below,
    unmarked_after_name,
)
"""Styles that differ only a little from another; each language gets every third of them."""
