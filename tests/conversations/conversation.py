r"""Conversations: mail in, mails out, operator commands, as text files that read like a log.

    players: alice, bob

    == A draw is offered and declined ==
    alice> gonnect challenge alice alice-pw bob -size=5
    | Good luck!
      to alice: "waiting for an answer"
      to bob: "an invitation", "alice invites you", not "password"
    bob replies> accept
      to alice: "your move"
      to bob: "alice to move"
    $ pbm game list --player alice
      "101", "alice - bob"
    $ pbm game show 999
      fails "no board 999"

`== TITLE ==` begins a section: a test of its own, with a server of its own. Lines before the first
section are played at the beginning of each.

`NAME> SUBJECT` is a mail from NAME@example.org (or from NAME, if it is an address). Lines that
begin with `|` are its text, lines that begin with `^` its further header lines. `NAME to ADDRESS>`
sends it to another address than the server's usual one. `NAME replies> TEXT` answers the newest
mail to NAME; `NAME replies N> TEXT` the one N before it; `NAME replies "invitation"> TEXT` the
newest one with this in its sender or subject; `mallory answers alice> TEXT` writes to the reply
address of alice's newest mail; `NAME taps> TEXT` taps the link of the newest mail to NAME that
sends TEXT. `NAME presses> TEXT` presses the unsubscribe button of the newest mail to NAME that has
one; `mallory presses alice> TEXT` presses alice's. `NAME bounces` lets the newest mail to NAME come
back; `NAME bounces 1 5.2.2` the one before it, with this status; `NAME bounces to the server` is
the report of a smart host that put our address in place of the sender's. `N times NAME> ...` does
it N times, with `{n}` in the words as the number of the time, from 0.

The indented lines below list every mail that results, in order: its recipient (or several, who
each get one; `to NAME N times:` is N such mails), and words of its sender's name, subject or text,
in any case, white space folded; words after `not` must be absent, and something must be able to
say them (test_negatives.py). No line means that nobody gets a
mail. `...` means that further mails follow, which are not compared.

`$ pbm ...` is typed by the operator at the same moment, with `| pbm ...` and `> FILE` as in a
shell; lines that begin with `|` are what it reads. The words below must be printed (a `"` as `'`),
those after `notes` on standard error, where there is nothing otherwise. `fails` means that it is
refused with these words in one line there, or without words that it ends with status 1; `usage`
that it was typed wrongly.

`players: a, b` opens accounts; `begin` begins a match of Gonnect 5x5 between alice and bob, board
101; `robots` makes robot-1 to robot-5; `think` lets robots move; `+ N hours` or `+ N days` turns
the clock; `remind` does what is due; `busy` leaves the mails that follow in the inbox; `work` plays
and delivers what waits there, and what operator commands have left to do; `games: three` adds a
game of tests; `beat` gives signs of life of all parts of the server, `beat intake play for 30 days`
of these, good for so long; `relay says 451 ...` lets the relay answer so to all mails from now on,
and `relay says yes` lets it take them; `authserv: HOST` lets the Authentication-Results of this
host count; `time: 3d` makes that the usual clock; `site: URL` says where the web pages are,
`hidden` that they show only who has chosen so; `by: LISTENER` says where mails come in; `#` is a
remark.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from email.message import EmailMessage
from typing import Any

import pytest
import time_machine

from pbm.core.relaying import Deferred, Failed, Sent, Verdict
from pbm.domain.catalogue import Catalogue, InstalledGame
from pbm.domain.invitations import Terms
from pbm.domain.settings import Periods
from pbm.engine import AnyGame
from tests.cli.terminal import pbm_line
from tests.engine.noughts import game as noughts
from tests.engine.noughts.three import game as three
from tests.house import ADDRESS, HouseUnderTest, text_of
from tests.links import button, links_of, tap
from tests.service.returned_mails import GONE, come_back, come_back_to_server
from tests.thirdparty.games import packages

GAMES: Mapping[str, AnyGame] = {"noughts": noughts, "three": three, **packages()}
"""The games of tests."""

UNITS = {
    "seconds": timedelta(seconds=1),
    "minutes": timedelta(minutes=1),
    "hours": timedelta(hours=1),
    "days": timedelta(days=1),
}

_TIMES = re.compile(r"(?:(\d+) times )?(.+)")
_MAIL = re.compile(
    r"(?P<name>\S+?)(?: (?P<verb>replies|taps|presses)(?: (?P<back>\d+))?"
    r"(?: \"(?P<title>[^\"]+)\")?"
    r"| (?P<act>answers|presses) (?P<other>\S+)| to (?P<to>\S+))?> ?(?P<words>.*)"
)
_BOUNCE = re.compile(r"(\S+) bounces( to the server)?(?: (\d+))?(?: (\d\.\S+))?")
_LETTER = re.compile(r"to ([^:]+?)(?: (\d+) times)?:(.*)")
WORDS = re.compile(r'(not )?"([^"]*)"')


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a conversation with the lines that belong to it."""

    line: int
    head: str
    text: list[str] = field(default_factory=list)
    headers: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Section:
    """One test of a conversation; the first steps are those of the preamble."""

    title: str
    steps: list[Step]


