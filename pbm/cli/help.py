"""`pbm help`: the pages of commands, and that of the settings which all of them share."""

import click

from pbm.cli.options import shared_settings

_ABOUT = (
    "All commands that use the server's data take these options. An option (--keep-days 60) "
    "overrides its environment variable (PBM_KEEP_DAYS=60), which overrides its key in the "
    "settings file (keep_days = 60). The file is ./pbm.toml, unless --config or PBM_CONFIG names "
    "another one."
)


@click.command("help", context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, metavar="[settings | COMMAND...]")
@click.pass_context
def help(ctx: click.Context, words: tuple[str, ...]) -> None:  # noqa: A001 - the command
    """Show the help page of a COMMAND; pbm help settings lists the settings of all commands."""
    # Some add --as-root to every command; a page needs no option.
    names = [word for word in words if not word.startswith("-")]
    if names == ["settings"]:
        click.echo(settings_page(ctx))
        return
    context = ctx.find_root()
    for word in names:
        if not isinstance(context.command, click.Group):
            raise click.UsageError(f"{context.command_path} has no subcommands.")
        name, command, _ = context.command.resolve_command(context, [word])
        if command is not None:
            context = click.Context(command, info_name=name, parent=context)
    click.echo(context.get_help())


def settings_page(ctx: click.Context) -> str:
    """Return the settings that all commands share, as a page of help."""
    formatter = ctx.make_formatter()
    formatter.write_text(_ABOUT)
    formatter.write_paragraph()
    formatter.write_dl([option.full_help_record(ctx) for option in shared_settings()])
    return formatter.getvalue().rstrip("\n")
