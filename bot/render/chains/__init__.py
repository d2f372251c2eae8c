"""The chains of an answer as a picture: answer -> Picture -> places -> SVG (issue 5, item 7).

`draw` is pure: frozen dataclasses in, the text of one SVG out, so a kept answer can be drawn again anywhere.
"""

from bot.render.chains.picture import Arrow, ChainLine, Node, Picture, State
from bot.render.chains.reading import read_picture
from bot.render.chains.svg import draw

__all__ = ["Arrow", "ChainLine", "Node", "Picture", "State", "draw", "read_picture"]
