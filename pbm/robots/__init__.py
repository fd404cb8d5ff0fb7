"""Robots: search over the contract of any game; clock and chance are passed in.

Modules: `levels` (how well a robot plays), `player` (one that plays a match), `search` (what it
thinks), `selection` (what it tries next), `sight` (what it sees at a glance), `solver` (wins that
are forced), `tree` (what it remembers), `playouts` (games played at random), `moves` (the tasks of
a robot), `hints` (what a player might play), `prospects` and `analysis` (a finished match looked
back at), `duel` (two robots against each other), `lookahead` (alpha-beta, to hold them against). A
program of others is asked by `protocol` (what is said), with `fields` (how it is read) and `asking`
(made of a position, and checked by the game).
"""
