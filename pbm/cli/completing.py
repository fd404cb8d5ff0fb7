"""What completes the arguments of commands at the shell."""

import click


def complete_game(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Return the games whose key begins so, with none of them loaded."""
    from pbm.plugins import game_names  # noqa: PLC0415 - only who presses Tab needs it

    del ctx, parameter
    return [name for name in game_names() if name.startswith(incomplete.lower())]
