"""Draws smooth shapes on an image and writes it as PNG.

Every shape is a signed distance in pixels (negative inside, [HEIGHT, WIDTH]), so that its edge is
smooth at any angle.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

WIDTH, HEIGHT = 600, 900

Field = NDArray[np.float64]  # [HEIGHT, WIDTH], or [HEIGHT, WIDTH, 3] for an image
Colour = tuple[int, int, int]
Point = tuple[float, float]

Y, X = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float64)


def png(pixels: NDArray[np.uint8]) -> bytes:
    """Return pixels [HEIGHT, WIDTH, 3] as a PNG file with eight bits per channel."""
    rows = np.concatenate((np.zeros((HEIGHT, 1), np.uint8), pixels.reshape(HEIGHT, -1)), axis=1)
    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in chunks)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def gradient(stops: Sequence[tuple[float, Colour]], at: Field) -> Field:
    """Interpolate colours between stops (position, colour), to an image [HEIGHT, WIDTH, 3]."""
    positions = [position for position, _ in stops]
    channels = [np.interp(at, positions, [colour[c] for _, colour in stops]) for c in range(3)]
    return np.stack(channels, axis=-1)


def paint(image: Field, distance: Field, colour: Colour, opacity: float = 1.0) -> None:
    """Fill a shape with a colour."""
    blend(image, np.clip(0.5 - distance, 0, 1) * opacity, colour)


def blend(image: Field, alpha: Field, colour: Colour) -> None:
    """Blend a colour over the image, with `alpha` (0 to 1) at each pixel."""
    image += (np.array(colour, np.float64) - image) * alpha[..., None]


def circle(x: float, y: float, radius: float) -> Field:
    """Distance to a circle."""
    return np.hypot(X - x, Y - y) - radius


def stroke(start: Point, end: Point, width: float) -> Field:
    """Distance to a line with round ends."""
    along_x, along_y = end[0] - start[0], end[1] - start[1]
    length = max(along_x**2 + along_y**2, 1e-9)
    at = ((X - start[0]) * along_x + (Y - start[1]) * along_y) / length
    at = np.clip(at, 0, 1)
    return np.hypot(X - start[0] - at * along_x, Y - start[1] - at * along_y) - width / 2


def polygon(points: Sequence[Point]) -> Field:
    """Distance to a convex polygon whose corners run clockwise on the page."""
    edges = zip(points, [*points[1:], points[0]], strict=True)
    return np.max([_edge(start, end) for start, end in edges], axis=0)


def _edge(start: Point, end: Point) -> Field:
    along_x, along_y = end[0] - start[0], end[1] - start[1]
    return ((X - start[0]) * -along_y + (Y - start[1]) * along_x) / -np.hypot(along_x, along_y)


def box(x: float, y: float, half_width: float, half_height: float) -> Field:
    """Distance to an upright rectangle; (x, y) is its middle."""
    return np.maximum(np.abs(X - x) - half_width, np.abs(Y - y) - half_height)


def arc(x: float, y: float, rx: float, ry: float, first: float, last: float) -> tuple[Point, ...]:
    """Points on an arc of an ellipse; angles in degrees, clockwise from the right."""
    angles = np.radians(np.linspace(first, last, 2 + int(abs(last - first) // 18)))
    return tuple((x + rx * float(np.cos(t)), y + ry * float(np.sin(t))) for t in angles)
