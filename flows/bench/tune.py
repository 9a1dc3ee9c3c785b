"""`audiomill bench --tune`: from an order to what is fastest on this machine. Stores nothing.

order ─▶ candidates ─▶ turns, until the time is up ─▶ the best ─▶ processes that keep ahead of it
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

from flows.bench.options import Order, WrongOrder
from flows.bench.preparing import prepared
from flows.bench.reading import Reading, workers_wanted
from flows.bench.search import LEAST_PASSES, Search, best, default_of
from flows.bench.sources import subject_for
from flows.bench.stands import Stands
from flows.bench.subject import Subject
from flows.bench.telling import Teller
from flows.bench.tune_result import Found, ReadingRate
from flows.bench.variants import Device, Mode, Variant
from flows.bench.worker import Worker, WorkFailed
from flows.tuned import Choice
from renderers.cores import usable_cores
from renderers.kokoro.renderer import by_cores
from renderers.options import KokoroOptions, Precision
from renderers.shard import EngineFailed

# What may be chosen for anybody: precisions that change nothing that can be heard
# (`tests/test_kokoro_gpu_decoder.py`), the one that `auto` takes by itself first.
ALLOWED: tuple[Precision, ...] = ("bf16", "tf32", "float32")
# 0, the engine's own choice, comes first; frames of a batch at most.
BUDGETS = {"cpu": (0, 300), "cuda": (0, 4096, 16384, 65536)}
READING_S = 20.0  # of the time, for what turns text into phonemes


class StandBench:
    """What the search measures with: processes that take turns."""

    def __init__(self, stands: Stands, teller: Teller) -> None:
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
    order: Order, seconds: float, teller: Teller, clock: Callable[[], float] = time.monotonic
) -> Found:
    """Find what is fastest in `seconds`, loading included, in a folder that is gone afterwards.

    Raises WrongOrder, SourceError, RenderError.
    """
    refuse_senseless(order, seconds)
    began = clock()
    with tempfile.TemporaryDirectory(prefix="audiomill-bench-") as made:
        folder = Path(made)
        options, (device,) = prepared(order, folder, teller)
        subject = subject_for(order, options, order.n_words(device.name))
        variants = tuple(candidates(order, device))
        with Stands(order, options, subject, folder) as stands:
            bench = StandBench(stands, teller)
            search = Search(variants, bench, clock, began + seconds - READING_S)
            try:
                search.run(order.repeat)
                chosen = best(search.tried)
                facts = stands.facts(chosen.variant)
            except WorkFailed as error:
                raise EngineFailed(f"{default_of(search.tried).variant.name}: {error}") from error
        n_chars = sum(line.n_chars for line in subject.lines(variants[0].chunking))
        rate = _reading(options, subject, began + seconds - clock(), teller)
        spoken_per_s = n_chars / chosen.median_s
        workers = _workers(spoken_per_s, rate)
    # What auto is without being told need not be told.
    is_default = chosen.variant.precision == variants[0].precision
    precision = None if is_default else cast("Precision", chosen.variant.precision)
    return Found(
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


def candidates(order: Order, device: Device) -> Iterator[Variant]:
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


def refuse_senseless(order: Order, seconds: float) -> None:
    """Raise WrongOrder for what tuning cannot be asked for."""
    if order.engine != "kokoro":
        raise WrongOrder(f"--tune is for Kokoro; {order.engine} has nothing to choose.")
    if len(order.devices) > 1:
        raise WrongOrder("--tune is for one device: name it with --device.")
    if order.precisions:
        raise WrongOrder(
            f"--tune chooses among {', '.join(ALLOWED)}; any other precision is for you to set:"
            " kokoro.precision."
        )
    if order.end_to_end or order.out:
        raise WrongOrder("--tune knows neither --end-to-end nor --out.")
    if order.repeat < LEAST_PASSES:
        raise WrongOrder(f"--repeat {order.repeat}: --tune chooses by {LEAST_PASSES} at least.")
    if seconds <= READING_S:
        raise WrongOrder(f"--seconds {seconds:g}: more than {READING_S:g}; loading takes some.")


def _reading(
    options: KokoroOptions, subject: Subject, left_s: float, teller: Teller
) -> float | str:
    """Characters a second that one process reads, or why that was not measured."""
    if left_s < READING_S / 2:
        return "there was no time left"
    teller.say("turning text into phonemes")
    try:
        with Worker(Reading, options, subject.voice) as worker:
            return float(worker.ask("characters_per_s"))
    except WorkFailed as error:
        return str(error)


def _workers(spoken_per_s: float, rate: float | str) -> int:
    """As many as keep ahead; the default where that is not known."""
    if isinstance(rate, str):
        return -1
    return workers_wanted(spoken_per_s, rate, by_cores(), usable_cores())
