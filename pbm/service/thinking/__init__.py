"""What robots think about: one module a kind of thought, and the `desk` of them all.

A thought is claimed in one transaction, thought about outside of any, and carried out in another,
under the version check of its board.
"""
