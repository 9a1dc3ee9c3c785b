"""The picture of a show: its own or one that is drawn, and what directories say to pictures."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from audiomill.flows.errors import UsageError
from audiomill.flows.podcast.run_log import RunLog
from audiomill.flows.podcast.show_settings import ShowSettings
from audiomill.inputs.files import read_regular
from audiomill.inputs.metadata.covers import EMBEDDED, MAX_SIDE_PX, SQUARE_PX
from audiomill.inputs.metadata.images import UnusableImage, identify
from audiomill.outputs.podcast.default_picture import SUFFIX as DEFAULT_SUFFIX
from audiomill.outputs.podcast.default_picture import default_picture
from audiomill.outputs.podcast.feed import is_small
from audiomill.outputs.podcast.show import Episode
from audiomill.outputs.podcast.show_folder import ShowFolder
from audiomill.outputs.podcast.urls import content_name


def read_image(image: Path) -> bytes:
    """The content of the file of a show's picture. Raises UsageError."""
    try:
        return read_regular(image)
    except OSError as error:
        raise UsageError(f"image: {image} cannot be read ({error.strerror}).") from error


def put_image(show: ShowSettings, target: ShowFolder, log: RunLog) -> str:
    """The name of the show's picture, or else of one that is drawn, which is put into its folder.

    Raises UsageError, OutputUnwritable.
    """
    if show.image is None:
        content, suffix = default_picture(show.title), DEFAULT_SUFFIX
    else:
        content, suffix = read_image(show.image), show.image.suffix.lower()
        log.warn(_image_faults(show.image, content))
    name = content_name("cover", hashlib.sha256(content).hexdigest(), suffix)
    target.add_names([name])
    target.write(name, content)
    return name


def small_picture_notes(made: Sequence[Episode]) -> Iterator[str]:
    """A note if the feed shows the show's picture for episodes that have smaller ones."""
    n_small = sum(one.image_px is not None and is_small(one) for one in made)
    if n_small:
        yield (
            f"{n_small} new episode{'s have' if n_small > 1 else ' has'} a picture of fewer than"
            f" {SQUARE_PX:,} pixels on a side, the least that Apple takes. The feed names the"
            " podcast's picture instead."
        )


def _image_faults(image: Path, content: bytes) -> Iterator[str]:
    """Problems that Apple would have with the show's picture."""
    try:
        picture = identify(content)
    except UnusableImage as error:
        yield f"image: {image} is {error}. Players show none."
        return
    width, height = picture.size
    is_fit = width == height and SQUARE_PX <= width <= MAX_SIDE_PX and picture.kind in EMBEDDED
    if not is_fit:
        yield (
            f"image: {image} is a {picture.kind} of {width} x {height} pixels. Apple takes a square"
            f" JPEG or PNG of {SQUARE_PX:,} to {MAX_SIDE_PX:,} pixels."
        )
