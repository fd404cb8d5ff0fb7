"""The ratings of a player over time as an SVG: a line, and the deviation as a band around it.

Its colours are those of `pbm.render.boards.replay.css`.
"""

from collections.abc import Iterator, Sequence
from datetime import date

from pbm.render.boards.theme import Role

_LEFT, _TOP, _WIDE, _HIGH = 46, 18, 300, 144
"""The plot, in a picture of 360 by 200: pixels of a phone."""

Point = tuple[date, float, float]
"""Day, rating and deviation."""


def rating_curve(points: Sequence[Point]) -> str:
    """Return the curve of one point or more, the earliest first.

    The plot cuts the band off, because at first it is so wide that the line would be flat.
    """
    (first, began, _), (last, ended, _) = points[0], points[-1]
    scale = _scale(points)
    low, high = scale[0], scale[-1]
    y = {rating: _TOP + _HIGH * (high - rating) / (high - low) for rating in (*scale, ended)}
    ratings = "".join(_text("end", _LEFT - 6, y[rating] + 4.5, rating) for rating in scale)
    begin = _text("start", _LEFT, 186, first) if first < last else ""
    return (
        '<svg class="curve" viewBox="0 0 360 200" width="540" height="300" role="img" '
        f'aria-label="Rating {began:.0f} on {first}, {ended:.0f} on {last}">'
        f'<rect width="360" height="200" rx="6" fill="var(--{Role.BOARD})"/>'
        f'<svg x="{_LEFT}" y="{_TOP}" width="{_WIDE}" height="{_HIGH}" '
        f'viewBox="0 {-high} {_WIDE} {high - low}" preserveAspectRatio="none">'
        f"{''.join(_plot(points, scale))}</svg>"
        f'<circle cx="{_LEFT + _WIDE}" cy="{y[ended]:.1f}" r="4" fill="var(--{Role.WIN})"/>'
        f"{ratings}{begin}{_text('end', _LEFT + _WIDE, 186, last)}</svg>"
    )


def _scale(points: Sequence[Point]) -> range:
    """Return the ratings beside the plot, which has room for the last deviation all along."""
    ratings, deviation = [rating for _, rating, _ in points], points[-1][2]
    low, high = min(ratings) - deviation, max(ratings) + deviation
    step = next((step for step in (20, 50, 100, 200, 500) if high - low <= 6 * step), 1000)
    return range(int(low // step) * step, int(high // step + 2) * step, step)


def _plot(points: Sequence[Point], scale: range) -> Iterator[str]:
    """Yield the band, the lines of the scale, and the curve."""
    last, days = points[-1][0], (points[-1][0] - points[0][0]).days or 1
    # Of several points on one pixel, the last is shown.
    at = {_WIDE - round((last - day).days * _WIDE / days): rest for day, *rest in points}
    above = [f"{x} {-rating - deviation:.0f}" for x, (rating, deviation) in at.items()]
    below = [f"{x} {-rating + deviation:.0f}" for x, (rating, deviation) in at.items()]
    yield f'<path d="M{"L".join(above + below[::-1])}z" fill="var(--{Role.WIN_GROUND})"/>'
    yield _stroke("".join(f"M0 {-rating}h{_WIDE}" for rating in scale), Role.LINE, 0.5)
    yield _stroke(
        f"M{'L'.join(f'{x} {-rating:.0f}' for x, (rating, _) in at.items())}", Role.WIN, 2
    )


def _stroke(path: str, role: Role, width: float) -> str:
    ink = f'fill="none" stroke="var(--{role})" stroke-width="{width}"'
    return f'<path d="{path}" {ink} vector-effect="non-scaling-stroke"/>'


def _text(anchor: str, x: float, y: float, text: object) -> str:
    place = f'x="{x}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text {place} font-size="13" fill="var(--{Role.LABEL})">{text}</text>'
