"""The streams of a file of anybody's, before it is decoded; and why one cannot be decoded.

A path is taken for a file only after its kind is known: reading a named pipe could wait forever.
What ffmpeg tells of its container, streams, tags and chapters is text:

Input #0, mov,mp4,m4a,3gp,3g2,mj2, from 'b.m4b':            container
  Duration: 00:00:03.00, start: 0.000000, bitrate: 177 kb/s
  Stream #0:0[0x1](und): Audio: aac (LC) (mp4a / 0x6134706D), 44100 Hz, 5.1, fltp, 173 kb/s
"""

from __future__ import annotations

import re
import stat
from collections import ChainMap
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from audiomill.outputs.ffmpeg.decoding import (
    FileChapter,
    describe,
    file_chapter,
    metadata_sections,
)
from audiomill.outputs.types import EncoderFailed

# ffmpeg's names of containers that have other names here; each name is the first of a list.
CONTAINERS = {"mov": "mp4"}
# In the order of ffmpeg's channels. BS.1770 leaves out low frequencies, and hears what comes from
# the side and from behind 1.5 dB louder. Which channels those are is as in ffmpeg's meter.
_FRONT, _BEHIND, _LOW = 1.0, 1.41, 0.0
_WEIGHTS: Mapping[str, tuple[float, ...]] = {
    "mono": (_FRONT,),
    "stereo": (_FRONT, _FRONT),
    "2.1": (_FRONT, _FRONT, _LOW),
    "3.0": (_FRONT,) * 3,
    "4.0": (_FRONT, _FRONT, _FRONT, _BEHIND),
    "quad": (_FRONT, _FRONT, _BEHIND, _BEHIND),
    "5.0": (_FRONT, _FRONT, _FRONT, _BEHIND, _BEHIND),
    "5.1": (_FRONT, _FRONT, _FRONT, _LOW, _BEHIND, _BEHIND),
    "6.1": (_FRONT, _FRONT, _FRONT, _LOW, _BEHIND, _BEHIND, _BEHIND),
    "7.1": (_FRONT, _FRONT, _FRONT, _LOW, *(_BEHIND,) * 4),
}
LATE_S = 0.1  # that a chapter may end after the sound, or begin before the last one has ended

_INPUT = re.compile(r"^Input #0, ([\w.]+)[^']* from '", re.MULTILINE)
_DURATION = re.compile(r"^  Duration: (\d+):(\d\d):(\d\d\.\d+)", re.MULTILINE)
_STREAM = re.compile(r"^  Stream #0:\d+\S*: (Audio|Video): (.*)$", re.MULTILINE)
_SOUND = re.compile(r"(?P<codec>[\w-]+).*?, (?P<rate>\d+) Hz, (?P<layout>[^,]+)")
_KBPS = re.compile(r", (\d+) kb/s")
_N_CHANNELS = re.compile(r"(\d+) channels")
_ENCRYPTED = re.compile(r"\((?:drms|enca|aavd) / ")
_AUDIBLE = re.compile(r"^major_brand=aaxc?\b", re.MULTILINE)
_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
_OF_PROCESSES = ("/dev", "/proc")  # "/dev/stdin" is another file for ffmpeg than for us
# An interrupted copy may have its full length before its content: ffmpeg would read all of it.
HEAD_BYTES = 1 << 20
# BS.1770 raises frequencies from 1,682 Hz on, which a lower rate cannot have.
MIN_RATE = 4_000
_NO_INDEX = "moov atom not found"  # in ffmpeg's messages


@dataclass(frozen=True, slots=True)
class Sound:
    """The first audio stream of a file."""

    codec: str  # "mp3", "aac", "flac", "opus", "pcm", …
    sample_rate: int  # Hz
    weights: tuple[float, ...]  # of BS.1770, for each channel
    kbps: int | None  # None: ffmpeg does not tell

    def weights_of(self, n_channels: int) -> tuple[float, ...]:
        """The weights; all are equal if the decoder makes other channels than it has told."""
        return self.weights if len(self.weights) == n_channels else (1.0,) * n_channels


@dataclass(frozen=True, slots=True)
class FileStreams:
    """The content of a file. `sound` is None if there is none that can be decoded."""

    container: str  # "mp3", "mp4", "flac", "ogg", "wav", …
    duration_s: float | None
    sound: Sound | None
    has_video: bool  # a moving picture, not a cover
    is_encrypted: bool
    tags: Mapping[str, str]  # by names in lower case
    chapters: tuple[FileChapter, ...]


def parse_streams(metadata: str, messages: str) -> FileStreams | None:
    """The streams, of what `ffmpeg.describe` returned; None if ffmpeg does not know the file."""
    container = _INPUT.search(messages)
    if container is None:
        return None
    found = _STREAM.findall(messages)
    sounds = [description for kind, description in found if kind == "Audio"]
    tags, chapters = _parse_metadata(metadata)
    return FileStreams(
        container=CONTAINERS.get(container[1], container[1]),
        duration_s=_duration_s(messages),
        sound=_sound(sounds[0]) if sounds else None,
        has_video=any(
            kind == "Video" and "(attached pic)" not in description for kind, description in found
        ),
        is_encrypted=any(map(_ENCRYPTED.search, sounds)) or bool(_AUDIBLE.search(metadata)),
        tags=tags,
        chapters=chapters,
    )


