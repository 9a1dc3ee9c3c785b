"""The order in which variants are measured, and what comes of each.

synthesis     warm up all ─▶ all once, all again, … ─▶ each of ours is asked to stop
end to end    for each pass of each: a new process, warm-up, a cold run
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from flows.bench.figures import Pass, Stages
from flows.bench.result import Passed
from flows.bench.stands import Stands
from flows.bench.telling import Teller
from flows.bench.variants import Device, Mode, Variant
from flows.bench.worker import WorkFailed
from renderers.shard import EngineFailed

STOP_AFTER_S = 1.0


class Rounds:
    """Passes as they come in."""

    def __init__(self, stands: Stands, repeat: int, teller: Teller) -> None:
        self._stands = stands
        self._repeat = repeat
        self._teller = teller
        self.passes: dict[Variant, list[Pass]] = {}
        self.facts: dict[str, Mapping[str, object]] = {}  # of each device, as ours sees it
        self.cancellation_s: dict[Variant, float] = {}
        self.stages: dict[Variant, Stages] = {}
        self.passed: list[Passed] = []

    def run(self, variants: Sequence[Variant], devices: Sequence[Device]) -> None:
        """Measure all. Raises EngineFailed if none of ours can speak.

        What cannot is passed over, and so are whole runs that this installation cannot make and
        precisions that a device has not.
        """
        lacks = {one.name: one.lacks for one in devices}
        for variant in variants:
            if lack := lacks[variant.device].get(variant.precision):
                self._pass_over(variant, lack)
        self._synthesis([one for one in variants if one.mode is Mode.SYNTHESIS])
        self._end_to_end([one for one in variants if one.mode is Mode.END_TO_END])

    def _synthesis(self, variants: Sequence[Variant]) -> None:
        self._each(variants, self._warm_up)
        for number in range(self._repeat):
            self._each(variants, self._pass, f"pass {number + 1} of {self._repeat}")
        self._each([one for one in variants if not one.is_rival], self._cancel)
        for variant in variants:
            self._stands.drop(variant)

    def _end_to_end(self, variants: Sequence[Variant]) -> None:
        for number in range(self._repeat):
            is_last = number + 1 == self._repeat
            work = self._last_cold_run if is_last else self._cold_run
            self._each(variants, work, f"pass {number + 1} of {self._repeat}")

    def _each(self, variants: Sequence[Variant], work: Callable[..., None], *given: str) -> None:
        for variant in self._left(variants):
            try:
                work(variant, *given)
            except WorkFailed as error:
                self._pass_over(variant, str(error))
                own = [one for one in variants if not one.is_rival]
                if variant in own and variant.mode is Mode.SYNTHESIS and not self._left(own):
                    raise EngineFailed(f"{variant.name}: {error}") from error

    def _left(self, variants: Sequence[Variant]) -> list[Variant]:
        passed = {one.variant for one in self.passed}
        return [one for one in variants if one not in passed]

    def _pass_over(self, variant: Variant, reason: str) -> None:
        self._teller.say(f"not measured: {variant.name}, {variant.mode}: {reason}")
        self.passed.append(Passed(variant, reason))
        self.passes.pop(variant, None)

    def _warm_up(self, variant: Variant) -> None:
        self._teller.say(f"warming up: {variant.name}")
        self._stands.ask(variant, "warm_up")
        if not variant.is_rival and variant.device not in self.facts:
            self.facts[variant.device] = self._stands.facts(variant)

    def _pass(self, variant: Variant, which: str) -> None:
        what = f"{variant.name}, {variant.mode}, {which}"
        self._teller.say(what)
        heard = self._teller.during(what)
        self.passes.setdefault(variant, []).append(self._stands.ask(variant, "run", heard=heard))

    def _cancel(self, variant: Variant) -> None:
        """Asked while the first batch is under way."""
        self._teller.say(f"{variant.name}, {variant.mode}: asked to stop")
        after_s = min(STOP_AFTER_S, self.passes[variant][-1].finished_s[0] / 2)
        self.cancellation_s[variant] = self._stands.ask(variant, "cancel", after_s)

    def _cold_run(self, variant: Variant, which: str) -> None:
        self._warm_up(variant)
        self._pass(variant, which)
        self._stands.drop(variant)

    def _last_cold_run(self, variant: Variant, which: str) -> None:
        self._warm_up(variant)
        self._pass(variant, which)
        if not variant.is_rival:
            self.stages[variant] = self._stands.stages(variant)
            self._cancel(variant)
        self._stands.drop(variant)
