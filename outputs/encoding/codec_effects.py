"""What lossy codecs do to levels: they move waveforms, so that peaks rise, and may drop power.

The limiter's ceiling is lower by that from the start, so that hardly a file is encoded twice.
Measured with 11 minutes of espeak speech in five voices at -19, -16 and -14 LUFS, at 24 and 44.1
kHz, and with hours of it at 22.05 kHz: the longer a book, the higher the one peak that decides
(LOG.md, "Levels of encoded files").
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from audiomill.outputs.formats import Options


@dataclass(frozen=True, slots=True)
class CodecEffect:
    """How much higher true peaks are after encoding, and the level, in decibels."""

    peak_db: float = 0.0
    level_db: float = 0.0


MPEG2_HZ, MPEG2_KBPS = 24_000, 160  # up to this rate MP3 has no higher bit rate
MPEG2_PEAK_DB = 0.3  # by how much more it raises the highest peak of a long book at these rates
# By encoder: (bit rate in kbps from which it applies, effect), the highest rate first. A variable
# bit rate counts as the lowest.
_EFFECTS: dict[str, tuple[tuple[int, CodecEffect], ...]] = {
    "aac": (
        (96, CodecEffect(0.1)),
        (56, CodecEffect(0.3)),
        (40, CodecEffect(0.8)),
        (24, CodecEffect(0.8, -0.15)),
        (0, CodecEffect(1.4, -0.35)),
    ),
    # From 192 kbps on LAME scales its input by less than the options undo: by 0.97, then by 1.
    "libmp3lame": (
        (256, CodecEffect(0.6, 0.45)),
        (192, CodecEffect(0.4, 0.18)),
        (160, CodecEffect(0.3)),
        (0, CodecEffect(0.8)),
    ),
    "libopus": (
        (96, CodecEffect(0.4)),
        (56, CodecEffect(0.5)),
        (0, CodecEffect(1.0, -0.2)),
    ),
}


def codec_effect(encoder: str, options: Options, file_rate: int) -> CodecEffect:
    """The effect of an encoder (ffmpeg's name) with these options; none of a lossless one."""
    kbps, more_db = kbps_of(options), 0.0
    if encoder == "libmp3lame" and file_rate <= MPEG2_HZ:
        kbps, more_db = min(kbps, MPEG2_KBPS), MPEG2_PEAK_DB
    rows = _EFFECTS.get(encoder, ((0, CodecEffect()),))
    effect = next(effect for from_kbps, effect in rows if kbps >= from_kbps)
    return replace(effect, peak_db=effect.peak_db + more_db)


def kbps_of(options: Options) -> int:
    """The bit rate that options name; 0 if they name none."""
    return int(str(dict(options).get("audio_bitrate", "0k")).removesuffix("k"))
