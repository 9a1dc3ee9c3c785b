"""Gives finished files other metadata: their packets are copied, and nothing is encoded.

Title.m4b ─▶ packets ─▶ .Title.m4b.3f9a01c2.part ─▶ other tags ─▶ Title.m4b
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from audiomill.inputs.book import Cover
from audiomill.outputs.encoding.find_ffmpeg import find_ffmpeg
from audiomill.outputs.encoding.pending_file import (
    Target,
    check_marks,
    pending_file,
    tagged,
)
from audiomill.outputs.files import publish
from audiomill.outputs.metadata.chapters import Mark
from audiomill.outputs.metadata.tags import EmbeddedMetadata, Tags
from audiomill.outputs.types import OutputFile
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
        file.format.tag_style.copy_audio(executable, source, file)
        finished = file.finished(tagged(file))
        own = {file.final: announce(finished)} if announce else None
        publish({file.path: file.final}, own)
    return finished
