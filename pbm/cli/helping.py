"""`pbm help`: the page of a command, and the settings that all of them share."""

import click

from pbm.cli.options import shared_settings

_ABOUT = (
    "These settings are the server's, and every command that looks at it takes them. A flag "
    "(--keep-days 60) beats the environment variable (PBM_KEEP_DAYS=60), which beats the key in "
    "the settings file (keep_days = 60): ./pbm.toml, or what --config or PBM_CONFIG name."
)


@click.command("help", context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, metavar="[settings | COMMAND...]")
@click.pass_context
def show_help(ctx: click.Context, words: tuple[str, ...]) -> None:
    """Show the page of a COMMAND, or with the word settings what all commands share."""
    # Some add --as-root to every command; a page needs no option.
    names = [word for word in words if not word.startswith("-")]
    if names == ["settings"]:
        click.echo(settings_page(ctx))
        return
    context = ctx.find_root()
    for word in names:
        if not isinstance(context.command, click.Group):
            raise click.UsageError(f"{context.command_path} has no commands of its own.")
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
