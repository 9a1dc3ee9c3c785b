"""Pictures for tests: made by Pillow, read back by FFmpeg, which shares no code with it."""

import io

import av
import numpy as np
from numpy.typing import NDArray
from PIL import Image

# The colours of the left and the right half.
RED, BLUE = (200, 30, 40), (20, 60, 180)


def halves(width: int = 64, height: int = 48) -> Image.Image:
    """A picture with a red left half and a blue right one."""
    picture = Image.new("RGB", (width, height), RED)
    picture.paste(BLUE, (width // 2, 0, width, height))
    return picture


def noise_picture(width: int, height: int) -> Image.Image:
    """A picture that cannot be compressed."""
    pixels = np.random.default_rng(0).integers(0, 256, (height, width, 3), np.uint8)
    return Image.fromarray(pixels)


def saved(picture: Image.Image, kind: str, **options: object) -> bytes:
    """The bytes of `picture` in a format that Pillow knows as `kind`."""
    file = io.BytesIO()
    picture.save(file, kind, **options)
    return file.getvalue()


def pixels_of(data: bytes) -> NDArray[np.uint8]:
    """The pixels of a picture, [height, width, 3]."""
    with av.open(io.BytesIO(data)) as container:
        return next(container.decode(video=0)).to_ndarray(format="rgb24")
