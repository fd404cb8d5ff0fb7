"""Robots: matches with them, what they play and answer, and the mails when they fail or pause."""

from collections.abc import Iterator, Mapping
from datetime import datetime

from pbm.core.command import CommandLine, Proof, Request, RobotName, command
from pbm.core.context import Context
from pbm.core.letters import Letter, Message, letter
from pbm.core.robots import (
    LEVEL,
    ThoughtJob,
    chance_of,
    level_in,
    moment_of,
    recommended,
    robots_named,
)
from pbm.core.tokens import player_token
from pbm.core.words import Credentials, split_options
from pbm.domain.errors import Nameless, NotNow, NotUnderstood, UnknownName
from pbm.domain.offers import Offer, OfferKind, open_offer, still_asked
from pbm.domain.play import Board, check_ply_due, seat_of
from pbm.domain.player import Player, PlayerId, fold_userid
from pbm.domain.robots import ANYBODY, STANDARD, Brain, Thought
from pbm.engine import AnyGame, counted, fold, listing
from pbm.features.invitations import challenge_to
from pbm.features.offers import accept_offer, reject_offer
from pbm.features.turns import give_up, take_turn
from pbm.robots.tasks import AnswerFound, AnswerTask, MoveFound, MoveTask, OtherRobot


def _read_robot(line: CommandLine) -> Request:
    """Read `[GAME] [LEVEL] [userid password]`, in this order or with the level first.

    `robot-2` in place of `robot` says the level, too.
    """
    options = split_options(line.words.rest)
    words, credentials = _credentials(line, list(options.words))
    said = fold(line.said)
    robot, *others = robots_named([said, *words])
    level = next(filter(level_in, others), "")
    games = [w for w in others if not level_in(w) and fold(w) not in (ANYBODY, LEVEL, "please")]
    if len(games) > (0 if line.game else 1):
        raise NotUnderstood("robot is followed by a game and a level, or by nothing.", line.example)
    named = f"{ANYBODY}-{level_in(level)}" if level else robot
    game = line.game or (games[0] if games else "")
    return line.request(
        credentials, game=game, name=named, options=options.game, terms=options.match
    )


def _credentials(line: CommandLine, words: list[str]) -> tuple[list[str], Credentials | None]:
    """Return the words without the userid and password that end the line, and these.

    In a reply they may be missing, or begin it. Raises Nameless if they are missing elsewhere.
    """
    own = fold_userid(line.proven.userid) if line.proven else None
    for start in (0, len(words) - 2) if own else ():
        if [*map(fold_userid, words[start : start + 1])] == [own] and words[start + 1 :]:
            return [*words[:start], *words[start + 2 :]], Credentials(*words[start : start + 2])
    if own:
        return words, None
    if len(words) < 2 or level_in(words[-1]):
        raise Nameless
    return words[:-2], Credentials(*words[-2:])


def _write_robot(request: Request) -> tuple[str, ...]:
    level = request.arguments["name"].removeprefix(ANYBODY).lstrip("-")
    named = () if request.game else request.words("game")
    return (level, *named, *request.who, *request.options)


@command(
    "robot", "[GAME] [LEVEL] [userid password] [-option=value] [--option=value]",
    "starts a match against a robot at once", "robot alice your-password",
    needs=Proof.PERSON, locks=True, read=_read_robot, writes=_write_robot, aliases=tuple(STANDARD),
    text="The robot answers soon. You take the first seat. robot-1 is a beginner, robot-5 the "
         "strongest; robot easy, robot medium and robot hard are robot-1, robot-3 and robot-5. "
         "Without a level you get the one nearest to your rating, or one that you have "
         "not beaten yet. Without a game, it is the game of the mail that you answer, or the "
         "server's first.\n"
         "The match is unrated; --rated changes that. A robot agrees to every undo, but not in a "
         "rated match. The robot's turns are not timed; yours are.\n"
         "GAME challenge alice your-password robot-2 does the same, and so does rematch when a "
         "match is over.",
)  # fmt: skip
def robot(
    context: Context,
    game: str,
    name: RobotName,
    options: Mapping[str, str],
    terms: Mapping[str, str],
) -> Iterator[Message]:
    """Begin a match of the sender, who takes the first seat, with a robot.

    `game` is what names the game; "" is the one that fits. `name` is that of the robot, or "robot"
    for any.
    """
    names = (context.sender().userid, name)
    yield from challenge_to(context, _game_meant(context, game), names, options, terms)


def _game_meant(context: Context, name: str) -> AnyGame:
    """Return the game that `name` names; "" is that of the mail replied to, or the first of all.

    Raises UnknownName without the word if there is no such game: it may be a password.
    """
    catalogue = context.catalogue
    key = name or _game_answered(context)
    game = catalogue.find(key) if key else recommended(context.work, catalogue)
    if game is None:
        titles = listing((each.info.key for each in catalogue), last="and")
        raise UnknownName(f"Robots here play {titles}.", "robot GAME alice your-password")
    return game