def sections_of(text: str) -> list[Section]:
    """Return the sections of a conversation; one without titles is a single section."""
    preamble: list[Step] = []
    sections = [Section("", preamble)]
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("== "):
            sections.append(Section(line.strip("= "), [*preamble]))
        elif line.strip() and not line.startswith("#"):
            _add(sections[-1].steps, number, line)
    return sections[1:] or sections


def _add(steps: list[Step], number: int, line: str) -> None:
    if line.startswith("|"):
        steps[-1].text.append(line[1:].removeprefix(" "))
    elif line.startswith("^"):
        steps[-1].headers.append(line[1:].strip())
    elif line.startswith("  "):
        steps[-1].expected.append(line.strip())
    else:
        steps.append(Step(number, line))


def play(house: HouseUnderTest, section: Section) -> None:
    """Take each step of a section, and compare each result with what is written below it."""
    for step in section.steps:
        where = f"line {step.line}: {step.head}"
        if step.head.startswith("$ pbm "):
            _type(house, step, where)
        else:
            _compare(_take(house, step, where), step.expected, where)


def prepare(house: HouseUnderTest, text: str) -> None:
    """Take the steps of a conversation without titles; nothing that results is looked at."""
    mails_of(house, sections_of(text)[0])


def mails_of(house: HouseUnderTest, section: Section) -> list[EmailMessage]:
    """Take each step of a section; return the mails that result, whatever they are."""
    mails: list[EmailMessage] = []
    for step in section.steps:
        if step.head.startswith("$ pbm "):
            _type(house, step, step.head)
        else:
            mails += _take(house, step, step.head)
    return mails


def _type(house: HouseUnderTest, step: Step, where: str) -> None:
    """Type a command of the operator, at the moment that the house's clock shows."""
    with (
        pytest.MonkeyPatch.context() as patch,
        time_machine.travel(house.clock.now, tick=False),
    ):
        for name in [name for name in os.environ if name.startswith("PBM_")]:
            patch.delenv(name)
        for name, value in house.environment.items():
            patch.setenv(name, value)
        patch.chdir(house.folder)
        typed = pbm_line(step.head.removeprefix("$ "), "".join(f"{line}\n" for line in step.text))
    first = {line.partition(" ")[0] for line in step.expected}
    where = f"{where}\n{typed.out}{typed.err}"
    assert typed.status == ("fails" in first) + 2 * ("usage" in first), where
    assert not typed.err or first & {"fails", "usage", "notes"}, where
    for line in step.expected:
        told = typed.err if line.startswith(("fails", "usage", "notes")) else typed.out
        _look_for(line, told.replace('"', "'"), where)
        if line.startswith("fails "):
            assert re.fullmatch("pbm: .*\n", typed.err), where


def _compare(mails: list[EmailMessage], expected: list[str], where: str) -> None:
    sent = "\n".join(f"to {m['To']} ({m['From']}):\n{text_of(m)}" for m in mails)
    where = f"{where}\n{sent}"
    letters = list(_letters(expected))
    if expected[-1:] == ["..."]:
        mails = mails[: len(letters)]
    assert [mail["To"] for mail in mails] == [reader for reader, _ in letters], where
    for mail, (_, words) in zip(mails, letters, strict=True):
        _look_for(words, f"{mail['From']} {mail['Subject']} {text_of(mail)}", where)


