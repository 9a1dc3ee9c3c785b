"""Everything that is measured of one finished file: its streams, frames, sound, tags and cover."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from audiomill.inputs.images import Picture
from audiomill.outputs.checking.covers import cover_of
from audiomill.outputs.checking.mp3_frames import Mp3Frames, walk
from audiomill.outputs.checking.signal import Signal, SignalMeter
from audiomill.outputs.checking.streams import FileStreams, Sound, parse_streams
from audiomill.outputs.checking.wholeness import lacking_bytes, lacks_last_page
from audiomill.outputs.encoding.ffmpeg import describe
from audiomill.outputs.encoding.reading import open_audio
from audiomill.outputs.types import EncoderFailed

Advance = Callable[[float], None]


class Uncheckable(Exception):
    """The file cannot be checked. The message names it, says why, and what to do."""


@dataclass(frozen=True, slots=True)
class MeasuredFile:
    """One file, as it is."""

    path: Path
    n_bytes: int
    streams: FileStreams
    sound: Sound
    signal: Signal
    frames: Mp3Frames | None  # of an MP3
    missing_s: float  # of the sound that the file promises
    damages: tuple[str, ...]  # what was passed over, in ffmpeg's words
    cover: Picture | str | None  # text: what is wrong with it; None: there is none

    @property
    def is_sample(self) -> bool:
        """Whether its name tells that it is a retail sample."""
        return "sample" in self.path.stem.lower()


def looked_at(path: Path) -> tuple[FileStreams, Sound]:
    """What a file holds, before it is decoded. Raises Uncheckable, EncoderMissing."""
    _check_readable(path)
    streams = parse_streams(*describe(path))
    if streams is None:
        raise Uncheckable(f"{path} is no audio file, or it is cut off or damaged.\nMake it again.")
    if streams.is_encrypted:
        raise Uncheckable(f"{path} is encrypted (DRM). Only the shop's own player can open it.")
    if streams.sound is None:
        raise Uncheckable(f"{path} has no sound in it. Name a file of sound.")
    if streams.has_video:
        raise Uncheckable(f"{path} is a video. Name a file of sound only.")
    return streams, streams.sound


def measure_file(path: Path, advance: Advance | None = None) -> MeasuredFile:
    """Decode a file once and measure it; `advance` is told the seconds of each block.

    Raises Uncheckable, EncoderMissing.
    """
    streams, sound = looked_at(path)
    damages: list[str] = []
    try:
        audio = open_audio(path, damages)
        meter = SignalMeter(audio.sample_rate, _weights(sound, audio.n_channels))
        for block in audio.blocks:
            meter.add(block)
            if advance:
                advance(len(block) / audio.sample_rate)
        frames = walk(path) if streams.container == "mp3" else None
        n_lacking = lacking_bytes(path, streams.container)
        if lacks_last_page(path, streams.container):
            damages.append("the last page is not there")
    except EncoderFailed as error:
        raise Uncheckable(f"{path} is damaged. {error}") from error
    except OSError as error:
        raise Uncheckable(f"{path} cannot be read ({error.strerror}).") from error
    signal = meter.measured()
    if not signal.n_samples:
        raise Uncheckable(f"{path} holds no sound: it is 0 seconds long. Make it again.")
    n_bytes = path.stat().st_size
    return MeasuredFile(
        path=path,
        n_bytes=n_bytes,
        streams=streams,
        sound=sound,
        signal=signal,
        frames=frames,
        missing_s=_missing_s(streams, signal, frames, n_lacking / max(1, n_bytes)),
        damages=tuple(damages),
        cover=cover_of(path),
    )


def _weights(sound: Sound, n_channels: int) -> tuple[float, ...]:
    """The weights of the layout; all equal if the decoder makes other channels than it is told."""
    return sound.weights if len(sound.weights) == n_channels else (1.0,) * n_channels


def _missing_s(
    streams: FileStreams, signal: Signal, frames: Mp3Frames | None, lacking: float
) -> float:
    """How much of the sound is missing; `lacking` is a share of what is there."""
    if frames is not None:
        return frames.missing_s
    if lacking:
        return lacking * signal.length_s
    return max(0.0, (streams.duration_s or 0.0) - signal.length_s)


def _check_readable(path: Path) -> None:
    """Raise Uncheckable if there is no such file, nothing in it, or no permission to read it."""
    try:
        with path.open("rb") as file:
            is_empty = not file.read(1)
    except OSError as error:
        raise Uncheckable(f"{path} cannot be read ({error.strerror}).") from error
    if is_empty:
        raise Uncheckable(f"{path} is empty. Make it again.")
