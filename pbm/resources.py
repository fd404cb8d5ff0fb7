"""The location of the files that the code reads at run time: templates and migrations."""

from pathlib import Path
from typing import Literal


def folder(name: Literal["templates", "migrations"]) -> Path:
    """Return the folder of that name: inside the package in a wheel, beside it in the tree."""
    package = Path(__file__).resolve().parent
    inside = package / name
    return inside if inside.is_dir() else package.parent / name
