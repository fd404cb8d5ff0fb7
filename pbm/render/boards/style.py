"""The style block of a mail that shows boards as tables: small, with the sizes that it needs.

It holds what inline styles cannot say: lines, discs, wide screens, dark screens. For a dark
screen each colour is said twice, by `prefers-color-scheme` and by the attributes that
Outlook.com sets on what it has darkened (`data-ogsc` for colours, `data-ogsb` for grounds).
"""

from collections.abc import Collection, Iterator
from functools import lru_cache

from pbm.render.boards.html import CROSS, DENSE, EAST, LABELS, NORTH, SIZES, SOUTH, WEST, WIDE_CELL
from pbm.render.boards.theme import DARK, LIGHT, Palette, Role

_COLOURS = (
    (".pb", "background", Role.BOARD),
    (".pbl td,.pbc td", "color", Role.LINE),
    (".pb .y,.pb .g,.pb i,.pbt,.pbt td,.pbt th", "color", Role.LABEL),
    (".pb a", "color", Role.LINK),
    (".pbl a", "background-color", Role.BOARD),
    (".pbl .c", "background-color", Role.BOARD),
    (".pb .k", "background-color", Role.LAST_GROUND),
    (".pb .w", "background-color", Role.WIN_GROUND),
    (".pb b", "border-color", Role.RIM),
    (".pb .d", "background", Role.DARK),
    (".pb .d", "color", Role.LIGHT),
    (".pb .l", "background", Role.LIGHT),
    (".pb .l", "color", Role.DARK),
    (".pb .n", "background", Role.NEUTRAL),
    (".pb .n", "color", Role.LETTER),
    (".pb .n", "border-color", Role.NEUTRAL),
    (".pb .w b", "border-color", Role.WIN),
    (".pb .k b", "border-color", Role.MARK),
)
"""What has which colour: selector, property, role."""

_WIDE = 640
"""From this width of the screen on, small cells are enlarged, in pixels."""

_RIM = 2
"""The width of a stone's edge, in pixels."""

_AIR = 3
"""Between a stone and the edge of its cell, in pixels."""

_TEXT = 12
"""The height of a name, in pixels; a link is as much higher as its cell has room."""

_BASE = (
    ".pb td{padding:0;vertical-align:middle;line-height:1}\n"
    ".pb .y{height:20px}\n"
    ".pb i{font-style:normal}\n"
    ".pb .c{font:bold 18px/12px Arial,sans-serif}\n"
    ".pb a{display:inline-block;text-decoration:none;vertical-align:middle}\n"
    ".pbl a{background-clip:content-box!important}\n"
    ".pb a.st{padding:0!important;background:none!important}\n"
    ".pb b{display:inline-block;border:2px solid;border-radius:50%;vertical-align:middle}\n"
    ".pbc{border-collapse:collapse}\n"
    ".pbc td{border:1px solid}\n"
    ".pb .pbt b{width:16px;line-height:16px;text-align:center}\n"
    ".pb .y,.pb .z{border:0;background:none}"
)

_LINE = "linear-gradient(currentColor,currentColor)"


def _lines() -> Iterator[str]:
    """Yield a rule for each way in which lines can cross a cell."""
    for mask in range(CROSS + 1):
        layers = [*_layer(mask, WEST, EAST, level=True), *_layer(mask, NORTH, SOUTH, level=False)]
        selector = ".pbl td" if mask == CROSS else f".pbl .l{mask}"
        yield f"{selector}{{background:{','.join(layers) or 'none'}}}"


def _layer(mask: int, low: int, high: int, *, level: bool) -> Iterator[str]:
    """Yield the background that draws the level or the upright line of a cell, if it has one."""
    sides = mask & (low | high)
    if sides:
        along = "0" if sides & low else "100%"
        length = "100%" if sides == low | high else "50%"
        place, size = (
            (f"{along} 50%", f"{length} 1px") if level else (f"50% {along}", f"1px {length}")
        )
        yield f"{_LINE} {place}/{size} no-repeat"


def _sizes(sizes: Collection[int]) -> Iterator[str]:
    """Yield how large all is in cells with these sides, and on wide screens."""
    dense = [size for size in DENSE if size in sizes]
    for size in SIZES:
        if size in sizes:
            yield from _size(f".s{size}", size)
    yield f"@media(max-width:{_WIDE - 1}px){{.pbl,.pbc{{width:100%}}"
    for size in dense:
        yield (
            f".pbg.s{size} a{{width:{size - 2}px;height:{size - 2}px;padding:0;text-align:left;"
            "text-indent:99px;overflow:hidden;"
            "background:radial-gradient(circle,currentColor 1.5px,transparent 2.5px)!important}"
        )
    yield ".pbg a.st{text-indent:0!important;text-align:center}}"
    if dense:
        yield from _enlarged(dense)


def _enlarged(dense: Collection[int]) -> Iterator[str]:
    """Yield how small cells become larger on a wide screen."""
    yield f"@media(min-width:{_WIDE}px){{"
    for size in dense:  # the lines behind a table are as large as all of it
        labels = round(LABELS * WIDE_CELL / size)
        yield f".e .q.s{size} .y{{height:{labels}px!important}}"
        yield f".e .q.s{size} .h{{width:{labels}px!important}}"
    yield ".e{display:table;max-width:none!important}"
    yield ".e .pbl,.e .pbc{font-size:12px!important}"
    yield f".e td{{height:{WIDE_CELL}px!important}}.e .pbt td{{height:auto!important}}"
    yield from _size(".e table", WIDE_CELL)
    yield "}"


def _size(selector: str, size: int) -> Iterator[str]:
    """Yield how large a stone and a link are in a cell with this side."""
    disc = size - _AIR - 2 * _RIM
    yield f"{selector} b{{width:{disc}px;line-height:{disc}px}}"
    yield f"{selector} td{{height:{size}px}}"
    yield f"{selector} a{{padding:{max(0, size - _TEXT) // 2}px 1px}}"


def _colours(palette: Palette, scopes: tuple[str, str] = ("", ""), end: str = "") -> Iterator[str]:
    """Yield the rules for all colours, each after the scope for grounds or that for the others."""
    grounds, others = scopes
    lower = f"0 2px 0 -1px {palette[Role.BOARD]},0 4px 0 -1px {palette[Role.RIM]}"
    yield f"{others}.pb .t{{box-shadow:{lower}{end}}}"
    for selector, name, role in _COLOURS:
        scope = grounds if name.startswith("background") else others
        scoped = ",".join(scope + part for part in selector.split(","))
        yield f"{scoped}{{{name}:{palette[role]}{end}}}"


@lru_cache
def rules(sizes: frozenset[int]) -> str:
    """Return what stands between <style> and </style> in the head of a mail with cards of boards.

    It is in lines short enough for a mail. `sizes` are the sides of the cells that tables of
    boards have there; where there are none, the cards hold figures alone.
    """
    dark = "\n".join(_colours(DARK, end="!important"))
    found = (
        _BASE,
        *(_lines() if sizes else ()),
        *_colours(LIGHT),
        *(_sizes(sizes) if sizes else ()),
        f"@media(prefers-color-scheme:dark){{{dark}}}",
        *_colours(DARK, ("[data-ogsb] ", "[data-ogsc] "), "!important"),
    )
    return "\n".join(found)


STYLE = rules(frozenset(SIZES))
"""The rules for boards of all sizes."""
