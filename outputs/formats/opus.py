"""Opus in Ogg, with Vorbis comments by mutagen. The pages are written here, not by ffmpeg."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from audiomill.outputs.formats.format import (
    CodecEffect,
    Effects,
    Encoding,
    Format,
    IntegrityChecks,
    TagStyle,
    effect_at,
)
from audiomill.outputs.formats.vorbis import held_vorbis_marks, picture_block, vorbis_comments

if TYPE_CHECKING:
    from audiomill.outputs.formats.pending_file import PendingFile
    from audiomill.outputs.formats.region_codecs import RegionCodec
    from audiomill.outputs.metadata.tags import EmbeddedMetadata

MAX_OPUS_KBPS = 256  # of one channel; libopus refuses more
_PAGE = b"OggS"
_PAGE_HEAD_BYTES, _FLAGS, _N_SEGMENTS = 27, 5, 26  # of a page: its head, and places in it
_IS_LAST = 0x04  # in the flags of the last page of a stream (RFC 3533)
_MAX_PAGE_BYTES = 65_307
_EFFECTS: Effects = (
    (96, CodecEffect(0.4)),
    (56, CodecEffect(0.5)),
    (0, CodecEffect(1.0, -0.2)),
)


def _effect(kbps: int, _file_rate: int) -> CodecEffect:
    return effect_at(_EFFECTS, kbps)


def _mode_options(encoding: Encoding) -> dict[str, str | int]:
    """Opus varies its rate around an average unless told not to."""
    return {"vbr": "off"} if encoding.bit_rate_mode == "cbr" else {}


def _codec() -> RegionCodec:
    """Regions with pre-roll; the joined stream is the file."""
    from audiomill.outputs.formats.opus_regions import OPUS_HZ, joined_opus, opus_tasks
    from audiomill.outputs.formats.region_codecs import RegionCodec

    stream = (("format", "ogg"),)
    return RegionCodec(joined_opus, opus_tasks, stream, None, corrects=True, measured_hz=OPUS_HZ)


def _copy_audio(_executable: str, source: Path, file: PendingFile) -> None:
    from audiomill.outputs.formats.pending_file import write_stream

    write_stream(_pages(source, file), [file])


def _pages(source: Path, file: PendingFile) -> Iterator[bytes]:
    """The source's packets in pages, without its tags. Raises EncoderFailed, OutputUnwritable."""
    from mutagen import MutagenError

    from audiomill.outputs.files import unwritable_errors
    from audiomill.outputs.formats.opus_regions import OPUS_HZ, copied_opus
    from audiomill.outputs.text import one_line
    from audiomill.outputs.types import EncoderFailed

    n_samples = file.metadata.n_samples * OPUS_HZ // file.metadata.sample_rate
    with unwritable_errors(file.final), source.open("rb") as opened:
        try:
            yield from copied_opus(opened, n_samples)
        except MutagenError as error:
            raise EncoderFailed(f"{source} cannot be read ({one_line(str(error))}).") from error


def tag_opus(path: Path, metadata: EmbeddedMetadata) -> None:
    """Tag an Opus file. Raises OSError or mutagen.MutagenError."""
    import mutagen.oggopus

    file: Any = mutagen.oggopus.OggOpus(path)
    file.update(vorbis_comments(metadata))
    if metadata.cover is not None:
        picture = base64.b64encode(picture_block(metadata.cover).write()).decode()
        file["METADATA_BLOCK_PICTURE"] = picture
    file.save()


def lacks_last_page(path: Path) -> bool:
    """Whether an Ogg file has no last page, or not all of it. Raises OSError."""
    with path.open("rb") as file:
        file.seek(max(0, file.seek(0, os.SEEK_END) - 2 * _MAX_PAGE_BYTES))
        ending = file.read()
    at = ending.rfind(_PAGE)
    if at < 0 or len(ending) < at + _PAGE_HEAD_BYTES:
        return True
    body = at + _PAGE_HEAD_BYTES
    sizes = ending[body : body + ending[at + _N_SEGMENTS]]
    is_whole = len(ending) >= body + len(sizes) + sum(sizes)
    return not (is_whole and ending[at + _FLAGS] & _IS_LAST)


OPUS = Format(
    *("opus", ".opus", "libopus"),
    TagStyle("OPUS", "Vorbis comments in Ogg", tag_opus, held_vorbis_marks, _copy_audio),
    (("acodec", "libopus"), ("audio_bitrate", "32k")),
    *((("format", "ogg"),), "audio/ogg", _codec, _effect, _mode_options),
    most_kbps=MAX_OPUS_KBPS,
    container="ogg",
    codec="opus",
    integrity=IntegrityChecks(lacks_last_page=lacks_last_page),
    sample_rates=(8000, 12000, 16000, 24000, 48000),
)
