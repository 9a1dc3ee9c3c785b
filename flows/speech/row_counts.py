"""What has become of rows, for metrics. Whoever counts guards it against other threads."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

ROWS_METRIC = "audiomill_speech_rows"  # by which a server tells them


@dataclass(slots=True)
class RowCounts:
    """The rows of one engine since its scheduler was made."""

    n_stored: int = 0  # that the store had
    n_rendered: int = 0
    n_failed: int = 0
    n_dropped: int = 0  # nobody wanted them any more when their turn came
    batches: Counter[int] = field(default_factory=Counter[int])  # by how many rows each had

    def copy(self) -> RowCounts:
        """Another one, which does not change any more."""
        return replace(self, batches=Counter(self.batches))
