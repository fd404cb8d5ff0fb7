"""Nothing hidden leaves by any door, and a type error says so first.

Further in than a conversation because it is a law: whatever is asked for, all octets that others
get are the same whichever of two secrets there is.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import NamedTuple

import pytest

from pbm.core.grammar import verbs
from tests.cli.terminal import pbm_line
from tests.conversations.conversation import mails_of, sections_of
from tests.house import HouseUnderTest
from tests.site.building import builder

ROOT = Path(__file__).resolve().parents[2]

ENDS = {"accept", "decline", "leave", "move", "reject", "resign", "swap"}
BARS = {"add", "block", "change", "draw", "logout", "signoff", "undo", "unsubscribe", "vacation"}
"""Commands that play or end the match, and those after which somebody could not go on."""


class Story(NamedTuple):
    """A match: two secrets of alice, one of which is her first ply, and the plies after that.

    Whichever it is, the others learn the same.
    """

    secrets: tuple[str, str]
    plies: tuple[tuple[str, str], ...]


STORIES = {
    # The shots at a1 and b4 miss both.
    "fleet": Story(
        ("b5-d5,e2-e1", "e5-e3,b3-b2"),
        (("bob", "a5-a3,c2-d2"), ("alice", "c2"), ("bob", "a1"), ("alice", "a5"), ("bob", "b4"),
         ("alice", "a4")),
    ),
    # Each runs into a stone of the other.
    "darkhex": Story(
        ("b4", "d6"),
        (("bob", "c3"), ("alice", "c3"), ("alice", "e5"), ("bob", "e5"), ("bob", "c4"),
         ("alice", "a5")),
    ),
}  # fmt: skip

BEGINNING = """
players: alice, bob, carol, dave
games: fleet
alice> {game} challenge alice alice-pw bob
bob replies> accept
carol> follow 101 carol carol-pw
dave> set digest yes dave dave-pw
alice replies> {secret}
| Psst.
"""

MIDDLE = """
bob> show 101
{plies[0]}
{plies[1]}
{plies[2]}
bob> set digest yes bob bob-pw
{plies[3]}
"""

LATER = """
+ 16 days
remind
+ 4 days
remind
{plies[4]}
alice> undo 101 alice alice-pw
bob> reject 101 bob bob-pw
{plies[5]}
carol> show 101
"""


def asked(game: str, asker: str) -> str:
    """Return a mail of `asker` for each command, as its help has it, about board 101."""
    lines = [verb.example_for(game) for verb in verbs() if verb.name not in ENDS | BARS]
    lines = [line.replace("104", "101").replace("your-password", f"{asker}-pw") for line in lines]
    named = [line.replace("alice", asker) for line in lines]
    return "\n".join(f"{asker}> {line}" for line in (*named, *OTHERS)) + "\n"


OTHERS = (
    "show 101", "show 101#0", "show 101#1", "show 101#2", "record 101", "preview 101",
    "preview 101 a1", "preview 101#2 c2 a1", "{game} preview new", "queue 101 bob bob-pw b1 if b2",
    "submit 101 bob bob-pw a2", "hint 101 bob bob-pw", "analyse 101 bob bob-pw", "list",
    "{game} show", "show alice", "games next", "boards alice", "history alice", "{game} history",
    "move 101 z9", "move 101 bob bob-pw nonsense", "move 101 carol carol-pw a1", "101 a1",
    "{game} show bob all",
)  # fmt: skip


NEW = re.compile(rb"[0-9a-f]{16,}|\+[^@\s]+@")
"""The ids and tokens of a mail, which are new each time."""


def octets(mail: EmailMessage) -> Iterator[bytes]:
    """Yield a mail's header and parts, decoded, without what is new in each mail."""
    yield " ".join(f"{mail[name]}" for name in ("From", "To", "Subject")).encode()
    for part in mail.walk():
        if not part.is_multipart():
            content = part.get_payload(decode=True)
            assert isinstance(content, bytes)
            yield NEW.sub(b"", content)


def told(game: str, secret: str, folder: Path) -> Iterator[bytes]:
    """Yield all that others than alice get with her secret, and all pages of the site."""
    folder.mkdir()
    house = HouseUnderTest(folder, operator="operator@example.org")
    asking = "".join(asked(game, asker) for asker in ("carol", "bob", "mallory"))
    played = STORIES[game].plies
    plies = [f"{name}> move 101 {name} {name}-pw {text}" for name, text in played]
    for part in (BEGINNING, asking, MIDDLE, asking, LATER):
        (section,) = sections_of(part.format(game=game, secret=secret, plies=plies))
        for mail in mails_of(house, section):
            if mail["To"] != "alice@example.org":
                yield from octets(mail)
    with house.house.open_unit() as work:
        match, _ = work.matches.get(101) or pytest.fail("there is no board 101")
        logged = [entry.text.partition(" ")[0] for entry in match.plies]
        assert logged == [secret, *(text for _, text in played)]
    builder(house, folder / "site").build()
    for page in sorted((folder / "site").rglob("*")):
        if page.is_file():
            yield page.read_bytes()
    for userid in ("bob", "carol"):
        with pytest.MonkeyPatch.context() as patch:
            for name, value in house.environment.items():
                patch.setenv(name, value)
            patch.chdir(folder)
            yield pbm_line(f"pbm user export {userid}").out.encode()
    house.house.close()


@pytest.mark.parametrize("game", ["fleet", pytest.param("darkhex", marks=pytest.mark.slow)])
def test_whoever_asks_for_whatever_gets_the_same_octets_whichever_the_secret_is(
    game: str, tmp_path: Path
) -> None:
    one, other = (list(told(game, each, tmp_path / each)) for each in STORIES[game].secrets)
    assert len(one) > 200
    for here, there in zip(one, other, strict=True):
        assert here == there


LEAKS = """
from datetime import datetime
from typing import Any
from pbm.core.board_messages import BoardMessage, DrawnBoard, DrawnPosition, WaitingList
from pbm.core.events import Happening, SeenHappening
from pbm.domain.match import Match
from pbm.domain.play import Board
from pbm.domain.player import Player
from pbm.domain.record import published_record, record, record_text
from pbm.engine import AnyGame
from pbm.mail.writing.board_at_moment import BoardAtMoment
from pbm.mail.writing.move_list import move_list
from pbm.mail.writing.pictures import SharedPictures
from pbm.site.pages import Page

def leaks(board: Board, match: Match, game: AnyGame, to: Player, happening: Happening, now: datetime, pages: Any, page: Page) -> None:
    BoardMessage(to, (), board, {}, now)
    DrawnBoard(board, {}, now)
    DrawnPosition(board)
    WaitingList(to, (board,))
    SeenHappening(happening, to, board, {})
    BoardAtMoment(board, {}, now, pages)
    move_list(board, {})
    SharedPictures(board)
    record(match, game, {})
    record_text(match, game, {})
    published_record(match, game, {}, ())
    page.make({101: (board,)})
"""  # noqa: E501 - a line is a leak


@pytest.mark.slow
def test_a_board_handed_to_a_mail_a_page_or_a_record_is_an_error_of_types(tmp_path: Path) -> None:
    file = tmp_path / "leaks.py"
    file.write_text(LEAKS)
    done = subprocess.run(
        (sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "c"), str(file)),
        capture_output=True, text=True, check=False, cwd=ROOT,
    )  # fmt: skip
    first = LEAKS.splitlines().index("    BoardMessage(to, (), board, {}, now)") + 1
    for line in range(first, len(LEAKS.splitlines()) + 1):
        assert f"leaks.py:{line}: error: " in done.stdout, done.stdout
