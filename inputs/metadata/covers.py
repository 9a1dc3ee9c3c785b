"""Makes a cover that every audio format takes of any usual picture.

A JPEG or PNG of moderate size is taken byte for byte, and not even decoded. What is larger, WebP
and GIF, which audio files do not hold, and inks of print (CMYK), which many players show in wrong
colours, is decoded once, scaled and stored as a JPEG.
Shops and players that ask for a square get the whole picture in one.
"""

from __future__ import annotations

import errno
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from audiomill.inputs.files import read_regular
from audiomill.inputs.metadata.images import Picture, UnusableImage, colour_depth, identify
from audiomill.inputs.model.book import Cover

if TYPE_CHECKING:
    from PIL.Image import Image

# The largest artwork that stores ask for. FLAC holds no picture of 16 MiB, the time to tag an Opus
# file grows with the square of the picture's bytes, and with --split each file has a copy.
MAX_SIDE_PX = 3000
MAX_BYTES = 1 << 20
MAX_PIXELS = 50_000_000  # decoded, they take four bytes each, once or twice at the same time
MAX_WEBP_PIXELS = 25_000_000  # whose decoder needs three times as much
MAX_READ_SIDE_PX = 30_000  # longer ones are lines: no picture
# The longest sides that are tried, until MAX_BYTES are enough.
SIDES_PX = (MAX_SIDE_PX, 2400, 1800, 1400, 1000, 700)
# What ACX asks for, which is not given up before it has been tried at a lower quality.
KEPT_PX, KEPT_QUALITY = 2400, 70
# Of an episode's picture: the smallest that Apple asks for, and below it what is no picture.
SQUARE_PX, LEAST_PX = 1400, 200
SQUARES_PX = (SQUARE_PX, 1000, 700)
SQUARE_BYTES = 512 << 10
# Of a cover on a page.
THUMBNAIL_PX, THUMBNAIL_BYTES = 480, 64 << 10
CMYK_BITS = 32  # per pixel of a JPEG
EMBEDDED = {"JPEG": "image/jpeg", "PNG": "image/png"}


@dataclass(frozen=True, slots=True)
class FittedCover:
    """A cover to embed. `change` completes the sentence "the cover … is"; "" if nothing changed."""

    cover: Cover
    change: str = ""


def fit_cover_file(path: Path, max_entry_bytes: int) -> FittedCover:
    """The cover that is made of a picture's file. Raises UnusableImage, OSError."""
    try:
        return fit_cover(read_regular(path, max_entry_bytes))
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise UnusableImage("over max_entry_bytes") from error
        raise


def fit_cover(data: bytes) -> FittedCover:
    """Return the cover that is made of a picture.

    Raises UnusableImage if the bytes are no JPEG, PNG, WebP or GIF, damaged, or of too many pixels.
    """
    picture = identify(data)
    is_light = len(data) <= MAX_BYTES and max(picture.size) <= MAX_SIDE_PX
    is_cmyk = picture.kind == "JPEG" and colour_depth(data)[0] == CMYK_BITS
    if is_light and picture.kind in EMBEDDED and not is_cmyk:
        return FittedCover(Cover(EMBEDDED[picture.kind], data))
    before = _described(picture, data) + (" in CMYK" if is_cmyk else "")
    _check_size(picture, before)
    jpeg = _as_jpeg(data, picture)
    change = f"{before}; {_described(identify(jpeg), jpeg)} is embedded instead"
    return FittedCover(Cover(EMBEDDED["JPEG"], jpeg), change)


def _check_size(picture: Picture, described: str) -> None:
    """Raise UnusableImage for more pixels than are read, or for a side that is longer."""
    max_pixels = MAX_WEBP_PIXELS if picture.kind == "WebP" else MAX_PIXELS
    if picture.size[0] * picture.size[1] > max_pixels:
        raise UnusableImage(f"{described}, but at most {max_pixels:,} pixels are read")
    if max(picture.size) > MAX_READ_SIDE_PX:
        raise UnusableImage(f"{described}, but a side has at most {MAX_READ_SIDE_PX:,} pixels")


