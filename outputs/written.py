"""Writes finished files whose whole content is at hand: transcripts, pictures, lists."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection
from pathlib import Path

from audiomill.outputs.files import write_atomically
from audiomill.outputs.types import OutputFile

# Told of a file that is whole, before it appears under its name. So the caller knows a file as its
# own even if the process ends right then. It answers with the SHA-256s of the files that this one
# may replace.
Announce = Callable[[OutputFile], Collection[str]]


def write_output(
    path: Path,
    format_name: str,
    content: bytes,
    duration_s: float,
    n_chapters: int,
    announce: Announce,
) -> OutputFile:
    """Write `content` to `path`, about so many seconds of audio.

    Raises OutputOccupied if a file is there that it may not replace, OutputUnwritable.
    """
    digest = hashlib.sha256(content).hexdigest()
    file = OutputFile(path, format_name, duration_s, n_chapters, digest)
    write_atomically(path, content, announce(file))
    return file
