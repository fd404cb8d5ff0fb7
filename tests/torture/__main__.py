"""`python -m tests.torture`: torture each layout, and print a table of what became of it."""

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.torture.power import EARLY, cut_power, missing, serve_unsynced
from tests.torture.run import LAYOUTS, Result, torture

_HEADS = (
    "layout", "kills", "moves", "matches", "conflicts", "lost", "double", "repeats", "minutes",
)  # fmt: skip


def main() -> int:
    """Return the exit status: 0 if nothing was found."""
    asked = _arguments()
    if asked.power:
        return _cut_power(asked.power, asked.seed)
    results = []
    for layout in LAYOUTS:
        if asked.layout and layout.name not in asked.layout:
            continue
        home = Path(tempfile.mkdtemp(prefix=f"pbm-torture-{layout.name}-"))
        result = torture(layout, home, asked.kills, asked.seed, asked.minutes * 60)
        results.append(result)
        _tell(result, home)
    print("\n" + _row(_HEADS))
    for result in results:
        print(_row(_cells(result)))
    return 0 if all(result.well for result in results) else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.torture")
    parser.add_argument("--kills", type=int, default=300, help="kills of each layout")
    parser.add_argument("--power", type=int, help="power cuts, in place of kills")
    parser.add_argument("--minutes", type=float, default=30.0, help="at most, for each layout")
    parser.add_argument("--seed", type=int, default=1, help="of the chance")
    parser.add_argument("--layout", action="append", help="only this one; may be given again")
    return parser.parse_args()


def _cut_power(cuts: int, seed: int) -> int:
    """Cut the power so often, and twice that of a server that syncs nothing, which must show."""
    if reason := missing():
        print(f"no power is cut: {reason}")
        return 0
    home = Path(tempfile.mkdtemp(prefix="pbm-power-"))
    unsynced = cut_power(home / "unsynced", 2, seed, program=serve_unsynced, early=EARLY[:1])
    print(f"without syncs, 2 power cuts: {unsynced.found.lost} lost", flush=True)
    result = cut_power(home / "synced", cuts, seed)
    found, repeats = result.found, Counter(result.sent.values())
    for fault in result.faults[:40]:
        print(f"  FAULT {fault}")
    print(
        f"{cuts} power cuts in {result.seconds / 60:.1f} minutes: {found.moves} moves, "
        f"{found.matches} matches; {found.lost} lost, {found.double} double; mails that came once, "
        f"twice, and so on: {[repeats[n] for n in range(1, max(repeats, default=0) + 1)]}, "
        f"{result.recorded} of them recorded as sent before the last cut; "
        f"{result.pages} pages looked at; {len(result.faults)} faults"
    )
    at_most_twice = max(repeats, default=0) <= 2
    return 0 if unsynced.found.lost and at_most_twice and not result.faults else 1


def _tell(result: Result, home: Path) -> None:
    found = result.found
    print(f"{result.layout} in {home}")
    print(f"  killed: {', '.join(f'{where} {n}' for where, n in result.kills.most_common())}")
    print(f"  the database: {dict(result.troubles)}")
    print(f"  ended by itself: {dict(Counter(end.status for end in result.ends))}")
    print(f"  {found.matches} matches, {found.ended} ended; {found.chats} chats")
    print(f"  {result.copies} mails handed in again")
    print(f"  at rest after {result.rest_seconds:.1f} s; refusals: {dict(result.refusals)}")
    for fault in result.faults[:40]:
        print(f"  FAULT {fault}")
    print(f"  {len(result.faults)} faults", flush=True)


def _cells(result: Result) -> tuple[object, ...]:
    found = result.found
    return (
        result.layout, result.kills.total(), found.moves, found.matches, result.conflicts,
        found.lost, found.double, result.repeats, f"{result.seconds / 60:.1f}",
    )  # fmt: skip


def _row(cells: tuple[object, ...]) -> str:
    return "".join(str(cell).ljust(12) for cell in cells).rstrip()


if __name__ == "__main__":
    sys.exit(main())
