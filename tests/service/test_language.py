"""Lines of people: the command language, sentences of those who read no help, and refusals.

There are too many lines for conversations. lines.txt has what each line of the command language
asks for, sentences.txt what people write instead of it, corrections.txt what refusals suggest.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbm.core.command import BoardNumber, Count, Proof, command
from pbm.core.context import Context
from pbm.core.grammar import line_of
from pbm.core.letters import Message
from pbm.domain.errors import NotUnderstood
from tests.conversations.conversation import address, prepare
from tests.house import HouseUnderTest, text_of
from tests.readings import answers
from tests.service.houses import (
    GRAMMAR,
    PLAYER,
    REPLY,
    Credentials,
    Reply,
    Words,
    find_verb,
    options_last,
    split_options,
    verbs,
)

LINES = Path(__file__).with_name("lines.txt").read_text("utf-8")


def asked(line: str, reply: Reply | None = None) -> str:
    """Return the name of the command, its arguments, and the credentials."""
    request = GRAMMAR.read(line, reply)
    given = {name: value for name, value in request.arguments.items() if value is not None}
    if request.command.needs_game:
        given["game"] = request.game
    named = (f" {name}={value!r}" for name, value in sorted(given.items()))
    return f"{request.command.name}{''.join(named)}{by(request.credentials)}"


def by(credentials: Credentials | None) -> str:
    return f" by {credentials.userid} {credentials.password}" if credentials else ""


def refused(line: str) -> str:
    """Return "refused" if a line is no command in a reply; an example that it gives is one."""
    with pytest.raises(NotUnderstood) as refusal:
        GRAMMAR.read(line, REPLY)
    for example in refusal.value.examples:
        GRAMMAR.read(example, REPLY)
    return "refused"


def split(line: str) -> str:
    options = split_options(line.split())
    return f"{' '.join(options.words)} {options.game} {options.match}"


def board(line: str) -> str:
    words = Words(line.split())
    return f"{words.board_number()} {words.rest}"


def credentials(line: str, least_rest: str = "0", proven: bool = True) -> str:
    words = Words(line.split())
    found = by(words.credentials(PLAYER if proven else None, least_rest=int(least_rest)))
    return f"{found} {words.rest}".strip()


def move(line: str) -> str:
    text, ply = Words(line.split()).text_and_ply()
    return f"{text} {ply}"


DOORS: Mapping[str, Callable[..., str]] = {
    "line": asked,
    "reply": lambda line: asked(line, REPLY),
    "no reply": refused,
    "options": split,
    "board": board,
    "proven": credentials,
    "unproven": lambda line: credentials(line, proven=False),
    "move": move,
    "last": lambda line: " ".join(options_last(line.split())),
}


def read(door: str, *columns: str) -> str:
    return DOORS[door](*columns)


def test_a_line_is_read_as_the_table_says() -> None:
    assert answers(LINES, read, NotUnderstood) == LINES


def test_a_verb_is_known_by_every_name_in_any_case_and_by_its_own_shortenings() -> None:
    for verb in verbs():
        for name in (verb.name, *verb.aliases):
            for form in (name, name.upper(), name.capitalize(), f"{name[:1]}\u200b{name[1:]}"):
                assert find_verb(form) is verb, form
        for length in range(1, len(verb.name)):
            shortened = find_verb(verb.name[:length])
            if verb.least and length >= verb.least:
                assert shortened is verb
            else:
                assert shortened is not verb or verb.name[:length] in verb.aliases
    words = [word for verb in verbs() for word in verb.words]
    assert len(words) == len(set(words)), "no word means two commands"


def test_the_example_of_a_verb_is_read_as_that_verb_and_can_be_carried_out() -> None:
    for verb in verbs():
        example = verb.example_for("noughts").replace("gonnect", "noughts")
        assert GRAMMAR.read(example, None).verb == verb.name


def test_a_refusal_gives_an_example_with_a_game_that_there_is() -> None:
    for line in ("challenge a b c", "noughts challenge"):
        with pytest.raises(NotUnderstood) as refusal:
            GRAMMAR.read(line, None)
        assert "GAME" not in "".join(refusal.value.examples)
    with pytest.raises(NotUnderstood) as refusal:
        GRAMMAR.read("noughts challenge alice", REPLY)
    assert refusal.value.examples == ("noughts challenge alice your-password bob",)


WORDS = st.one_of(
    st.sampled_from([*(verb.name for verb in verbs()), "mvoe", "pie", "noughts", "NOUGHTS"]),
    st.sampled_from(
        ["104", "#104", "104#7", "#7", "alice", "alice-pw", "b2", "-a=b", "--c", "all"]
    ),
    st.text(max_size=12),
)
ANY_LINE = st.lists(WORDS, max_size=8).map(" ".join) | st.text(max_size=60)


@given(ANY_LINE, st.sampled_from([None, REPLY]))
def test_any_line_is_read_or_not_understood(line: str, reply: Any) -> None:
    for whole in (line, f"move {line}"):
        try:
            GRAMMAR.read(whole, reply)
        except NotUnderstood as error:
            sentence = str(error)
        else:
            sentence = "."
        assert sentence.endswith((".", "?"))


READ = [row.partition("->")[0].split("|", 1)[1].strip() for row in LINES.split("\n") if "->" in row]
EXAMPLES = [verb.example_for("noughts").replace("gonnect", "noughts") for verb in verbs()]
BEGUN = st.tuples(st.sampled_from([f"{each} " for each in ["", *READ, *EXAMPLES]]), ANY_LINE)


def check_written(line: str, reply: Reply | None) -> None:
    try:
        request = GRAMMAR.read(line, reply)
    except NotUnderstood:
        return
    assert GRAMMAR.read(line_of(request), reply) == request, line_of(request)


def test_the_line_of_a_request_is_read_as_that_request() -> None:
    for line in (*READ, *EXAMPLES):
        for whole in (line, f"move {line}", f"noughts {line}"):
            check_written(whole, None)
            check_written(whole, REPLY)


@given(BEGUN.map("".join), st.sampled_from([None, REPLY]))
def test_so_is_that_of_any_request(line: str, reply: Any) -> None:
    check_written(line, reply)


@given(ANY_LINE)
def test_any_line_is_looked_at_for_a_command_and_for_near_ones(line: str) -> None:
    if GRAMMAR.begins_command(line):
        first = next(
            word for word in line.split() if not word.startswith(("-", "\u2013", "\u2014"))
        )
        assert find_verb(first) or GRAMMAR.catalogue.find(first)
    assert len(GRAMMAR.resembles_command(line)) <= 3


@given(st.text(alphabet="abc1-#", min_size=1, max_size=8), st.lists(st.just("G7"), max_size=3))
def test_a_password_after_ones_own_userid_is_never_left_for_a_move(
    password: str, move: list[str]
) -> None:
    taken = Words(["Alice", f"pw{password}", *move])
    taken.credentials(PLAYER, least_rest=1)
    assert taken.rest == move


def test_no_value_shows_a_password_when_it_is_printed() -> None:
    request = GRAMMAR.read("noughts resign 104 alice hunter2", None)
    assert "alice" in repr(request)
    assert "hunter2" not in repr(request)


# ---- sentences and refusals

ALICE = "alice@example.org"
CORRECTIONS = Path(__file__).with_name("corrections.txt").read_text("utf-8")

SECTION = re.compile(
    r"^== (?P<title>.+) ==\n(?P<before>(?:.+\n)+?)(?P<name>\w+) answers(?: (?P<back>\d) before)?:\n"
    r"(?P<sentences>(?:.+\n)+)",
    re.MULTILINE,
)
SECTIONS = [*SECTION.finditer(Path(__file__).with_name("sentences.txt").read_text("utf-8"))]
_GROUP = re.compile(r"((?:^\S.*\n)+)((?:^  .*\n)+)", re.MULTILINE)


def sentences(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each sentence, and words of the newest mail that each person gets."""
    for written, expected in _GROUP.findall(text):
        words = dict(re.findall(r"  (\w+): (.*)", expected))
        for line in written.splitlines():
            yield line.replace("\\n", "\n").replace("(nothing)", ""), words


