"""Faulty takes are rendered again, the best is kept, and what all took is counted."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from audiomill.renderers.engine.errors import EngineFailed, PartlyRendered
from audiomill.renderers.engine.faults import Fault
from audiomill.renderers.engine.planning import make_request
from audiomill.renderers.engine.protocol import Batch, Rendered, Request, Usage
from audiomill.renderers.engine.registry import open_renderer
from audiomill.renderers.takes.retaking import MAX_VAIN, Retaker
from support.spoiled_sound import with_hole

ESPEAK = open_renderer("espeak")
RATE = ESPEAK.sample_rate
GOOD = "The carter stopped at the third gate and would not go any further."
BAD = "Nobody had told him that the road was under water since the morning."
HOLE = with_hole(2.0)
WORSE = "So he sat down on a milestone, lit his pipe and waited for the boat."


def request(text: str) -> Request:
    return make_request(text, "en-us", ESPEAK, 1.0)


class Studio:
    """Speaks with espeak; `faults` has what is done to the takes of a text, in order."""

    def __init__(self, n_retakes: int = 2, **faults) -> None:
        self.faults = faults
        self.asked: list[list[tuple[str, int]]] = []
        self.retaker = Retaker(replace(ESPEAK.limits, n_retakes=n_retakes))

    def render(self, *texts: str, first_take: int = 0) -> list[Rendered]:
        requests = [request(text) for text in texts]
        return self.retaker.rendered(requests, RATE, self.speak, first_take)

    def speak(self, requests: Sequence[Request], take: int) -> list[Rendered]:
        self.asked.append([(one.spoken, take) for one in requests])
        return [self.take(one, take) for one in requests]

    def take(self, one: Request, take: int) -> Rendered:
        samples = speech(one)
        spoil = self.faults.get(one.spoken.split()[0], ())
        if take < len(spoil) and spoil[take]:
            samples = spoil[take](samples, RATE)
        return Rendered(samples, usage=Usage(1, len(one.spoken)))


def speech(one: Request) -> np.ndarray:
    return ESPEAK.render(Batch((one,)))[0].samples


def empty(samples, _rate):
    return np.zeros_like(samples)


def breaks(samples, _rate):
    raise EngineFailed("The budget is used up.")


def faults(rendered: Rendered) -> set[Fault]:
    return {one.fault for one in rendered.findings}


def test_only_the_faulty_ones_of_a_batch_are_rendered_again():
    studio = Studio(Nobody=[empty], So=[HOLE, empty])
    good, bad, worse = studio.render(GOOD, BAD, WORSE)
    assert studio.asked == [
        [(GOOD, 0), (BAD, 0), (WORSE, 0)],
        [(BAD, 1), (WORSE, 1)],
        [(WORSE, 2)],
    ]
    for rendered, text in ((good, GOOD), (bad, BAD), (worse, WORSE)):
        assert np.array_equal(rendered.samples, speech(request(text)))
        assert rendered.findings == ()
    takes = [one.usage for one in (good, bad, worse)]
    assert takes == [Usage(n, n * len(t)) for n, t in ((1, GOOD), (2, BAD), (3, WORSE))]


def test_the_best_take_is_kept_with_its_fault_and_nothing_is_lost():
    studio = Studio(Nobody=[empty, HOLE, empty])
    (bad,) = studio.render(BAD)
    assert np.array_equal(bad.samples, HOLE(speech(request(BAD)), RATE))
    assert faults(bad) == {Fault.HOLE}
    assert bad.findings[0].words == "2.0 s, in the best of 3 takes"
    assert bad.usage == Usage(3, 3 * len(BAD))


def test_the_first_of_equal_takes_is_kept_and_a_third_would_be_the_same():
    studio = Studio(Nobody=[HOLE] * 3)
    (bad,) = studio.render(BAD)
    assert (faults(bad), bad.usage.n_takes) == ({Fault.HOLE}, 2)


def test_takes_go_on_after_those_that_were_found_wanting():
    studio = Studio(Nobody=[None, None, None, empty])
    (good,) = studio.render(BAD, first_take=3)
    assert studio.asked == [[(BAD, 3)], [(BAD, 4)]]
    assert (good.findings, good.usage.n_takes) == ((), 2)


@pytest.mark.parametrize("n_retakes", [0, 1])
def test_the_setting_says_how_often(n_retakes):
    studio = Studio(n_retakes, Nobody=[empty, empty])
    (bad,) = studio.render(BAD)
    assert bad.usage.n_takes == len(studio.asked) == n_retakes + 1
    assert faults(bad) == ({Fault.SILENT} if n_retakes else set())


@pytest.mark.parametrize("n_retakes", [0, 2])
def test_what_is_done_of_a_batch_that_fails_is_checked(n_retakes):
    """It is stored, and no later run would check it."""
    studio, both = Studio(n_retakes, Nobody=[HOLE]), (request(GOOD), request(BAD))

    def speak(requests: Sequence[Request], take: int) -> list[Rendered]:
        done = {one.key: studio.take(one, take) for one in both}
        raise PartlyRendered("The third one fails.", done)

    with pytest.raises(PartlyRendered, match="The third one fails") as failed:
        studio.retaker.rendered([*both, request(WORSE)], RATE, speak)
    good, bad = (failed.value.done[one.key] for one in both)
    assert (faults(good), faults(bad)) == (set(), {Fault.HOLE} if n_retakes else set())
    assert np.array_equal(bad.samples, HOLE(speech(request(BAD)), RATE))


def test_a_take_that_fails_leaves_the_one_before():
    studio = Studio(Nobody=[HOLE, breaks])
    good, bad = studio.render(GOOD, BAD)
    assert np.array_equal(bad.samples, HOLE(speech(request(BAD)), RATE))
    assert bad.usage == Usage(1, len(BAD))
    assert good.findings == ()


def test_what_the_first_take_raises_is_raised():
    with pytest.raises(EngineFailed, match="budget"):
        Studio(Nobody=[breaks]).render(GOOD, BAD)


def test_a_batch_sounds_as_its_segments_do_alone():
    spoil = {"Nobody": [empty], "So": [HOLE, empty]}
    together = Studio(**spoil).render(GOOD, BAD, WORSE)
    alone = [Studio(**spoil).render(text)[0] for text in (GOOD, BAD, WORSE)]
    for one, other in zip(together, alone, strict=True):
        assert np.array_equal(one.samples, other.samples)
        assert (one.findings, one.usage) == (other.findings, other.usage)


def test_a_fault_that_no_take_is_ever_without_is_told_but_not_paid_for_again():
    studio = Studio(Nobody=[HOLE, empty, empty])
    found = [studio.render(BAD)[0] for _ in range(MAX_VAIN + 2)]
    assert [one.usage.n_takes for one in found] == [3] * MAX_VAIN + [1, 1]
    assert all(faults(one) == {Fault.HOLE} for one in found)
    studio.render(GOOD)  # a segment without it: it is worth trying again
    assert studio.render(BAD)[0].usage.n_takes == 3


def test_text_without_a_word_may_sound_like_anything():
    studio = Studio(**{"—": [empty, empty, empty]})
    (dash,) = studio.render("— …")
    assert (dash.findings, dash.usage.n_takes) == ((), 1)
