"""What a handler is."""

from collections.abc import Callable, Iterator
from typing import Any

from pbm.service.context import Context
from pbm.service.notices import Notice

Handler = Callable[[Context, Any], Iterator[Notice]]
"""Carries out a command in the context of its request, and yields notices."""
