"""Benchmarks that an operator or a game author runs with `pbm bench`."""
