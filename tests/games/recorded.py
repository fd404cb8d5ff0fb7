"""The recorded games and positions in tests/games/cases; the README there tells the formats."""

import gzip
import json
from pathlib import Path
from typing import Any

CASES = Path(__file__).parent / "cases"


def read(name: str) -> Any:
    """Return the contents of a file of recorded cases; a name with .gz means compressed."""
    data = (CASES / name).read_bytes()
    return json.loads(gzip.decompress(data) if name.endswith(".gz") else data)
