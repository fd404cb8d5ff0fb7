from itertools import count

from pbm.render.boards.plotting import Kept


def test_a_value_is_made_once() -> None:
    numbers = count(1)
    kept: Kept[str, int] = Kept(2)
    assert [kept.get("a", lambda: next(numbers)) for _ in range(2)] == [1, 1]


def test_what_was_not_used_for_longest_goes_first() -> None:
    kept: Kept[str, int] = Kept(2)
    for key in ("a", "b", "a", "c"):
        kept.get(key, lambda: 1)
    assert len(kept) == 2
    assert kept.get("a", lambda: 2) == 1
    assert kept.get("b", lambda: 2) == 2
