"""The passes of a benchmark: the variants by turns, and what each pass measures."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from audiomill.flows import console
from audiomill.flows.bench.engines import EnginePool
from audiomill.flows.bench.result import Measurements, SkippedVariant
from audiomill.flows.bench.variants import Mode, Variant
from audiomill.renderers.engine.benchmarking import Device
from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.host.child_object import ChildObjectError

PROGRESS_EVERY_S = 10.0
STOP_AFTER_S = 1.0


class BenchOutput:
    """Progress to stderr and results to stdout, each line with the prefix `mark`."""

    def __init__(self, mark: str) -> None:
        self._mark = mark

    def say(self, line: str) -> None:
        """Print one line of progress, or a warning."""
        console.say(f"{self._mark}{line}")

    def put(self, text: str) -> None:
        """Print lines of the result."""
        for line in text.splitlines():
            console.put(f"{self._mark}{line}")

    def progress_of(self, task: str) -> Callable[[float], None]:
        """A function that takes the finished share of a task, from 0 to 1.

        It prints that now and then, with the time that is left.
        """
        start_s = last_s = time.monotonic()

        def report(share: float) -> None:
            nonlocal last_s
            now_s = time.monotonic()
            if now_s - last_s >= PROGRESS_EVERY_S and 0 < share < 1:
                last_s = now_s
                left_s = (now_s - start_s) * (1 - share) / share
                self.say(f"  {task}: {share:.0%}, about {left_s:.0f} s left")

        return report


class PassRunner:
    """Runs the passes of all variants and collects what they measure."""

    def __init__(
        self,
        pool: EnginePool,
        repeat: int,
        output: BenchOutput,
        paid: frozenset[str] = frozenset(),
    ) -> None:
        """`paid`: engines that are not asked for more than the passes."""
        self._paid = paid
        self._pool = pool
        self._repeat = repeat
        self._output = output
        self.measurements = Measurements()
        self.is_interrupted = False

    def run(self, variants: Sequence[Variant], devices: Sequence[Device]) -> None:
        """Measure all variants. Raises EngineFailed if none can synthesize.

        Variants that fail are skipped, and so are end-to-end runs that this installation does not
        support and precisions that a device lacks. Ctrl-C ends the measuring: finished passes
        count, and without any the interruption is raised.
        """
        unsupported = {device.name: device.unsupported for device in devices}
        for variant in variants:
            if reason := unsupported[variant.device].get(variant.precision):
                self.skip(variant, reason)
        try:
            self._synthesis([one for one in variants if one.mode is Mode.SYNTHESIS])
            self._end_to_end([one for one in variants if one.mode is Mode.END_TO_END])
        except KeyboardInterrupt:
            if not self.measurements.passes:
                raise
            self.is_interrupted = True
            for variant in self._remaining(variants):
                if variant not in self.measurements.passes:
                    self.skip(variant, console.INTERRUPTED)

    def _synthesis(self, variants: Sequence[Variant]) -> None:
        # Those with more requests at a time share a process with the first.
        first = {one.process_key: one for one in reversed(variants)}
        warmed = [one for one in variants if one.in_flight == 1 or one in first.values()]
        self._each(warmed, self._warm_up)
        for number in range(self._repeat):
            self._each(variants, self._pass, f"pass {number + 1} of {self._repeat}")
        self._each([one for one in variants if self._is_cancelled(one)], self._cancel)
        for variant in variants:
            self._pool.close(variant)

    def _is_cancelled(self, variant: Variant) -> bool:
        return variant.in_flight == 1 and variant.engine not in self._paid

    def _end_to_end(self, variants: Sequence[Variant]) -> None:
        for number in range(self._repeat):
            is_last = number + 1 == self._repeat
            run = self._last_cold_run if is_last else self._cold_run
            self._each(variants, run, f"pass {number + 1} of {self._repeat}")

    def _each(self, variants: Sequence[Variant], work: Callable[..., None], *args: str) -> None:
        """Call `work` for each variant that is not skipped. Skip those that fail."""
        for variant in self._remaining(variants):
            try:
                work(variant, *args)
            except ChildObjectError as error:
                self.skip(variant, str(error))
                if variant.mode is Mode.SYNTHESIS and not self._remaining(variants):
                    raise EngineFailed(f"{variant.name}: {error}") from error

    def _remaining(self, variants: Sequence[Variant]) -> list[Variant]:
        skipped = {one.variant for one in self.measurements.skipped}
        return [one for one in variants if one not in skipped]

    def skip(self, variant: Variant, reason: str) -> None:
        """Note that a variant is not measured, and why."""
        self._output.say(f"not measured: {variant.name}, {variant.mode}: {reason}")
        self.measurements.skipped.append(SkippedVariant(variant, reason))
        self.measurements.passes.pop(variant, None)

    def _warm_up(self, variant: Variant) -> None:
        self._output.say(f"warming up: {variant.name}")
        self._pool.call(variant, "warm_up")
        facts = self.measurements.facts
        if variant.device not in facts:
            facts[variant.device] = self._pool.facts(variant)

    def _pass(self, variant: Variant, which: str) -> None:
        task = f"{variant.name}, {variant.mode}, {which}"
        self._output.say(task)
        several = (variant.in_flight,) if variant.in_flight > 1 else ()
        result = self._pool.call(variant, "run", *several, report=self._output.progress_of(task))
        self.measurements.passes.setdefault(variant, []).append(result)

    def _cancel(self, variant: Variant) -> None:
        """Measure the time to stop. The request comes within the first batch."""
        self._output.say(f"{variant.name}, {variant.mode}: asked to stop")
        last = self.measurements.passes[variant][-1]
        after_s = min(STOP_AFTER_S, last.finished_s[0] / 2)
        self.measurements.cancellation_s[variant] = self._pool.call(variant, "cancel", after_s)

    def _cold_run(self, variant: Variant, which: str) -> None:
        self._warm_up(variant)
        self._pass(variant, which)
        self._pool.close(variant)

    def _last_cold_run(self, variant: Variant, which: str) -> None:
        self._warm_up(variant)
        self._pass(variant, which)
        self.measurements.stages[variant] = self._pool.stages(variant)
        self._cancel(variant)
        self._pool.close(variant)
