"""Renders segments again whose audio is faulty, for engines whose takes differ.

    requests ─▶ take 0 of all ─▶ check ─▶ take 1 of the faulty ones ─▶ check … ─▶ the best of each

An engine that draws its sound from a seed draws another with the next take. One whose sound follows
from the text alone has no use for this, and does not call it.

What a take sounds like depends on the request and on the take's number alone. Which one is kept
depends on what is known of the voice's pace by then, too: the first few takes of a voice are judged
by wider limits.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from audiomill.renderers.engine.errors import PartlyRendered, RenderError
from audiomill.renderers.engine.faults import Fault
from audiomill.renderers.engine.protocol import EngineLimits, Rendered, Request, total_usage
from audiomill.renderers.takes.checks import CheckedTake, checked_take
from audiomill.renderers.takes.pace import Paces

# Renders a take of each request, in order: 0 for the first. Raises what `Renderer.render` does.
Speak: TypeAlias = Callable[[Sequence[Request], int], list[Rendered]]

# A voice that has a fault in so many segments, one after the other, and in each of their takes, has
# it always: it is told, but not rendered again.
MAX_VAIN = 5


@dataclass(frozen=True, slots=True)
class _Take:
    rendered: Rendered
    checked: CheckedTake
    is_final: bool = False  # another take would sound the same


class Retaker:
    """Renders with an engine, and again what is faulty. Thread-safe."""

    def __init__(self, limits: EngineLimits) -> None:
        """With `limits.n_retakes` of 0 nothing is checked."""
        self._n_retakes = limits.n_retakes
        self._paces = Paces(limits)
        self._n_vain: Counter[tuple[str, Fault]] = Counter()
        self._lock = threading.Lock()

    def rendered(
        self,
        requests: Sequence[Request],
        sample_rate: int,
        speak: Speak,
        first_take: int = 0,
    ) -> list[Rendered]:
        """The best take of each request, with what is wrong with it, and what all takes took.

        `first_take` is the number of the first one: earlier ones were found wanting.

        Raises what the first take raises; what that has done of a batch is checked, too. A further
        take that fails, or that the budget does not allow, leaves what there is.
        """
        try:
            first = speak(requests, first_take)
        except PartlyRendered as partly:
            if not self._n_retakes:
                raise
            raise self._checked(partly, requests, sample_rate) from partly
        if not self._n_retakes or len(first) != len(requests):
            return first
        best = [
            _Take(one, self._check(one, sample_rate, request))
            for request, one in zip(requests, first, strict=True)
        ]
        for take in range(first_take + 1, first_take + self._n_retakes + 1):
            faulty = [n for n, one in enumerate(best) if self._is_worth_it(requests[n], one)]
            if not faulty:
                break
            try:
                again = speak([requests[n] for n in faulty], take)
            except RenderError:
                break  # what there is has been paid for, and the next segment will tell
            for n, one in zip(faulty, again, strict=True):
                checked = self._check(one, sample_rate, requests[n])
                best[n] = _better(best[n], _Take(one, checked))
        self._learn(zip(requests, best, strict=True))
        return [_with_findings(one) for one in best]

    def _checked(
        self, partly: PartlyRendered, requests: Sequence[Request], sample_rate: int
    ) -> PartlyRendered:
        """The error, with what is wrong with the segments that are done: they are stored as such.

        They are not rendered again: what made the others fail may last.
        """
        takes = {
            one.key: _Take(done, self._check(done, sample_rate, one))
            for one in requests
            if (done := partly.done.get(one.key))
        }
        return PartlyRendered(
            str(partly), {key: _with_findings(take) for key, take in takes.items()}
        )

    def _check(self, rendered: Rendered, sample_rate: int, request: Request) -> CheckedTake:
        return checked_take(rendered.samples, sample_rate, request, self._paces.of(request))

    def _is_worth_it(self, request: Request, take: _Take) -> bool:
        """Whether another take may be better."""
        with self._lock:
            return not take.is_final and any(
                self._n_vain[request.voice, one.fault] < MAX_VAIN for one in take.checked.findings
            )

    def _learn(self, kept: Iterable[tuple[Request, _Take]]) -> None:
        """Note the pace of whole takes, and which faults no take has mended."""
        for request, take in kept:
            faults = {one.fault for one in take.checked.findings}
            if not faults:
                self._paces.learn(request, take.checked.voiced_s)
            with self._lock:
                for fault in Fault:
                    seen = (request.voice, fault)
                    self._n_vain[seen] = self._n_vain[seen] + 1 if fault in faults else 0


def _better(kept: _Take, new: _Take) -> _Take:
    """The better of two takes, or the earlier one; with what both took."""
    usage = total_usage((kept.rendered.usage, new.rendered.usage))
    is_same = np.array_equal(kept.rendered.samples, new.rendered.samples)
    better = new if new.checked.points < kept.checked.points else kept
    return replace(better, rendered=replace(better.rendered, usage=usage), is_final=is_same)


def _with_findings(take: _Take) -> Rendered:
    """The audio, with the faults that it has."""
    n_takes = take.rendered.usage.n_takes
    of_several = f", in the best of {n_takes} takes" if n_takes > 1 else ""
    findings = tuple(
        replace(one, words=f"{one.words}{of_several}") for one in take.checked.findings
    )
    return replace(take.rendered, findings=findings)
