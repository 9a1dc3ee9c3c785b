"""What the files beside the audio say of a book. Plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from audiomill.inputs.book import Cover
from audiomill.outputs.metadata.chapters import Mark
from audiomill.outputs.metadata.tags import Tags


@dataclass(frozen=True, slots=True)
class SidecarBook:
    """A finished book: its tags, its cover, and the chapters of a file of all of it.

    Marks are in samples at `sample_rate`. Without them, readers take those in the audio.
    """

    tags: Tags
    cover: Cover | None = None
    marks: Sequence[Mark] = ()
    sample_rate: int = 1
