"""What a file carries besides its audio."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from audiomill.inputs.book import Cover
from audiomill.outputs.metadata.chapters import Mark
from audiomill.outputs.metadata.tags import Tags


@dataclass(frozen=True, slots=True)
class EmbeddedMetadata:
    """Everything in a file besides its audio. Marks are in samples at `sample_rate`."""

    tags: Tags
    marks: Sequence[Mark]
    sample_rate: int
    n_samples: int
    cover: Cover | None = None
