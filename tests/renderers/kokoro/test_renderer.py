"""Text in, audio out, through Kokoro's engines: results are independent and complete."""

import numpy as np
import pytest

from audiomill.renderers.engine.errors import EngineFailed, UnknownVoice
from audiomill.renderers.engine.protocol import Batch, Request
from audiomill.renderers.kokoro.front_end import estimated_phonemes
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.renderer import KokoroRenderer
from support.kokoro_onnx_files import open_onnx
from support.kokoro_reference import built, folder

pytestmark = pytest.mark.usefixtures("shared_g2p")
LONG = "The ferry crossed the river at dusk, and the ferryman counted the lamps on the far bank. "


@pytest.fixture(scope="module", autouse=True)
def _narrow():
    with built("narrow"):
        yield


@pytest.fixture(scope="module")
def kokoro():
    return KokoroRenderer(KokoroOptions(weights=folder("narrow"), workers=0))


@pytest.fixture(scope="module", params=["kokoro", pytest.param("onnx", marks=pytest.mark.prove)])
def each(request):
    """Each engine of Kokoro."""
    return open_onnx() if request.param == "onnx" else request.getfixturevalue("kokoro")


def request(text, *, number=1, voice="af_heart", speed=4.0):
    return Request(f"{number:064x}", text, voice, speed)


def spoken(kokoro, *requests):
    return kokoro.render(Batch(tuple(requests)))


@pytest.mark.prove
def test_words_are_timed_in_order_within_the_audio(each):
    text = "The mill stood over the water, and nobody had gone in since 1984."
    (out,) = spoken(each, request(text))
    words = [text[one.start : one.end] for one in out.timings]
    assert " ".join(words).split() == text.replace(",", "").replace(".", "").split()
    times = [(one.start_s, one.end_s) for one in out.timings]
    assert times == sorted(times)
    assert all(start_s < end_s for start_s, end_s in times)
    assert times[-1][1] <= out.samples.size / each.sample_rate
    assert np.isfinite(out.samples).all()
    assert out.samples.dtype == np.float32


@pytest.mark.prove
def test_a_text_too_long_for_a_row_is_split_without_losing_a_word(each):
    text = LONG * 7
    (out,) = spoken(each, request(text))
    said = {(one.start, one.end) for one in out.timings}
    assert len(said) == len(out.timings) == len(text.split())
    assert estimated_phonemes(text, "af_heart") > 510


def test_a_segment_is_the_same_alone_and_in_a_batch(kokoro):
    requests = [request(LONG * n, number=n) for n in (1, 2, 1)]
    check_as_alone(kokoro, requests)


def check_as_alone(kokoro, requests):
    """Each segment of a batch is the same, to the last bit, as if it had been alone."""
    together = spoken(kokoro, *requests)
    for one, other in zip(requests, together, strict=True):
        (alone,) = spoken(kokoro, one)
        np.testing.assert_array_equal(alone.samples, other.samples)
        assert alone.timings == other.timings
    return together


def test_the_key_decides_the_noise_but_not_the_durations(each):
    one, other = spoken(each, request(LONG, number=1), request(LONG, number=2))
    assert one.timings == other.timings
    assert not np.array_equal(one.samples, other.samples)


def test_a_higher_speed_gives_shorter_audio(kokoro):
    slow, fast = spoken(kokoro, request(LONG, speed=1.0), request(LONG, speed=3.0))
    assert fast.samples.size < slow.samples.size


@pytest.mark.parametrize("text", ["", "   ", "\x00\x07", "\ud800", "🙂"])
def test_text_without_phonemes_gives_silence_or_a_remark(each, text):
    (out,) = spoken(each, request(text))
    assert out.samples.size > 0
    assert np.isfinite(out.samples).all()
    if text.strip() and not out.timings:
        assert out.remarks or not text.isprintable()


def test_voices_and_mixes_have_a_language(each):
    assert each.default_voice("en-GB").startswith("b")
    assert each.known_voice("af_heart(1) + bm_george") == each.known_voice("af_heart+bm_george")
    assert each.fingerprint("af_heart") != each.fingerprint("bm_george")
    (mixed,) = spoken(each, request(LONG, voice="af_heart+bm_george"))
    (plain,) = spoken(each, request(LONG, voice="af_heart"))
    assert not np.array_equal(mixed.samples[:1000], plain.samples[:1000])


def test_unknown_voices_languages_and_speeds_are_refused(each):
    with pytest.raises(UnknownVoice, match=f"Did you mean af_heart.*--engine {each.name}$"):
        each.fingerprint("af_hart")
    with pytest.raises(UnknownVoice):
        each.default_voice("fi")
    with pytest.raises(EngineFailed, match=r"speeds from 0\.25 to 4"):
        spoken(each, request(LONG, speed=9.0))


def test_unofficial_weights_give_a_warning(kokoro):
    assert any("not official" in one for one in kokoro.warnings(("af_heart",)))


def test_the_release_is_part_of_the_fingerprint():
    options = KokoroOptions(weights=folder("narrow"), release="v1.1-zh", workers=0)
    kokoro = KokoroRenderer(options)
    assert "v1.1-zh" in kokoro.fingerprint("af_heart")


@pytest.mark.prove
def test_a_resumed_part_of_a_padded_batch_gives_the_same_audio():
    """Within rounding, as the batch is another one. The timings are exactly equal."""
    padding = KokoroRenderer(
        KokoroOptions(weights=folder("narrow"), workers=0, device="cpu", batch_frames=4096)
    )
    requests = [request(LONG * n, number=n) for n in (1, 2, 1)]
    for one, whole in zip(requests[1:], spoken(padding, *requests)[1:], strict=True):
        (resumed,) = spoken(padding, one)
        assert resumed.timings == whole.timings
        difference = np.linalg.norm(resumed.samples - whole.samples)
        assert difference < 0.2 * np.linalg.norm(whole.samples)


@pytest.mark.prove
def test_voices_and_pronunciations_mix_in_a_batch(kokoro):
    voices = ("af_heart", "bm_george", "af_heart@fr-FR")
    texts = ("Nobody saw it.", "It crossed.", "Le bac passa.")
    requests = [
        request(text, number=number, voice=voice)
        for number, (text, voice) in enumerate(zip(texts, voices, strict=True))
    ]
    together = check_as_alone(kokoro, requests)
    (as_english,) = spoken(kokoro, request(texts[2], number=2))
    assert not np.array_equal(as_english.samples, together[2].samples)


def test_a_voice_pronounces_another_language(kokoro):
    assert kokoro.in_language("af_heart", "fr") == "af_heart@fr-FR"
    assert kokoro.in_language("af_heart", "en-GB") == "af_heart"
    assert kokoro.in_language("af_heart@fr-FR", "en") == "af_heart"
    assert kokoro.known_voice("af_heart@FR") == "af_heart@fr-FR"
    assert kokoro.known_voice("af_heart@en-US") == "af_heart"
    prints = {kokoro.fingerprint(name) for name in ("af_heart", "af_heart@fr-FR", "af_heart@es")}
    assert len(prints) == 3
    with pytest.raises(UnknownVoice, match="does not pronounce 'de'"):
        kokoro.in_language("af_heart", "de")
    with pytest.raises(UnknownVoice, match="does not pronounce 'klingon'"):
        kokoro.known_voice("af_heart@klingon")
