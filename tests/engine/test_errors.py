"""The families of errors: the tree drawn in a docstring matches the classes."""

import re
from collections.abc import Iterator
from types import ModuleType

from pbm.domain import errors as refusals
from pbm.engine import AmbiguousMoveError, IncompleteMoveError, MoveError, errors
from tests.tables import each

_BRANCH = re.compile(r"^    ((?:[|` ] {3})*(?:[|`]-- )?)([A-Z]\w+)", re.MULTILINE)


def drawn(module: ModuleType) -> Iterator[tuple[str, str | None]]:
    """Yield (name, name of the parent) for each class in the tree of a module's docstring."""
    path: list[str] = []
    for branch, name in _BRANCH.findall(module.__doc__ or ""):
        depth = len(branch) // 4
        path[depth:] = [name]
        yield name, path[depth - 1] if depth else None


def written(module: ModuleType) -> dict[str, type[Exception]]:
    return {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, type)
        and issubclass(value, Exception)
        and value.__module__ == module.__name__
    }


@each("module", [errors, refusals], ids=["engine", "domain"])
def test_the_tree_in_the_docstring_is_the_tree_of_classes(module: ModuleType) -> None:
    tree = dict(drawn(module))
    classes = written(module)
    assert set(tree) == set(classes)
    for name, parent in tree.items():
        assert classes[name].__base__ is (classes[parent] if parent else Exception), name


def test_each_move_error_that_can_be_raised_has_its_own_kind() -> None:
    leaves = [
        error
        for error in written(errors).values()
        if issubclass(error, MoveError) and not error.__subclasses__()
    ]
    kinds = sorted(leaf.kind for leaf in leaves)
    assert kinds == ["ambiguous", "illegal", "incomplete", "syntax"]
    for leaf in leaves:
        assert f'"{leaf.kind}"' in (errors.__doc__ or "")


@each("kind", [IncompleteMoveError, AmbiguousMoveError])
def test_an_unfinished_move_keeps_its_candidates_in_order(kind: type[IncompleteMoveError]) -> None:
    error = kind("Say where it goes.", iter(["b2", "a1"]))
    assert error.candidates == ("b2", "a1")
    assert error.sentence == "Say where it goes."
    assert str(error) == "Say where it goes: b2 or a1."


def test_a_question_about_an_unfinished_move_ends_in_its_question_mark() -> None:
    assert str(IncompleteMoveError("Where does it go?", ["b2", "a1"])) == (
        "Where does it go: b2 or a1?"
    )
    assert str(IncompleteMoveError("Where does it go?", [])) == "Where does it go?"


def test_the_other_errors_have_no_candidates() -> None:
    assert errors.IllegalMoveError("No.").candidates == ()
    assert refusals.Refusal("No.").example == ""