def padded_cover(cover: Cover) -> Cover:
    """The whole cover as a square, with stripes in the colours of its own edges.

    It is neither cut nor blown up, and a square one is taken byte for byte. Raises UnusableImage.
    """
    picture = identify(cover.data)
    if picture.size[0] == picture.size[1]:
        return cover
    from audiomill.inputs.metadata.jpeg import decode, padded_square

    square = padded_square(decode(cover.data, picture, MAX_SIDE_PX))
    return Cover(EMBEDDED["JPEG"], _encoded(square, _described(picture, cover.data)))


def jpeg_of(cover: Cover) -> bytes:
    """The cover as a JPEG, byte for byte if it is one. Raises UnusableImage."""
    if cover.media_type == EMBEDDED["JPEG"]:
        return cover.data
    return _as_jpeg(cover.data, identify(cover.data))


def square_cover(data: bytes) -> Cover:
    """The middle of a picture as a square of at most SQUARE_PX, for an episode of a podcast.

    A square JPEG or PNG of moderate size is taken byte for byte. Raises UnusableImage, also for
    pictures that are too small to show.
    """
    picture = identify(data)
    shortest, longest = sorted(picture.size)
    described = _described(picture, data)
    _check_size(picture, described)
    if shortest < LEAST_PX:
        raise UnusableImage(f"{described}, but a side has at least {LEAST_PX} pixels")
    if shortest == longest <= SQUARE_PX and len(data) <= SQUARE_BYTES and picture.kind in EMBEDDED:
        return Cover(EMBEDDED[picture.kind], data)
    from audiomill.inputs.metadata.jpeg import decode, encode, middle_square

    needed_px = SQUARE_PX * longest // shortest + 1
    square = middle_square(decode(data, picture, needed_px))
    for side_px in SQUARES_PX:
        jpeg = encode(square, side_px)
        if len(jpeg) <= SQUARE_BYTES:
            return Cover(EMBEDDED["JPEG"], jpeg)
    raise UnusableImage(f"{_described(picture, data)}, which cannot be made small enough")


def thumbnail(cover: Cover) -> Cover | None:
    """The cover small enough for a page; None if it is damaged.

    One that is light already is taken byte for byte.
    """
    if len(cover.data) <= THUMBNAIL_BYTES:
        return cover
    from audiomill.inputs.metadata.jpeg import decode, encode

    try:
        image = decode(cover.data, identify(cover.data), THUMBNAIL_PX)
    except UnusableImage:
        return None
    return Cover(EMBEDDED["JPEG"], encode(image, THUMBNAIL_PX))


def _as_jpeg(data: bytes, picture: Picture) -> bytes:
    """The picture as a JPEG of at most MAX_BYTES, as large as possible. Raises UnusableImage."""
    # Imported here, because most covers need no decoding.
    from audiomill.inputs.metadata.jpeg import decode

    return _encoded(decode(data, picture, MAX_SIDE_PX), _described(picture, data))


def _encoded(image: Image, described: str) -> bytes:
    """The image as a JPEG of at most MAX_BYTES, as large as possible. Raises UnusableImage."""
    from audiomill.inputs.metadata.jpeg import QUALITY, encode

    for side_px in dict.fromkeys(min(side_px, max(image.size)) for side_px in SIDES_PX):
        for quality in (QUALITY, KEPT_QUALITY) if side_px == KEPT_PX else (QUALITY,):
            jpeg = encode(image, side_px, quality)
            if len(jpeg) <= MAX_BYTES:
                return jpeg
    raise UnusableImage(f"{described}, which cannot be made small enough")


def _described(picture: Picture, data: bytes) -> str:
    """For example "a PNG picture of 6000 × 9000 pixels and 12.3 MB"."""
    width, height = picture.size
    return f"a {picture.kind} picture of {width} × {height} pixels and {len(data) / 1e6:.2g} MB"
