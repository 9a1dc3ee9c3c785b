"""What a file of anybody's holds, before it is decoded; and why one cannot be decoded.

A path is taken for a file only after its kind is known: reading a named pipe could wait forever.
"""

from __future__ import annotations

import stat
from pathlib import Path

from audiomill.outputs.checking.streams import FileStreams, Sound, parse_streams
from audiomill.outputs.encoding.ffmpeg import describe
from audiomill.outputs.types import EncoderFailed

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


class Uncheckable(Exception):
    """The file cannot be read as sound. The message names it, says why, and what to do."""


def open_streams(path: Path) -> tuple[FileStreams, Sound]:
    """What a file with sound holds. Raises Uncheckable, EncoderMissing."""
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
