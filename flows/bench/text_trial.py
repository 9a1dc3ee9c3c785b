"""Any of our engines as a benchmark drives it: spoken texts in, samples out, nothing stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from renderers.planning import plan_windows
from renderers.registry import open_renderer
from renderers.shard import Batch, Request
from renderers.trial import Line, Made, Turn


class TextTrial:
    """An engine that takes text. A line is the spoken text of one segment."""

    def __init__(self, engine: str, voice: str) -> None:
        """Raises EngineMissing, UnknownVoice."""
        self._renderer = open_renderer(engine)
        self._voice = self._renderer.known_voice(voice)
        self.sample_rate = self._renderer.sample_rate

    def facts(self) -> Mapping[str, object]:
        """See `Trial`."""
        return {"device": "cpu"}

    def turns(self, lines: Sequence[Line], batch_frames: int) -> Sequence[Turn]:  # noqa: ARG002
        """See `Trial`: rows are not padded."""
        # By its place, so that a line that comes twice is spoken twice.
        requests = [
            Request(f"{n:064x}", line.said, self._voice, 1.0) for n, line in enumerate(lines)
        ]
        return [
            Turn(tuple(int(one.key, 16) for one in batch.requests), partial(self._speak, batch))
            for window in plan_windows(requests, self._renderer.traits)
            for batch in window.batches
        ]

    def _speak(self, batch: Batch) -> Made:
        rendered = self._renderer.render(batch)
        n_rows = len(batch.requests)
        return Made(
            n_samples=sum(one.samples.size for one in rendered),
            real=n_rows,
            computed=n_rows,
            n_batches=n_rows,
        )

    def rest(self) -> None:
        """See `Trial`: it keeps none."""

    def forget_gpu_peak(self) -> None:
        """See `Trial`."""

    def gpu_peak_bytes(self) -> None:
        """See `Trial`: on the CPU."""
        return
