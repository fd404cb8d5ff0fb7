"""The command language: what each line asks for, and that any line gets an answer."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbm.domain.errors import NotUnderstood
from pbm.service.command import Command, Request
from pbm.service.grammar import find_verb, verbs
from pbm.service.line import Credentials
from tests.service.houses import GRAMMAR, REPLY
from tests.tables import each

ALICE = Credentials("alice", "alice-pw")
SIGNUP = ("signup", {"userid": "alice", "password": "alice-pw", "addresses": ()})


def challenge(*players: str, options: Any = None, terms: Any = None) -> object:
    given = {"players": players, "options": options or {}, "terms": terms or {}}
    return "challenge", {**given, "game": "noughts"}


def call(command: str, **arguments: object) -> object:
    """Return what `asked` says of a command with these arguments."""
    return command, arguments


def move(number: int | None, text: str, due: int | None = None) -> object:
    """Return what `asked` says of a move."""
    arguments = {"number": number, "text": text, "due": due}
    return "move", {name: value for name, value in arguments.items() if value is not None}


def show(
    *asked: tuple[int, int | None], userids: tuple[str, ...] = (), which: str = "active"
) -> object:
    """Return what `asked` says of showing boards."""
    return call("show", asked=asked, userids=userids, which=which)


def games(*userids: str, which: str = "active", everyone: bool = False) -> object:
    """Return what `asked` says of a table of boards."""
    return call("games", userids=userids, which=which, everyone=everyone)


def asked(request: Request) -> object:
    """Return the name of the command and its arguments that are not None."""
    if "value" in request.arguments:
        return request.arguments["value"]
    given = {name: value for name, value in request.arguments.items() if value is not None}
    if request.command.needs_game:
        given["game"] = request.game
    return request.command.name, given


@each(
    ("line", "command", "credentials"),
    [
        ("help", ("help", {"topic": ""}), None),
        ("HELP move", ("help", {"topic": "move"}), None),
        ("? commands", ("help", {"topic": "commands"}), None),
        ("noughts", ("help", {"topic": "noughts"}), None),
        ("noughts help", ("help", {"topic": "noughts"}), None),
        ("signup alice alice-pw", SIGNUP, None),
        ("Register alice alice-pw", SIGNUP, None),
        ("noughts challenge alice alice-pw bob", challenge("alice", "bob"), ALICE),
        ("Noughts CHALL alice alice-pw bob", challenge("alice", "bob"), ALICE),
        ("noughts challenge alice bob", challenge("alice", "bob"), None),
        (
            "noughts challenge -misere=yes alice --unrated alice-pw bob --nagtime=3",
            challenge("alice", "bob", options={"misere": "yes"},
                      terms={"unrated": "", "nagtime": "3"}),
            ALICE,
        ),
        ("accept 104 alice alice-pw", ("accept", {"number": 104}), ALICE),
        ("decline 104 alice alice-pw", ("decline", {"number": 104}), ALICE),
        ("Refuse 104 alice alice-pw", ("decline", {"number": 104}), ALICE),
        ("move 104 alice alice-pw b2", move(104, "b2"), ALICE),
        ("Mvoe #104 alice alice-pw b2", move(104, "b2"), ALICE),
        ("noughts move 104 alice alice-pw a1 to b2", move(104, "a1 to b2"), ALICE),
        ("move 104#7 alice alice-pw b2", move(104, "b2", 7), ALICE),
        ("move 104 alice alice-pw b2#7", move(104, "b2", 7), ALICE),
        ("move 104#3 alice alice-pw b2 #7", move(104, "b2", 7), ALICE),
        ("move 104#3 alice alice-pw b2 #0", move(104, "b2", 0), ALICE),
        ("move 104 alice alice-pw SWAP", ("swap", {"number": 104}), ALICE),
        ("move 104 alice alice-pw pie", ("swap", {"number": 104}), ALICE),
        ("move 104 alice alice-pw resign", ("resign", {"number": 104}), ALICE),
        ("move 104 alice alice-pw resign now", move(104, "resign now"), ALICE),
        ("swap 104 alice alice-pw", ("swap", {"number": 104}), ALICE),
        ("pie 104#2 alice alice-pw", ("swap", {"number": 104, "due": 2}), ALICE),
        ("resign 104 alice alice-pw", ("resign", {"number": 104}), ALICE),
        ("draw 104 alice alice-pw", ("draw", {"number": 104}), ALICE),
        ("propose 104 alice alice-pw", ("draw", {"number": 104}), ALICE),
        ("undo 104 alice alice-pw", ("undo", {"number": 104}), ALICE),
        ("reject 104 alice alice-pw", ("reject", {"number": 104}), ALICE),
        ("noughts move 104 alice alice-pw Propose", ("draw", {"number": 104}), ALICE),
        ("noughts move 104 alice alice-pw undo", ("undo", {"number": 104}), ALICE),
        ("noughts move 104 alice alice-pw accept", ("accept", {"number": 104}), ALICE),
        ("noughts move 104 alice alice-pw reject", ("reject", {"number": 104}), ALICE),
        ("queue 104 alice alice-pw", call("queue", number=104, text=""), ALICE),
        ("queue 104 alice alice-pw b2", call("queue", number=104, text="b2"), ALICE),
        (
            "queue 104 alice alice-pw b2 IF a1, c3",
            call("queue", number=104, text="b2", condition="a1, c3"),
            ALICE,
        ),
        (
            "queue 104 alice alice-pw b2 if",
            call("queue", number=104, text="b2", condition=""),
            ALICE,
        ),
        ("queue 104 alice alice-pw iffy", call("queue", number=104, text="iffy"), ALICE),
        ("queue 104 alice alice-pw CLEAR", ("clear queue", {"number": 104}), ALICE),
        ("submit 104 alice alice-pw b2#3", call("submit", number=104, text="b2", due=3), ALICE),
        ("SUBM 104 alice alice-pw b2", ("submit", {"number": 104, "text": "b2"}), ALICE),
        ("confirm 104 alice alice-pw", ("confirm", {"number": 104}), ALICE),
        ("preview 104#2 b2 a1", ("preview", {"number": 104, "text": "b2 a1", "ply": 2}), None),
        ("prev 104", call("preview", number=104, text=""), None),
        (
            "noughts preview new b2 -misere",
            call("preview new", game="noughts", text="b2", options={"misere": "yes"}),
            None,
        ),
        ("board 104 105#2", show((104, None), (105, 2)), None),
        ("qmove 104 alice alice-pw b2", move(104, "b2"), ALICE),
        ("noughts show alice bob NEXT", show(userids=("alice", "bob"), which="next"), None),
        ("show 104", show((104, None)), None),
        ("show 104, 105#3 #106", show((104, None), (105, 3), (106, None)), None),
        ("board 104", show((104, None)), None),
        ("games", games(), None),
        ("games alice NEXT", games("alice", which="next"), None),
        ("noughts games all", games(everyone=True), None),
        ("games all INACTIVE", games(which="inactive", everyone=True), None),
        ("games alice all", games("alice", which="all"), None),
        ("\uff4d\uff4f\uff56\uff45 104 alice alice-pw b2", move(104, "b2"), ALICE),
        ("  move\u00a0104   alice\talice-pw b2 ", move(104, "b2"), ALICE),
    ],
)  # fmt: skip
def test_a_line_asks_for_a_command(
    line: str, command: object, credentials: Credentials | None
) -> None:
    request = GRAMMAR.read(line, None)
    assert (asked(request), request.credentials) == (command, credentials)


@each(
    ("line", "command"),
    [
        ("move b2", move(None, "b2")),
        ("move alice alice-pw b2", move(None, "b2")),
        ("move 104 alice alice-pw", move(104, "")),
        ("move 105 b2", move(105, "b2")),
        ("swap", ("swap", {})),
        ("swap alice alice-pw", ("swap", {})),
        ("resign", ("resign", {})),
        ("resign 104", ("resign", {"number": 104})),
        ("accept", ("accept", {})),
        ("decline", ("decline", {})),
        ("show", show((104, None))),
        ("show 105", show((105, None))),
        ("noughts challenge bob", challenge("alice", "bob")),
        ("noughts challenge alice alice-pw bob", challenge("alice", "bob")),
        ("noughts challenge alice bob", challenge("alice", "bob")),
        ("noughts challenge bob carol", challenge("alice", "bob", "carol")),
    ],
)
def test_a_reply_needs_no_credentials_and_no_board(line: str, command: object) -> None:
    request = GRAMMAR.read(line, REPLY)
    given = ALICE if "alice-pw" in line else None
    assert (asked(request), request.credentials) == (command, given)


@each(
    ("line", "sentence"),
    [
        ("signup alice", "signup needs a userid and a password of your choice."),
        ("noughts challenge alice", "Say who you are: your userid and password are missing."),
        ("challenge alice alice-pw bob", "challenge begins with the name of a game: noughts."),
        ("move b2", "move needs the number of a board."),
        ("move 104 b2", "Say who you are: your userid and password are missing."),
        ("resign 104", "Say who you are: your userid and password are missing."),
        ("show", "show needs the number of a board."),
        ("show me", "Only numbers of boards follow show. To play a move, use move."),
        ("show 104 please", "Only numbers of boards follow show. To play a move, use move."),
        (
            "board 104 alice alice-pw b2",
            "Only numbers of boards follow show. To play a move, use move.",
        ),
        ("noughts mvoee 104", "There is no such command; did you mean move?"),
        ("noughts xyzzy 104", 'There is no such command after "Noughts and Crosses". To invite '),
        ("resign 104 alice alice-pw now", "Nothing follows resign but the board and who you are;"),
        ("accept 104 alice alice-pw gladly", "Nothing follows accept but"),
        ("", "There is no command in an empty line."),
    ],
)
def test_a_line_that_lacks_words_is_told_which_ones(line: str, sentence: str) -> None:
    with pytest.raises(NotUnderstood) as refused:
        GRAMMAR.read(line, None)
    assert str(refused.value).startswith(sentence)
    assert "alice-pw" not in str(refused.value)


@pytest.mark.parametrize(
    "line",
    ["resign already!", "Resign is what I will not do", "accept my apologies", "swap?! never",
     "decline and fall", "swap 104 places", "resign 104 bob bob-pw"],
)  # fmt: skip
def test_a_sentence_in_a_reply_is_no_resignation_and_no_agreement(line: str) -> None:
    with pytest.raises(NotUnderstood) as refused:
        GRAMMAR.read(line, REPLY)
    if refused.value.example:
        GRAMMAR.read(refused.value.example, REPLY)


def spoken(name: str) -> list[str]:
    return [name, name.upper(), name.capitalize(), f"{name[:1]}\u200b{name[1:]}"]


@each("verb", verbs(), ids=lambda verb: verb.name)
def test_a_verb_is_known_by_every_name_in_any_case(verb: Command) -> None:
    for name in (verb.name, *verb.aliases):
        for form in spoken(name):
            assert find_verb(form) is verb, form
    for length in range(1, len(verb.name)):
        shortened = find_verb(verb.name[:length])
        if verb.least and length >= verb.least:
            assert shortened is verb
        else:
            assert shortened is not verb or verb.name[:length] in verb.aliases


def test_no_word_means_two_commands() -> None:
    words = [word for verb in verbs() for word in verb.words]
    assert len(words) == len(set(words))


@each("verb", verbs(), ids=lambda verb: verb.name)
def test_the_example_of_a_verb_is_read_as_that_verb_and_can_be_carried_out(verb: Command) -> None:
    example = verb.example_for("noughts").replace("gonnect", "noughts")
    request = GRAMMAR.read(example, None)
    assert request.verb == verb.name


def test_a_refusal_gives_an_example_with_a_game_that_there_is() -> None:
    for line in ("challenge a b c", "noughts challenge"):
        with pytest.raises(NotUnderstood) as refused:
            GRAMMAR.read(line, None)
        assert "GAME" not in refused.value.example
    with pytest.raises(NotUnderstood) as refused:
        GRAMMAR.read("noughts challenge alice", REPLY)
    assert refused.value.example == "noughts challenge alice your-password bob"


WORDS = st.one_of(
    st.sampled_from([*(verb.name for verb in verbs()), "mvoe", "pie", "noughts", "NOUGHTS"]),
    st.sampled_from(
        ["104", "#104", "104#7", "#7", "alice", "alice-pw", "b2", "-a=b", "--c", "all"]
    ),
    st.text(max_size=12),
)
LINES = st.lists(WORDS, max_size=8).map(" ".join) | st.text(max_size=60)


@given(LINES, st.sampled_from([None, REPLY]))
def test_any_line_is_read_or_not_understood(line: str, reply: Any) -> None:
    for whole in (line, f"move {line}"):
        try:
            GRAMMAR.read(whole, reply)
        except NotUnderstood as error:
            sentence = str(error)
        else:
            sentence = "."
        assert sentence.endswith((".", "?"))


@given(LINES)
def test_any_line_is_looked_at_for_a_command_and_for_near_ones(line: str) -> None:
    if GRAMMAR.begins_command(line):
        first = next(
            word for word in line.split() if not word.startswith(("-", "\u2013", "\u2014"))
        )
        assert find_verb(first) or GRAMMAR.catalogue.find(first)
    assert len(GRAMMAR.resembles_command(line)) <= 3
