"""Settings: how the server writes to a player."""

import re
import textwrap
import zoneinfo
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache, partial
from typing import Any

from pbm.core.command import (
    CommandLine,
    Count,
    Proof,
    Request,
    command,
    read_bare,
    read_who,
    reply_command,
)
from pbm.core.context import Context
from pbm.core.letters import Message, letter, noted
from pbm.core.limits import count_of_day
from pbm.core.tokens import player_token
from pbm.domain.errors import NotLike, NotUnderstood, UnknownName
from pbm.domain.invitations import StandingAnswer, StandingOffer, whole_number
from pbm.domain.player import PlayerId
from pbm.domain.settings import PUBLIC, SETTINGS, STYLE, Setting, chosen, names, settings_of
from pbm.engine import AnyGame, counted, fold, listing, near
from pbm.render.marks import Column, link, table


def _read_set(line: CommandLine) -> Request:
    """Read `[userid password] [NAME VALUE]`; NAME=VALUE is as good."""
    credentials = line.who()
    name, _, value = " ".join(line.words.rest).replace("=", " ", 1).partition(" ")
    name = fold(name)
    if name and name not in (*names(), STYLE) and not name.startswith(f"{STYLE}."):
        raise NotLike(partial(_no_setting, name), line.example)
    return line.request(credentials, name=name, value=value.strip())


def _no_setting(name: str) -> str:
    known = (*names(), f"{STYLE}.GAME")
    meant = near(name, known) or known
    return f"There is no such setting; there is {listing(meant, last='and')}."


def _about(setting: Setting) -> str:
    default = "as the operator chose" if setting is PUBLIC else setting.default
    return f"{setting.name}: {setting.help} ({setting.choice}; default {default})."


PUBLIC_A_DAY = 5
"""The most times that a player changes `public` in a day: pages are made again for each."""


@command(
    "set", "[userid password] [NAME VALUE]", "changes how the server writes to you",
    "set alice your-password zone Europe/Berlin",
    needs=Proof.PERSON, locks=True, read=_read_set, aliases=("settings",),
    writes=lambda request: (*request.who, "=".join(request.words("name", "value"))),
    text="\n".join([
        "Without NAME it lists all settings with their values. These can be set:",
        *map(_about, SETTINGS),
        "style.GAME: how boards of that game are drawn; GAME set style VALUE does the same.",
    ]),
)  # fmt: skip
def change_setting(context: Context, name: str, value: str) -> Iterator[Message]:
    """Change one setting, if a name is given, and show all settings."""
    player = context.sender()
    known = settings_of(context.catalogue, _zone_names(), public=context.services.pages.public)
    changed = _setting(context, name, known) if name else None
    if changed:
        try:
            value = changed.read(value)
        except UnknownName as error:
            example = f"set {player.userid} your-password {changed.name} {changed.default}"
            raise UnknownName(str(error), example) from error
        if changed.name == PUBLIC.name:
            count_of_day(context, player, "public", "changes of public", PUBLIC_A_DAY)
        context.work.players.set_setting(player.id, changed.name, value)
        player = replace(player, settings={**player.settings, changed.name: value})
    values = [(setting, chosen(setting, player.settings)) for setting in known]
    yield letter(
        player, "settings/shown", changed=changed.name if changed else "", value=value,
        table=settings_table(values), reply=player_token(player.id),
    )  # fmt: skip


_NO_ZONES = frozenset({"localtime", "Factory"})
"""Files of the time zone database that name no place."""


@cache
def _zone_names() -> tuple[str, ...]:
    """Return the names of the time zones that this machine knew when it was first asked.

    They are the names of hundreds of files, which every change of a setting needs.
    """
    return tuple(sorted(zoneinfo.available_timezones() - _NO_ZONES))


def _setting(context: Context, name: str, known: tuple[Setting, ...]) -> Setting:
    """Return the setting; a bare `style` means that of the game named in the line."""
    head, _, game = name.partition(".")
    if head == STYLE:
        found = context.catalogue.find(game or context.game or "")
        name = f"{STYLE}.{found.info.key}" if found else ""
    for setting in known:
        if setting.name == name:
            return setting
    styles = [setting.name for setting in known if setting.name.startswith(f"{STYLE}.")]
    raise UnknownName(
        f"These games have several board styles: {listing(styles)}."
        if styles
        else "No game here has several board styles."
    )


_COLUMNS = (Column("setting", "{:<15}"), Column("value"), Column("", "\n  {}", minor=True))

_WIDTH = 72
"""Characters in a line."""


def settings_table(values: Iterable[tuple[Setting, str]]) -> str:
    """Return a table of settings with their values, where a tap chooses another value."""
    return table(_COLUMNS, [(s.name, _choice(s, value), _meaning(s)) for s, value in values])