def n_misplaced(chapters: tuple[FileChapter, ...], length_s: float) -> int:
    """How many chapters are out of order, empty, or not within the file."""
    bad = [one for one in chapters if one.end_s <= one.start_s or one.end_s > length_s + LATE_S]
    early = [b for a, b in pairwise(chapters) if b.start_s < max(a.start_s, a.end_s - LATE_S)]
    return len({*bad, *early})


def _duration_s(messages: str) -> float | None:
    found = _DURATION.search(messages)
    return int(found[1]) * 3600 + int(found[2]) * 60 + float(found[3]) if found else None


def _sound(description: str) -> Sound | None:
    found = _SOUND.match(description)
    if found is None:
        return None
    codec = "pcm" if found["codec"].startswith("pcm_") else found["codec"]
    kbps = _KBPS.search(description)
    return Sound(
        codec, int(found["rate"]), _weights(found["layout"]), int(kbps[1]) if kbps else None
    )


def _weights(layout: str) -> tuple[float, ...]:
    """The weights of a layout such as "stereo" or "5.1(side)"; of an unknown one all are equal."""
    layout = layout.strip()
    name = layout.split("(")[0]
    if name in _WEIGHTS:
        return _WEIGHTS[name]
    n_channels = _N_CHANNELS.match(layout)
    # Layouts without a table are named by their number of channels ("3.1"), or by the channels.
    digits = re.match(r"(\d+)\.(\d+)", name)
    if n_channels:
        return (_FRONT,) * int(n_channels[1])
    return (_FRONT,) * (int(digits[1]) + int(digits[2]) if digits else name.count("+") + 1)


def _parse_metadata(metadata: str) -> tuple[dict[str, str], tuple[FileChapter, ...]]:
    """(the file's tags, its chapters) of text in ffmpeg's metadata format.

    Ogg has its tags in the stream; what the file says itself wins.
    """
    others, chapters = metadata_sections(metadata)
    return dict(ChainMap(*others)), tuple(map(file_chapter, chapters))


class Uncheckable(Exception):
    """The file cannot be read as sound. The message names it, says why, and what to do."""


def open_streams(path: Path) -> tuple[FileStreams, Sound]:
    """The content of a file with sound. Raises Uncheckable, EncoderMissing."""
    _check_readable(path)
    metadata, messages = describe(path)
    streams = parse_streams(metadata, messages)
    if streams is None and _NO_INDEX in messages:
        raise Uncheckable(
            f"{path} is an MP4 file (M4B, M4A) without its index (moov): it is cut off, or it"
            " was not finished.\nMake it again."
        )
    if streams is None:
        raise Uncheckable(f"{path} is no audio file, or it is cut off or damaged.\nMake it again.")
    if streams.is_encrypted:
        raise Uncheckable(f"{path} is encrypted (DRM). Only the shop's own player can open it.")
    if streams.sound is not None and 0 < streams.sound.sample_rate < MIN_RATE:
        raise Uncheckable(
            f"{path} has {streams.sound.sample_rate} samples a second. That is no sound: its"
            f" loudness is defined from {MIN_RATE:,} on."
        )
    if streams.sound is None:
        raise Uncheckable(f"{path} has no sound in it, or is cut off. Name a file of sound.")
    return streams, streams.sound


def undecodable(path: Path, streams: FileStreams, error: EncoderFailed | None) -> Uncheckable:
    """The error of a file whose sound ffmpeg cannot decode; None: it found none."""
    words = f"\n{error}" if error else ""
    if promised_s := streams.duration_s:
        return Uncheckable(
            f"{path} is cut off or damaged: it promises {promised_s:,.0f} s of sound, but they"
            f" cannot be decoded. Make it again.{words}"
        )
    return Uncheckable(f"{path} holds no sound: it is 0 seconds long. Make it again.{words}")


def _check_readable(path: Path) -> None:
    """Raise Uncheckable if there is no such file, no content, or no permission to read it."""
    try:
        _check_kind(path, path.stat().st_mode)
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES)
    except OSError as error:
        raise Uncheckable(f"{path} cannot be read ({error.strerror}).") from error
    if not head:
        raise Uncheckable(f"{path} is empty. Make it again.")
    if len(head) == HEAD_BYTES and not any(head):
        raise Uncheckable(
            f"{path} begins with zeros only: a copy that has not arrived. Copy it again."
        )


def _check_kind(path: Path, mode: int) -> None:
    kind = next((words for is_kind, words in _KINDS if is_kind(mode)), "")
    if not kind and any(map(path.absolute().is_relative_to, _OF_PROCESSES)):
        kind = "a stream of this process"
    if kind:
        raise Uncheckable(f"{path} is {kind}, not a file. Save the sound to a file, and name that.")
