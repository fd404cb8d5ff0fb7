"""A disk whose every sync takes 4 ms longer: a library that is loaded before the C library's."""

import shutil
import subprocess
from pathlib import Path

MILLISECONDS = 4

_SOURCE = f"""
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static void wait_longer(void) {{
    struct timespec longer = {{0, {MILLISECONDS} * 1000000L}};
    nanosleep(&longer, 0);
}}
int fdatasync(int file) {{ wait_longer(); return (int)syscall(SYS_fdatasync, file); }}
int fsync(int file) {{ wait_longer(); return (int)syscall(SYS_fsync, file); }}
"""


def slow_disk(folder: Path) -> Path | None:
    """Return such a library, made in `folder`; None on a machine that has no C compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    source, library = folder / "slow.c", folder / "slow.so"
    source.write_text(_SOURCE)
    subprocess.run(  # noqa: S603 - a compiler, and our own source
        [compiler, "-shared", "-fPIC", "-o", str(library), str(source)], check=True
    )
    return library
