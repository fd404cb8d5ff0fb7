"""`pbm verify`: compare the stored matches with their replayed logs."""

import click

from pbm.bootstrap import House
from pbm.cli.options import echo, echo_json, json_option, setting, with_house
from pbm.cli.progress import progress
from pbm.endless import Bound
from pbm.engine import listing
from pbm.service.verification import repair as remake
from pbm.service.verification import verify_all

CORE_SECONDS = 60.0
"""How much of a core the replay of one match may take; the longest take a second or two."""


@click.command()
@setting("--repair", is_flag=True, help="Rebuild wrong snapshots from the log.")
@json_option
@with_house
def verify(house: House, repair: bool, as_json: bool) -> None:
    """Replay every match; status 1 if one differs from what is stored, and is not repaired."""
    checked, left = [], []
    bounded = Bound(CORE_SECONDS).bounded
    with house.open_reading() as work, progress(work.matches.count(), "replaying") as step:
        for each in verify_all(work, house.catalogue, bounded):
            checked.append(each)
            step()
    faults = {number: list(found) for number, found in checked if found}
    if repair and faults:
        with house.open_unit() as work:
            left = [n for n in faults if not remake(work, house.catalogue, n, bounded)]
            work.commit()
    if as_json:
        echo_json({"matches": len(checked), "faults": faults})
    else:
        for number, found in faults.items():
            echo(f"board {number}: {'; '.join(found)}")
        matches = "1 match" if len(checked) == 1 else f"{len(checked)} matches"
        echo(f"{matches}, {len(faults)} with faults")
    if left and not as_json:
        echo(f"not repaired: {listing(map(str, left), last='and')}")
    if left or (faults and not repair):
        raise SystemExit(1)
