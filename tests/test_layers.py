"""The layers of the house: who may import whom (ARCHITECTURE.md). Any other import fails."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def _read(line: str) -> tuple[str, tuple[str, ...]]:
    layer, _, imported = line.partition(":")
    return layer, (layer, *imported.split())


ALLOWED = dict(
    _read(line)
    for line in (ROOT / "tests" / "layers.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
)
"""For each layer, which of our packages it may import."""

PURE = frozenset(ALLOWED.pop("pure"))
"""The modules of the standard library for pure layers: no clock, chance, file or socket."""

FOR_ALL = ALLOWED.pop("all")[1:]
"""The modules that every layer may import."""

CLOSED = ALLOWED.pop("closed")[1:]
"""Packages that a layer may import only if it names them, and not the package around them."""

PURE_LAYERS = ("pbm.engine", "games", "pbm.domain", "pbm.robots")

READS_FILES = {
    "pbm.engine.conformance": {"random", "importlib.resources"},
    "pbm.engine.readings": {"hypothesis", "pathlib", "random", "traceback"},
    "pbm.engine.laws": {"inspect", "random", "sys", "importlib.resources"},
    "pbm.engine.chance_laws": {"random"},
    "pbm.engine.sealed_laws": {"random"},
    "pbm.engine.hidden_laws": {"random"},
    "pbm.engine.elsewhere": {"os", "subprocess", "sys"},
}
"""The modules of the engine that are a tool for tests: the conformance suite."""


def modules() -> Iterator[tuple[str, Path]]:
    for top in ("pbm", "games"):
        for path in sorted((ROOT / top).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


MODULES = {name: path for name, path in modules() if name != "pbm"}


@dataclass(frozen=True, slots=True)
class Source:
    """The facts about a file for these tests; each file is parsed once."""

    imports: tuple[str, ...]
    """The full name of everything that it imports, at any depth."""
    calls: frozenset[str]
    """The plain names of the functions that it calls."""
    strings: frozenset[str]
    """The text of each string in it that is no prose, in small letters."""


@cache
def source(path: Path, module: str) -> Source:
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    nodes = [*ast.walk(ast.parse(path.read_text("utf-8")))]
    return Source(
        tuple(name for node in nodes for name in _imported(node, package)),
        frozenset(
            node.func.id
            for node in nodes
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        ),
        frozenset(
            node.value.lower()
            for node in nodes
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and not _is_prose(node.value)
        ),
    )


def imports(path: Path, module: str) -> tuple[str, ...]:
    """Return the full name of everything that a file imports, at any depth."""
    return source(path, module).imports


def _imported(node: ast.AST, package: str) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = node.module or ""
        if node.level:
            stem = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join([*stem, *([node.module] if node.module else [])])
        yield from (_full_name(base, alias.name) for alias in node.names)


@cache
def _full_name(base: str, name: str) -> str:
    """Return "pbm.x.y" for `from pbm.x import y` if y is a module, and "pbm.x" if it is a name."""
    whole = f"{base}.{name}"
    path = ROOT.joinpath(*whole.split("."))
    return whole if path.with_suffix(".py").exists() or path.is_dir() else base


def layer_of(module: str) -> str:
    fitting = [layer for layer in ALLOWED if f"{module}.".startswith(f"{layer}.")]
    assert fitting, f"{module} belongs to no layer; say in tests/layers.txt what it may import"
    return max(fitting, key=len)


def test_each_import_follows_an_arrow_of_the_design() -> None:
    wrong = {
        f"{module} may not import {name}"
        for module, path in MODULES.items()
        for name in imports(path, module)
        if name.split(".")[0] in ("pbm", "games") and not may_import(layer_of(module), f"{name}.")
    }
    assert not wrong


def may_import(layer: str, name: str) -> bool:
    """Return whether a layer may import a module, whose name ends in a dot here."""
    around = next((f"{p}." for p in CLOSED if name.startswith(f"{p}.")), "")
    allowed = (*ALLOWED[layer], *FOR_ALL)
    return any(name.startswith(f"{p}.") and f"{p}.".startswith(around) for p in allowed)


def test_features_import_each_other_without_circles() -> None:
    features = {name: path for name, path in modules() if name.startswith("pbm.features.")}
    order = TopologicalSorter(
        {name: features.keys() & {*imports(path, name)} for name, path in features.items()}
    )
    assert {*order.static_order()} == {*features}


def test_the_pure_layers_touch_no_clock_chance_file_or_socket() -> None:
    pure = {module: path for module, path in MODULES.items() if module.startswith(PURE_LAYERS)}
    for module, path in pure.items():
        foreign = {n for n in imports(path, module) if n.split(".")[0] not in ("pbm", "games")}
        extra = READS_FILES.get(module, set())
        extra |= {"importlib.resources"} if module.startswith("games.") else set()
        extra |= {"chess"} if module.startswith("games.chess") else set()
        wrong = {n for n in foreign - PURE if not any(n.startswith(e) for e in extra)}
        assert not wrong, f"{module} must stay pure"
        called = source(path, module).calls & {"open", "print", "input", "exec", "eval"}
        assert not called, f"{module} reaches outside"


@cache
def keys_of_games() -> frozenset[str]:
    games = (ROOT / "games").iterdir()
    return frozenset(folder.name for folder in games if (folder / "rules.py").exists())


def test_no_game_is_named_in_the_server() -> None:
    """Go is left out, because "go" is a word of plans too: "if D4 go E4"."""
    keys = keys_of_games() - {"go"}
    for module, path in MODULES.items():
        if module.startswith("pbm"):
            assert not source(path, module).strings & keys, module


def test_frozen_makes_all_frozen_values_outside_the_contract_of_games() -> None:
    for module, path in MODULES.items():
        if module.startswith("pbm") and not module.startswith(("pbm.engine", "pbm.system")):
            assert "@dataclass(frozen=True, slots=True)\n" not in path.read_text("utf-8"), module


def _is_prose(text: str) -> bool:
    return " " in text or "\n" in text