def send(house: HouseUnderTest, answered: EmailMessage, text: str) -> list[EmailMessage]:
    if not text.startswith("subject: "):
        return house.reply(answered, text)
    to = str(answered["Reply-To"]).strip("<>")
    subject, _, text = text.removeprefix("subject: ").partition("\n")
    return house.mail(str(answered["To"]), subject, text, to)


def fault(house: HouseUnderTest, answered: EmailMessage, text: str, words: dict[str, str]) -> str:
    """Answer the mail with this text; return what is wrong with the mails that result, or ""."""
    newest = {mail["To"]: mail for mail in send(house, answered, text)}
    read = {to: " ".join(f"{mail['From']} {text_of(mail)}".split()) for to, mail in newest.items()}
    wanted = {address(name): part.replace("...", " ".join(text.split()))
              for name, part in words.items()}  # fmt: skip
    right = read.keys() == wanted.keys() and all(part in read[to] for to, part in wanted.items())
    return "" if right else f"{text!r}: {wanted}, but {read}"


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section["title"])
def test_a_sentence_of_somebody_who_has_read_no_help_does_what_it_says(
    section: re.Match[str], tmp_path: Path
) -> None:
    (tmp_path / "begun").mkdir()
    begun = HouseUnderTest(tmp_path / "begun")
    begun.add("alice", "bob", "carol")
    prepare(begun, section["before"])
    received = [mail for mail in begun.sent if mail["To"] == address(section["name"])]
    faults = []
    for number, (text, words) in enumerate(sentences(section["sentences"])):
        (tmp_path / str(number)).mkdir()
        house = begun.twin(tmp_path / str(number))
        faults.append(fault(house, received[-1 - int(section["back"] or 0)], text, words))
        house.house.close()
    assert "".join(faults) == ""


