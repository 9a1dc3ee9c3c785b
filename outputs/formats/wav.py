"""WAV of 16 bits: chapters as cue points with labels, tags as LIST INFO and as ID3, with the cover.

    RIFF │ JUNK │ fmt  │ data │ cue  │ LIST adtl │ LIST INFO │ id3      up to 4 GiB
    RF64 │ ds64 │ fmt  │ data │ …                                       longer: sizes in 64 bits

The encoder writes RF64 in any case, so that the first chunk has room for long sizes; a file that
does not need them becomes a plain WAV here. Texts are UTF-8: the format names no encoding, and
FFmpeg reads it so. What reads INFO as Latin-1 finds the right letters in the ID3 chunk, which is a
convention of players. It holds no chapters, because FFmpeg would mix them with the cue points.

Sources: "Multimedia Programming Interface and Data Specifications 1.0" (IBM and Microsoft, 1991),
3, for cue, labl, ltxt and INFO; EBU Tech 3306, version 2.0 (2018), for RF64.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from audiomill.outputs.formats.format import Format, IntegrityChecks, TagStyle, lossless_codec
from audiomill.outputs.formats.iff import HEAD_BYTES, MAX_SIZE, chunk, chunks_until, missing_bytes
from audiomill.outputs.metadata.chapters import Mark

if TYPE_CHECKING:
    from audiomill.outputs.metadata.tags import EmbeddedMetadata, Tags

MAX_WAV_START = 0xFFFFFFFF  # in samples: 49 hours at 24 kHz; cue points have no more bits
_SOUND = b"data"
_UTF8 = 65001  # Windows' number of it
_LONG = -1 & MAX_SIZE  # in place of a size that ds64 has
_LONG_SIZES = struct.Struct("<QQQI")  # of the file and the sound, the samples, and no more sizes
_BLOCK_ALIGN = slice(12, 14)  # of the body of fmt: bytes of all channels' samples


def held_wav_marks(marks: Sequence[Mark], _sample_rate: int) -> Sequence[Mark]:
    """The marks whose position a cue point can say."""
    return [mark for mark in marks if mark.start <= MAX_WAV_START]


def tag_wav(path: Path, metadata: EmbeddedMetadata) -> None:
    """Replace all chunks after the sound of an RF64 file, or of one that this made of it.

    Raises OSError or mutagen.MutagenError.
    """
    with path.open("r+b") as file:
        found = chunks_until(file, _SOUND, "little")
        n_sound = found[_SOUND].size
        if n_sound == _LONG:
            file.seek(found[b"ds64"].start)
            _, n_sound, _, _ = _LONG_SIZES.unpack(file.read(_LONG_SIZES.size))
        file.seek(found[_SOUND].start + n_sound + n_sound % 2)
        file.truncate()
        file.write(_added(metadata))
        file.seek(found[b"fmt "].start)
        n_bytes = int.from_bytes(file.read(_BLOCK_ALIGN.stop)[_BLOCK_ALIGN], "little")
        _write_sizes(file, found[_SOUND].start, n_sound, n_sound // n_bytes)


def _write_sizes(file: BinaryIO, sound_start: int, n_sound: int, n_samples: int) -> None:
    """Write the sizes of the file and of its sound: in 32 bits each, or both in 64."""
    n_form = file.seek(0, os.SEEK_END) - HEAD_BYTES
    is_long = n_form > MAX_SIZE
    long_sizes = _LONG_SIZES.pack(n_form, n_sound, n_samples, 0)
    form = b"RF64" if is_long else b"RIFF"
    first = chunk(b"ds64", long_sizes, "little") if is_long else chunk(b"JUNK", bytes(28), "little")
    file.seek(0)
    file.write(form + _size(n_form, is_long=is_long) + b"WAVE" + first)
    file.seek(sound_start - 4)
    file.write(_size(n_sound, is_long=is_long))


def _size(n_bytes: int, *, is_long: bool) -> bytes:
    return (_LONG if is_long else n_bytes).to_bytes(4, "little")


def _added(metadata: EmbeddedMetadata) -> bytes:
    from audiomill.outputs.formats.id3 import tag_bytes

    marks = held_wav_marks(metadata.marks, metadata.sample_rate)
    cues = _cue_points(marks) + _labels(marks) if marks else b""
    tag = chunk(b"id3 ", tag_bytes(metadata, chapters=False), "little")
    return cues + _info(metadata.tags) + tag


def _cue_points(marks: Sequence[Mark]) -> bytes:
    """Each cue point has a number, and its place in the sound in samples, twice."""
    points = (
        struct.pack("<II4sIII", number, mark.start, _SOUND, 0, 0, mark.start)
        for number, mark in enumerate(marks, start=1)
    )
    return chunk(b"cue ", struct.pack("<I", len(marks)) + b"".join(points), "little")


def _labels(marks: Sequence[Mark]) -> bytes:
    """The title of each cue point (labl), then its length in samples (ltxt), which make a region.

    All titles come first: FFmpeg reads none after another kind of chunk.
    """
    titles = (
        chunk(b"labl", struct.pack("<I", number) + mark.title.encode() + b"\0", "little")
        for number, mark in enumerate(marks, start=1)
    )
    regions = (
        chunk(b"ltxt", _region(number, mark.end - mark.start), "little")
        for number, mark in enumerate(marks, start=1)
    )
    return chunk(b"LIST", b"adtl" + b"".join((*titles, *regions)), "little")


def _region(number: int, n_samples: int) -> bytes:
    # Purpose, country, language, dialect and code page; of a text that is not there.
    return struct.pack("<II4s4H", number, min(n_samples, MAX_SIZE), b"rgn ", 0, 0, 0, _UTF8)


def _info(tags: Tags) -> bytes:
    texts = b"".join(
        chunk(name.encode(), text.encode() + b"\0", "little")
        for name, text in _info_texts(tags).items()
        if text
    )
    return chunk(b"LIST", b"INFO" + texts, "little")


def _info_texts(tags: Tags) -> dict[str, str]:
    """The tags that INFO has names for. FFmpeg takes IPRD for the album."""
    return {
        "INAM": tags.title,
        "IPRD": tags.album,
        "IART": tags.artist,
        "IGNR": tags.genre,
        "ICRD": tags.year,
        "ICOP": tags.rights,
        "ILNG": tags.language,
        "ICMT": tags.description,
        "ITRK": str(tags.track or ""),
    }


def _missing_bytes(path: Path) -> int:
    return missing_bytes(path, _SOUND, "little")


WAV = Format(
    *("wav", ".wav", "pcm_s16le"),
    TagStyle("WAV", "chunks of WAV", tag_wav, held_wav_marks),
    *((("acodec", "pcm_s16le"),), (("format", "wav"), ("rf64", "always"))),
    *("audio/wav", lossless_codec),
    container="wav",
    codec="pcm",
    integrity=IntegrityChecks(missing_bytes=_missing_bytes),
)
