"""WAV of 16 bits, with cue points.

RF64 has room for sizes of 64 bits; the tagging makes a plain WAV of a file that does not need them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from audiomill.outputs.formats.format import Format, TagStyle, lossless_codec
from audiomill.outputs.metadata.chapters import Mark

if TYPE_CHECKING:
    from audiomill.outputs.metadata.embedded import EmbeddedMetadata

MAX_WAV_START = 0xFFFFFFFF  # in samples: 49 hours at 24 kHz; cue points have no more bits


def held_wav_marks(marks: Sequence[Mark], _sample_rate: int) -> Sequence[Mark]:
    """The marks whose position a cue point can say."""
    return [mark for mark in marks if mark.start <= MAX_WAV_START]


def _write(path: Path, metadata: EmbeddedMetadata) -> None:
    from audiomill.outputs.metadata.wav import tag_wav

    tag_wav(path, metadata)


WAV = Format(
    *("wav", ".wav", "pcm_s16le"),
    TagStyle("WAV", "chunks of WAV", _write, held_wav_marks),
    *((("acodec", "pcm_s16le"),), (("format", "wav"), ("rf64", "always"))),
    *("audio/wav", lossless_codec),
)
