"""Pauses in finished files are as long as they were asked for, whoever speaks, at any speed."""

from itertools import pairwise

import numpy as np
import pytest
import scipy.ndimage

from audiomill.inputs.segmentation.pauses import Pauses
from audiomill.renderers.engine.registry import open_renderer
from audiomill.renderers.kokoro.options import KokoroOptions
from support.book_data import book_job, rendered, samples_of
from support.kokoro_reference import built, folder

# Every kind has another length, and none is as short as the silence inside a word.
PAUSES = Pauses(
    sentence_s=0.62,
    comma_s=0.5,
    semicolon_s=0.56,
    line_s=0.7,
    paragraph_s=0.8,
    heading_s=0.92,
    scene_break_s=1.1,
    chapter_s=1.4,
    variation=0.0,
)
CLAUSE = "the mill stood on the hill and its sails went round and round all night long"
TEXT = """\
# One

The mill stood. Nobody came. It rained.

The owl slept.

* * *

The lamp went out.

# Two

The end.
"""
# Too long for a segment of Kokoro, so it is cut once at each mark. espeak-ng takes it as a whole.
LONG = f"{CLAUSE.capitalize()} {CLAUSE}, {CLAUSE} {CLAUSE}; {CLAUSE} {CLAUSE}."
FRAME_S = 0.002
NEAR_S = 2.5  # longer than any pause here
SHORTEST_S = 0.2  # of a pause at the highest speed; longer than any silence between two words


def pauses_of(samples: np.ndarray, sample_rate: int) -> list[float]:
    """The length of each silence between two sounds, in seconds: 45 dB below what is near it."""
    frame = round(FRAME_S * sample_rate)
    frames = samples[: samples.size // frame * frame].reshape(-1, frame)
    levels = np.sqrt((frames.astype(np.float64) ** 2).mean(axis=1))
    near = scipy.ndimage.maximum_filter1d(levels, round(2 * NEAR_S / FRAME_S))
    loud = np.flatnonzero(levels > near * 10 ** (-45 / 20))
    gaps = ((after - before - 1) * FRAME_S for before, after in pairwise(loud))
    return [gap_s for gap_s in gaps if gap_s > SHORTEST_S]


@pytest.mark.parametrize("speed", [0.8, 1.0, 2.0])
@pytest.mark.parametrize("engine", ["espeak", pytest.param("kokoro", marks=pytest.mark.prove)])
def test_every_kind_of_pause_is_as_long_as_it_was_asked_for(tmp_path, engine, speed):
    text, settings = TEXT, {"pauses": PAUSES}
    if engine == "kokoro":
        text = f"{TEXT}\n{LONG}\n"
        settings["kokoro"] = KokoroOptions(weights=folder("narrow"), device="cpu", workers=0)
    job = book_job(tmp_path, text, engine=engine, speed=speed, settings=settings)
    with built("narrow"):
        report = rendered(job)
    at_speed = PAUSES.at_speed(speed)
    in_long = [at_speed.paragraph_s, at_speed.comma_s, at_speed.semicolon_s]
    # Random weights of Kokoro are never quiet, so sentences inside a segment run on.
    in_segment = [] if engine == "kokoro" else [at_speed.sentence_s] * 2
    expected = [
        at_speed.heading_s,
        *in_segment,
        at_speed.paragraph_s,
        at_speed.scene_break_s,
        at_speed.chapter_s,
        at_speed.heading_s,
        *(in_long if engine == "kokoro" else []),
    ]
    samples = samples_of(report.files[0].path)
    measured = pauses_of(samples, open_renderer(job.engine, job.options).sample_rate)
    assert len(measured) == len(expected), measured
    np.testing.assert_allclose(measured, expected, atol=0.020)
