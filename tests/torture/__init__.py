"""Torture: servers are killed and cut off at every turn, while people play and nothing may be lost.

`python -m tests.torture` (make torture) runs all layouts; README.md of tests/ tells more.
"""
