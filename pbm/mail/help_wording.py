"""The help pages in words: from the pages' facts to the contexts of their templates."""

import textwrap
from collections.abc import Callable, Mapping
from typing import Any

from pbm.domain.periods import UNREACHABLE_LASTS
from pbm.domain.timekeeping import WARNING_AHEAD
from pbm.engine import GameInfo, counted, listing
from pbm.mail import help_contexts as contexts
from pbm.render.templates import LINE, Context
from pbm.service.help_pages import (
    Clocks,
    CommandList,
    GamePage,
    Introduction,
    Page,
    Reference,
    Tutorial,
    VerbPage,
)


def help_context(page: Page, address: str) -> tuple[str, Context]:
    """Return the subject of a help mail and its context; examples carry the real address."""
    return _PAGES[type(page)](page, address)


def _introduction(page: Introduction, address: str) -> tuple[str, Context]:
    first = page.games[0].info
    return "How to play here", contexts.IntroductionHelp(
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
    return "Help: tutorial", contexts.TutorialHelp(
        address, info.key, info.title, info.example, swaps
    )


def _clocks(page: Clocks, _address: str) -> tuple[str, Context]:
    return "Help: time", contexts.ClocksHelp(
        nag=page.terms.nag_days,
        warning=WARNING_AHEAD.days,
        forfeit=page.terms.forfeit_days,
        vacation=counted(page.periods.vacation, "day"),
        unreachable=UNREACHABLE_LASTS.days,
    )


def _commands(page: CommandList, address: str) -> tuple[str, Context]:
    rows = tuple(
        textwrap.fill(
            f"{verb.name:<12} {verb.summary}", LINE,
            initial_indent="  ", subsequent_indent=" " * 15,
        )
        for verb in page.verbs
    )  # fmt: skip
    return "Help: commands", contexts.CommandsHelp(address, rows)


def _verb(page: VerbPage, address: str) -> tuple[str, Context]:
    verb = page.verb
    return f"Help: {verb.name}", contexts.VerbHelp(
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
        contexts.ReferenceRow(
            _usage(f"{'GAME ' if verb.needs_game else ''}{verb.name} {verb.usage}".rstrip(), ""),
            verb.summary,
            listing(verb.aliases, last="and"),
            verb.text,
        )
        for verb in page.verbs
    )
    return "Help: reference", contexts.ReferenceHelp(address, rows)


def _usage(usage: str, indent: str = "  ") -> str:
    return textwrap.fill(
        usage, LINE, initial_indent=indent, subsequent_indent=indent + "    ",
        break_on_hyphens=False, break_long_words=False,
    )  # fmt: skip


def _game(page: GamePage, _address: str) -> tuple[str, Context]:
    info = page.game.info
    return f"Help: {info.key}", contexts.GameHelp(page.text.rstrip(), _options(info))


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
    CommandList: _commands,
    Reference: _reference,
    VerbPage: _verb,
    GamePage: _game,
}