def _letters(expected: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the address and the words of each mail that is expected."""
    for line in expected:
        if line != "...":
            found = _LETTER.fullmatch(line)
            assert found, f"{line!r} names no reader"
            for name in found[1].split(",") * int(found[2] or 1):
                yield address(name.strip()), found[3]


def _look_for(words: str, text: str, where: str) -> None:
    whole = " ".join(text.split()).casefold()
    for negated, phrase in WORDS.findall(words):
        found = " ".join(phrase.split()).casefold() in whole
        assert found != bool(negated), f"{phrase!r}\n{where}\n{text}"


def _add_games(house: HouseUnderTest, names: str) -> None:
    added = [InstalledGame(GAMES[name], "") for name in names.split(", ")]
    known = Catalogue([*(InstalledGame(game, "") for game in house.house.catalogue), *added])
    house.house = replace(house.house, find_games=lambda: known)


def _set(house: HouseUnderTest, **settings: Any) -> None:
    house.house = replace(house.house, settings=replace(house.house.settings, **settings))


def _turn(house: HouseUnderTest, amount: str, unit: str) -> None:
    house.clock.now += int(amount) * UNITS[unit]


def _beat(house: HouseUnderTest, parts: str, days: str) -> None:
    house.beat(*parts.split(), days=int(days or 0))


def _answer_as_a_relay(house: HouseUnderTest, words: str) -> None:
    kinds: Mapping[str, Verdict] = {"4": Deferred(words), "5": Failed(words)}
    house.says = lambda _: kinds.get(words[0], Sent())


_SILENT: Mapping[str, Callable[..., object]] = {
    r"players: (.+)": lambda house, names: house.add(*names.split(", ")),
    r"games: (.+)": _add_games,
    r"authserv: (\S+)": lambda house, host: _set(house, authserv_id=host),
    r"time: (\S+)": lambda house, time: _set(
        house, periods=Periods(terms=Terms().read({"time": time}))
    ),
    r"site: (\S+)": lambda house, url: _set(house, site_url=url),
    r"hidden": lambda house: _set(house, public=False),
    r"\+ (-?\d+) (\w+)": _turn,
    r"by: (.+)": lambda house, name: setattr(house, "listener", name),
    r"beat((?: [a-z]+)*?)(?: for (\d+) days)?": _beat,
    r"relay says (.+)": _answer_as_a_relay,
    r"robots": lambda house: house.house.robots.make(),
    r"begin": HouseUnderTest.begin_match,
    r"busy": lambda house: setattr(house, "busy", True),
}
"""The lines that lead to no mails, or to none that are looked at."""

_DEEDS: Mapping[str, Callable[[HouseUnderTest], list[EmailMessage]]] = {
    "remind": HouseUnderTest.remind,
    "think": HouseUnderTest.think,
    "work": HouseUnderTest.play,
}
"""The lines of one word that lead to mails."""


def _take(house: HouseUnderTest, step: Step, where: str) -> list[EmailMessage]:
    """Take a step that is no command of the operator; return the mails that result."""
    for pattern, act in _SILENT.items():
        if given := re.fullmatch(pattern, step.head):
            act(house, *given.groups())
            return []
    if step.head in _DEEDS:
        return _DEEDS[step.head](house)
    times, words = re.findall(_TIMES, step.head)[0]
    if bounced := _BOUNCE.fullmatch(words):
        received = [mail for mail in house.sent if mail["To"] == address(bounced[1])]
        returned = come_back_to_server if bounced[2] else come_back
        return returned(house, received[-1 - int(bounced[3] or 0)], bounced[4] or GONE)
    found = _MAIL.fullmatch(words)
    assert found, f"cannot read {where}"
    mails = []
    for n in range(int(times or 1)):
        mails += _write(house, found, step, str(n))
    return mails


def _write(house: HouseUnderTest, found: re.Match[str], step: Step, n: str) -> list[EmailMessage]:
    author, words = address(found["name"]), found["words"].replace("{n}", n)
    verb, other = found["verb"] or found["act"], address(found["other"] or found["name"])
    body = "\n".join([words, *step.text]).strip("\n").replace("{n}", n)
    headers = "".join(f"{line}\n" for line in step.headers)
    received = [mail for mail in house.sent if mail["To"] == other and _is(found["title"], mail)]
    if verb == "taps":
        link = next(link for link in links_of(received[-1]) if link.text.startswith(words))
        return tap(house, link, author)
    if verb == "presses":
        to, subject = button([mail for mail in received if mail["List-Unsubscribe"]][-1])
        return house.mail(author, subject, body, to, headers)
    if verb:
        return house.reply(received[-1 - int(found["back"] or 0)], body, author, headers)
    text = "\n".join(step.text).replace("{n}", n)
    return house.mail(author, words, text, found["to"] or ADDRESS, headers)


def _is(title: str | None, mail: EmailMessage) -> bool:
    return title is None or title in f"{mail['From']} {mail['Subject']}"


def address(name: str) -> str:
    """Return the address of a person in a conversation."""
    return name if "@" in name else f"{name}@example.org"
