"""Sound that is spoiled as engines spoil it, for tests of what must notice that.

Shares are of the samples, from 0 to 1.
"""

from collections.abc import Callable, Mapping
from typing import TypeAlias

import numpy as np

from audiomill.renderers.engine.protocol import Samples
from support.signals_data import noise, silence

Spoil: TypeAlias = Callable[[Samples, int], Samples]  # of samples and their rate in Hz


def broken_off(share: float) -> Spoil:
    """It ends after this share."""
    return lambda samples, _: samples[: int(share * samples.size)]


def with_hole(duration_s: float) -> Spoil:
    """Silence in the middle, where no sentence ends."""

    def spoil(samples: Samples, rate: int) -> Samples:
        middle = samples.size // 2
        return np.concatenate((samples[:middle], silence(duration_s, rate), samples[middle:]))

    return spoil


def said_again(start: float, end: float) -> Spoil:
    """What is between two shares comes twice."""
    return lambda samples, _: np.concatenate(
        (samples[: int(end * samples.size)], samples[int(start * samples.size) :])
    )


def repeated(n_times: int) -> Spoil:
    return lambda samples, _: np.concatenate([samples] * n_times)


def changed_level(db: float) -> Spoil:
    return lambda samples, _: samples * np.float32(10 ** (db / 20))


def half_silent(samples: Samples, _: int) -> Samples:
    return np.concatenate((samples[: samples.size // 2], np.zeros_like(samples[::2])))


def clipped(samples: Samples, _: int) -> Samples:
    return np.clip(samples, -0.25, 0.25)


def cut_onset(samples: Samples, rate: int) -> Samples:
    """From the loudest sample of the first quarter of a second on: in the middle of a vowel."""
    return samples[int(np.abs(samples[: rate // 4]).argmax()) :]


def off_centre(samples: Samples, _: int) -> Samples:
    return samples + np.float32(0.05)


def with_end_noise(samples: Samples, rate: int) -> Samples:
    return np.concatenate((samples, noise(rate // 2, seed=1, level=10 ** (-35 / 20))))


def babbling_on(samples: Samples, _: int) -> Samples:
    """Its own sounds again, backwards and at another pace, which repeat nothing."""
    return np.concatenate((samples, samples[::-1], np.repeat(samples, 2)))


def looping(samples: Samples, rate: int) -> Samples:
    return np.concatenate((samples, *[samples[-rate:]] * 3))


def hiss(samples: Samples, _: int) -> Samples:
    return noise(samples.size, seed=1)


# What generating models do now and then, in place of what they should say.
SPOILS: Mapping[str, Spoil] = {
    "runaway": babbling_on,
    "cut off": broken_off(2 / 5),
    "silence": with_hole(3.0),
    "repetition": looping,
    "hiss": hiss,
}
