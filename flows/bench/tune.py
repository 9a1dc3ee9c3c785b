"""`audiomill bench --tune`: from an order to what is fastest on this machine. Stores nothing.

order ─▶ candidates ─▶ turns, until the time is up ─▶ the best ─▶ processes that keep ahead of it
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from audiomill.flows.bench.corpus import BenchText
from audiomill.flows.bench.engines import EnginePool
from audiomill.flows.bench.options import BenchOptions, WrongOptions
from audiomill.flows.bench.result import SCHEMA, short
from audiomill.flows.bench.runner import BenchOutput, prepared
from audiomill.flows.bench.table import align_columns
from audiomill.flows.bench.texts import bench_text_for
from audiomill.flows.bench.tune_search import (
    LEAST_PASSES,
    Search,
    TextReading,
    Tried,
    best,
    default_of,
    workers_wanted,
)
from audiomill.flows.bench.variants import Device, Mode, Variant
from audiomill.flows.tuning import Choice, Tuned, written
from audiomill.outputs.files import write_atomically
from audiomill.renderers.base import EngineFailed
from audiomill.renderers.host.hardware import this_fingerprint
from audiomill.renderers.host.remote_object import RemoteError, RemoteObject
from audiomill.renderers.host.threads import usable_cores
from audiomill.renderers.kokoro.renderer import by_cores
from audiomill.renderers.options import KokoroOptions, Precision

# What tuning found:

NONE = "–"


@dataclass(frozen=True, slots=True)
class ReadingRate:
    """Text to phonemes, beside what is spoken of it. Characters a second."""

    read_per_s: float | str  # by one process, or why that is not known
    spoken_per_s: float
    default_workers: int

    @property
    def words(self) -> str:
        """For people."""
        if isinstance(self.read_per_s, str):
            return f"Text to phonemes was not measured: {self.read_per_s}."
        return (
            f"One process turns {self.read_per_s:,.0f} characters a second into phonemes,"
            f" {self.spoken_per_s:,.0f} are spoken; by the cores there are {self.default_workers}."
        )


@dataclass(frozen=True, slots=True)
class TuneResult:
    """All that was tried, and what is best."""

    choice: Choice
    tried: tuple[Tried, ...]  # the default first, if it could be loaded
    chosen: Tried
    audio_s: float  # of a pass
    reading: ReadingRate
    took_s: float
    device: str
    weights: str  # a SHA-256 in hexadecimal, or "random"
    costs_as_official: bool  # whether the model that was measured is of the official size
    date: str  # UTC, ISO 8601

    @property
    def is_default(self) -> bool:
        """Whether nothing is better than what holds anyhow."""
        return self.choice == Choice()

    @property
    def speed(self) -> float:
        """Seconds of audio a second, as chosen."""
        return self.audio_s / self.chosen.median_s

    @property
    def default_speed(self) -> float:
        """Likewise, by default."""
        return self.audio_s / default_of(self.tried).median_s

    def table(self) -> str:
        """Everything that a person is shown but for where it is kept, in lines."""
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
            "tried": [self._tried(one) for one in self.tried],
            "characters_read_per_s": self.reading.read_per_s,
            "characters_spoken_per_s": short(self.reading.spoken_per_s),
            "took_s": short(self.took_s),
        }

    def _lines(self) -> Iterator[str]:
        titles = ["x real time", "spread", "passes", ""]
        cells = [titles, *([*self._cells(one)] for one in self.tried)]
        yield from align_columns(["", *(one.variant.name for one in self.tried)], cells)
        yield self.reading.words
        chosen = ", ".join(f"{name} {value}" for name, value in asdict(self.choice).items())
        why = " (nothing is surely better than the defaults)" if self.is_default else ""
        yield f"Best on {self.device}: {chosen}{why}. Found in {self.took_s:.0f} s."

    def _cells(self, one: Tried) -> Iterator[str]:
        yield f"{self.audio_s / one.median_s:,.2f}" if one.walls else NONE
        yield NONE if one.spread is None else f"{one.spread:.1%}"
        yield str(len(one.walls))
        marks = (
            one is default_of(self.tried) and "default",
            one is self.chosen and "best",
            one.dropped,
        )
        yield ", ".join(mark for mark in marks if mark)

    def _tried(self, one: Tried) -> dict[str, Any]:
        return {
            "name": one.variant.name,
            "precision": one.variant.precision,
            "batch_frames": one.variant.batch_frames,
            "wall_s": [short(wall) for wall in one.walls],
            "spread": short(one.spread),
            "dropped": one.dropped,
        }


# What may be chosen for anybody: precisions that change nothing that can be heard
# (`tests/test_kokoro_gpu_decoder.py`), the one that `auto` takes by itself first.
ALLOWED: tuple[Precision, ...] = ("bf16", "tf32", "float32")
# 0, the engine's own choice, comes first; frames of a batch at most.
BUDGETS = {"cpu": (0, 300), "cuda": (0, 4096, 16384, 65536)}
READING_S = 20.0  # of the time, for what turns text into phonemes


class StandBench:
    """What the search measures with: processes that take turns."""

    def __init__(self, stands: EnginePool, teller: BenchOutput) -> None:
        self._stands, self._teller = stands, teller
        self.audio_s = 0.0  # of a pass

    def load(self, variant: Variant) -> None:
        """See `Bench`."""
        if not self._stands.is_open(variant):
            self._teller.say(f"loading: {variant.name}")
        self._stands.open(variant)

    def warm_up(self, variant: Variant) -> None:
        """See `Bench`."""
        self._teller.say(f"warming up: {variant.name}")
        self._stands.ask(variant, "warm_up")

    def run(self, variant: Variant) -> float:
        """See `Bench`."""
        made = self._stands.ask(variant, "run")
        self.audio_s = made.audio_s
        self._teller.say(f"{variant.name}: {made.audio_s / made.wall_s:,.2f} times real time")
        return made.wall_s


def tune(
    order: BenchOptions,
    seconds: float,
    teller: BenchOutput,
    clock: Callable[[], float] = time.monotonic,
) -> TuneResult:
    """Find what is fastest in `seconds`, loading included, in a folder that is gone afterwards.

    Raises WrongOptions, SourceError, RenderError.
    """
    refuse_senseless(order, seconds)
    began = clock()
    with tempfile.TemporaryDirectory(prefix="audiomill-bench-") as made:
        folder = Path(made)
        options, (device,) = prepared(order, folder, teller)
        subject = bench_text_for(order, options, order.n_words(device.name))
        variants = tuple(candidates(order, device))
        with EnginePool(order, options, subject, folder) as stands:
            bench = StandBench(stands, teller)
            search = Search(variants, bench, clock, began + seconds - READING_S)
            try:
                search.run(order.repeat)
                chosen = best(search.tried)
                facts = stands.facts(chosen.variant)
            except RemoteError as error:
                raise EngineFailed(f"{default_of(search.tried).variant.name}: {error}") from error
        n_chars = sum(line.n_chars for line in subject.lines(variants[0].chunking))
        rate = _reading(options, subject, began + seconds - clock(), teller)
        spoken_per_s = n_chars / chosen.median_s
        workers = _workers(spoken_per_s, rate)
    # What auto is without being told need not be told.
    is_default = chosen.variant.precision == variants[0].precision
    precision = None if is_default else cast("Precision", chosen.variant.precision)
    return TuneResult(
        choice=Choice(precision, chosen.variant.batch_frames, workers),
        tried=tuple(search.tried),
        chosen=chosen,
        audio_s=bench.audio_s,
        reading=ReadingRate(rate, spoken_per_s, by_cores()),
        took_s=clock() - began,
        device=device.name,
        weights="random" if order.random_weights else str(facts["weights_sha256"]),
        costs_as_official=bool(facts["costs_as_official"]),
        date=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def candidates(order: BenchOptions, device: Device) -> Iterator[Variant]:
    """The default first, then all that may be chosen instead.

    Budgets are tried in the default's precision. Another precision is for where that one is slower
    than it should be, and is tried with a single budget; a third would be slower still.
    """
    kind = "cpu" if device.name == "cpu" else "cuda"
    budgets = BUDGETS[kind] if order.batch_frames == (0,) else (0, *order.batch_frames)
    allowed = [one for one in ALLOWED if one not in device.lacks]
    tried = [(allowed[0], frames) for frames in dict.fromkeys(budgets)]
    for precision, frames in (*tried, *((one, 0) for one in allowed[1:2])):
        yield Variant(Mode.SYNTHESIS, "kokoro", device.name, precision, order.chunkings[0], frames)


def refuse_senseless(order: BenchOptions, seconds: float) -> None:
    """Raise WrongOptions for what tuning cannot be asked for."""
    if order.engine != "kokoro":
        raise WrongOptions(f"--tune is for Kokoro; {order.engine} has nothing to choose.")
    if len(order.devices) > 1:
        raise WrongOptions("--tune is for one device: name it with --device.")
    if order.precisions:
        raise WrongOptions(
            f"--tune chooses among {', '.join(ALLOWED)}; any other precision is for you to set:"
            " kokoro.precision."
        )
    if order.end_to_end or order.out:
        raise WrongOptions("--tune knows neither --end-to-end nor --out.")
    if order.repeat < LEAST_PASSES:
        raise WrongOptions(f"--repeat {order.repeat}: --tune chooses by {LEAST_PASSES} at least.")
    if seconds <= READING_S:
        raise WrongOptions(f"--seconds {seconds:g}: more than {READING_S:g}; loading takes some.")


def _reading(
    options: KokoroOptions, subject: BenchText, left_s: float, teller: BenchOutput
) -> float | str:
    """Characters a second that one process reads, or why that was not measured."""
    if left_s < READING_S / 2:
        return "there was no time left"
    teller.say("turning text into phonemes")
    try:
        with RemoteObject(TextReading, options, subject.voice) as worker:
            return float(worker.ask("characters_per_s"))
    except RemoteError as error:
        return str(error)


def _workers(spoken_per_s: float, rate: float | str) -> int:
    """As many as keep ahead; the default where that is not known."""
    if isinstance(rate, str):
        return -1
    return workers_wanted(spoken_per_s, rate, by_cores(), usable_cores())


# What tuning found, kept for the runs that follow.

OTHER_SIZE = (
    "Kept nowhere: the weights that were measured are of another size than the official ones, and"
    " cost something else."
)


def keep(found: TuneResult, release: str, path: Path) -> str:
    """Put it in place of what was tuned before; what became of it, in words.

    `release` is what runs speak with; random weights are of none.

    Raises OSError, OutputUnwritable.
    """
    if not found.costs_as_official:
        return OTHER_SIZE
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, written(_tuned(found, release)))
    same = ", which cost what real ones do" if found.weights == "random" else ""
    measured = f" Measured with random weights{same}." if same else ""
    return f"Kept in {path}; every run here goes by it unless a setting says otherwise.{measured}"


def _tuned(found: TuneResult, release: str) -> Tuned:
    return Tuned(
        choice=found.choice,
        device=found.device,
        release=release,
        machine=this_fingerprint(),
        date=found.date,
        speed=found.speed,
        default_speed=found.default_speed,
        weights=found.weights,
    )
