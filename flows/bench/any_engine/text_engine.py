"""Any engine in a benchmark, as renders use it: text in, samples out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from audiomill.renderers.base import Batch, Request
from audiomill.renderers.engine.benchmarking import BenchLine, BenchStep, StepStats
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.host.waiting import unattended
from audiomill.renderers.planning import plan_windows
from audiomill.renderers.registry import open_renderer, own_options

OUTAGE_S = 30.0  # a server that answers nothing for so long cannot be measured


def device_of(engine: str, options: EngineOptions, *, is_elsewhere: bool = False) -> str:
    """What an engine runs on, by the settings: the name of a device, or of a server's profile."""
    return own_options(engine, options).runs_on() or ("server" if is_elsewhere else "cpu")


class TextEngine:
    """Implements `BenchEngine` for engines that take text. A line is the text of one segment."""

    def __init__(self, engine: str, options: EngineOptions, voice: str) -> None:
        """Raises EngineMissing, UnknownVoice."""
        self._renderer = open_renderer(engine, options.each(lambda own: own.for_measuring()))
        self._voice = self._renderer.known_voice(voice)
        is_elsewhere = self._renderer.limits.is_elsewhere
        self._device = device_of(engine, options, is_elsewhere=is_elsewhere)
        self.sample_rate = self._renderer.sample_rate

    @property
    def is_ours(self) -> bool:
        """True if its memory is that of our processes."""
        return not self._renderer.limits.is_elsewhere

    def facts(self) -> Mapping[str, object]:
        """The device only."""
        return {"device": self._device}

    def steps(self, lines: Sequence[BenchLine], batch_frames: int) -> Sequence[BenchStep]:  # noqa: ARG002
        """One step per batch. Rows are not padded, so that the budget has no effect."""
        # The key is the line's position, so that a line that occurs twice is spoken twice.
        requests = [
            Request(f"{n:064x}", line.text, self._voice, 1.0) for n, line in enumerate(lines)
        ]
        return [
            BenchStep(
                tuple(int(one.key, 16) for one in batch.requests), partial(self._render, batch)
            )
            for window in plan_windows(requests, self._renderer.limits)
            for batch in window.batches
        ]

    def release_cached_memory(self) -> None:
        """Do nothing: what these engines keep, they keep in a render, too."""

    def reset_gpu_peak(self) -> None:
        """Do nothing: a GPU that these engines use is not this process's."""

    def gpu_peak_bytes(self) -> None:
        """None: see `reset_gpu_peak`."""
        return

    def _render(self, batch: Batch) -> StepStats:
        rendered = self._renderer.render(batch, unattended(outage_s=OUTAGE_S))
        n_rows = len(batch.requests)
        return StepStats(
            n_samples=sum(one.samples.size for one in rendered),
            real=n_rows,
            computed=n_rows,
            n_batches=n_rows,
        )
