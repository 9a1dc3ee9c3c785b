"""The output formats by name. Runs nothing.

The same samples give the same bytes with the same build of ffmpeg, at any time: no dates and no
version numbers. Another build, or the same on a processor for which it has other code, may encode
other bytes, which sound alike: only lossless formats decode to the same samples with any.
"""

from __future__ import annotations

from audiomill.outputs.formats.aiff import AIFF
from audiomill.outputs.formats.flac import FLAC
from audiomill.outputs.formats.format import Format
from audiomill.outputs.formats.m4a import M4A
from audiomill.outputs.formats.m4b import M4B
from audiomill.outputs.formats.mp3 import MP3
from audiomill.outputs.formats.opus import OPUS
from audiomill.outputs.formats.wav import WAV

FORMATS: dict[str, Format] = {entry.name: entry for entry in (M4B, M4A, MP3, FLAC, OPUS, WAV, AIFF)}


def split_formats(names: str) -> tuple[str, ...]:
    """The names in a list like "m4b,mp3", with or without spaces. They need not be formats."""
    return tuple(name.strip() for name in names.split(","))
