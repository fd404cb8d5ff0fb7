"""A position that is only looked at, put into words."""

from pbm.domain.playing import LiveMatch
from pbm.engine import draw, listing
from pbm.mail.board_facts import about, options, viewer
from pbm.mail.outcome_wording import reason_of
from pbm.mail.preview_contexts import PreviewMail
from pbm.service.notices import Previewed


def preview_mail(notice: Previewed) -> PreviewMail:
    """Return the facts of the position that a player looks at, drawn from his side."""
    table = notice.table
    match, game = table.match, table.game
    seats = match.seats_of(notice.to.id)
    mover = next(iter(table.to_move), None)
    sides = game.sides(table.position.state)
    new = ", ".join([game.info.title, *options(match.setup, game)])
    return PreviewMail(
        submitted=notice.submitted,
        number=match.number,
        key=match.game,
        title=game.info.title,
        moves=listing(notice.moves, most=40, last="and"),
        side="" if mover is None else sides[mover],
        sign="" if mover is None else game.info.signs[mover],
        due=table.due,
        ending=_ending(table, sides),
        picture=draw(game.diagram(table.position.state, viewer(game, seats, notice.to))),
        about=about(match, game) if match.number else new,
    )


def _ending(table: LiveMatch, sides: tuple[str, ...]) -> str:
    """Return how the moves would end the match: "Eks wins: a chain ..."; "" if they do not."""
    outcome = table.match.outcome
    if outcome is None:
        return ""
    reason = reason_of(outcome, table.game)
    winners = listing((sides[seat] for seat in outcome.winners), last="and")
    return f"{winners} wins: {reason}" if winners else f"a draw: {reason}"
