"""The help pages in words: from the pages' facts to their templates."""

import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pbm.domain.bounces import UNREACHABLE_LASTS
from pbm.domain.timekeeping import WARNING_AHEAD
from pbm.engine import GameInfo, counted, listing
from pbm.mail.writing.game_page import printed
from pbm.mail.writing.wording import Wording
from pbm.render.templates import LINE, Context
from pbm.service.notices.help import (
    Clocks,
    CommandList,
    FewerMails,
    GamePage,
    HelpPage,
    Introduction,
    Page,
    Reference,
    Tutorial,
    VerbPage,
)


@dataclass(frozen=True, slots=True)
class IntroductionHelp:
    """The first page; `unread` if it answers a mail without a command.

    `unknown` if there is no page on the topic, `meant` are the topics that may be meant.
    """

    template: ClassVar[str] = "help/introduction.txt.j2"
    unread: bool
    unknown: bool
    meant: str
    server: str
    key: str
    example: str
    games: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TutorialHelp:
    """A first match, mail by mail."""

    template: ClassVar[str] = "help/tutorial.txt.j2"
    server: str
    key: str
    title: str
    example: str
    swaps: bool


@dataclass(frozen=True, slots=True)
class ClocksHelp:
    """How time is kept; all numbers are days, those of a match with the usual terms.

    `vacation` is what a player may take in a year, such as "30 days".
    """

    template: ClassVar[str] = "help/time.txt.j2"
    nag: int
    warning: int
    forfeit: int
    vacation: str
    unreachable: int


@dataclass(frozen=True, slots=True)
class StopHelp:
    """How to get fewer mails; `key` is that of a game."""

    template: ClassVar[str] = "help/stop.txt.j2"
    server: str
    key: str


@dataclass(frozen=True, slots=True)
class CommandsHelp:
    """All commands, each laid out in a line or two."""

    template: ClassVar[str] = "help/commands.txt.j2"
    server: str
    rows: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReferenceRow:
    """A command with all its words."""

    usage: str
    summary: str
    aliases: str
    text: str


@dataclass(frozen=True, slots=True)
class ReferenceHelp:
    """The whole language."""

    template: ClassVar[str] = "help/reference.txt.j2"
    server: str
    rows: tuple[ReferenceRow, ...]


@dataclass(frozen=True, slots=True)
class VerbHelp:
    """One command."""

    template: ClassVar[str] = "help/verb.txt.j2"
    name: str
    summary: str
    usage: str
    server: str
    example: str
    text: str
    aliases: str


@dataclass(frozen=True, slots=True)
class GameHelp:
    """A game's own page, and its options as a challenge takes them."""

    template: ClassVar[str] = "help/game.txt.j2"
    page: str
    options: tuple[str, ...]


def help_context(page: Page, address: str) -> tuple[str, Context]:
    """Return the subject of a help mail and its context; examples use the real address."""
    return _PAGES[type(page)](page, address)


def _introduction(page: Introduction, address: str) -> tuple[str, Context]:
    first = page.games[0].info
    return "How to play here", IntroductionHelp(
        unread=page.unread,
        unknown=page.unknown,
        meant=listing(page.meant),
        server=address,
        key=first.key,
        example=first.example,
        games=tuple(f"{game.info.key:<10} {game.info.title}" for game in page.games),
    )


def _tutorial(page: Tutorial, address: str) -> tuple[str, Context]:
    info = page.game.info
    swaps = info.swap_after is not None
    return "Help: tutorial", TutorialHelp(address, info.key, info.title, info.example, swaps)


def _clocks(page: Clocks, _address: str) -> tuple[str, Context]:
    return "Help: time", ClocksHelp(
        nag=page.terms.nag_days,
        warning=WARNING_AHEAD.days,
        forfeit=page.terms.forfeit_days,
        vacation=counted(page.periods.vacation, "day"),
        unreachable=UNREACHABLE_LASTS.days,
    )


def _stop(page: FewerMails, address: str) -> tuple[str, Context]:
    return "How to get fewer mails", StopHelp(address, page.game.info.key)


def _commands(page: CommandList, address: str) -> tuple[str, Context]:
    rows = tuple(
        textwrap.fill(
            f"{verb.name:<12} {verb.summary}", LINE,
            initial_indent="  ", subsequent_indent=" " * 15,
        )
        for verb in page.verbs
    )  # fmt: skip
    return "Help: commands", CommandsHelp(address, rows)


def _verb(page: VerbPage, address: str) -> tuple[str, Context]:
    verb = page.verb
    return f"Help: {verb.name}", VerbHelp(
        name=verb.name,
        summary=verb.summary,
        usage=_usage(f"{'GAME ' if verb.needs_game else ''}{verb.name} {verb.usage}"),
        server=address,
        example=verb.example_for(page.game.info.key),
        text=verb.text,
        aliases=listing(verb.aliases, last="and"),
    )


def _reference(page: Reference, address: str) -> tuple[str, Context]:
    rows = tuple(
        ReferenceRow(
            _usage(f"{'GAME ' if verb.needs_game else ''}{verb.name} {verb.usage}".rstrip(), ""),
            verb.summary,
            listing(verb.aliases, last="and"),
            verb.text,
        )
        for verb in page.verbs
    )
    return "Help: reference", ReferenceHelp(address, rows)


def _usage(usage: str, indent: str = "  ") -> str:
    return textwrap.fill(
        usage, LINE, initial_indent=indent, subsequent_indent=indent + "    ",
        break_on_hyphens=False, break_long_words=False,
    )  # fmt: skip


def _game(page: GamePage, _address: str) -> tuple[str, Context]:
    info = page.game.info
    return f"Help: {info.key}", GameHelp(printed(page.text, page.game).rstrip(), _options(info))


def _options(info: GameInfo) -> tuple[str, ...]:
    return tuple(
        textwrap.fill(
            f"-{option.name}={option.default}  {option.help} ({listing(option.choices)})", LINE,
            initial_indent="  ", subsequent_indent="      ",
        )
        for option in info.options
    )  # fmt: skip


_PAGES: Mapping[type, Callable[[Any, str], tuple[str, Context]]] = {
    Introduction: _introduction,
    Tutorial: _tutorial,
    Clocks: _clocks,
    FewerMails: _stop,
    CommandList: _commands,
    Reference: _reference,
    VerbPage: _verb,
    GamePage: _game,
}


def _help(notice: HelpPage, address: str) -> Wording:
    subject, context = help_context(notice.page, address)
    return Wording(subject, context)


WORDINGS: Mapping[type, Callable[[Any, str], Wording]] = {
    HelpPage: _help,
}
"""What is said for each kind of notice of help."""
