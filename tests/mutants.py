"""Mutants: the product with one line broken, to see that some test notices.

    python -m pytest --cov=pbm --cov=games --cov-context=test -m ...       (pytest-cov; once)
    python -m tests.mutants draw > tests/mutants.txt                100 of the lines that tests run
    python -m tests.mutants run [--under pbm/mail] [--tests tests/mail tests/conversations]

The lines of tests/mutants.txt are `FILE: before => after`; `run` breaks the first line that is so.
The tests are collected once. For each mutant a child is forked, which puts the broken function in
the place of the right one and runs the tests that have run its line, the nearest first, until one
fails. Servers that are processes of their own run the right one. A line outside of functions has
run by then: it is named.
"""

import argparse
import ast
import gc
import os
import random
import re
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

SEED = 54
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
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.file}: {self.before} => {self.after}"


def mutants_of(file: str, source: str) -> Iterator[tuple[int, Mutant]]:
    """Yield every mutant of a module, with the number of its line."""
    lines = source.split("\n")
    for node in ast.walk(ast.parse(source)):
        number = getattr(node, "lineno", 0)
        if number and node.end_lineno == number:  # type: ignore[attr-defined]
            line = lines[number - 1]
            for after in {_replaced(line, *change) for change in _changes(node, line)}:
                if after != line:
                    yield number, Mutant(file, line.strip(), after.strip())


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


def measured() -> Any:
    """Return what .coverage says of the tests that run each line."""
    import coverage  # type: ignore[import-not-found,unused-ignore] # noqa: PLC0415 - for this alone

    run = coverage.Coverage()
    run.load()
    data = run.get_data()
    data.set_query_contexts([r".+"])
    return data


def draw(count: int) -> list[Mutant]:
    """Draw mutants at random over the lines in .coverage that some test runs."""
    data = measured()
    drawn: dict[tuple[str, int], list[Mutant]] = {}
    for name in sorted(data.measured_files()):
        file = os.path.relpath(name)
        hit = set(data.contexts_by_lineno(name))
        for line, mutant in mutants_of(file, Path(file).read_text("utf-8")):
            if line in hit:
                drawn.setdefault((file, line), []).append(mutant)
    chance = random.Random(SEED)
    places = chance.sample(sorted(drawn), count)
    return [chance.choice(sorted(drawn[place], key=str)) for place in sorted(places)]


def read_list() -> list[Mutant]:
    """Return the mutants of the list."""
    rows = (
        re.fullmatch(r"(\S+?): (.+) => (.+)", line) for line in LIST.read_text("utf-8").splitlines()
    )
    return [Mutant(row[1], row[2], row[3]) for row in rows if row]


def broken(mutant: Mutant) -> tuple[int, str] | None:
    """Return the number of the mutant's line and the module with it; None if its line is gone."""
    file = Path(mutant.file)
    lines = file.read_text("utf-8").split("\n") if file.exists() else []
    for place, line in enumerate(lines):
        if line.strip() == mutant.before:
            lines[place] = line.replace(mutant.before, mutant.after)
            return place + 1, "\n".join(lines)
    return None


def _codes(code: CodeType) -> Iterator[CodeType]:
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield part
            yield from _codes(part)


def put_in(mutant: Mutant, content: str) -> bool:
    """Let all functions of this process be those of `content`; return whether one differs."""
    path = str(Path(mutant.file).resolve())
    new = {
        (code.co_qualname, code.co_firstlineno): code
        for code in _codes(compile(content, path, "exec"))
    }
    changed = False
    gc.unfreeze()  # what is frozen is not in the list
    for function in gc.get_objects():
        if isinstance(function, FunctionType) and function.__code__.co_filename == path:
            old = function.__code__
            code = new.get((old.co_qualname, old.co_firstlineno), old)
            if code != old:
                function.__code__ = code
                changed = True
    return changed


class Trial:
    """A plugin of pytest: runs the collected tests on each mutant in place of running them once."""

    def __init__(self, mutants: list[Mutant]) -> None:
        self._mutants = mutants
        self._measured = measured()
        self.survivors: list[Mutant] = []

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try each mutant, and say what became of it."""
        for mutant in self._mutants:
            began = time.monotonic()
            fate = self._fate(mutant, session)
            print(f"{fate:9} {mutant}  ({time.monotonic() - began:.0f} s)", flush=True)
            if fate == "SURVIVES":
                self.survivors.append(mutant)
        return True

    def _fate(self, mutant: Mutant, session: pytest.Session) -> str:
        module = broken(mutant)
        if module is None:
            return "gone"
        number, content = module
        items = nearest(mutant, self._that_run(mutant.file, number, session.items))
        if not items:
            return "not run"
        if not (child := os.fork()):
            _silence()
            if not put_in(mutant, content):
                os._exit(_NO_FUNCTION)
            os._exit(_run_until_one_fails(session, items))
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return {0: "SURVIVES", _NO_FUNCTION: "outside"}.get(status, "killed")

    def _that_run(self, file: str, number: int, items: list[pytest.Item]) -> list[pytest.Item]:
        """Return the tests that have run a line, and all whose module ran it to set one up."""
        contexts = self._measured.contexts_by_lineno(str(Path(file).resolve())).get(number, ())
        phases = [context.rpartition("|")[::2] for context in contexts]
        modules = {name.partition("::")[0] for name, phase in phases if phase == "setup"}
        names = {name for name, phase in phases if phase != "setup"}
        return [i for i in items if i.nodeid in names or i.nodeid.partition("::")[0] in modules]


_NO_FUNCTION = 77
_SECONDS = 60
"""The longest time of a test."""


def _silence() -> None:
    for number in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), number)


def _run_until_one_fails(session: pytest.Session, items: list[pytest.Item]) -> int:
    for item, after in pairwise([*items, None]):
        assert item is not None
        signal.alarm(_SECONDS)  # ends a child that goes on for ever
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        if any(report.failed for report in runtestprotocol(item, log=False, nextitem=after)):
            return 1
    return 0


def nearest(mutant: Mutant, items: list[pytest.Item]) -> list[pytest.Item]:
    """Return the tests, those of the mutant's part first, then the conversations."""
    part = mutant.file.removeprefix("pbm/").split("/")[0]
    folders = (f"tests/{part}/", "tests/conversations/", "tests/service/")

    def distance(item: pytest.Item) -> int:
        near = (n for n, folder in enumerate(folders) if item.nodeid.startswith(folder))
        return next(near, len(folders))

    return sorted(items, key=distance)


def run(under: str, tests: list[str], count: int) -> int:
    """Print what becomes of each mutant; return how many survive."""
    there = [mutant for mutant in read_list() if mutant.file.startswith(under)]
    trial = Trial(random.Random(SEED).sample(there, min(count, len(there))))
    marks = "not slow and not host and not hosts and not wheel"
    flags = ["-q", "-pno:cacheprovider", "-s", "-m", marks]
    pytest.main([*flags, *(tests or ["tests"])], plugins=[trial])
    return len(trial.survivors)


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
        sys.exit(min(run(given.under, given.tests, given.count), 1))


if __name__ == "__main__":
    main()
