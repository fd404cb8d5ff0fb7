"""The gallery of mails: `make gallery`, or `python -m gallery.mails FOLDER`.

It writes FOLDER/index.html with each mail as text and as HTML. With a Chromium on this machine
the HTML is shown as pictures 360 and 800 px wide, by day, by night and with pictures off;
without one, in frames. Mails that are wider than the screen are named at the end.
"""

import sys
from collections.abc import Callable, Iterator
from html import escape
from itertools import groupby
from pathlib import Path

from gallery.chromium import Chromium, program
from gallery.letters import Letter, letters

LOOKS = tuple(
    (width, scheme, pictures)
    for pictures in (True, False)
    for scheme in ("light", "dark")
    for width in (360, 800)
    if pictures or (width, scheme) == (360, "light")
)
"""The views of each mail: the width in px, the colours, and whether pictures are shown."""

_STYLE = (
    "body{font:14px/1.4 Helvetica,Arial,sans-serif;margin:16px;background:#e8e6e2;color:#222}"
    "h3{margin:32px 0 4px}section>div{display:flex;gap:12px;overflow-x:auto;align-items:start}"
    "pre{background:#fff;padding:12px;font-size:12px;margin:0}iframe{border:0;background:#fff}"
    "img{display:block}figure{margin:0}figcaption{color:#555}"
)


def write(folder: Path, shown: Iterator[Letter]) -> list[str]:
    """Write the gallery, and return what is wider than the screen."""
    folder.mkdir(parents=True, exist_ok=True)
    numbered = list(enumerate(shown, start=1))
    for number, letter in numbered:
        write_forms(folder, number, letter)
    path = program()
    wide = _photograph(folder, numbered, path) if path else []
    view = _picture if path else _frame
    (folder / "index.html").write_text(_index(numbered, view), "utf-8")
    return wide


def write_forms(folder: Path, number: int, letter: Letter) -> None:
    """Write the HTML of a mail, with its pictures (N.html) and without (N-off.html)."""
    html = letter.html
    (folder / f"{number:03}-off.html").write_text(html, "utf-8")
    for index, (source, data) in enumerate(letter.pictures.items()):
        name = f"{number:03}-{index}.png"
        (folder / name).write_bytes(data)
        html = html.replace(source, name)
    (folder / f"{number:03}.html").write_text(html, "utf-8")


def _photograph(folder: Path, numbered: list[tuple[int, Letter]], path: str) -> list[str]:
    wide = []
    with Chromium(path) as browser:
        for width, scheme, pictures in LOOKS:
            browser.look(width, scheme)
            for number, letter in numbered:
                if letter.html:
                    browser.open(folder / f"{number:03}{'' if pictures else '-off'}.html")
                    name = _name(number, width, scheme, pictures)
                    (folder / name).write_bytes(browser.picture())
                    if (needed := browser.ask("document.documentElement.scrollWidth")) > width:
                        wide.append(f"{name} ({letter.title}) needs {needed} px")
    return wide


def _name(number: int, width: int, scheme: str, pictures: bool) -> str:
    return f"{number:03}-{width}-{scheme}{'' if pictures else '-off'}.png"


View = Callable[[int, int, str, bool], str]
"""Gives what shows a mail: its number, the width, the colours, and whether pictures are shown."""


def _picture(number: int, width: int, scheme: str, pictures: bool) -> str:
    name = _name(number, width, scheme, pictures)
    return f'<img loading="lazy" width="{width}" src="{name}" alt="The mail, {width} px wide">'


def _frame(number: int, width: int, scheme: str, pictures: bool) -> str:
    source = f"{number:03}{'' if pictures else '-off'}.html"
    look = f"color-scheme:{scheme}"
    size = f'width="{width}" height="800"'
    return f'<iframe title="The mail" loading="lazy" style="{look}" {size} src="{source}"></iframe>'


def _index(numbered: list[tuple[int, Letter]], view: View) -> str:
    parts = groupby(numbered, key=lambda pair: pair[1].part)
    body = "".join(
        f"<h2>{escape(part)}</h2>{''.join(_entry(n, letter, view) for n, letter in group)}"
        for part, group in parts
    )
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Mails of pbm</title>'
        f"<style>{_STYLE}</style></head><body><h1>Mails of pbm</h1>{body}</body></html>\n"
    )


def _entry(number: int, letter: Letter, view: View) -> str:
    looks = "".join(_look(number, look, view) for look in LOOKS if letter.html)
    return (
        f"<section><h3>{number}. {escape(letter.title)}</h3><p>{escape(letter.subject)}: "
        f"{letter.octets} octets</p><div><pre>{escape(letter.text)}</pre>{looks}</div></section>\n"
    )


def _look(number: int, look: tuple[int, str, bool], view: View) -> str:
    width, scheme, pictures = look
    caption = f"{width} px, {scheme}{'' if pictures else ', pictures off'}"
    return f"<figure><figcaption>{caption}</figcaption>{view(number, *look)}</figure>"


def main() -> None:
    folder = Path(sys.argv[1])
    for line in write(folder, letters()):
        print("wider than the screen:", line)
    print(folder / "index.html")


if __name__ == "__main__":
    main()
