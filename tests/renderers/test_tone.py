"""The tone engine has the properties that other tests rely on."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.engine.errors import EngineFailed, UnknownVoice
from audiomill.renderers.engine.protocol import Batch, Request
from audiomill.renderers.tone.renderer import EDGE_S, RAMP, SAMPLE_RATE, ToneRenderer, word_period

TONE = ToneRenderer()
texts = st.text(st.characters(codec=None), max_size=60)


def say(text, voice="sine", speed=1.0):
    (rendered,) = TONE.render(Batch((Request("k", text, voice, speed),)))
    return rendered


def pitch_hz(samples):
    """The strongest frequency, to a fraction of a hertz."""
    windowed = samples * np.hanning(samples.size)
    spectrum = np.abs(np.fft.rfft(windowed, 1 << 18))
    return np.argmax(spectrum) * SAMPLE_RATE / (1 << 18)


@given(texts, st.floats(0.25, 4))
def test_length_follows_text_and_speed(text, speed):
    expected = len(text) * 0.060 * SAMPLE_RATE / speed + 240
    assert abs(say(text, speed=speed).samples.size - expected) <= 1


@given(texts)
def test_the_same_text_gives_the_same_samples(text):
    assert np.array_equal(say(text).samples, say(text).samples)


@given(texts)
def test_every_word_is_timed_and_sounds_only_there(text):
    rendered = say(text)
    assert [text[one.start : one.end] for one in rendered.timings] == text.split()
    silent = np.ones(rendered.samples.size, bool)
    for one in rendered.timings:
        first, end = round(one.start_s * SAMPLE_RATE), round(one.end_s * SAMPLE_RATE)
        assert np.abs(rendered.samples[first:end]).max() > 0.2
        silent[first:end] = False
    assert not rendered.samples[silent].any()


def test_a_word_is_identified_by_its_pitch():
    for word in ("lighthouse", "mill", "grindstone"):
        assert pitch_hz(say(word).samples) == pytest.approx(
            SAMPLE_RATE / word_period(word), rel=0.01
        )
    assert len({word_period(word) for word in ("the", "old", "miller", "ground")}) == 4


def test_voices_differ_in_their_overtones_not_in_their_pitch():
    sine, reed = (say("a word", voice).samples for voice in ("sine", "reed"))
    assert not np.allclose(sine, reed, atol=0.05)
    assert sine.size == reed.size


def test_words_begin_and_end_without_a_click():
    samples = say("one two three").samples
    edge = round(EDGE_S * SAMPLE_RATE)
    assert not samples[:edge].any()
    assert not samples[-edge:].any()
    steps = np.abs(np.diff(samples))
    inside = np.abs(np.diff(say("one").samples[edge + RAMP : -edge - RAMP])).max()
    assert steps.max() <= 1.6 * inside  # the factor allows for words of higher pitch


def test_the_error_for_an_unknown_voice_names_the_voices():
    with pytest.raises(UnknownVoice, match="reed, sine"):
        say("a", "cello")
    with pytest.raises(UnknownVoice):
        TONE.fingerprint("cello")


def test_the_speed_limits_are_enforced():
    slowest, fastest = TONE.limits.speeds
    assert say("one two", speed=slowest).samples.size > say("one two", speed=fastest).samples.size
    for speed in (slowest * 0.99, fastest * 1.01, 0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(EngineFailed, match="speeds"):
            say("a", speed=speed)
