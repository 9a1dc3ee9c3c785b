"""Everything that is measured of one finished file: its streams, frames, sound, tags and cover."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from audiomill.inputs.metadata.images import Picture
from audiomill.outputs.audio.chapter_loudness import chapter_lufs
from audiomill.outputs.checking.covers import cover_of
from audiomill.outputs.checking.mp3_walk import Mp3Frames
from audiomill.outputs.checking.signal import Signal, SignalMeter
from audiomill.outputs.checking.streams import (
    FileStreams,
    Sound,
    Uncheckable,
    open_streams,
    undecodable,
)
from audiomill.outputs.encoding.reading import open_audio
from audiomill.outputs.formats.format import SampleDigest
from audiomill.outputs.formats.registry import integrity_checks
from audiomill.outputs.types import EncoderFailed

Advance = Callable[[float], None]
_SAMPLE = re.compile(r"retail[\W_]*(?:audio[\W_]*)?sample|sample[\W\d_]*$")


@dataclass(frozen=True, slots=True)
class MeasuredFile:
    """One file, as it is."""

    path: Path
    n_bytes: int
    streams: FileStreams
    sound: Sound
    signal: Signal
    chapter_lufs: tuple[float, ...]  # of those that are long enough
    frames: Mp3Frames | None  # of an MP3
    missing_s: float  # of the sound that the file promises
    damages: tuple[str, ...]  # what was passed over, in ffmpeg's words
    cover: Picture | str | None  # text: what is wrong with it; None: there is none

    @property
    def is_sample(self) -> bool:
        """Whether its name tells that it is a retail sample: its last word, or after "retail"."""
        return bool(_SAMPLE.search(self.path.stem.lower()))


def sound_file_streams(path: Path) -> tuple[FileStreams, Sound]:
    """The content of a file of sound, before it is decoded. Raises Uncheckable, EncoderMissing."""
    streams, sound = open_streams(path)
    if streams.has_video:
        raise Uncheckable(f"{path} is a video. Name a file of sound only.")
    return streams, sound


def measure_file(path: Path, advance: Advance | None = None) -> MeasuredFile:
    """Decode a file once and measure it; `advance` is told the seconds of each block.

    Raises Uncheckable, EncoderMissing.
    """
    streams, sound = sound_file_streams(path)
    checks, damages = integrity_checks(streams.container), list[str]()
    try:
        digest = checks.sample_digest(path)
        meter = _metered(path, sound, damages, advance, digest)
        signal = meter.measured()
        if not signal.n_samples:
            raise undecodable(path, streams, None)
        if digest and not digest.is_as_promised:
            damages.append("its samples are not those that were encoded (MD5)")
        frames = checks.walk_frames(path)
        if frames and frames.is_altered:
            damages.append("its frames are not those that were encoded (checksum)")
        lost_s = missing_s(path, streams, signal.length_s, frames)
        if checks.lacks_last_page(path):
            damages.append("the last page is not there")
        n_bytes = path.stat().st_size
    except EncoderFailed as error:
        raise undecodable(path, streams, error) from error
    except OSError as error:
        raise Uncheckable(f"{path} cannot be read ({error.strerror}).") from error
    return MeasuredFile(
        path=path,
        n_bytes=n_bytes,
        streams=streams,
        sound=sound,
        signal=signal,
        chapter_lufs=chapter_lufs(meter.loudness(), streams.chapters),
        frames=frames,
        missing_s=lost_s,
        damages=tuple(damages),
        cover=cover_of(path),
    )


def missing_s(path: Path, streams: FileStreams, length_s: float, frames: Mp3Frames | None) -> float:
    """How much of the sound that a file promises is not there, of which `length_s` was decoded.

    Of what has frames, these tell it. Headers of chunks tell it where ffmpeg reads the sound to any
    end; of other containers ffmpeg tells the length that is promised. Raises OSError.
    """
    if frames is not None:
        return frames.missing_s
    if n_missing := integrity_checks(streams.container).missing_bytes(path):
        return n_missing / max(1, path.stat().st_size) * length_s
    return max(0.0, (streams.duration_s or 0.0) - length_s)


def _metered(
    path: Path,
    sound: Sound,
    damages: list[str],
    advance: Advance | None,
    digest: SampleDigest | None,
) -> SignalMeter:
    """The meter of all samples of a file, which `digest` gets, too."""
    audio = open_audio(path, damages)
    meter = SignalMeter(audio.sample_rate, sound.weights_of(audio.n_channels))
    for block in audio.blocks:
        meter.add(block)
        if digest:
            digest.add(block)
        if advance:
            advance(len(block) / audio.sample_rate)
    return meter
