"""The location of files beside the code: templates, migrations, and what operators install."""

from pathlib import Path
from typing import Literal


def package() -> Path:
    """Return the folder of the package that runs."""
    return Path(__file__).resolve().parent


def folder(name: Literal["templates", "migrations", "deploy"]) -> Path:
    """Return the folder of that name: inside the package in a wheel, beside it in the tree."""
    inside = package() / name
    return inside if inside.is_dir() else package().parent / name
