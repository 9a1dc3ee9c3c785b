"""Text in, audio out, through the engine: what each request gives is its own, and none is lost."""

import numpy as np
import pytest

from audiomill.renderers.base import Batch, EngineFailed, Request, UnknownVoice
from audiomill.renderers.kokoro.renderer import KokoroRenderer, estimated_phonemes
from audiomill.renderers.options import KokoroOptions
from support.kokoro_reference import folder

LONG = "The ferry crossed the river at dusk, and the ferryman counted the lamps on the far bank. "


@pytest.fixture(scope="module")
def kokoro():
    return KokoroRenderer(KokoroOptions(weights=folder("reduced"), workers=0))


def request(text, *, number=1, voice="af_heart", speed=4.0):
    return Request(f"{number:064x}", text, voice, speed)


def spoken(kokoro, *requests):
    return kokoro.render(Batch(tuple(requests)))


def test_every_word_sounds_in_its_order_and_within_the_audio(kokoro):
    text = "The mill stood over the water, and nobody had gone in since 1984."
    (out,) = spoken(kokoro, request(text))
    words = [text[one.start : one.end] for one in out.timings]
    assert " ".join(words).split() == text.replace(",", "").replace(".", "").split()
    times = [(one.start_s, one.end_s) for one in out.timings]
    assert times == sorted(times)
    assert all(start_s < end_s for start_s, end_s in times)
    assert times[-1][1] <= out.samples.size / kokoro.sample_rate
    assert np.isfinite(out.samples).all()
    assert out.samples.dtype == np.float32


def test_what_is_too_long_for_a_row_is_spoken_in_several_and_no_word_is_lost(kokoro):
    text = LONG * 7
    (out,) = spoken(kokoro, request(text))
    said = {(one.start, one.end) for one in out.timings}
    assert len(said) == len(out.timings) == len(text.split())
    assert estimated_phonemes(text, "af_heart") > 510


def test_a_segment_is_the_same_alone_and_in_company(kokoro):
    requests = [request(LONG * n, number=n) for n in (1, 3, 2)]
    together = spoken(kokoro, *requests)
    for one, other in zip(requests, together, strict=True):
        (alone,) = spoken(kokoro, one)
        np.testing.assert_array_equal(alone.samples, other.samples)
        assert alone.timings == other.timings


def test_noise_comes_from_the_key_and_durations_do_not(kokoro):
    one, other = spoken(kokoro, request(LONG, number=1), request(LONG, number=2))
    assert one.timings == other.timings
    assert not np.array_equal(one.samples, other.samples)


def test_a_faster_reader_takes_less_time(kokoro):
    slow, fast = spoken(kokoro, request(LONG, speed=1.0), request(LONG, speed=3.0))
    assert fast.samples.size < slow.samples.size


@pytest.mark.parametrize("text", ["", "   ", "\x00\x07", "\ud800", "🙂"])
def test_text_without_a_sound_is_a_moment_of_silence_or_is_said_by_rule(kokoro, text):
    (out,) = spoken(kokoro, request(text))
    assert out.samples.size > 0
    if text.strip() and not out.timings:
        assert out.remarks or not text.isprintable()


def test_a_voice_speaks_its_own_language_and_mixes_speak_the_first_ones(kokoro):
    assert kokoro.default_voice("en-GB") == "bm_george"
    assert kokoro.known_voice("af_heart(1) + bm_george") == kokoro.known_voice("af_heart+bm_george")
    assert kokoro.fingerprint("af_heart") != kokoro.fingerprint("bm_george")
    (mixed,) = spoken(kokoro, request(LONG, voice="af_heart+bm_george"))
    (plain,) = spoken(kokoro, request(LONG, voice="af_heart"))
    assert not np.array_equal(mixed.samples[:1000], plain.samples[:1000])


def test_what_it_does_not_have_is_refused_in_words(kokoro):
    with pytest.raises(UnknownVoice, match="Did you mean af_heart"):
        kokoro.fingerprint("af_hart")
    with pytest.raises(UnknownVoice):
        kokoro.default_voice("fi")
    with pytest.raises(EngineFailed, match=r"speeds from 0\.25 to 4"):
        spoken(kokoro, request(LONG, speed=9.0))


def test_lengths_are_estimated_in_phonemes():
    assert 15 <= estimated_phonemes("nineteen, 1984", "af_heart") <= 50


def test_its_user_is_told_of_weights_that_are_not_official(kokoro):
    assert any("not official" in one for one in kokoro.warnings(("af_heart",)))


def test_text_is_read_by_the_rules_of_the_release_that_is_set():
    options = KokoroOptions(weights=folder("reduced"), release="v1.1-zh", workers=0)
    kokoro = KokoroRenderer(options)
    assert "v1.1-zh" in kokoro.fingerprint("af_heart")


def test_what_a_resume_lacks_of_a_padded_batch_sounds_as_it_would_have():
    """To rounding: the batch is another one. Words are at the same times, to the last bit."""
    padding = KokoroRenderer(
        KokoroOptions(weights=folder("reduced"), workers=0, device="cpu", batch_frames=4096)
    )
    requests = [request(LONG * n, number=n) for n in (1, 3, 2)]
    for one, whole in zip(requests[1:], spoken(padding, *requests)[1:], strict=True):
        (resumed,) = spoken(padding, one)
        assert resumed.timings == whole.timings
        difference = np.linalg.norm(resumed.samples - whole.samples)
        assert difference < 0.2 * np.linalg.norm(whole.samples)
