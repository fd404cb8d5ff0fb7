"""The pages in Chromium, narrow and wide, by day and by night: nothing hinders readers, and
the replay goes by keys and buttons, and without a script by links.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from gallery.chromium import Chromium, program
from tests.site import test_pages
from tests.site.test_pages import OVER

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(program() is None, reason="there is no Chromium on this machine"),
]

house, site = test_pages.house, test_pages.site

AXE = Path(__file__).resolve().parents[2] / "var/gallery/tools/node_modules/axe-core/axe.min.js"
"""Where `make gallery-check` puts it; without it, axe is not asked."""

LOOKS = [(width, scheme) for width in (360, 1200) for scheme in ("light", "dark")]

_ASK = """axe.run({rules: {"target-size": {enabled: true}}})
    .then(r => JSON.stringify(r.violations.map(v => v.id + v.nodes[0].target[0])))"""

_WATCH = (
    "var refused = []; addEventListener('securitypolicyviolation', e => refused.push(e.blockedURI))"
)


@pytest.fixture
def browser() -> Iterator[Chromium]:
    path = program()
    assert path
    with Chromium(path) as started:
        started.call("Page.addScriptToEvaluateOnNewDocument", source=_WATCH)
        yield started


def test_nothing_hinders_a_reader(site: Path, browser: Chromium) -> None:
    found = []
    # The page for what is not found has absolute links, because it is shown at any address.
    pages = [page for page in sorted(site.rglob("*.html")) if page.name != "404.html"]
    for width, scheme in LOOKS:
        browser.look(width, scheme)
        for page in pages:
            browser.open(page)
            # innerWidth grows with a page that is too wide.
            wide, *problems = browser.ask(_PROBLEMS)
            if AXE.exists():
                browser.ask(f"{AXE.read_text('utf-8')};0")
                problems += json.loads(browser.ask(_ASK))
            found += [(page.name, width, each) for each in (*problems, *["wide"] * (wide > width))]
    assert found == []


_CUT = """(right => [...document.querySelectorAll("td, th")]
    .filter(cell => !cell.closest("thead, .scroll"))
    .filter(cell => right(cell) > right(document.body) + 1)
    .map(cell => "cut " + cell.textContent))(each => each.getBoundingClientRect().right)"""

_PROBLEMS = f"[document.documentElement.scrollWidth, ...refused, ...{_CUT}]"

_SHOWN = (
    "[...document.querySelectorAll('svg > g[id]')]"
    ".filter(g => getComputedStyle(g).display != 'none').length - 1"
)


_BOARD = "(r => [r.top, r.bottom])(document.querySelector('.board').getBoundingClientRect())"


def press(browser: Chromium, key: str) -> None:
    for kind in ("keyDown", "keyUp"):
        browser.call("Input.dispatchKeyEvent", type=kind, key=key, code=key)


def test_keys_and_buttons_step_and_the_board_stays_in_sight(site: Path, browser: Chromium) -> None:
    browser.look(360, "light")
    browser.open(site / f"b/{OVER}.html")

    def here() -> tuple[int, str]:
        browser.ask("new Promise(done => setTimeout(done, 50))")
        return browser.ask(_SHOWN), browser.ask("document.querySelector('.said').textContent")

    def click(name: str) -> None:
        browser.ask(
            f"[...document.querySelectorAll('button')].find(b => b.textContent == '{name}').click()"
        )

    assert here() == (9, "9. Eks C5")
    browser.ask("scrollTo(0, 120)")
    for key, shown in (
        ("Left", 8),
        ("Left", 7),
        ("Home", 0),
        ("Left", 0),
        ("End", 9),
        ("Right", 9),
    ):
        press(browser, key if key in ("Home", "End") else f"Arrow{key}")
        assert here()[0] == shown, key
    for name, shown in (("First", 0), ("Next", 1), ("Next", 2), ("Back", 1), ("Last", 9)):
        click(name)
        assert here()[0] == shown, name
    click("Back")
    assert here() == (8, "8. Ohs A4")
    assert browser.ask("scrollY") == 120


def test_links_step_without_a_script(site: Path, browser: Chromium) -> None:
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    for width, _ in LOOKS[::2]:
        browser.look(width, "light")
        browser.open(site / f"b/{OVER}.html")
        assert browser.ask("document.querySelector('.steps').hidden")
        for ply in (0, 4, 9):
            browser.ask(f"document.querySelector('.moves [href=\"#p{ply}\"]').click()")
            assert browser.ask(_SHOWN) == ply
            top, bottom = browser.ask(_BOARD)
            assert 0 <= top < bottom <= 640
