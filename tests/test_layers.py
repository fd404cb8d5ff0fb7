"""The layers of the house: who may import whom (ARCHITECTURE.md). Any other import fails."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.tables import each

ROOT = Path(__file__).resolve().parent.parent

PURE = frozenset(
    {
        *("abc", "base64", "binascii", "bisect", "collections", "collections.abc", "contextlib"),
        *("dataclasses", "datetime", "difflib", "enum", "functools", "hashlib", "heapq", "hmac"),
        *("importlib", "itertools", "json", "math", "operator", "re", "string", "struct"),
        *("statistics", "textwrap", "types", "typing", "unicodedata", "zoneinfo"),
    }
)
"""What the pure layers may import from the standard library: no clock, chance, file or socket."""

ALLOWED: dict[str, tuple[str, ...]] = {
    "pbm.engine": (),
    "pbm.engine.conformance": ("pbm.engine", "pbm.time_limit"),
    "pbm.engine.readings": ("pbm.engine", "pbm.time_limit"),
    "pbm.engine.laws": ("pbm.engine", "pbm.service.grammar"),
    "games": ("pbm.engine",),
    "pbm.domain": ("pbm.engine",),
    "pbm.render": ("pbm.engine",),
    "pbm.robots": ("pbm.engine",),
    "pbm.features": (
        *("pbm.engine", "pbm.domain", "pbm.render", "pbm.robots", "pbm.service", "pbm.store.unit"),
    ),
    "pbm.dispatch": (
        *("pbm.engine", "pbm.domain", "pbm.robots", "pbm.features", "pbm.service"),
        "pbm.store.unit",
    ),
    "pbm.operator": ("pbm.engine", "pbm.domain", "pbm.features", "pbm.service", "pbm.store.unit"),
    "pbm.service": ("pbm.engine", "pbm.domain", "pbm.robots", "pbm.store.unit"),
    "pbm.service.grammar": ("pbm.engine", "pbm.domain", "pbm.features", "pbm.service"),
    "pbm.mail": (
        "pbm.service.letters",
        "pbm.engine",
        "pbm.domain",
        "pbm.render",
        "pbm.service.ports",
        "pbm.service.board_messages",
        "pbm.service.tokens",
    ),
    "pbm.store": (
        "pbm.engine",
        "pbm.domain",
        "pbm.service.ports",
        "pbm.system",
        "pbm.system",
    ),
    "pbm.smtp": (
        "pbm.domain",
        "pbm.service.ports.mail",
        "pbm.service.bugs",
        "pbm.config",
        "pbm.locks",
    ),
    "pbm.watch": (
        "pbm.domain",
        "pbm.service.ports",
        "pbm.config",
        "pbm.locks",
        "pbm.store.unit",
    ),
    "pbm.locks": ("pbm.config",),
    "pbm.relay": ("pbm.domain", "pbm.service.relaying", "pbm.dkim", "pbm.system"),
    "pbm.dkim": ("pbm.system",),
    "pbm.system": (),
    "pbm.worker": (
        "pbm.domain",
        "pbm.dispatch",
        "pbm.service",
        "pbm.mail",
        "pbm.passwords",
        "pbm.time_limit",
        "pbm.store.batch",
        "pbm.store.unit",
    ),
    "pbm.time_limit": (),
    "pbm.passwords": ("pbm.cores", "pbm.dispatch.reading", "pbm.service"),
    "pbm.cores": (),
    "pbm.terminal": ("pbm.domain", "pbm.relay"),
    "pbm.config": ("pbm.domain",),
    "pbm.diagnosis": (
        "pbm.config",
        "pbm.engine",
        "pbm.domain",
        "pbm.operator",
        "pbm.service",
        "pbm.mail",
        "pbm.store",
        "pbm.relay",
        "pbm.dkim",
        "pbm.plugins",
        "pbm.system",
        "pbm.token_keys",
    ),
    "pbm.plugins": ("pbm.engine", "pbm.domain", "games"),
    "pbm.programs": ("pbm.engine", "pbm.robots", "pbm.plugins"),
    "pbm.scaffold": ("pbm.engine",),
    "pbm.token_keys": ("pbm.system", "pbm.service", "pbm.store.unit"),
    "pbm.liveness": (),
    "pbm.stage": ("pbm.service", "pbm.watch", "pbm.liveness"),
    "pbm.thinking": (
        "pbm.cores",
        "pbm.dispatch",
        "pbm.domain",
        "pbm.engine",
        "pbm.plugins",
        "pbm.programs",
        "pbm.robots",
        "pbm.service",
        "pbm.store.unit",
    ),
    "pbm.server": (
        "pbm.bootstrap",
        "pbm.cores",
        "pbm.dispatch",
        "pbm.features",
        "pbm.liveness",
        "pbm.locks",
        "pbm.service",
        "pbm.smtp",
        "pbm.stage",
        "pbm.thinking",
        "pbm.watch",
    ),
    "pbm.bootstrap": ("pbm", "games"),
    "pbm.cli": ("pbm",),
    "pbm.__main__": ("pbm.cli",),
}
"""For each layer, which of our packages it may import besides itself."""

PURE_LAYERS = ("pbm.engine", "games", "pbm.domain", "pbm.robots")

READS_FILES = {
    "pbm.engine.conformance": {"random", "importlib.resources"},
    "pbm.engine.readings": {"hypothesis", "pathlib", "random", "traceback"},
    "pbm.engine.laws": {"inspect", "sys", "importlib.resources"},
    "pbm.engine.elsewhere": {"os", "subprocess", "sys"},
}
"""The modules of the engine that are a tool for tests: the conformance suite."""


def modules() -> Iterator[tuple[str, Path]]:
    for top in ("pbm", "games"):
        for path in sorted((ROOT / top).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


MODULES = [pytest.param(name, path, id=name) for name, path in modules() if name != "pbm"]


@dataclass(frozen=True, slots=True)
class Source:
    """What these tests want to know of a file, which is parsed once for all of them."""

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
    assert fitting, f"{module} belongs to no layer; say in tests/test_layers.py which it is"
    return max(fitting, key=len)


@each(("module", "path"), MODULES)
def test_each_import_follows_an_arrow_of_the_design(module: str, path: Path) -> None:
    layer = layer_of(module)
    ours = [name for name in imports(path, module) if name.split(".")[0] in ("pbm", "games")]
    permitted = (layer, *ALLOWED[layer])
    wrong = [n for n in ours if not any(f"{n}.".startswith(f"{p}.") for p in permitted)]
    assert not wrong, f"{module} may import {', '.join(permitted)}"


def test_features_import_each_other_without_circles() -> None:
    features = {name: path for name, path in modules() if name.startswith("pbm.features.")}
    order = TopologicalSorter(
        {name: features.keys() & {*imports(path, name)} for name, path in features.items()}
    )
    assert {*order.static_order()} == {*features}


@each(("module", "path"), [p for p in MODULES if str(p.values[0]).startswith(PURE_LAYERS)])
def test_the_pure_layers_touch_no_clock_chance_file_or_socket(module: str, path: Path) -> None:
    foreign = {n for n in imports(path, module) if n.split(".")[0] not in ("pbm", "games")}
    extra = READS_FILES.get(module, set())
    data = {"importlib.resources"} if module.startswith("games.") else set()
    wrong = {n for n in foreign if n not in PURE and not any(n.startswith(e) for e in extra | data)}
    assert not wrong, f"{module} must stay pure"


@pytest.mark.parametrize("call", ["open", "print", "input", "exec", "eval"])
def test_the_pure_layers_call_nothing_that_reaches_outside(call: str) -> None:
    for module, path in modules():
        if module.startswith(PURE_LAYERS):
            assert call not in source(path, module).calls, f"{module} calls {call}"


@cache
def keys_of_games() -> frozenset[str]:
    games = (ROOT / "games").iterdir()
    return frozenset(folder.name for folder in games if (folder / "rules.py").exists())


@each(("module", "path"), [p for p in MODULES if str(p.values[0]).startswith("pbm")])
def test_no_game_is_named_in_the_server(module: str, path: Path) -> None:
    assert not source(path, module).strings & keys_of_games()


def _is_prose(text: str) -> bool:
    return " " in text or "\n" in text