def _game_answered(context: Context) -> str:
    """Return the key of the game that the answered mail was about; "" if it was about none."""
    number = context.reply.number if context.reply else None
    if number is None:
        return ""
    work = context.work
    match = work.matches.get(number)
    asked = match[0] if match else work.invitations.get(number) or work.wishes.seek(number)
    return asked.game if asked else ""


PATIENCE = 2
"""Faults after which a robot plays any legal move: its search, or its game, does not work."""


def _prepare_move(context: Context, thought: Thought) -> MoveTask | None:
    """Return the position to find a move in, or None if the robot is not to move.

    It answers an offered draw first; that answer asks for its move again.
    """
    board = context.boards.get(thought.number)
    seat = next((s for s in board.to_move if board.match.players[s] == thought.player), None)
    if seat is None or _draw_offered(board, thought.player):
        return None
    brain = _brain_of(context, thought)
    return MoveTask(
        moment_of(board, seat),
        _level_for(brain, thought),
        chance_of(context, board),
        # One that ended its process is not asked again.
        # Nor is one where something is hidden: it would see all.
        None
        if brain.is_ours or thought.tries or board.game.info.hidden
        else _other(board, brain, thought.player),
    )


def _other(board: Board, brain: Brain, robot: PlayerId) -> OtherRobot:
    match = board.match
    return OtherRobot(brain.entry, match.setup, tuple(match.turns), match.seats_of(robot))


def _play_move(context: Context, thought: Thought, found: MoveFound) -> Iterator[Message]:
    """Play the move and the queued moves that follow it, or resign."""
    board = context.boards.get(thought.number)
    if _draw_offered(board, thought.player):
        raise NotNow(f"A draw is offered on board {thought.number}.")
    check_ply_due(board, found.due)
    yield from _report_fault(context, found)
    seats = board.match.seats_of(thought.player)
    # Before its first move, to resign would decline the match.
    if found.resigns and any(entry.seat in seats for entry in board.match.plies):
        yield from give_up(context, board, thought.player)
    else:
        yield from take_turn(context, thought.number, found.text, found.due)


def _report_fault(context: Context, found: MoveFound) -> Iterator[Message]:
    """Write to the operator, once a day for each robot, if it is of others and did not move."""
    robot = context.sender()
    if found.fault and context.today(f"robot-failed:{robot.id}") == 1:
        yield from context.to_operator("robots/failed", robot=robot.userid, why=found.fault)


def _prepare_answer(context: Context, thought: Thought) -> AnswerTask | None:
    """Return the position to judge, or None if the robot has no draw to answer any more."""
    board = context.boards.get(thought.number)
    if _draw_offered(board, thought.player) is None:
        return None
    level = _level_for(_brain_of(context, thought), thought)
    moment = moment_of(board, seat_of(board, thought.player))
    return AnswerTask(moment, level, chance_of(context, board))


def _answer_draw(context: Context, thought: Thought, found: AnswerFound) -> Iterator[Message]:
    """Agree to the draw, or decline it."""
    board = context.boards.get(thought.number)
    check_ply_due(board, found.due)
    if _draw_offered(board, thought.player) is None:
        raise NotNow(f"No draw is offered on board {thought.number}.")
    answer_offer = accept_offer if found.agrees else reject_offer
    yield from answer_offer(context, thought.number)


def _brain_of(context: Context, thought: Thought) -> Brain:
    """Return who thinks for the robot of a thought; raise NotNow if it does not play at present."""
    robot = context.person(thought.player)
    brain = context.work.robots.get(thought.player)
    if brain is None or not robot.active:
        raise NotNow(f"{robot.userid} is not playing at present.")
    return brain


def _level_for(brain: Brain, thought: Thought) -> int:
    """Return the level at which to think; 0, any legal move, if that has failed too often."""
    return brain.level if thought.tries < PATIENCE else 0


def _draw_offered(board: Board, robot: PlayerId) -> Offer | None:
    """Return the draw that the robot has to answer, or None if nobody else offers one."""
    offer = open_offer(board.match)
    if offer is None or offer.kind is not OfferKind.DRAW:
        return None
    asked = [board.match.players[seat] for seat in still_asked(board.match, offer)]
    return offer if robot in asked else None


MOVE = ThoughtJob(_prepare_move, _play_move, lambda found: found.fault)
"""A robot finds its move, and plays it as a person's move is played."""

ANSWER = ThoughtJob(_prepare_answer, _answer_draw)
"""A robot answers an offered draw: it agrees unless it believes to be ahead."""


def share_used_up(player: Player, seconds: int, goes_on_at: datetime) -> Letter:
    """Return the mail that robots have thought `seconds` today for a player, and pause until then.

    That is the share of a day.
    """
    minutes = seconds // 60
    share = counted(minutes, "minute") if minutes else counted(seconds, "second")
    return letter(
        player, "robots/share_used_up", share=share, goes_on_at=goes_on_at,
        reply=player_token(player.id),
    )  # fmt: skip
