"""A short torture in the ordinary suite, and whether its checks notice what they are for."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from pbm.domain.mail import ReceivedMail
from pbm.operator.administration import Administration
from pbm.server.assembly import App
from tests.house import ADDRESS, QUICK_PASSWORDS, START, HouseUnderTest
from tests.readings import answers
from tests.sent_mails import text_of
from tests.sink import Arrived
from tests.torture.checks import look
from tests.torture.kinds import Kinds
from tests.torture.people import People, Told, address_of, password_of, random_match
from tests.torture.points import POINTS, place_of
from tests.torture.post import Post
from tests.torture.run import LAYOUTS, Crowd, torture
from tests.torture.served import End

KILLS = 6
CROWD = Crowd(6, 12, QUICK_PASSWORDS)
"""Few people never fill a burst of the usual size, and it would wait for others in vain."""
BOARD, SIZE, PLIES = 101, 5, 2
PAIR = ("p00", "q00")

SPREAD = next(layout for layout in LAYOUTS if layout.name == "sqlite-4")


@pytest.mark.slow
def test_nothing_is_lost_or_done_twice_in_a_short_torture(tmp_path: Path) -> None:
    result = torture(SPREAD, tmp_path, KILLS, seed=1, patience=60, crowd=CROWD)
    assert result.faults == []
    assert result.kills.total() >= KILLS
    assert result.found.moves > 0


def test_every_point_at_which_a_server_kills_itself_is_in_the_product() -> None:
    places = [place_of(point) for point in POINTS]
    assert all(callable(getattr(holder, name)) for holder, name in places)


WORDS = "Hello 1 from p00"


def mail(line: str, text: str = "") -> ReceivedMail:
    author = address_of(line.split()[2])
    content = f"From: {author}\r\nSubject: {line}\r\n\r\n{text}".encode()
    return ReceivedMail(author, (ADDRESS,), content, START)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[App]:
    """Yield a house at rest, with a board on which two moves were played, and a chat."""
    house = HouseUnderTest(tmp_path).house
    with house.open_unit() as work:
        operator = Administration(house.services, work, START)
        for name in PAIR:
            operator.add_player(name, password_of(name), [address_of(name)])
        operator.create_match(house.catalogue.get("gonnect"), PAIR, {"size": f"{SIZE}"}, {})
        work.commit()
    for name, move in zip(PAIR, random_match(BOARD, SIZE), strict=False):
        house.inbox.put([mail(f"move {BOARD} {name} {password_of(name)} {move}")])
        house.play_stage.play_waiting()
    house.inbox.put([mail(f"chat {BOARD} p00 {password_of('p00')}", WORDS)])
    house.play_stage.play_waiting()
    house.deliver_waiting(house.new_relay())
    yield house
    house.close()


@pytest.fixture
def people() -> Iterator[People]:
    """Yield people to whom all that was played there was told."""
    post = Post((), Random(1))
    people = People((), post, Random(1), sizes={BOARD: SIZE})
    for ply in range(1, PLIES + 1):
        people.acknowledged.add((BOARD, ply))
        for name in PAIR:
            people.told[Told(address_of(name), BOARD, ply)].add(f"<{name}-{ply}@localhost>")
    people.chats[WORDS] = BOARD, "p00"
    people.heard[WORDS].add("<chat@localhost>")
    yield people
    people.close()
    post.close()


def test_nothing_is_found_at_a_server_that_is_well(house: App, people: People) -> None:
    found = look(house, people)
    assert (found.faults, found.moves, found.matches, found.chats) == ([], PLIES, 1, 1)


LAST = Told(address_of("p00"), BOARD, PLIES)

Harm = Callable[[People], object]


@pytest.mark.parametrize(
    ("harm", "lost", "double"),
    [
        (lambda people: people.acknowledged.add((BOARD, 3)), 1, 0),
        (lambda people: people.acknowledged.remove((BOARD, 2)), 0, 1),
        (lambda people: people.sizes.update({BOARD: 7}), 0, 2),
        (lambda people: people.resigned.add(BOARD), 1, 0),
        (lambda people: people.asked.append("p00"), 1, 0),
        (lambda people: people.told.pop(LAST), 1, 0),
        (lambda people: people.told[LAST].add("<another@localhost>"), 0, 1),
        (lambda people: people.chats.update({"Hello 2 from p00": (BOARD, "p00")}), 2, 0),
        (lambda people: people.chats.clear(), 0, 1),
        (lambda people: people.heard.clear(), 1, 0),
        (lambda people: people.heard[WORDS].add("<another@localhost>"), 0, 1),
    ],
)
def test_what_is_lost_or_double_is_found(
    house: App, people: People, harm: Harm, lost: int, double: int
) -> None:
    harm(people)
    found = look(house, people)
    assert (found.lost, found.double) == (lost, double)


def test_mails_that_are_left_over_are_found(house: App, people: People) -> None:
    house.inbox.put([mail("help commands p00")])
    with house.open_unit() as work:
        shunted, *_ = (row.id for row in work.inbox.claim(1))
        work.inbox.shunt(shunted, "a bug", START)
        work.commit()
    house.inbox.put([mail("help games p00")])
    assert look(house, people).faults == [
        f"mail {shunted} is in the shunt: ['a bug']", "1 mails wait in the inbox"
    ]  # fmt: skip


AWAY = """
# An end with status 1 has a reason where the database was away shortly before.
1 | 3.0  | 4.0  -> False
1 | 0.0  | 1.0  -> True
1 | 10.5 | 12.0 -> True
0 | 3.0  | 12.0 -> True
"""


def test_an_end_is_a_fault_unless_the_database_was_away() -> None:
    def is_fault(status: str, began: str, ended: str) -> bool:
        return End(int(status), began=0.5, ended=8.0).is_fault([(float(began), float(ended))])

    assert answers(AWAY, is_fault) == AWAY


DICE = ("alice", "bob")


@pytest.fixture
def dice(tmp_path: Path) -> Iterator[tuple[App, Kinds]]:
    """Yield a house in which two turns of a game of dice were played, and those who were told."""
    house = HouseUnderTest(tmp_path)
    house.add(*DICE)
    house.create_match(*DICE, game="einstein", options={})
    house.play()
    post = Post((), Random(1))
    kinds = Kinds((), post, Random(1), resting=True)
    for due, name in enumerate(DICE, 1):
        mail = house.last_to(f"{name}@example.org")
        move = text_of(mail).partition("for example ")[2].split()[0]
        kinds.asked_for[BOARD, name][due] = move
        house.reply(mail, move)
    for mail, content in zip(house.sent, house.wire, strict=True):
        kinds.get(Arrived("", str(mail["To"]), content))
    kinds.close()
    yield house.house, kinds
    post.close()
    house.house.close()


def _says(kinds: Kinds, was: str, now: str) -> None:
    """Let the last mail say something else of its turn."""
    last = kinds.reports[BOARD][-1]
    ((who, text),) = last.turns
    kinds.reports[BOARD][-1] = replace(last, turns=((who, text.replace(was, now)),))


@pytest.mark.parametrize(
    ("harm", "faults"),
    [
        (lambda kinds: None, []),
        (lambda kinds: kinds.asked_for[BOARD, "bob"].clear(), ["double: bob asked for []"]),
        (lambda kinds: kinds.asked_for[BOARD, "bob"].update({4: "a1"}), ["lost: bob asked for"]),
        (lambda kinds: kinds.gone.add((BOARD, "bob")), ["lost: bob left 0 times"]),
        (lambda kinds: _says(kinds, " [", " [1"), ["says"]),
        (lambda kinds: kinds.reports[BOARD].pop(), ["lost: ply 2 was told to"]),
        (
            lambda kinds: kinds.reports[BOARD].append(kinds.reports[BOARD][-1]),
            ["double: ply 2 was told to"],
        ),
        (lambda kinds: kinds.ends[BOARD, "bob"].add("<end>"), ["double: 1 mails of the end"]),
    ],
)
def test_what_is_wrong_with_a_game_of_another_kind_is_found(
    dice: tuple[App, Kinds], harm: Callable[[Kinds], object], faults: list[str]
) -> None:
    house, kinds = dice
    harm(kinds)
    nobody = People((), kinds.post, Random(1))
    nobody.close()
    found = look(house, nobody, kinds).faults
    assert len(found) == len(faults)
    assert all(fault in said for fault, said in zip(faults, found, strict=True))
