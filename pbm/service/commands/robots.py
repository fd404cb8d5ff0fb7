"""The command for those who want to play at once: `robot`."""

from collections.abc import Mapping
from dataclasses import dataclass

from pbm.domain.errors import Nameless, NotUnderstood
from pbm.domain.player import fold_userid
from pbm.domain.robots import ANYBODY, STANDARD
from pbm.engine import fold
from pbm.service.bridge import Command, Line, Reading, Verb
from pbm.service.line import Credentials, split_options
from pbm.service.robots import LEVEL, is_level, robots_named


@dataclass(frozen=True, slots=True)
class PlayRobot(Command):
    """A match with a robot, at once. `game` is what names the game, "" for the one that fits.

    `robot` is "robot" for any, or a name such as "robot-2".
    """

    game: str
    robot: str
    options: Mapping[str, str]
    terms: Mapping[str, str]


def _read_robot(line: Line) -> Reading:
    """Read `[GAME] [LEVEL] [userid password]`, in this order or with the level first.

    `robot-2` in place of `robot` says the level, too.
    """
    options = split_options(line.words.rest)
    words, credentials = _credentials(line, list(options.words))
    said = fold(line.said)
    robot, *others = robots_named([said, *words])
    level = next((word for word in others if is_level(word)), "")
    games = [word for word in others if word != level and fold(word) not in (LEVEL, "please")]
    if len(games) > (0 if line.game else 1):
        raise NotUnderstood("robot is followed by a game and a level, or by nothing.", line.example)
    named = f"{ANYBODY}-{level.lstrip('#')}" if level else robot
    game = line.game or (games[0] if games else "")
    return PlayRobot(game, named, options.game, options.match), credentials


def _credentials(line: Line, words: list[str]) -> tuple[list[str], Credentials | None]:
    """Return the words beside the userid and password that end the line, and these.

    In a reply they may be missing, or begin it. Raises Nameless if they are missing elsewhere.
    """
    own = fold_userid(line.proven.userid) if line.proven else None
    for start in (0, len(words) - 2) if own else ():
        if [*map(fold_userid, words[start : start + 1])] == [own] and words[start + 1 :]:
            return [*words[:start], *words[start + 2 :]], Credentials(*words[start : start + 2])
    if own:
        return words, None
    if len(words) < 2 or is_level(words[-1]):
        raise Nameless
    return words[:-2], Credentials(*words[-2:])


VERBS: tuple[Verb, ...] = (
    Verb("robot", "[GAME] [LEVEL] [userid password] [-option=value] [--option=value]",
         "begins a match with a robot, at once", "robot alice your-password", _read_robot,
         tuple(STANDARD),
         text="Nobody has to agree, and the robot answers soon. You take the first seat. robot-1 "
              "is a beginner, robot-5 the strongest; without a level you get one that fits you: "
              "the nearest to your rating, or else one that you have not beaten. Without a game, "
              "it is that of the mail that you answer, or the first that the server has.\n"
              "The match is unrated. --rated makes it count. An undo is granted at once, though "
              "not in a rated match. The robot's turns are not timed; yours are.\n"
              "GAME challenge alice your-password robot-2 does the same, and so does rematch when "
              "a match is over."),
)  # fmt: skip
