"""The pages about the code are short, and every file and name on them is in the tree."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

LONGEST = {
    "ARCHITECTURE.md": 120,
    "CONTRIBUTING.md": 195,
    "README.md": 150,
    "docs/decisions.md": 300,
    "tests/README.md": 40,
}
"""The pages about the code, and how many lines each may have."""

PAGES = sorted({*LONGEST, *(str(page.relative_to(ROOT)) for page in (ROOT / "docs").glob("*.md"))})

_TOP = "pbm|games|tests|docs|templates|migrations|bench|gallery|deploy"

_PATH = re.compile(rf"(?<![\w/~.@:\-])(?:{_TOP})/[\w./*<>-]++(?!:\n)")
"""A path from the top of the tree; a file that the reader writes has a colon behind it."""

_PLACE = re.compile(r"((?:`[\w.]+`(?:, | and )?)+) in `?((?:pbm|games|tests)/[\w/]+\.py)")
"""Names, and the file in which they are: `JOBS` in `pbm/dispatch/jobs.py`."""

_EXAMPLE = re.compile("[A-Z]{4}")
"""A name that the reader chooses: templates/FEATURE/NAME.txt.j2."""

_LABEL = re.compile(r'"""(?:What|Who|Which|How)\b.*')

_LABELLED = ("pbm", "games", "bench", "gallery", "migrations", "tests")


def text_of(page: str) -> str:
    return (ROOT / page).read_text("utf-8")


def missing(page: str) -> Iterator[str]:
    for found in _PATH.finditer(text_of(page)):
        path = found[0].rstrip("./")
        if not _EXAMPLE.search(path) and not any(ROOT.glob(path)):
            yield path


def misplaced(page: str) -> Iterator[str]:
    for names, path in _PLACE.findall(" ".join(text_of(page).split())):
        source = text_of(path)
        for name in re.findall(r"`(?:\w+\.)*(\w+)`", names):
            if not re.search(rf"\b{name}\b", source):
                yield f"{name} in {path}"


@pytest.mark.parametrize(("page", "lines"), LONGEST.items())
def test_a_page_about_the_code_is_short(page: str, lines: int) -> None:
    assert len(text_of(page).splitlines()) <= lines


@pytest.mark.parametrize("page", PAGES)
def test_every_file_and_name_on_a_page_is_in_the_tree(page: str) -> None:
    assert not [*missing(page), *misplaced(page)]


def test_a_docstring_is_a_sentence_or_a_noun_and_begins_with_no_what_or_how() -> None:
    """Such labels are riddles: "What a part of a sequel is." A noun says more in less."""
    paths = [path for folder in _LABELLED for path in (ROOT / folder).rglob("*.py")]
    labels = {path: _LABEL.findall(path.read_text("utf-8")) for path in paths}
    assert {path: found for path, found in labels.items() if found} == {}
