"""Tells what is wrong with one take of a segment, from its samples and its text. Pure.

    samples ─┬─▶ traits ────▶ silent, too short or long for the text, cut off, a hole, clipped
             └─▶ spectrum ──▶ hiss, repeats itself

Limits let all clean speech pass: of espeak-ng in 13 languages at speeds from 0.6 to 2.5. A fault
that is close to clean speech is not found: a runaway of 1.5 times the usual time, a word that is
missing, a sentence that is said again with another melody and fits the time.

Silence before and after the speech is no fault: joining trims it.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import log

from audiomill.inputs.segmentation.lengths import is_speakable
from audiomill.renderers.engine.faults import Fault, Finding
from audiomill.renderers.engine.protocol import Request, Samples
from audiomill.renderers.takes.pace import Pace, longest_pauses_s, timed_letters
from audiomill.renderers.takes.spectrum import (
    HOP_S,
    Spectrum,
    longest_repeat,
    longest_run,
    repeated_text,
    spectrum_of,
)
from audiomill.renderers.takes.traits import (
    MAX_CLIPPED,
    ShardTraits,
    measured_traits,
)

# Of the last 5 ms, relative to the loudest frame. Natural words fade, or silence follows. Vowels of
# espeak-ng stop at up to -3 dB, with silence behind them: an engine that speaks so and leaves no
# silence would always be suspected, and is not rendered again for it (`retaking.MAX_VAIN`).
CUT_OFF_DB = -15.0
# espeak-ng pauses for 0.25 s at most inside a sentence at speed 0.6, and readers for a second.
LONGEST_HOLE_S = 1.5  # at speed 1 and above; a slower voice makes longer pauses
# An "s" that is drawn out has 0.3 s, and "Shh!" some 0.7.
LONGEST_HISS_S = 1.0
HISS_FLATNESS = 0.25  # white noise: 0.56; an "s": up to 0.4
HISS_DB = -30.0  # relative to the loudest frame: noise behind the speech is softer
# Clean speech repeats 0.65 s at most beyond what its text repeats, and 1.25 s at speed 0.6. Of what
# the text repeats, a few letters are chance, and more may be repeated with the pauses between them:
# “Heigho! ho! heigho! ho!”
LONGEST_REPEAT_S = 0.9  # at speed 1 and above
REPEATED_LETTERS, REPEATED_PHRASE = 4, 8
REPEATED_SHARE = 1.3  # of the time that the repeated text usually takes
# The worse of two takes has more of these points. Words that are missing are the worst, after
# silence and noise; clipping and silence can be borne.
POINTS = {
    Fault.SILENT: 100.0,
    Fault.HISS: 50.0,
    Fault.TOO_SHORT: 20.0,
    Fault.CUT_OFF: 15.0,
    Fault.REPEATED: 10.0,
    Fault.TOO_LONG: 10.0,
    Fault.HOLE: 5.0,
    Fault.CLIPPED: 2.0,
}


class CheckedTake:
    """What a check has found in a take."""

    __slots__ = ("findings", "points", "voiced_s")

    def __init__(self, findings: tuple[Finding, ...], voiced_s: float, expected_s: float) -> None:
        self.findings = findings
        self.voiced_s = voiced_s
        off = abs(log(max(voiced_s, 0.01) / expected_s))
        # The lowest is the best: of takes with the same faults, the one nearest to the usual time.
        self.points = sum(POINTS[one.fault] for one in findings) + min(off, 1.0)


def checked_take(samples: Samples, sample_rate: int, request: Request, pace: Pace) -> CheckedTake:
    """Check one take of `request`, (n_samples), in the voice's usual `pace`."""
    expected_s = pace.expected_s(request.spoken)
    if not is_speakable(request.spoken):
        return CheckedTake((), expected_s, expected_s)  # it may sound like anything
    traits = measured_traits(samples, sample_rate)
    if traits is None:
        nothing = Finding(Fault.SILENT, 0, f"{samples.size / sample_rate:.1f} s")
        return CheckedTake((nothing,), 0.0, expected_s)
    found = faults_of(traits, spectrum_of(samples, sample_rate), sample_rate, request, pace)
    return CheckedTake(tuple(found), _voiced_s(traits, sample_rate), expected_s)


def faults_of(
    traits: ShardTraits, spectrum: Spectrum, sample_rate: int, request: Request, pace: Pace
) -> Iterator[Finding]:
    """All faults of a take that is not silent."""
    yield from _length_faults(traits, sample_rate, request, pace)
    if traits.ending_db > CUT_OFF_DB:
        words = f"{-traits.ending_db:.0f} dB below its loudest"
        yield Finding(Fault.CUT_OFF, traits.ending, words)
    hole_s = (traits.hole_end - traits.hole_start) / sample_rate
    if hole_s > LONGEST_HOLE_S / min(1.0, request.speed):
        yield Finding(Fault.HOLE, traits.hole_start, f"{hole_s:.1f} s")
    if traits.n_clipped > MAX_CLIPPED:
        yield Finding(Fault.CLIPPED, traits.first_clipped, f"{traits.n_clipped} samples")
    yield from _hiss(spectrum)
    yield from repeated_speech(spectrum, request, pace.letter_s)


def _length_faults(
    traits: ShardTraits, sample_rate: int, request: Request, pace: Pace
) -> Iterator[Finding]:
    voiced_s, spoken = _voiced_s(traits, sample_rate), request.spoken
    words = f"{voiced_s:.1f} s, expected {pace.expected_s(spoken):.1f} s"
    if pace.is_too_short(voiced_s, spoken):
        yield Finding(Fault.TOO_SHORT, traits.start, words)
    if pace.is_too_long(voiced_s, spoken):
        yield Finding(Fault.TOO_LONG, traits.start, words)


def _hiss(spectrum: Spectrum) -> Iterator[Finding]:
    loudest = float(spectrum.powers.max(initial=0.0))
    is_loud = spectrum.powers >= loudest * 10 ** (HISS_DB / 10)
    start, n_frames = longest_run(is_loud & (spectrum.flatness > HISS_FLATNESS))
    if n_frames * HOP_S > LONGEST_HISS_S:
        yield Finding(Fault.HISS, start * spectrum.hop, f"{n_frames * HOP_S:.1f} s")


def repeated_speech(spectrum: Spectrum, request: Request, letter_s: float) -> Iterator[Finding]:
    """A stretch that comes again, and is longer than what comes again in the text.

    `letter_s` is the time that the voice usually takes for a letter.
    """
    repeat = longest_repeat(spectrum)
    allowed_s = LONGEST_REPEAT_S / min(1.0, request.speed)
    text = repeated_text(request.spoken) if repeat.duration_s > allowed_s else ""
    if len(text) >= REPEATED_LETTERS:
        allowed_s += REPEATED_SHARE * timed_letters(text) * letter_s
    if len(text) >= REPEATED_PHRASE:
        allowed_s += longest_pauses_s(request.spoken) / min(1.0, request.speed)
    if repeat.duration_s > allowed_s:
        at = repeat.start * spectrum.hop
        yield Finding(Fault.REPEATED, at, f"{repeat.duration_s:.1f} s")


def _voiced_s(traits: ShardTraits, sample_rate: int) -> float:
    return (traits.end - traits.start) / sample_rate
