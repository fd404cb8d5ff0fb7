"""What `pbm user show` tells of a player: account, ratings, boards, and when they last moved."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from pbm.cli.options import echo, echo_table
from pbm.domain.player import Player
from pbm.domain.ratings import Rating
from pbm.service.ports import MatchRow, UnitOfWork


def account_facts(player: Player) -> dict[str, Any]:
    """Return what `pbm user list` tells of a player too."""
    return {
        "userid": player.userid,
        "kind": player.kind.value,
        "state": player.state.value,
        "addresses": list(player.addresses),
        "off": list(player.off),
        "created_at": player.created_at.isoformat(timespec="seconds"),
    }


def profile(work: UnitOfWork, player: Player) -> dict[str, Any]:
    """Return all that is shown of a player, as plain values."""
    rows = work.matches.listing(None, [player.id], over=False)
    ratings = work.ratings.all_of(player.id)
    return {
        **account_facts(player),
        "boards": [row.number for row in rows],
        "finished": work.matches.count(None, [player.id], over=True),
        "last_move_at": _when(work.personal.last_move(player)),
        "missing_since": _when(player.missing_since),
        "settings": dict(player.settings),
        "ratings": [
            _rating(game, own) for game, own in ratings.items() if own.matches or player.is_robot
        ],
        "games": [_game(row, player) for row in rows],
    }


def show_profile(shown: Mapping[str, Any]) -> None:
    """Print it for a person."""
    for name, value in _lines(shown):
        echo(f"{name + ':':<12} {value}")
    if shown["ratings"]:
        header = ("game", "rating", "deviation", "won", "lost", "drawn")
        echo()
        echo_table(header, [tuple(rating[name] for name in header) for rating in shown["ratings"]])
    if shown["games"]:
        echo()
        echo_table(
            ("board", "game", "players", "moves", "to move", "since"),
            [
                (game["board"], game["game"], " - ".join(game["players"]), game["moves"],
                 "yes" if game["to_move"] else "", game["since"][:10])
                for game in shown["games"]
            ],
        )  # fmt: skip


def _lines(shown: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name in ("userid", "kind", "state", "addresses", "off", "created_at"):
        value = shown[name]
        yield name, ", ".join(value) if isinstance(value, list) else value
    yield "boards", ", ".join(map(str, shown["boards"]))
    yield "finished", shown["finished"]
    yield "last move", shown["last_move_at"] or "never"
    if shown["missing_since"]:
        yield "missing", f"since {shown['missing_since']}"
    if shown["settings"]:
        yield "settings", ", ".join(f"{name} {value}" for name, value in shown["settings"].items())


def _when(moment: datetime | None) -> str | None:
    return moment.isoformat(timespec="seconds") if moment else None


def _rating(game: str, own: Rating) -> dict[str, Any]:
    return {
        "game": game, "rating": round(own.rating), "deviation": round(own.deviation),
        "won": own.won, "lost": own.lost, "drawn": own.drawn,
    }  # fmt: skip


def _game(row: MatchRow, player: Player) -> dict[str, Any]:
    turn = player.userid in {row.players[seat] for seat in row.to_move}
    return {
        "board": row.number, "game": row.game, "players": list(row.players), "moves": row.ply,
        "to_move": turn, "since": row.turn_since.isoformat(timespec="seconds"),
    }  # fmt: skip
