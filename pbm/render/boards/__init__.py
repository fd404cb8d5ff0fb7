"""Boards as pictures: a Diagram is plotted once, and drawn as HTML or PNG.

The text picture is the engine's (`pbm.engine.draw`), because playthroughs need it there.
"""
