"""Robots: search over the contract of any game; clock and chance are passed in.

Modules: `levels` (how well a robot plays), `player` (a robot in a match), `search` (Monte Carlo
tree search), `tree` (its memory, and random games), `solver` (forced wins), `tasks` (what other
processes run), `analysis` (of a finished match), `duel` (two robots against each other),
`others` (functions of other packages).
"""
