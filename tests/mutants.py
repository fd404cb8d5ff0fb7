"""Mutants: the product with one line broken, to see that some test notices.

    python -m pytest --cov=pbm --cov=games --cov-context=test       (pytest-cov; once, for `draw`)
    python -m tests.mutants draw > tests/mutants.txt                100 of the lines that tests run
    python -m tests.mutants run [--under pbm/mail] [--tests tests/mail tests/conversations]

tests/mutants.txt was drawn from commit a04229aa, before the suite was halved. Its lines are
`FILE:LINE: before => after`; `run` finds a line again if it has moved. Without `--tests` a mutant
meets the nearest tests first, then all others.
"""

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

SEED = 36
LIST = Path("tests/mutants.txt")

SWAPS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "is": "is not",
    "is not": "is", "in": "not in", "not in": "in", "and": "or", "or": "and", "+": "-", "-": "+",
    "*": "+", "//": "*", "/": "*", "%": "+", "|": "&", "&": "|", "<<": ">>", ">>": "<<",
}  # fmt: skip
"""The operators, and those that replace them."""

_OPERATOR = re.compile(r"is not|not in|[<>=!]=|<<|>>|//|\bis\b|\bin\b|\band\b|\bor\b|[-+*/%|&<>]")


@dataclass(frozen=True, slots=True)
class Mutant:
    """A broken line."""

    file: str
    line: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.before} => {self.after}"


def mutants_of(file: str, source: str) -> Iterator[Mutant]:
    """Yield every mutant of a module."""
    lines = source.split("\n")
    for node in ast.walk(ast.parse(source)):
        number = getattr(node, "lineno", 0)
        if number and node.end_lineno == number:  # type: ignore[attr-defined]
            line = lines[number - 1]
            for after in {_replaced(line, *change) for change in _changes(node, line)}:
                if after != line:
                    yield Mutant(file, number, line.strip(), after.strip())


def _replaced(line: str, start: int, end: int, new: str) -> str:
    # Offsets of ast count bytes.
    raw = line.encode()
    return (raw[:start] + new.encode() + raw[end:]).decode()


def _changes(node: ast.AST, line: str) -> Iterator[tuple[int, int, str]]:
    """Yield the columns that change and what is written there."""
    match node:
        case ast.Compare(left=left, comparators=[right]) | ast.BinOp(left=left, right=right):
            yield from _operator(line, left, right)
        case ast.BoolOp(values=[left, right, *_]):
            yield from _operator(line, left, right)
        case ast.IfExp(test=test) | ast.comprehension(ifs=[test]):
            yield test.col_offset, test.end_col_offset or 0, f"(not ({_text(line, test)}))"
        case ast.Constant(value=int(value)):
            other = not value if isinstance(value, bool) else value + 1
            yield node.col_offset, node.end_col_offset or 0, str(other)
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield value.col_offset, value.end_col_offset or 0, "None"
        case ast.Expr(value=ast.Call()):
            yield node.col_offset, node.end_col_offset or 0, "pass"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield node.col_offset, operand.col_offset, ""


def _operator(line: str, left: ast.expr, right: ast.expr) -> Iterator[tuple[int, int, str]]:
    start = left.end_col_offset or 0
    between = line.encode()[start : right.col_offset].decode()
    found = _OPERATOR.search(between)
    if found and right.lineno == left.lineno:
        yield start + found.start(), start + found.end(), SWAPS[found[0]]


def _text(line: str, node: ast.expr) -> str:
    return line.encode()[node.col_offset : node.end_col_offset].decode()


def draw(count: int) -> list[Mutant]:
    """Draw mutants at random over the lines in .coverage that some test runs."""
    import coverage  # type: ignore[import-not-found,unused-ignore] # noqa: PLC0415 - for this alone

    measured = coverage.Coverage()
    measured.load()
    data = measured.get_data()
    data.set_query_contexts([r".+"])
    drawn: dict[tuple[str, int], list[Mutant]] = {}
    for name in sorted(data.measured_files()):
        file = os.path.relpath(name)
        hit = set(data.lines(name) or ())
        for mutant in mutants_of(file, Path(file).read_text("utf-8")):
            if mutant.line in hit:
                drawn.setdefault((file, mutant.line), []).append(mutant)
    chance = random.Random(SEED)
    places = chance.sample(sorted(drawn), count)
    return [chance.choice(sorted(drawn[place], key=str)) for place in sorted(places)]


def read_list() -> list[Mutant]:
    """Return the mutants of the list."""
    rows = (
        re.fullmatch(r"(\S+?):(\d+): (.+) => (.+)", line)
        for line in LIST.read_text("utf-8").splitlines()
    )
    return [Mutant(row[1], int(row[2]), row[3], row[4]) for row in rows if row]


def broken(mutant: Mutant) -> str | None:
    """Return the module with the mutant's line, or None if its line is gone."""
    file = Path(mutant.file)
    lines = file.read_text("utf-8").split("\n") if file.exists() else []
    places = [n for n, line in enumerate(lines) if line.strip() == mutant.before]
    if not places:
        return None
    place = min(places, key=lambda n: abs(n + 1 - mutant.line))
    lines[place] = lines[place].replace(mutant.before, mutant.after)
    return "\n".join(lines)


def survives(mutant: Mutant, content: str, stages: list[list[str]]) -> bool:
    """Run the tests of each stage on a copy of the tree with the broken module."""
    with TemporaryDirectory() as place:
        names = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True)
        for name in names.stdout.splitlines():
            if Path(name).exists():
                target = Path(place, name)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(name, target)
        Path(place, mutant.file).write_text(content, "utf-8")
        return all(_passes(stage, Path(place)) for stage in stages)


def _passes(tests: list[str], place: Path) -> bool:
    marks = "not host and not hosts and not wheel"
    flags = ["-xq", "-n2", "--dist=loadfile", "--timeout=60", "-pno:cacheprovider", "-m", marks]
    environment = {**os.environ, "PYTHONPATH": str(place), "PYTHONDONTWRITEBYTECODE": "1"}
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", *flags, *tests],
        cwd=place, env=environment, capture_output=True, check=False, text=True,
    )  # fmt: skip
    if ended.returncode in (4, 5):  # usage that pytest does not understand, or no test at all
        raise SystemExit(ended.stderr + ended.stdout)
    return ended.returncode == 0


def nearest(mutant: Mutant) -> list[list[str]]:
    """Return the tests that a mutant meets first, and all tests."""
    part = mutant.file.removeprefix("pbm/").split("/")[0]
    near = [folder for folder in (f"tests/{part}",) if Path(folder).is_dir()]
    return [[*near, "tests/conversations"], ["tests"]]


def run(under: str, tests: list[str]) -> int:
    """Print what becomes of each mutant; return how many survive."""
    survivors = 0
    for mutant in read_list():
        if not mutant.file.startswith(under):
            continue
        content = broken(mutant)
        if content is None:
            print("gone     ", mutant, flush=True)
            continue
        lives = survives(mutant, content, [tests] if tests else nearest(mutant))
        survivors += lives
        print("SURVIVES " if lives else "killed   ", mutant, flush=True)
    return survivors


def main() -> None:
    """Draw mutants or run them."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument("deed", choices=["draw", "run"])
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--under", default="", help="mutants of files below this path only")
    parser.add_argument("--tests", nargs="+", default=[], help="these tests only")
    given = parser.parse_args()
    if given.deed == "draw":
        print("\n".join(map(str, draw(given.count))))
    else:
        sys.exit(min(run(given.under, given.tests), 1))


if __name__ == "__main__":
    main()