def test_each_line_of_the_list_is_read() -> None:
    assert len([line for section in SECTIONS for line in sentences(section["sentences"])]) > 200
    assert len(SECTIONS) == 14


def test_a_signature_with_the_name_of_the_mail_program_reaches_the_other_whole(
    tmp_path: Path,
) -> None:
    house = HouseUnderTest(tmp_path)
    house.add("alice", "bob")
    house.begin_match()
    named = "=?utf-8?q?Alice_M=C3=BCller?= <alice@example.org>"
    house.reply(house.last_to(ALICE), "B4\n\nHave fun!\n\nAlice M\u00fcller", named)
    assert "Alice M\u00fcller" in text_of(house.last_to("bob@example.org"))


@pytest.fixture(scope="module")
def refusing(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    """Return a house where alice is to move on boards 101 and 102, against bob and Ben."""
    house = HouseUnderTest(tmp_path_factory.mktemp("corrections"))
    house.add("alice", "bob", "Ben")
    house.begin_match()
    prepare(house, "alice> gonnect challenge alice alice-pw Ben -size=5\nben replies> accept")
    return house


def test_a_refusal_repeats_what_its_sender_wrote_put_right_and_never_a_password(
    refusing: HouseUnderTest,
) -> None:
    replied = next(mail for mail in refusing.sent if mail["Reply-To"] and mail["To"] == ALICE)

    def answer(*columns: str) -> str:
        refusing.clock.now += timedelta(hours=1)
        (mail,) = mails = refusing.mail(ALICE, columns[-1])
        if columns[1:]:
            mails += refusing.reply(replied, columns[-1])
            return "repeated" if any("alice-pw" in text_of(mail) for mail in mails) else "***"
        works = re.search(r"^ *Try:\s*(.*)", text_of(mail), re.MULTILINE)
        return works[1].removesuffix("(or just reply yes)").strip() if works else ""

    assert answers(CORRECTIONS, answer) == CORRECTIONS


def with_a_word(context: Context, number: BoardNumber, text: str) -> Iterator[Message]:
    raise NotImplementedError


def with_a_count(context: Context, most: Count | None) -> Iterator[Message]:
    raise NotImplementedError


@pytest.mark.parametrize(("run", "named"), [
    (with_a_word, "with_a_word in tests.* parameter text. .* MoveText"),
    (with_a_count, "with_a_count in tests.* parameter most. .* read="),
])  # fmt: skip
def test_a_command_with_a_parameter_that_no_word_fills_is_refused_where_it_is_written(
    run: Callable[..., Iterator[Message]], named: str
) -> None:
    with pytest.raises(TypeError, match=named):
        command("tip", "B", "gives a tip", "tip 104", needs=Proof.PERSON)(run)
