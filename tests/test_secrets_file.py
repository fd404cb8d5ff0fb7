"""The key file: what is in it, when a key signs, how long one counts, and who writes it at once."""

import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from pbm.token_keys import (
    BEFORE_SIGNING,
    KEPT,
    KeyFileError,
    load_keys,
    load_or_create,
    replace_all,
    rotate,
)

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "var" / "secret.key"
    load_or_create(path)
    return path


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Yield a folder that every user may enter, which that of the tests is not."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


def told_to_a_stranger(path: Path) -> str:
    """Return what a user hears who may not read a file; ends the process's rights."""
    if os.geteuid() == 0:
        os.setuid(65534)
    try:
        load_keys(path)
    except KeyFileError as error:
        return str(error)
    return ""


def test_a_key_that_was_put_back_by_another_user_is_told_with_what_to_type(
    open_folder: Path,
) -> None:
    file = open_folder / "secret.key"
    load_or_create(file)
    owner = file.owner()
    if os.geteuid():
        file.chmod(0)
    with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as another:
        told = another.submit(told_to_a_stranger, file).result(20)
    user = "nobody" if os.geteuid() == 0 else owner
    assert told == (
        f"The key file {file} belongs to {owner} and cannot be read by {user}: "
        f"chown {user} {file}, chmod 600 {file}."
    )


def test_a_file_of_an_earlier_version_is_a_ring_of_one_key_that_signs(file: Path) -> None:
    file.write_text("ab" * 32 + "\n")
    ring = load_keys(file)
    assert [key.secret for key in ring.keys] == [b"\xab" * 32]
    assert ring.in_force(NOW) == ring.keys


def test_a_new_key_counts_at_once_and_signs_ten_minutes_later(file: Path) -> None:
    (old,) = load_keys(file).keys
    fresh = rotate(file, NOW)
    ring = load_keys(file)
    assert ring.keys == (fresh, old)
    assert ring.in_force(NOW) == (old, fresh)
    assert ring.in_force(NOW + BEFORE_SIGNING - MINUTE)[0] == old
    assert ring.in_force(NOW + BEFORE_SIGNING) == (fresh, old)


def test_an_old_key_counts_for_90_days_and_is_out_of_the_file_after_the_next_rotation(
    file: Path,
) -> None:
    (old,) = load_keys(file).keys
    fresh = rotate(file, NOW)
    end = NOW + BEFORE_SIGNING + KEPT
    assert old in load_keys(file).in_force(end - MINUTE)
    assert load_keys(file).in_force(end) == (fresh,)
    newest = rotate(file, end)
    assert load_keys(file).keys == (newest, fresh)
    assert old.secret.hex() not in file.read_text()


def test_a_key_that_does_not_sign_yet_is_not_replaced(file: Path) -> None:
    rotate(file, NOW)
    before = file.read_bytes()
    with pytest.raises(KeyFileError, match="does not sign yet"):
        rotate(file, NOW + MINUTE)
    assert file.read_bytes() == before


def test_a_key_is_replaced_at_once_and_the_old_file_stays_beside_it(file: Path) -> None:
    (old,) = load_keys(file).keys
    fresh, aside = replace_all(file)
    assert load_keys(file).keys == (fresh,)
    assert aside is not None
    assert load_keys(aside).keys == (old,)


def test_only_the_owner_can_read_any_of_it_and_nothing_else_is_left(file: Path) -> None:
    rotate(file, NOW)
    replace_all(file)
    files = list(file.parent.iterdir())
    assert len(files) == 2
    assert {each.stat().st_mode & 0o777 for each in files} == {0o600}


@pytest.mark.parametrize(
    "text",
    ["", "\n", "xy" * 32, "ab" * 31, "ab" * 33, "ab" * 32 + " noon",
     "ab" * 32 + " 2026-11-20T12:00",
     "ab" * 32 + "\nab", "\u00e9" * 64],
)  # fmt: skip
def test_a_damaged_file_is_told_without_a_word_of_it(file: Path, text: str) -> None:
    file.write_text(text, "utf-8")
    with pytest.raises(KeyFileError, match=r"secret.key does not hold keys of 32 bytes in hex"):
        load_keys(file)


def test_of_many_who_start_at_once_each_has_the_same_key(tmp_path: Path) -> None:
    path = tmp_path / "new" / "key"
    with ThreadPoolExecutor(8) as pool:
        rings = list(pool.map(lambda _: load_or_create(path), range(40)))
    assert len(set(rings)) == 1


def test_of_many_who_rotate_at_once_one_does(file: Path) -> None:
    def turn(_: int) -> bool:
        try:
            rotate(file, NOW)
        except KeyFileError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(turn, range(20))) == 1
    assert len(load_keys(file).keys) == 2
