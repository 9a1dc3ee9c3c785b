"""Draws the cover of the sample book: a mill with a lamp above the sea at sunset."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from support.sample_book.canvas import (
    HEIGHT,
    Field,
    Point,
    X,
    Y,
    arc,
    blend,
    box,
    circle,
    gradient,
    paint,
    polygon,
    stroke,
)
from support.sample_book.lettering import words

HORIZON = 610.0  # pixels from the top
SUN = (205.0, 585.0, 74.0)  # x, y, radius
TOWER_X, HUB = 412.0, (412.0, 388.0)
LAMP = (412.0, 322.0)

_SKY = ((0.0, (22, 34, 74)), (0.34, (72, 62, 118)), (0.62, (196, 98, 108)), (0.86, (246, 158, 96)),
        (1.0, (255, 206, 132)))  # fmt: skip
_SEA = ((0.0, (236, 150, 104)), (0.1, (150, 92, 116)), (0.4, (56, 58, 106)), (1.0, (14, 24, 54)))
_LAND, _TOWER, _SHADE = (22, 20, 44), (246, 234, 216), (120, 96, 122)
_RED, _DARK, _GLOW = (190, 48, 52), (38, 30, 58), (255, 240, 178)


def picture() -> NDArray[np.uint8]:
    """Return the pixels of the cover, [HEIGHT, WIDTH, 3]."""
    image = gradient(_SKY, Y / HORIZON)
    _stars(image)
    _sun(image)
    _beam(image)
    _sea(image)
    _headland(image)
    _mill(image)
    _gulls(image)
    words(image, "THE", 70.0, 3.6, 2.2)
    words(image, "LIGHTHOUSE", 116.0, 7.6, 3.4)
    words(image, "MILL", 186.0, 7.6, 3.4)
    words(image, "MAUD TERN", 846.0, 3.4, 1.9)
    return np.clip(image + 0.5, 0, 255).astype(np.uint8)


def _stars(image: Field) -> None:
    random = np.random.Generator(np.random.PCG64(1897))
    for x, y, size in zip(
        random.uniform(10, 590, 90), random.uniform(10, 420, 90), random.uniform(0.5, 1.5, 90),
        strict=True,
    ):  # fmt: skip
        paint(image, circle(x, y, size), (255, 246, 226), 0.75 * (1 - y / 460))


def _sun(image: Field) -> None:
    x, y, radius = SUN
    far = np.hypot(X - x, Y - y)
    blend(image, 0.55 * np.exp(-((far / 210) ** 2)), (255, 206, 130))
    paint(image, far - radius, (255, 232, 170))


def _beam(image: Field) -> None:
    """Two cones of light, fading with the distance from the lamp."""
    x, y = X - LAMP[0], Y - LAMP[1]
    far = np.hypot(x, y)
    for angle, strength in ((np.radians(187), 0.62), (np.radians(7), 0.5)):
        off = np.abs(np.arctan2(np.sin(np.arctan2(y, x) - angle), np.cos(np.arctan2(y, x) - angle)))
        alpha = np.clip((0.12 - off) / 0.05, 0, 1) * np.exp(-far / 360) * strength
        blend(image, alpha, _GLOW)


def _sea(image: Field) -> None:
    depth = np.clip((Y - HORIZON) / (HEIGHT - HORIZON), 0, 1)
    inside = np.clip(Y - HORIZON + 0.5, 0, 1)
    image += (gradient(_SEA, depth) - image) * inside[..., None]
    # Waves: bands that widen towards the viewer, brighter under the sun and in a path below it.
    swell = np.sin(X / 37 + 21 * depth) + 0.6 * np.sin(X / 17 - 33 * depth)
    crest = np.clip(np.sin(46 * np.log1p(14 * depth) + 0.7 * swell) - 0.45, 0, 1) * inside
    crest *= 0.55 + 0.45 * np.sin(X / 23 + 57 * depth)  # broken along their length
    path = np.exp(-(((X - SUN[0]) / (46 + 190 * depth)) ** 2))
    blend(image, 0.85 * crest * path * (1 - 0.55 * depth), (255, 222, 158))
    blend(image, 0.10 * crest, (255, 214, 190))


def _headland(image: Field) -> None:
    top = 640 - 92 / (1 + np.exp(-(X - 300) / 26)) + 9 * np.sin(X / 47) + 4 * np.sin(X / 17)
    top += np.clip(300 - X, 0, None) * 1.6
    paint(image, top - Y, _LAND)
    paint(image, top + 5 - Y, (34, 30, 58))
    for x, y, size in ((262, 655, 13), (226, 668, 8), (198, 676, 6), (285, 650, 16)):
        paint(image, np.maximum(circle(x, y, size), Y - y - 3), _LAND)


def _mill(image: Field) -> None:
    x, foot, shoulder = TOWER_X, 566.0, 352.0
    body = polygon(((x - 33, shoulder), (x + 33, shoulder), (x + 54, foot), (x - 54, foot)))
    paint(image, body, _TOWER)
    shade = 0.85 * np.clip((X - x + 22) / 70, 0, 1)
    blend(image, np.clip(0.5 - body, 0, 1) * shade, _SHADE)
    for y in (468, 530):
        paint(image, box(x - 20, y, 7, 11), _DARK)
        paint(image, box(x - 20, y + 1, 5, 9), (255, 206, 120))
    paint(image, polygon(((x + 2, 534), (x + 26, 534), (x + 27, 566), (x + 2, 566))), _DARK)
    paint(image, box(x, shoulder, 46, 5), _DARK)  # the gallery, its rail, the lamp, the cap
    paint(image, box(x, 330, 42, 1.4), _DARK)
    for post in range(-40, 41, 10):
        paint(image, box(x + post, 340, 1, 10), _DARK)
    paint(image, box(x, 324, 24, 24), (255, 226, 140))
    blend(image, 0.9 * np.exp(-((np.hypot(X - LAMP[0], Y - LAMP[1]) / 42) ** 2)), _GLOW)
    for bar in (-24, -8, 8, 24):
        paint(image, box(x + bar, 324, 1.3, 24), _DARK)
    paint(image, polygon(((x, 266), (x + 34, 302), (x - 34, 302))), _RED)
    paint(image, circle(x, 264, 4), _DARK)
    _sails(image)


def _sails(image: Field) -> None:
    for quarter in range(4):
        angle = np.radians(28 + 90 * quarter)
        out, side = (np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))

        def place(along: float, across: float, out: Point = out, side: Point = side) -> Point:
            return HUB[0] + along * out[0] + across * side[0], HUB[1] + along * out[
                1
            ] + across * side[1]

        paint(
            image,
            polygon((place(34, 3), place(150, 3), place(150, 29), place(34, 24))),
            _RED,
            0.94,
        )
        for along in range(34, 151, 29):
            paint(image, stroke(place(along, 1), place(along, 27), 1.6), _DARK)
        paint(image, stroke(place(34, 14), place(150, 16), 1.3), _DARK)
        paint(image, stroke(HUB, place(156, 0), 4.2), _DARK)
    paint(image, circle(*HUB, 9), _DARK)
    paint(image, circle(*HUB, 4), (236, 190, 110))


def _gulls(image: Field) -> None:
    for x, y, size in ((118, 392, 15), (168, 366, 11), (84, 430, 9), (242, 446, 8)):
        for way in (-1, 1):
            wing = arc(x + 0.68 * size, y + 0.1 * size, 0.68 * size, 0.62 * size, 180, 320)
            points = [(x + way * (wx - x), wy) for wx, wy in wing]
            lines = [stroke(a, b, 1.9) for a, b in pairwise(points)]
            paint(image, np.min(lines, axis=0), (40, 32, 62))
