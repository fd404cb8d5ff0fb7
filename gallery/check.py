"""The gallery looked at by machines: `make gallery-check`.

Every page that `python -m gallery.mails FOLDER` wrote is opened in Chromium, by day and by
night, and axe-core looks for what keeps people from reading it. html-validate reads the pages, too.
Both come from npm, in FOLDER/tools.
"""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from gallery.chromium import Chromium, program

_MAIL = {
    # What a mail cannot do without: programs drop styles that are not inline, and know old ones.
    "no-inline-style": "off",
    "no-deprecated-attr": "off",
    "no-style-tag": "off",
    "prefer-tbody": "off",  # every reader of HTML adds it by itself
}
_VALID = {"extends": ["html-validate:recommended"], "root": True, "rules": _MAIL}


def pages(folder: Path) -> list[Path]:
    """Return the HTML of each mail, with its pictures."""
    return [page for page in sorted(folder.glob("[0-9][0-9][0-9].html")) if page.stat().st_size]


def hindrances(folder: Path, path: str) -> Iterator[str]:
    """Yield what axe-core finds by day and by night: "axe-core, serious: color-contrast"."""
    axe = (folder / "tools/node_modules/axe-core/axe.min.js").read_text("utf-8")
    with Chromium(path) as browser:
        for scheme in ("light", "dark"):
            browser.look(360, scheme)
            for page in pages(folder):
                browser.open(page)
                browser.ask(f"{axe};0")
                for found in json.loads(browser.ask(_ASK)):
                    yield f"axe-core, {found['impact']}: {found['id']}"


_ASK = "axe.run().then(r => JSON.stringify(r.violations.map(v => ({id: v.id, impact: v.impact}))))"


def faults(folder: Path) -> Iterator[str]:
    """Yield the rules that html-validate finds broken: "html-validate: no-dup-id"."""
    rules, found = folder / "tools" / "mail.json", folder / "tools" / "found.json"
    rules.write_text(json.dumps(_VALID), "utf-8")
    command = [
        *(str(folder / "tools/node_modules/.bin/html-validate"), "--formatter", f"json={found}"),
        *("--config", str(rules), *map(str, pages(folder))),
    ]
    subprocess.run(command, check=False)  # it fails if it finds anything
    for page in json.loads(found.read_text("utf-8")):
        yield from (f"html-validate: {message['ruleId']}" for message in page["messages"])


def main() -> None:
    folder = Path(sys.argv[1])
    path = program()
    if path is None:
        raise SystemExit("There is no Chromium on this machine.")
    print(len(pages(folder)), "pages")
    found = Counter([*hindrances(folder, path), *faults(folder)])
    for name, count in sorted(found.items()):
        print(f"{count:5} {name}")
    if not all(name.startswith(_BEARABLE) for name in found):
        raise SystemExit("Some of this must be mended.")


_BEARABLE = ("axe-core, moderate:", "axe-core, minor:")
"""Findings that a mail may have: a mail program shows it within a page, which has the landmarks."""


if __name__ == "__main__":
    main()
