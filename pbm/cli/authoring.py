"""`pbm new-game`: the skeleton of a game, for its author."""

from pathlib import Path

import click

from pbm.cli.options import echo, setting
from pbm.plugins import installed_games
from pbm.scaffold import write_in_tree, write_package

_NEXT_IN_PACKAGE = """
It is a small game that works. In the environment that pbm is installed in:

  pip install -e 'pbm-{key}[test]'
  pytest pbm-{key}
  pbm rules trace {key}"""

_NEXT_IN_TREE = """
It is a small game that works:

  pytest tests/games/test_conformance.py -k {key}
  pbm rules trace {key}"""


@click.command("new-game")
@click.argument("key")
@setting("--in-tree", is_flag=True, help="In pbm's source tree, write games/KEY instead.")
def new_game(key: str, in_tree: bool) -> None:
    """Write the skeleton of a game: a package of its own, ./pbm-KEY.

    KEY is what players type. The skeleton is a small game that can be played at once and
    passes its tests; its author replaces it, rule by rule.
    """
    taken = installed_games().names
    here = Path()
    written = write_in_tree(key, here, taken) if in_tree else write_package(key, here, taken)
    for path in written:
        echo(path)
    echo((_NEXT_IN_TREE if in_tree else _NEXT_IN_PACKAGE).format(key=key))
