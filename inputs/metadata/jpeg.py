"""Decodes a picture and encodes it as a JPEG, with Pillow. Knows nothing of covers."""

from __future__ import annotations

import io
import struct
import zlib
from warnings import catch_warnings

from PIL import (
    GifImagePlugin,
    ImageOps,
    ImageStat,
    JpegImagePlugin,
    PngImagePlugin,
    WebPImagePlugin,
)
from PIL.Image import DecompressionBombError, Image, new
from PIL.ImageFile import ImageFile

from audiomill.inputs.metadata.images import Picture, UnusableImage

QUALITY = 85
STRIP_PX = 512  # of a picture that is reduced by strips
EDGE = 100  # this part of a picture's length, at an end, shows the colour of the edge
# Not `Image.open`, which would try every format that Pillow has.
_FORMATS: dict[str, type[ImageFile]] = {
    "GIF": GifImagePlugin.GifImageFile,
    "JPEG": JpegImagePlugin.JpegImageFile,
    "PNG": PngImagePlugin.PngImageFile,
    "WebP": WebPImagePlugin.WebPImageFile,
}
# The errors of Pillow where a picture is damaged, found by damaging thousands.
_DAMAGE = (
    *(ArithmeticError, EOFError, LookupError, MemoryError, OSError, SyntaxError, TypeError),
    *(ValueError, struct.error, zlib.error, DecompressionBombError),
)


def decode(data: bytes, picture: Picture, needed_px: int) -> Image:
    """Return the pixels of the first frame as RGB, upright, and white where it is transparent.

    They are at most twice `needed_px` on the longest side, and at least that many of a larger one:
    all that follows works on a small picture. Raises UnusableImage if the picture is damaged.
    """
    try:
        # Pillow also warns of damage; whoever reads a book gets one warning, of ours.
        with catch_warnings(action="ignore"), _FORMATS[picture.kind](io.BytesIO(data)) as file:
            if file.size != picture.size:  # found elsewhere in the file, and not checked
                raise ValueError
            file.draft("RGB", (needed_px, needed_px))  # decodes a large JPEG at a fraction
            file.load()
            upright = _upright(_reduced(file, needed_px))
            rgb = _opaque(upright)
            rgb.info = {"icc_profile": _rgb_profile(upright)}  # and no comments and the like
            return rgb
    except _DAMAGE as error:
        raise UnusableImage(f"a damaged {picture.kind} picture") from error


def _reduced(image: Image, needed_px: int) -> Image:
    """The image at a fraction of its size, without a second one of its whole size on the way."""
    factor = max(image.size) // needed_px
    if factor < 2 or image.mode.startswith("I"):
        return image
    if image.mode in ("1", "P", "PA"):  # numbers of colours have no mean
        return _palette_reduced(image, factor)
    reduced = image.reduce(factor)
    reduced.info = image.info
    return reduced


def _palette_reduced(image: Image, factor: int) -> Image:
    """By strips, as four bytes a pixel are much for a picture that has one."""
    size = tuple(-(-side // factor) for side in image.size)
    reduced = new("RGBA", (size[0], size[1]))
    height = max(1, STRIP_PX // factor) * factor
    for top in range(0, image.height, height):
        strip = image.crop((0, top, image.width, min(top + height, image.height)))
        reduced.paste(strip.convert("RGBA").reduce(factor), (0, top // factor))
    reduced.info = {name: image.info[name] for name in image.info if name != "transparency"}
    return reduced


def _upright(image: Image) -> Image:
    """The image turned as its EXIF says; as it is if that cannot be read."""
    try:
        return ImageOps.exif_transpose(image)
    except _DAMAGE:
        return image


def _rgb_profile(image: Image) -> bytes | None:
    """The colour profile, unless it is one of grey or CMYK."""
    profile: bytes = image.info.get("icc_profile") or b""
    return profile if profile[16:20] == b"RGB " else None


def _opaque(image: Image) -> Image:
    """The image as RGB, on white."""
    if image.mode.startswith("I"):  # 16 bits of grey, which convert() would cut off
        return image.point(lambda value: value * (1 / 256)).convert("L").convert("RGB")
    if not image.has_transparency_data:
        return image.convert("RGB")
    colours = image.convert("RGBA")
    opaque = new("RGB", image.size, "white")
    opaque.paste(colours, mask=colours.getchannel("A"))
    return opaque


def middle_square(image: Image) -> Image:
    """The largest square in the middle of an image."""
    side_px = min(image.size)
    left, top = (image.width - side_px) // 2, (image.height - side_px) // 2
    return image.crop((left, top, left + side_px, top + side_px))


def padded_square(image: Image) -> Image:
    """The image in the middle of a square, with a stripe in the colour of its edge on each side."""
    side_px = max(image.size)
    left, top = (side_px - image.width) // 2, (side_px - image.height) // 2
    edges = _ends(image)
    square = new("RGB", (side_px, side_px), _colour(image.crop(edges[1])))
    before = (left or side_px, top or side_px)
    square.paste(_colour(image.crop(edges[0])), (0, 0, *before))
    square.paste(image, (left, top))
    square.info = image.info
    return square


def _ends(image: Image) -> tuple[tuple[int, int, int, int], tuple[int, int, int, int]]:
    """The boxes of the left and the right edge; of a wide image, of the upper and the lower one."""
    width, height = image.size
    if width < height:
        edge = -(-width // EDGE)
        return (0, 0, edge, height), (width - edge, 0, width, height)
    edge = -(-height // EDGE)
    return (0, 0, width, edge), (0, height - edge, width, height)


def _colour(image: Image) -> tuple[int, int, int]:
    """The median of each primary colour."""
    red, green, blue = ImageStat.Stat(image).median
    return red, green, blue


def encode(image: Image, longest_side_px: int, quality: int = QUALITY) -> bytes:
    """Return the image as a JPEG, scaled down to `longest_side_px` if it is larger."""
    scaled = image.copy()
    scaled.thumbnail((longest_side_px, longest_side_px), reducing_gap=3.0)
    file = io.BytesIO()
    scaled.save(file, "JPEG", quality=quality, icc_profile=image.info["icc_profile"])
    return file.getvalue()
