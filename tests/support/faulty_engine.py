"""Speech with one faulty segment: espeak's, in which one sentence is spoiled on purpose."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from audiomill.flows.job import Job
from audiomill.renderers.engine import registry
from audiomill.renderers.engine.declaration import Engine
from audiomill.renderers.engine.protocol import Batch, Rendered, Samples
from audiomill.renderers.espeak.renderer import SAMPLE_RATE, EspeakRenderer
from audiomill.renderers.host.waiting import UNATTENDED, Waiter

SPOILED = "Then the water came over the wheel, and everything that was loose began to move."
BOOK = f"""# The wheel

## Before the flood

Nobody had oiled the wheel that spring. The miller said that it would turn without. His daughter
knew better, but she was twelve and was not asked. In April the river rose by a hand every night.
Sacks of barley stood in the yard, and the cats slept on them. There was bread enough.

On the ninth day the bell rang at four in the morning. A carter had seen the bridge go. Whoever had
a boat took it out, and whoever had none climbed onto a roof. The priest counted his people twice.

## After it

They carried the flour up to the loft first. {SPOILED} A door floated past with a lamp on it. The
dog swam behind it and would not be called back. Towards noon the rain grew thin and stopped.

It took nine weeks until the first stone turned again. Some of the barley had begun to sprout, and
they made beer of it. Nobody spoke of oil any more. The wheel had a new axle, of oak, and it sang.
"""

Spoil = Callable[[Samples], Samples]


def half_gone(samples: Samples) -> Samples:
    return samples[: samples.size // 2]


def half_silent(samples: Samples) -> Samples:
    return np.concatenate((samples[: samples.size // 2], np.zeros_like(samples[::2])))


def with_hole(samples: Samples) -> Samples:
    middle = samples.size // 2
    return np.concatenate((samples[:middle], silence(3.0), samples[middle:]))


def with_short_hole(samples: Samples) -> Samples:
    """Longer than a comma's pause, and where no sentence ends."""
    middle = samples.size // 2
    return np.concatenate((samples[:middle], silence(0.7), samples[middle:]))


def third_gone(samples: Samples) -> Samples:
    return samples[: 2 * samples.size // 3]


def quarter_again(samples: Samples) -> Samples:
    return np.concatenate((samples[: samples.size // 2], samples[samples.size // 4 :]))


def third_again(samples: Samples) -> Samples:
    return np.concatenate((samples[: 2 * samples.size // 3], samples[samples.size // 3 :]))


def clipped(samples: Samples) -> Samples:
    return np.clip(samples, -0.25, 0.25)


def louder(samples: Samples) -> Samples:
    return samples * np.float32(10 ** (12 / 20))


def quieter(samples: Samples) -> Samples:
    return samples * np.float32(10 ** (-12 / 20))


def runaway(samples: Samples) -> Samples:
    return np.concatenate([samples] * 5)


def cut_onset(samples: Samples) -> Samples:
    """From the loudest sample of the first quarter of a second on: in the middle of a vowel."""
    return samples[int(np.abs(samples[: SAMPLE_RATE // 4]).argmax()) :]


def off_centre(samples: Samples) -> Samples:
    return samples + np.float32(0.05)


def with_end_noise(samples: Samples) -> Samples:
    hiss = np.random.default_rng(1).standard_normal(SAMPLE_RATE // 2) * 10 ** (-35 / 20)
    return np.concatenate((samples, hiss.astype(np.float32)))


def silence(duration_s: float) -> Samples:
    return np.zeros(round(duration_s * SAMPLE_RATE), np.float32)


class SpoilingEspeak(EspeakRenderer):
    """espeak, but `spoil` changes the audio of the sentence SPOILED; None leaves it whole.

    Its words have the times that they would have in clean audio, or none.
    """

    def __init__(self) -> None:
        super().__init__()
        self.spoil: Spoil | None = None
        self.is_timed = True

    def render(self, batch: Batch, waiter: Waiter = UNATTENDED) -> list[Rendered]:
        rendered = super().render(batch, waiter)
        if self.spoil is None:
            return rendered
        return [
            Rendered(self.spoil(one.samples), one.timings if self.is_timed else ())
            if request.spoken == SPOILED
            else one
            for request, one in zip(batch.requests, rendered, strict=True)
        ]


def spoiling_engine() -> SpoilingEspeak:
    """The engine "spoiling" of this process."""
    registry.ENGINES["spoiling"] = Engine("spoiling", lambda _options: SpoilingEspeak())
    return registry.open_renderer("spoiling")


def spoiled_job(folder: Path, **choices) -> Job:
    source = folder / "book.md"
    source.write_text(BOOK)
    options = {"engine": "spoiling", "formats": ("flac",), "speed": 2.0} | choices
    return Job(source, folder / "library", str(folder / "store"), **options)
