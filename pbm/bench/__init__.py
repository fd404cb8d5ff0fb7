"""Benchmarks that an operator or an author runs with `pbm bench`; bench.md has the targets."""
