"""What keeps a benchmark from being run."""


class BenchError(Exception):
    """Something that cannot be measured; `str()` is a sentence for whoever asked for it."""


class YardstickError(BenchError):
    """python-chess is not installed; `str()` says how to get it."""
