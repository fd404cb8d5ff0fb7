"""The robots of a server, for its operator."""

from collections.abc import Iterator

from pbm.domain.catalogue import Catalogue
from pbm.domain.player import Player, PlayerState
from pbm.domain.robots import Brain
from pbm.operator.administration import Administration, player_facts
from pbm.store.operator import Facts
from pbm.store.unit import UnitOfWork


def note_added(operator: Administration, player: Player) -> None:
    """Note that an operator has added a robot; what a server does by itself is in its log."""
    brain = operator.work.robots.get(player.id)
    facts = brain_facts(brain) if brain else {}
    operator.note("robot add", player.userid, {}, {**player_facts(player), **facts})


def listed(work: UnitOfWork, catalogue: Catalogue) -> Iterator[Facts]:
    """Yield the facts of robots, those that are disabled too, in order of level and name."""
    brains = work.robots.all()
    people = work.players.by_ids(brains).values()
    there = (player for player in people if player.state is not PlayerState.GONE)
    for player in sorted(there, key=lambda each: (brains[each.id].level, each.userid)):
        game = brains[player.id].game
        yield {
            "userid": player.userid,
            "state": player.state.value,
            **brain_facts(brains[player.id]),
            "installed": game is None or catalogue.find(game) is not None,
            "boards": work.matches.count(None, [player.id], over=False),
        }


def brain_facts(brain: Brain) -> Facts:
    """Return what an operator decides of a robot."""
    return {"level": brain.level, "game": brain.game, "entry": brain.entry}
