"""The picture of a podcast that names none: bars in the colours that its title decides.

Apple's directory and most players take no show without a picture. This one has no words, so it
needs no font, whatever the language of the title.
"""

from __future__ import annotations

import colorsys
import hashlib
import io
from functools import lru_cache

from PIL.Image import new
from PIL.ImageDraw import Draw

from audiomill.inputs.metadata.covers import SQUARE_PX

SUFFIX = ".png"
_N_BARS, _BAR_PX, _GAP_PX = 20, 40, 20
_LOWEST_PX, _HIGHEST_PX = 80, 900


@lru_cache(maxsize=8)  # drawing takes longer than most of a run that makes nothing new
def default_picture(title: str) -> bytes:
    """A square PNG of SQUARE_PX. The same title has the same picture."""
    title_hash = hashlib.sha256(title.encode("utf-8", "replace")).digest()
    image = new("RGB", (SQUARE_PX, SQUARE_PX), _colour(title_hash[0], 0.55, 0.25))
    draw, colour = Draw(image), _colour(title_hash[0], 0.35, 0.95)
    left = (SQUARE_PX - _N_BARS * (_BAR_PX + _GAP_PX) + _GAP_PX) // 2
    for number, byte in enumerate(title_hash[1 : _N_BARS + 1]):
        height = _LOWEST_PX + (_HIGHEST_PX - _LOWEST_PX) * byte // 255
        x, y = left + number * (_BAR_PX + _GAP_PX), (SQUARE_PX - height) // 2
        draw.rounded_rectangle((x, y, x + _BAR_PX, y + height), _BAR_PX // 2, fill=colour)
    content = io.BytesIO()
    image.save(content, "PNG", optimize=True)
    return content.getvalue()


def _colour(hue: int, saturation: float, value: float) -> tuple[int, int, int]:
    """The RGB of a hue from 0 to 255."""
    red, green, blue = colorsys.hsv_to_rgb(hue / 256, saturation, value)
    return round(255 * red), round(255 * green), round(255 * blue)
