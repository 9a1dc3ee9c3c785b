"""What lossy codecs do to levels: they move waveforms, so that peaks rise, and may drop power.

The limiter's ceiling is lower by that from the start, so that hardly a file is encoded twice.
Measured with 11 minutes of espeak speech in five voices at -19, -16 and -14 LUFS, at 24 and 44.1
kHz (LOG.md, "Levels of encoded files").
"""

from __future__ import annotations

from dataclasses import dataclass

from audiomill.outputs.formats import Options


@dataclass(frozen=True, slots=True)
class CodecEffect:
    """How much higher true peaks are after encoding, and the level, in decibels."""

    peak_db: float = 0.0
    level_db: float = 0.0


MPEG2_HZ, MPEG2_KBPS = 24_000, 160  # up to this rate MP3 has no higher bit rate
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
    kbps = kbps_of(options)
    if encoder == "libmp3lame" and file_rate <= MPEG2_HZ:
        kbps = min(kbps, MPEG2_KBPS)
    rows = _EFFECTS.get(encoder, ((0, CodecEffect()),))
    return next(effect for from_kbps, effect in rows if kbps >= from_kbps)


def kbps_of(options: Options) -> int:
    """The bit rate that options name; 0 if they name none."""
    return int(str(dict(options).get("audio_bitrate", "0k")).removesuffix("k"))


def is_lossless(encoder: str) -> bool:
    """Whether files of this encoder (ffmpeg's name) decode to the samples that it got."""
    return encoder not in _EFFECTS
