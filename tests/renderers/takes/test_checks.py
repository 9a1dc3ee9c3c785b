"""Clean speech has no fault in any language, however short; each injected defect is found."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.engine.faults import Fault
from audiomill.renderers.engine.planning import make_request
from audiomill.renderers.engine.protocol import Batch, Request, Samples
from audiomill.renderers.engine.registry import open_renderer
from audiomill.renderers.takes.checks import checked_take
from audiomill.renderers.takes.pace import MIN_TAKES, WELL_KNOWN_TAKES, Pace, Paces
from audiomill.renderers.takes.spectrum import repeated_text
from audiomill.renderers.tone.renderer import ToneRenderer
from support.case_files import rows_of
from support.signals_data import noise, silence
from support.spoiled_sound import babbling_on, broken_off, hiss, repeated, with_hole

ESPEAK = open_renderer("espeak")
RATE = ESPEAK.sample_rate
CASES = Path(__file__).parent / "cases" / "checks.txt"
SENTENCES = dict(rows_of(CASES, "sentences of speech"))
SHORT = dict(rows_of(CASES, "short sentences"))
REPEATING = "He said no, no, no, and again no, until the whole table laughed with him."
SPEEDS = (0.6, 1.0, 2.0)


def request(text: str, language: str = "en", speed: float = 1.0) -> Request:
    return make_request(text, ESPEAK.default_voice(language), ESPEAK, speed)


@cache
def speech(one: Request) -> Samples:
    return ESPEAK.render(Batch((one,)))[0].samples


def trimmed(samples: Samples) -> Samples:
    loud = np.flatnonzero(np.abs(samples) > 1e-3)
    return samples[loud[0] : loud[-1] + 1]


def learned(one: Request, samples: Samples) -> Pace:
    """The pace that is known after some takes of this length."""
    paces = Paces(ESPEAK.limits)
    whole = checked_take(samples, RATE, one, paces.of(one))
    for _ in range(MIN_TAKES):
        paces.learn(one, whole.voiced_s)
    return paces.of(one)


def faults(samples: Samples, one: Request, pace: Pace | None = None) -> set[Fault]:
    pace = pace or Paces(ESPEAK.limits).of(one)
    return {found.fault for found in checked_take(samples, RATE, one, pace).findings}


@pytest.mark.prove
@pytest.mark.parametrize("language", SENTENCES)
def test_clean_speech_has_no_fault(language):
    for speed in SPEEDS:
        long = request(SENTENCES[language], language, speed)
        samples = speech(long)
        assert faults(samples, long) == set()
        closely = np.concatenate((trimmed(samples), silence(0.01, RATE)))
        assert faults(closely, long) == set()
        pace = learned(long, samples)
        for text in (SENTENCES[language], *SHORT.get(language, ())):
            one = request(text, language, speed)
            assert faults(speech(one), one, pace) == set(), text
            assert faults(speech(one), one) == set(), text


def test_what_the_text_repeats_may_be_repeated():
    for speed in SPEEDS:
        one = request(REPEATING, speed=speed)
        assert faults(speech(one), one) == set()


def defects(samples: Samples) -> Iterator[tuple[str, Samples, set[Fault]]]:
    """Each defect of whole speech, with the faults of which it must have one."""
    said = trimmed(samples)
    loop = said[-RATE // 2 :]
    yield "runaway", babbling_on(said, RATE), {Fault.TOO_LONG}
    yield "three times", repeated(3)(samples, RATE), {Fault.TOO_LONG, Fault.REPEATED}
    yield "cut off", broken_off(2 / 5)(said, RATE), {Fault.TOO_SHORT}
    yield "silence", with_hole(2.0)(said, RATE), {Fault.HOLE}
    yield "hiss", hiss(said, RATE), {Fault.HISS}
    yield "end in hiss", np.concatenate((said, noise(2 * RATE, level=0.05))), {Fault.HISS}
    yield "empty", np.zeros_like(said), {Fault.SILENT}
    yield "no samples", said[:0], {Fault.SILENT}
    yield "clipped", np.clip(6 * said, -0.5, 0.5), {Fault.CLIPPED}
    yield "loop", np.concatenate((said, *[loop] * 5)), {Fault.REPEATED, Fault.TOO_LONG}


OFTEN = ("cmn", "en", "hi")  # without spaces between words, with them, in another script
IN_PROOFS = [pytest.param(one, marks=pytest.mark.prove) for one in SENTENCES if one not in OFTEN]


@pytest.mark.parametrize("language", [*OFTEN, *IN_PROOFS])
def test_each_defect_is_found(language):
    one = request(SENTENCES[language], language)
    samples = speech(one)
    pace = learned(one, samples)
    for name, spoiled, expected in defects(samples):
        assert faults(spoiled, one, pace) & expected, name


@pytest.mark.parametrize("pause_s", [0.1, 0.203, 0.317, 0.45])
def test_a_sentence_that_is_said_twice_is_found_wherever_it_begins_again(pause_s):
    one = request(SENTENCES["en"])
    samples = trimmed(speech(one))
    twice = np.concatenate((samples, silence(pause_s, RATE), samples))
    (found,) = checked_take(twice, RATE, one, learned(one, samples)).findings
    assert found.fault is Fault.REPEATED
    assert found.at > samples.size * 0.9


def test_a_voice_that_is_not_known_yet_may_be_slow_or_quick():
    one = request(SENTENCES["en"])
    samples = speech(one)
    assert faults(samples, one, Pace(len(samples) / RATE / 130, 0.3, 2.2)) == set()
    assert Fault.CUT_OFF in faults(samples[: loudest(samples)], one)  # whatever its pace


def loudest(samples: Samples) -> int:
    """Just behind the loudest sample of the first half."""
    return int(np.abs(samples[: samples.size // 2]).argmax()) + 5


def test_silence_around_the_speech_is_no_fault():
    """Joining trims it."""
    one = request(SENTENCES["en"])
    samples = speech(one)
    around = np.concatenate((silence(3, RATE), samples, silence(5, RATE)))
    assert faults(around, one, learned(one, samples)) == set()


def test_test_tones_are_no_faulty_speech():
    tone = ToneRenderer()
    spaced = [text for language, text in SENTENCES.items() if language not in ("cmn", "ja")]
    for text in (*spaced, *SHORT["en"]):
        one = make_request(text, "sine", tone, 1.0)
        (spoken,) = tone.render(Batch((one,)))
        pace = Paces(tone.limits).of(one)
        assert checked_take(spoken.samples, tone.sample_rate, one, pace).findings == ()


@given(st.integers(0, 2000), st.integers(8000, 48_000))
def test_takes_of_any_length_and_rate_can_be_checked(n_samples, rate):
    one = request("No.")
    pace = Pace(0.07)
    assert checked_take(noise(n_samples), rate, one, pace).points >= 0
    assert checked_take(np.zeros(n_samples, np.float32), rate, one, pace).findings


@given(st.text(max_size=60))
def test_the_repeated_text_comes_twice(text):
    plain = "".join(filter(str.isalnum, text.casefold()))
    part = repeated_text(text)
    if part:
        first = plain.find(part)
        assert plain.find(part, first + 1) > first
    else:
        assert len({*plain}) == len(plain)


def test_the_longest_repeated_text():
    assert repeated_text("By the sea, by the sea, by the lake.") == "bytheseabythe"
    assert repeated_text("Quick") == ""


def test_a_voice_that_is_slow_is_slow_and_not_too_long():
    paces = Paces(ESPEAK.limits)
    one = request(SENTENCES["en"])
    usual_s = paces.of(one).expected_s(one.spoken)
    for n in range(MIN_TAKES):
        assert paces.of(one).expected_s(one.spoken) == pytest.approx(usual_s), n
        paces.learn(one, 2 * usual_s)
    pace = paces.of(one)
    assert pace.expected_s(one.spoken) == pytest.approx(2 * usual_s)
    assert pace.is_too_short(usual_s, one.spoken)
    assert not pace.is_too_long(3 * usual_s, one.spoken)
    assert paces.of(request(SENTENCES["en"], speed=2.0)).expected_s(one.spoken) < usual_s


@pytest.mark.parametrize(("variation", "finds_third"), [(0.05, True), (0.25, False)])
def test_a_missing_third_of_a_voice_that_varies_little_is_too_short(variation, finds_third):
    paces = Paces(ESPEAK.limits)
    one = request("Eleven carts had come, and three were missing still when the lamps were lit.")
    usual_s = paces.of(one).expected_s(one.spoken)
    for n in range(WELL_KNOWN_TAKES):
        assert not paces.of(one).is_too_short(usual_s * 2 / 3, one.spoken)
        paces.learn(one, usual_s * (1 + variation * (n % 3 - 1)))
    pace = paces.of(one)
    assert pace.is_too_short(usual_s * 2 / 3, one.spoken) == finds_third
    assert pace.is_too_long(usual_s * 1.6, one.spoken) == finds_third
    assert not pace.is_too_short(usual_s * 0.85, one.spoken)
    assert not pace.is_too_long(usual_s * 1.2, one.spoken)
