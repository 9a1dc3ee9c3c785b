"""Any engine in a benchmark, as renders use it: text in, samples out.

What the benchmark must know before it measures (the text, the engine's limit, its price) is found
out in a process of its own, which ends before: an engine may load a model to list its voices.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import takewhile

from audiomill.flows.bench.corpus import BenchText
from audiomill.flows.bench.options import BenchOptions, WrongOptions
from audiomill.flows.bench.texts import bench_text_of, read_source
from audiomill.renderers.engine.benchmarking import BenchLine, BenchStep, StepStats
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.engine.planning import plan_windows
from audiomill.renderers.engine.protocol import Batch, Request, price_of_units
from audiomill.renderers.engine.registry import open_renderer, own_options
from audiomill.renderers.host.child_object import ChildObject, ChildObjectError
from audiomill.renderers.host.waiting import unattended

DOUBLINGS = tuple(2**n for n in range(12))
OUTAGE_S = 30.0  # a server that answers nothing for so long cannot be measured


@dataclass(frozen=True, slots=True)
class EngineSurvey:
    """One engine as the settings have it."""

    text: BenchText  # cut as it likes it, in the voice that it has for the language
    device: str  # what it runs on, for people
    n_at_once: int  # calls that keep it busy
    price_per_million: float  # of the unit; 0: free, or not known
    billed_unit: str
    n_billed: int  # units of the text, in all chunkings
    is_paid: bool

    @property
    def has_price(self) -> bool:
        """True if what is sent costs something, known or not."""
        return self.is_paid or bool(self.price_per_million)

    def in_flight(self, options: BenchOptions) -> tuple[int, ...]:
        """How many requests at a time are measured: 1, 2, 4, 8 and so on, or what is wanted.

        None is more than the engine takes, or than there are segments.
        """
        n_lines = min(len(self.text.lines(chunking)) for chunking in options.chunkings)
        most = max(1, min(self.n_at_once, n_lines))
        if options.in_flight:
            return tuple(sorted({min(one, most) for one in options.in_flight}))
        return tuple(takewhile(lambda one: one <= most, DOUBLINGS))

    def n_billed_sent(self, options: BenchOptions) -> int:
        """The most that the engine may bill: for all passes, and to warm up."""
        return self.n_billed * (options.repeat * len(self.in_flight(options)) + 1)


class Surveyor:
    """An object for a child process."""

    def __init__(self, _report: object) -> None:
        """Loads nothing."""

    def survey(self, options: BenchOptions, engine: str) -> EngineSurvey:
        """Raises RenderError, SourceError."""
        book = read_source(options)
        renderer = open_renderer(engine, options.engine_options)
        voice = renderer.default_voice(book.language)
        limits = renderer.limits
        text = bench_text_of(book, options.chunkings, limits, voice, lambda said: (said,))
        text = text.slice(options.n_words("cpu"))
        lines = (line for chunking in options.chunkings for line in text.lines(chunking))
        return EngineSurvey(
            text,
            device_of(engine, options.engine_options, is_elsewhere=limits.is_elsewhere),
            limits.n_at_once,
            limits.price_per_million,
            limits.billed_unit,
            sum(limits.n_billed(line.text) for line in lines),
            limits.is_paid,
        )


def survey_engines(options: BenchOptions) -> tuple[dict[str, EngineSurvey], dict[str, str]]:
    """The engines that can be measured, and for the others the reason why they cannot."""
    found: dict[str, EngineSurvey] = {}
    reasons: dict[str, str] = {}
    for engine in options.engines:
        try:
            with ChildObject(Surveyor) as surveyor:
                found[engine] = surveyor.call("survey", options, engine)
        except ChildObjectError as error:
            reasons[engine] = str(error)
    return found, reasons


def cost_warnings(options: BenchOptions, surveys: Mapping[str, EngineSurvey]) -> list[str]:
    """A line for each engine that is paid for: how much the benchmark sends, and what that costs.

    Raises WrongOptions if the user has neither agreed nor set a budget that suffices.
    """
    costs: list[str] = []
    total = 0.0
    for engine, survey in surveys.items():
        if survey.has_price:
            n_billed = survey.n_billed_sent(options)
            cost = price_of_units(n_billed, survey.price_per_million)
            total += cost
            price = f"{cost:.2f} at most" if cost else "at a price that is not known"
            costs.append(f"{engine} is paid for: {n_billed:,} {survey.billed_unit}, {price}.")
            if options.end_to_end:
                raise WrongOptions(f"--end-to-end is not for {engine}, which is paid for.")
            if options.budget is not None and not cost:
                raise WrongOptions(f"--budget: the price of {engine}'s model is not known.")
    if costs and not options.is_agreed and (options.budget is None or options.budget < total):
        raise WrongOptions(f"{' '.join(costs)} Agree with --yes, or with a --budget that suffices.")
    if options.budget is not None and not costs:
        raise WrongOptions("--budget: nothing here is paid for. Leave it out.")
    return costs


def device_of(engine: str, options: EngineOptions, *, is_elsewhere: bool = False) -> str:
    """The device that an engine runs on, or the profile of its server, by the settings."""
    return own_options(engine, options).benchmark_target() or ("server" if is_elsewhere else "cpu")


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
