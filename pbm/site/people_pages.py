"""The list of players: people by the day on which they last played, and robots."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from pbm.site.cards import common_card
from pbm.site.facts import Profile
from pbm.site.lists import Lists
from pbm.site.pages import Files, Page, Source

_LISTED = 500
"""The most people on a page. If there are more, pages by the first letter of the userid follow."""


def people_pages(lists: Lists) -> Iterator[Page]:
    """Yield the list of all who want to be shown, and its parts if they are many."""
    shown = [profile for profile in lists.facts.profiles.values() if profile.public]
    people = sorted((p for p in shown if not p.robot), key=_latest_first)
    robots = sorted((p for p in shown if p.robot), key=lambda profile: profile.level or 0)
    by_letter = defaultdict[str, list[Profile]](list)
    for profile in people if len(people) > _LISTED else ():
        by_letter[profile.userid[0].lower()].append(profile)
    said = {"letter": "", "letters": sorted(by_letter), "count": len(people)}
    yield _page(lists, "p/index.html", people[:_LISTED], robots, said)
    for letter, found in by_letter.items():
        said = {"letter": letter, "letters": (), "count": len(found)}
        yield _page(lists, f"p/index~{letter}.html", found, (), said)


def _latest_first(profile: Profile) -> tuple[int, str]:
    last = profile.presence.last if profile.presence else date.min
    return -last.toordinal(), profile.userid.lower()


def _page(
    lists: Lists,
    path: str,
    people: Sequence[Profile],
    robots: Sequence[Profile],
    said: Mapping[str, object],
) -> Page:
    inputs = [(p.userid, p.presence and p.presence.last, p.ratings) for p in (*people, *robots)]

    def make(_: Source) -> Files:
        rows = {"people": [*_rows(lists, people)], "robots": [*_rows(lists, robots)]}
        return {path: lists.page("people", path, card=common_card(lists.site), **said, **rows)}

    return Page((path,), (inputs, said), make)


def _rows(lists: Lists, found: Sequence[Profile]) -> Iterator[tuple[Profile, str, str]]:
    """Yield players with their ratings in words and the subject of a mail that begins a match."""
    for profile in found:
        rated = lists.rated(profile)
        ratings = ", ".join(f"{game.info.title} {rating.rating:.0f}" for game, rating in rated)
        game = rated[0][0] if rated else next(iter(lists.site.catalogue))
        challenge = f"{game.info.key} challenge {profile.userid}"
        yield profile, ratings, profile.userid if profile.robot else challenge