def _meaning(setting: Setting) -> str:
    return _filled(setting.help + (f" ({setting.sample})" if setting.sample else ""), 2)


def _choice(setting: Setting, value: str) -> str:
    """Return the value, and links for the others; of very many, for some that are common."""
    others = [other for other in setting.common or setting.values if other != value]
    text = _filled(f"{value} (or {', '.join(others)})", 15)
    names = "|".join(map(re.escape, others))
    return re.sub(rf"\b({names})\b", lambda at: link(at[0], f"set {setting.name} {at[0]}"), text)


def _filled(text: str, indent: int) -> str:
    """Return `text` in lines that fit behind `indent` characters; the first one has none."""
    width, space = _WIDTH - indent, " " * indent
    return f"\n{space}".join(textwrap.wrap(text, width, break_on_hyphens=False))


_HIGHEST_LIMIT = 100

_ANSWERS = {
    StandingAnswer.ASK: "You are asked before you play a match of {}.",
    StandingAnswer.ACCEPT: "You accept every invitation to {}.",
    StandingAnswer.REJECT: "You decline every invitation to {}.",
}


def read_answer(answer: StandingAnswer, line: CommandLine) -> Request:
    """Read `B [userid password]`, or behind a game the same answer to all its invitations."""
    numbered = bool(line.words.rest) and line.words.rest[0].lstrip("#")[:1].isdigit()
    if line.game is None or line.reply or numbered:
        return read_bare(line)
    return line.request(line.who(), answer_always, answer=answer)


@reply_command("answer always", needs=Proof.PERSON, locks=True, writes=lambda request: request.who)
def answer_always(context: Context, answer: StandingAnswer) -> Iterator[Message]:
    """Set how every invitation to a game is answered from now on."""
    yield _set_answer(context, answer)


@command(
    "ask", "[userid password]", "asks you about every invitation to a game",
    "GAME ask alice your-password",
    needs=Proof.PERSON, locks=True, read=read_who, needs_game=True,
    text="This is the default. GAME accept userid password accepts every invitation to a game, "
         "GAME reject userid password declines every one.",
)  # fmt: skip
def ask(context: Context) -> Iterator[Message]:
    """Ask the player about every invitation to a game from now on."""
    yield _set_answer(context, StandingAnswer.ASK)


def _set_answer(context: Context, answer: StandingAnswer) -> Message:
    return _set_stance(context, _ANSWERS[answer], answer=answer)


def _set_stance(context: Context, sentence: str, **changed: Any) -> Message:
    """Change the answer to invitations of a game, or the limit; return the mail about it."""
    player, game = context.sender(), context.named_game
    stance = replace(_stance(context, game, player.id), **changed)
    context.work.wishes.set_stance(game.info.key, player.id, stance)
    return noted(player, sentence.format(game.info.title))


def _read_limit(line: CommandLine) -> Request:
    """Read `N [userid password]`, or "off" in place of the number."""
    word = "".join(line.words.rest[:1])
    most = whole_number(word, _HIGHEST_LIMIT)
    if most is None and fold(word) not in ("off", "none", "no"):
        raise NotUnderstood(f"limit needs a number from 0 to {_HIGHEST_LIMIT}.", line.example)
    del line.words.rest[0]
    return line.request(line.who(), most=most)


@command(
    "limit", "N [userid password]", "limits your open boards of a game",
    "GAME limit 5 alice your-password",
    needs=Proof.PERSON, locks=True, read=_read_limit, needs_game=True,
    writes=lambda request: (*(request.words("most") or ("off",)), *request.who),
    text="Further invitations are declined for you. limit off removes the limit.",
)  # fmt: skip
def limit(context: Context, most: Count | None) -> Iterator[Message]:
    """Limit the player's open boards of a game; None removes the limit."""
    bound = "any number of boards" if most is None else f"at most {counted(most, 'board')}"
    yield _set_stance(context, f"You play {bound} of {{}} at a time.", limit=most)


def _stance(context: Context, game: AnyGame, player: PlayerId) -> StandingOffer:
    return context.work.wishes.stances(game.info.key, [player]).get(player, StandingOffer())


def has_room(context: Context, game: AnyGame, player: PlayerId) -> bool:
    """Return whether `player` wants one more board of the game, by the limit that they set."""
    return is_within_limit(context, game, player, _stance(context, game, player))


def is_within_limit(
    context: Context, game: AnyGame, player: PlayerId, stance: StandingOffer
) -> bool:
    """Return whether `player`, with this limit, wants one more board of the game."""
    if stance.limit is None:
        return True
    return context.work.wishes.active_boards(game.info.key, player) < stance.limit
