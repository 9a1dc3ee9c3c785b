"""`audiomill bench --tune`: from options to the fastest configuration of a model on this machine.

    options ─▶ candidates ─▶ rounds of passes ─▶ the best ─▶ G2P processes that keep up with it

Writes nothing; `command.py` saves the result.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from audiomill.flows.bench.engines import EnginePool
from audiomill.flows.bench.model_alone import ModelOpener, model_text, weights_and_devices
from audiomill.flows.bench.options import BenchOptions, WrongOptions, default_engine, title_of
from audiomill.flows.bench.passes import BenchOutput
from audiomill.flows.bench.result import SCHEMA, rounded
from audiomill.flows.bench.table import NONE, align_columns
from audiomill.flows.bench.texts import check_source
from audiomill.flows.bench.tune_search import (
    G2P_RESERVE_S,
    MIN_PASSES,
    Candidate,
    G2pRate,
    Search,
    best,
    default_of,
    measure_g2p,
    workers_needed,
)
from audiomill.flows.bench.variants import Mode, Variant
from audiomill.renderers.engine.benchmarking import (
    BenchModel,
    Choice,
    Device,
    MeasuredChoice,
    Tuning,
    kind_of,
)
from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.host.child_object import ChildObjectError
from audiomill.renderers.host.cores import usable_cores


@dataclass(frozen=True, slots=True)
class TuneResult:
    """All candidates, and the choice."""

    choice: Choice
    candidates: tuple[Candidate, ...]  # the default first, if it could be loaded
    chosen: Candidate
    audio_s: float  # of a pass
    g2p: G2pRate
    took_s: float
    device: str
    weights: str  # a SHA-256 in hexadecimal, or "random"
    costs_as_official: bool  # True if the model that was measured has the official size
    date: str  # UTC, ISO 8601

    @property
    def is_default(self) -> bool:
        """True if nothing is better than the defaults."""
        return self.choice == Choice()

    @property
    def speed(self) -> float:
        """Seconds of audio per second with the choice."""
        return self.audio_s / self.chosen.median_s

    @property
    def default_speed(self) -> float:
        """Seconds of audio per second with the defaults."""
        return self.audio_s / default_of(self.candidates).median_s

    @property
    def measured(self) -> MeasuredChoice:
        """The choice, as the engine keeps it."""
        return MeasuredChoice(
            choice=self.choice,
            device=self.device,
            date=self.date,
            speed=self.speed,
            default_speed=self.default_speed,
            weights=self.weights,
        )

    def table(self) -> str:
        """The whole result as lines of text, except for where it is saved."""
        return "\n".join(self._lines())

    def json(self) -> dict[str, Any]:
        """One object; see docs/benchmark.md."""
        return {
            "schema": SCHEMA,
            "tuning": "audiomill bench --tune",
            "date": self.date,
            "device": self.device,
            "weights": self.weights,
            "choice": asdict(self.choice),
            "is_default": self.is_default,
            "tried": [self._candidate_json(one) for one in self.candidates],
            "characters_read_per_s": self.g2p.g2p_per_s,
            "characters_spoken_per_s": rounded(self.g2p.synthesis_per_s),
            "took_s": rounded(self.took_s),
        }

    def _lines(self) -> Iterator[str]:
        titles = ["x real time", "spread", "passes", ""]
        cells = [titles, *([*self._cells(one)] for one in self.candidates)]
        yield from align_columns(["", *(one.variant.name for one in self.candidates)], cells)
        yield self.g2p.sentence
        chosen = ", ".join(f"{name} {value}" for name, value in asdict(self.choice).items())
        why = " (nothing is surely better than the defaults)" if self.is_default else ""
        yield f"Best on {self.device}: {chosen}{why}. Found in {self.took_s:.0f} s."

    def _cells(self, one: Candidate) -> Iterator[str]:
        yield f"{self.audio_s / one.median_s:,.2f}" if one.walls else NONE
        yield NONE if one.spread is None else f"{one.spread:.1%}"
        yield str(len(one.walls))
        marks = (
            one is default_of(self.candidates) and "default",
            one is self.chosen and "best",
            one.dropped,
        )
        yield ", ".join(mark for mark in marks if mark)

    def _candidate_json(self, one: Candidate) -> dict[str, Any]:
        return {
            "name": one.variant.name,
            "precision": one.variant.precision,
            "batch_frames": one.variant.batch_frames,
            "wall_s": [rounded(wall) for wall in one.walls],
            "spread": rounded(one.spread),
            "dropped": one.dropped,
        }


def tune(
    options: BenchOptions,
    seconds: float,
    output: BenchOutput,
    clock: Callable[[], float] = time.monotonic,
) -> TuneResult:
    """Find the fastest configuration within `seconds`, loading included, in a temporary folder.

    Raises WrongOptions, SourceError, RenderError.
    """
    model, tuning = tunable(options)
    check_tune_options(options, tuning, seconds)
    check_source(options)
    start_s = clock()
    end_s = start_s + seconds
    with tempfile.TemporaryDirectory(prefix="audiomill-bench-") as temporary:
        folder = Path(temporary)
        model, (device,) = weights_and_devices(options, model, folder, output)
        text = model_text(options, model, options.n_words(device.name))
        variants = tuple(candidates_of(options, tuning, device))
        with EnginePool(ModelOpener(options, model, text, folder)) as pool:
            runner = PoolRunner(pool, output)
            search = Search(variants, runner, clock, end_s - G2P_RESERVE_S)
            chosen, facts = _best_candidate(search, options.repeat, pool)
        g2p = measure_g2p(model, tuning, text, chosen, end_s - clock(), output)
    return TuneResult(
        choice=_choice(chosen.variant, variants[0], g2p),
        candidates=tuple(search.candidates),
        chosen=chosen,
        audio_s=runner.audio_s,
        g2p=g2p,
        took_s=clock() - start_s,
        device=device.name,
        weights="random" if options.random_weights else str(facts["weights_sha256"]),
        costs_as_official=bool(facts["costs_as_official"]),
        date=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def tunable(options: BenchOptions) -> tuple[BenchModel, Tuning]:
    """The model, and what it can choose among. Raises WrongOptions if there is nothing."""
    model = options.model
    if model is None or model.tuning is None:
        title = title_of(default_engine())
        raise WrongOptions(f"--tune is for {title}; {options.engines[-1]} has nothing to choose.")
    return model, model.tuning


def check_tune_options(options: BenchOptions, tuning: Tuning, seconds: float) -> None:
    """Raise WrongOptions for options that tuning does not support."""
    if len(options.devices) > 1:
        raise WrongOptions("--tune is for one device: name it with --device.")
    if options.precisions:
        raise WrongOptions(
            f"--tune chooses among {', '.join(tuning.precisions)}; any other precision is for you"
            f" to set: {options.engine}.precision."
        )
    if options.end_to_end or options.out:
        raise WrongOptions("--tune knows neither --end-to-end nor --out.")
    if options.repeat < MIN_PASSES:
        raise WrongOptions(f"--repeat {options.repeat}: --tune chooses by {MIN_PASSES} at least.")
    if seconds <= G2P_RESERVE_S:
        raise WrongOptions(
            f"--seconds {seconds:g}: more than {G2P_RESERVE_S:g}; loading takes some."
        )


def candidates_of(options: BenchOptions, tuning: Tuning, device: Device) -> Iterator[Variant]:
    """The default, then its alternatives.

    Budgets are tried in the default's precision. The next precision is tried with a single budget,
    in case the default is slower than it should be; a third would be slower still.
    """
    usual = tuning.budgets[kind_of(device.name)]
    budgets = usual if options.batch_frames == (0,) else (0, *options.batch_frames)
    precisions = [one for one in tuning.precisions if one not in device.unsupported]
    configurations = [(precisions[0], frames) for frames in dict.fromkeys(budgets)]
    configurations += [(precision, 0) for precision in precisions[1:2]]
    chunking = options.chunkings[0]
    for precision, frames in configurations:
        yield Variant(Mode.SYNTHESIS, options.engine, device.name, precision, chunking, frames)


class PoolRunner:
    """Implements `VariantRunner` with the processes of an `EnginePool`."""

    def __init__(self, pool: EnginePool, output: BenchOutput) -> None:
        self._pool, self._output = pool, output
        self.audio_s = 0.0  # of the last pass

    def load(self, variant: Variant) -> None:
        """Load the engine. Raises ChildObjectError."""
        if not self._pool.is_open(variant):
            self._output.say(f"loading: {variant.name}")
        self._pool.open(variant)

    def warm_up(self, variant: Variant) -> None:
        """Synthesize a little. Raises ChildObjectError."""
        self._output.say(f"warming up: {variant.name}")
        self._pool.call(variant, "warm_up")

    def run(self, variant: Variant) -> float:
        """The seconds of one pass over the text. Raises ChildObjectError."""
        result = self._pool.call(variant, "run")
        self.audio_s = result.audio_s
        speed = result.audio_s / result.wall_s
        self._output.say(f"{variant.name}: {speed:,.2f} times real time")
        return result.wall_s


def _best_candidate(
    search: Search, n_rounds: int, pool: EnginePool
) -> tuple[Candidate, Mapping[str, object]]:
    """The best candidate, and the facts of its engine. Raises EngineFailed."""
    try:
        search.run(n_rounds)
        chosen = best(search.candidates)
        return chosen, pool.facts(chosen.variant)
    except ChildObjectError as error:
        default = default_of(search.candidates).variant
        raise EngineFailed(f"{default.name}: {error}") from error


def _choice(chosen: Variant, default: Variant, g2p: G2pRate) -> Choice:
    """The settings of the best variant: the defaults where they are as good, or unknown."""
    is_auto = chosen.precision == default.precision
    workers = -1
    if not isinstance(g2p.g2p_per_s, str):
        workers = workers_needed(
            g2p.synthesis_per_s, g2p.g2p_per_s, g2p.default_workers, usable_cores()
        )
    return Choice(
        auto_precision=None if is_auto else chosen.precision,
        batch_frames=chosen.batch_frames,
        workers=workers,
    )
