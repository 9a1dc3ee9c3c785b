"""What tests of encoded files share: regions, targets and marks, and chapters read by FFmpeg."""

import resource
import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import av
import numpy as np
import soundfile

from audiomill.inputs.model.book import Cover
from audiomill.outputs.audio.file_sound import AudioRegion
from audiomill.outputs.formats.encoder import Target, encode
from audiomill.outputs.formats.registry import FORMATS
from audiomill.outputs.metadata.chapters import Mark
from audiomill.outputs.metadata.tags import Tags
from audiomill.outputs.types import OutputFile
from audiomill.renderers.engine.protocol import Samples
from support.signals_data import RATE
from support.tags_data import BOOK_TAGS

SPECIAL = ["Eins", "=;#\\ [CHAPTER] \\n", "“Zwei” 本 🎧 e\u0301", "x" * 254, "Ende"]
ALL = list(FORMATS)
BOOK_S = 4.34  # of the book that tests of a folder share
LOSSLESS = [name for name in ALL if not FORMATS[name].is_lossy]
DISTINCT = [name for name in ALL if name != "m4a"]  # which is M4B by another name
LOSSY = [name for name in DISTINCT if FORMATS[name].is_lossy]
LOSSLESS = [name for name in DISTINCT if not FORMATS[name].is_lossy]


def marks_over(n_samples: int, titles: list[str]) -> list[Mark]:
    """Marks of about equal length that fill the samples."""
    edges = np.linspace(0, n_samples, len(titles) + 1).astype(int).tolist()
    return [Mark(t, a, b) for t, a, b in zip(titles, edges, edges[1:], strict=False)]


def whole(*blocks: Samples) -> list[AudioRegion]:
    """The blocks as one region."""
    return [AudioRegion(sum(block.size for block in blocks), lambda: blocks)]


def targets_in(folder: Path, names: list[str]) -> list[Target]:
    """A target for each format."""
    return [Target(name, folder / f"book{FORMATS[name].suffix}") for name in names]


def encoded_file(
    folder: Path,
    name: str,
    samples: Samples,
    marks: Sequence[Mark] = (),
    tags: Tags = BOOK_TAGS,
    *,
    rate: int = RATE,
    cover: Cover | None = None,
) -> OutputFile:
    """The samples as one region in a format."""
    (file,) = encode(whole(samples), rate, targets_in(folder, [name]), marks, tags, cover).files
    return file


def chapter_spans(path: Path) -> list[tuple[str, float, float]]:
    """Titles, starts and ends in seconds, read by PyAV, which shares no code with the writers."""
    with av.open(str(path)) as container:
        return [
            (
                one["metadata"]["title"],
                float(one["start"] * one["time_base"]),
                float(one["end"] * one["time_base"]),
            )
            for one in container.chapters()
        ]


def chapters_read(path: Path) -> list[tuple[str, float]]:
    """Titles and starts in seconds, read by PyAV."""
    return [(title, start_s) for title, start_s, _ in chapter_spans(path)]


@contextmanager
def files_of_at_most(n_bytes: int) -> Iterator[None]:
    """A limit to the size of files, which stands for a disk that fills up."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


_GET_CUE_COUNT, _GET_CUE = 0x10CD, 0x10CE
# Number, position, name of the chunk, two starts, offset in samples, title.
_POINT = struct.Struct("=iIiiiI256s")


def markers(path: Path) -> list[tuple[str, int]]:
    """The titles of a file's markers, and their positions in samples."""
    ffi: Any = soundfile._ffi
    with soundfile.SoundFile(path) as file:
        count = ffi.new("uint32_t *")
        soundfile._snd.sf_command(file._file, _GET_CUE_COUNT, count, ffi.sizeof("uint32_t"))
        n_bytes = 4 + _POINT.size * count[0]
        points = ffi.new("char[]", n_bytes)
        soundfile._snd.sf_command(file._file, _GET_CUE, points, n_bytes)
    found = _POINT.iter_unpack(bytes(ffi.buffer(points, n_bytes))[4:])
    return [(name.split(b"\0")[0].decode(), offset) for *_, offset, name in found]
