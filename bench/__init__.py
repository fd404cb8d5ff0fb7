"""Benchmarks of the server: `python -m bench --help`. They are not part of the package."""
