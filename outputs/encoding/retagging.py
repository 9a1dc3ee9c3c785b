"""Gives finished files other metadata: their packets are copied, and nothing is encoded.

Title.m4b ─▶ packets ─▶ .Title.m4b.3f9a01c2.part ─▶ other tags ─▶ Title.m4b
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from mutagen import MutagenError

from audiomill.inputs.book import Cover
from audiomill.outputs.encoding.commands import copy_command
from audiomill.outputs.encoding.ffmpeg import Encoder, output_of
from audiomill.outputs.encoding.find_ffmpeg import find_ffmpeg
from audiomill.outputs.encoding.pending_file import (
    PendingFile,
    Target,
    check_marks,
    pending_file,
    tagged,
    write_stream,
)
from audiomill.outputs.encoding.regions.ogg_opus import OPUS_HZ, copied_opus
from audiomill.outputs.files import publish, unwritable_errors
from audiomill.outputs.formats import TagStyle
from audiomill.outputs.metadata.chapters import Mark
from audiomill.outputs.metadata.embedded import EmbeddedMetadata
from audiomill.outputs.metadata.mp3 import copy_without_tag
from audiomill.outputs.metadata.tags import Tags
from audiomill.outputs.text import one_line
from audiomill.outputs.types import EncoderFailed, OutputFile
from audiomill.outputs.written import Announce


def retag(
    source: Path,
    target: Target,
    sample_rate: int,
    n_samples: int,
    marks: Sequence[Mark],
    tags: Tags,
    cover: Cover | None = None,
    *,
    announce: Announce | None = None,
    ffmpeg: str | Path | None = None,
) -> OutputFile:
    """Copy a file that `encode` made to `target`, with other metadata; its audio stays as it is.

    The new file is, byte for byte, what `encode` would make with that metadata. The marks may have
    other titles, but not other times. `source` may be the target's own path. `announce` is told of
    the file before it appears; without it, whatever is at the path is replaced.

    Raises EncoderMissing, EncoderFailed, OutputOccupied, OutputUnwritable; ValueError if the last
    mark does not end with the audio.
    """
    executable = find_ffmpeg(ffmpeg)
    check_marks(marks, n_samples)
    metadata = EmbeddedMetadata(tags, marks, sample_rate, n_samples, cover)
    with pending_file(target, executable, metadata) as file:
        _copy_audio(executable, source, file)
        finished = file.finished(tagged(file))
        own = {file.final: announce(finished)} if announce else None
        publish({file.path: file.final}, own)
    return finished


def _copy_audio(executable: str, source: Path, file: PendingFile) -> None:
    """Copy the source's packets, so that `file` is as its encoder would leave it."""
    style = file.format.tag_style
    if style is TagStyle.MP4:
        # The bit rate that was asked for is stored, too.
        bit_rate = {key: value for key, value in file.encoding if key == "audio_bitrate"}
        as_flv = copy_command(executable, source, "pipe:1", {"format": "flv", **bit_rate})
        write_stream(output_of(as_flv, source), [file])
    elif style is TagStyle.ID3:  # ffmpeg would write another Info header
        with unwritable_errors(file.final):
            copy_without_tag(source, file.path)
    elif style is TagStyle.OPUS:
        write_stream(_opus_pages(source, file), [file])
    else:
        options = dict(file.format.muxing)
        with Encoder(copy_command(executable, source, file.path, options), file.final):
            pass  # it reads the source itself


def _opus_pages(source: Path, file: PendingFile) -> Iterator[bytes]:
    """The source's packets in pages, without its tags. Raises EncoderFailed, OutputUnwritable."""
    n_samples = file.metadata.n_samples * OPUS_HZ // file.metadata.sample_rate
    with unwritable_errors(file.final), source.open("rb") as opened:
        try:
            yield from copied_opus(opened, n_samples)
        except MutagenError as error:
            raise EncoderFailed(f"{source} cannot be read ({one_line(str(error))}).") from error
