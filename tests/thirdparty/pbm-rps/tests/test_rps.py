"""The game keeps the laws of the contract."""

from pbm.engine.conformance import check

from pbm_rps import game


def test_the_game_keeps_every_law() -> None:
    check(game)
