"""Everything that is measured of one finished file: its streams, frames, sound, tags and cover.

Its cover is the one embedded in it, or else the one beside it.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mutagen
from mutagen.flac import Picture as FlacPicture
from mutagen.id3 import ID3

from audiomill.inputs.metadata.images import Picture, UnusableImage, identify
from audiomill.outputs.audio.chapter_loudness import chapter_lufs
from audiomill.outputs.checking.signal import Signal, SignalMeter
from audiomill.outputs.checking.streams import (
    FileStreams,
    Sound,
    Uncheckable,
    open_streams,
    undecodable,
)
from audiomill.outputs.ffmpeg.decoding import open_audio
from audiomill.outputs.formats.format import SampleDigest
from audiomill.outputs.formats.mp3_walk import Mp3Frames
from audiomill.outputs.formats.registry import integrity_checks
from audiomill.outputs.types import EncoderFailed

# What shelves and shops take for the cover of a folder.
BESIDE = tuple(f"{name}{end}" for name in ("cover", "folder") for end in (".jpg", ".jpeg", ".png"))
MAX_BYTES = 50_000_000


def cover_of(path: Path) -> Picture | str | None:
    """The embedded cover; what is wrong with it, in words; or None, if there is none."""
    data = _embedded(path)
    return None if data is None else _identified(data)


def cover_beside(folder: Path) -> Picture | str | None:
    """The same of the picture that a folder has for all its files."""
    by_name = {one.name.lower(): one for one in sorted(folder.iterdir()) if one.is_file()}
    for name in BESIDE:
        if name in by_name:
            with by_name[name].open("rb") as file:
                return _identified(file.read(MAX_BYTES))
    return None


def _identified(data: bytes) -> Picture | str:
    try:
        return identify(data)
    except UnusableImage as error:
        return str(error)


def _embedded(path: Path) -> bytes | None:
    try:
        file = mutagen.File(path)  # pyright: ignore[reportPrivateImportUsage]
    # What mutagen raises of damaged tags besides its own error.
    except (mutagen.MutagenError, ValueError, KeyError, OSError):  # pyright: ignore[reportPrivateImportUsage]
        return None
    return next(_pictures(file), None) if file is not None else None


def _pictures(file: Any) -> Iterator[bytes]:
    """The pictures in the tags of any format."""
    tags: Any = file.tags
    yield from (picture.data for picture in getattr(file, "pictures", ()))
    if isinstance(tags, ID3):
        yield from (frame.data for frame in tags.getall("APIC"))
    elif tags is not None:
        yield from map(bytes, tags.get("covr", ()))
        for text in tags.get("metadata_block_picture", ()):
            try:
                yield FlacPicture(base64.b64decode(text)).data
            except (ValueError, mutagen.MutagenError):  # pyright: ignore[reportPrivateImportUsage]
                yield b""


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
