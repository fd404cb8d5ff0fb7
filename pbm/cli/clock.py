"""`pbm pause` and `pbm resume`: all clocks at once, for maintenance."""

import click

from pbm.bootstrap import House
from pbm.cli.options import with_house
from pbm.engine import counted
from pbm.service.pulse import restart_clocks, stop_clocks


@click.command()
@with_house
def pause(house: House) -> None:
    """Stop the clocks of all matches, and tell the players.

    Until pbm resume nobody is reminded and nobody loses on time, but moves are still played.
    """
    with house.open_unit() as work:
        stop_clocks(work, house.clock())
        work.commit()
    _tell(house, "all clocks stand")


@click.command()
@with_house
def resume(house: House) -> None:
    """Let the clocks of all matches run again, and tell the players their new deadlines."""
    with house.open_unit() as work:
        restart_clocks(work, house.clock())
        work.commit()
    _tell(house, "all clocks run again")


def _tell(house: House, what: str) -> None:
    click.echo(f"{what}; {counted(house.tell_news().total(), 'player')} told")
