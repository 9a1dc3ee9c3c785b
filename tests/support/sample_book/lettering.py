"""Draws capital letters as strokes; it has only the letters that the cover needs."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from support.sample_book.canvas import WIDTH, Colour, Field, Point, arc, paint, stroke

_GAP = 2.2  # between letters, in squares of the grid
_INK: Colour = (255, 244, 222)
_SHADOW: Colour = (38, 30, 58)

# Capital letters as strokes on a grid 4 wide and 6 high, from the top left.
_STROKES: dict[str, tuple[tuple[Point, ...], ...]] = {
    "A": (((0, 6), (2, 0), (4, 6)), ((0.8, 4), (3.2, 4))),
    "D": (((0, 6), (0, 0), (1.2, 0), *arc(1.2, 3, 2.8, 3, -90, 90), (0, 6)),),
    "E": (((4, 0), (0, 0), (0, 6), (4, 6)), ((0, 3), (3.2, 3))),
    "G": (((*arc(2.2, 3, 2.2, 3, -45, -310), (3.9, 3.2), (2.3, 3.2))),),
    "H": (((0, 0), (0, 6)), ((4, 0), (4, 6)), ((0, 3), (4, 3))),
    "I": (((0, 0), (0, 6)),),
    "L": (((0, 0), (0, 6), (3.8, 6)),),
    "M": (((0, 6), (0, 0), (2, 3.6), (4, 0), (4, 6)),),
    "N": (((0, 6), (0, 0), (4, 6), (4, 0)),),
    "O": (arc(2.2, 3, 2.3, 3, 0, 360),),
    "R": (((0, 6), (0, 0), *arc(2.2, 1.6, 1.6, 1.6, -90, 90), (0, 3.2)), ((2, 3.2), (4, 6))),
    "S": ((*arc(2, 1.5, 1.75, 1.5, -30, -270), *arc(2, 4.5, 1.85, 1.5, -90, 150)),),
    "T": (((0, 0), (4, 0)), ((2, 0), (2, 6))),
    "U": (((0, 0), *arc(2, 4, 2, 2, 180, 0), (4, 0)),),
}  # fmt: skip


def words(image: Field, text: str, top: float, unit: float, width: float) -> None:
    """Draw a centred row of letters; `unit` is the size of a grid square in pixels."""
    widths = [0.0 if letter == "I" else 4.0 for letter in text]
    left = (WIDTH - unit * (sum(widths) + _GAP * (len(text) - 1))) / 2
    for letter, advance in zip(text, widths, strict=True):
        for line in _STROKES.get(letter, ()):
            _paint_lines(image, [(left + x * unit, top + y * unit) for x, y in line], width)
        left += (advance + _GAP) * unit


def _paint_lines(image: Field, points: Iterable[Point], width: float) -> None:
    distance = np.min([stroke(a, b, width) for a, b in pairwise(points)], axis=0)
    paint(image, distance - 1.6, _SHADOW, 0.35)
    paint(image, distance, _INK)
