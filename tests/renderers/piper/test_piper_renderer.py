"""Piper voices, spoken in this process: exact, timed, at one rate, in all their speakers."""

import re
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from piper import PiperVoice, SynthesisConfig
from piper.phoneme_ids import DEFAULT_PHONEME_ID_MAP, phonemes_to_ids

from audiomill.inputs.model.book import Pronunciation
from audiomill.renderers.engine.errors import EngineFailed, UnknownPhoneme, UnknownVoice
from audiomill.renderers.engine.planning import make_request
from audiomill.renderers.engine.protocol import Batch
from audiomill.renderers.piper.child import phonemes_of
from audiomill.renderers.piper.model import PiperModel, PiperScales
from audiomill.renderers.piper.voice_files import read_voice_file
from audiomill.renderers.piper.words import phoneme_ids
from support.case_files import each_row
from support.piper_voices import FOX, add_voice, open_piper, request, say

VOICE, MANY, LOW = "en_US-random-medium", "en_GB-many-medium", "de_DE-random-low"
SPEAKERS = [f"{MANY}#p{225 + n}" for n in range(3)]
TEXTS = [FOX, "Go.", "It was late. Nobody came; why?"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("piper")
    add_voice(folder, VOICE)
    add_voice(folder, MANY, n_speakers=3, licence="CC BY 4.0")
    add_voice(folder, LOW, sample_rate=16_000)
    return folder


@pytest.fixture(scope="module")
def engine(folder):
    return open_piper(folder)


@pytest.fixture(scope="module")
def quiet(folder):
    """Without noise the model says the same whatever the key."""
    return open_piper(folder, noise_scale=0.0, noise_w_scale=0.0)


@pytest.fixture(scope="module")
def batch():
    return [
        *(request(text) for text in TEXTS),
        *(request(TEXTS[0], speaker) for speaker in SPEAKERS),
        request("Zwölf Boxkämpfer.", LOW),
    ]


@pytest.fixture(scope="module")
def alone(engine, batch):
    return [engine.render(Batch((one,)))[0] for one in batch]


@pytest.mark.prove
def test_a_request_sounds_the_same_in_any_batch_and_order(engine, batch, alone):
    backwards = engine.render(Batch(tuple(reversed(batch))))
    assert all(
        np.array_equal(one.samples, other.samples) and one.timings == other.timings
        for one, other in zip(alone, reversed(backwards), strict=True)
    )


@pytest.mark.prove
def test_it_sounds_the_same_on_any_thread_and_in_a_new_engine(folder, batch, alone):
    """As after a resume, while other threads render other things with the same model."""
    engine = open_piper(folder)
    expected = {one.key: rendered.samples for one, rendered in zip(batch, alone, strict=True)}

    def render(first):
        for one in batch[first:] + batch[:first]:
            (rendered,) = engine.render(Batch((one,)))
            assert np.array_equal(rendered.samples, expected[one.key])

    with ThreadPoolExecutor(2) as threads:
        [*threads.map(render, range(2))]


def test_another_key_draws_other_noise(engine):
    one, other = (say(engine, FOX, key=key).samples for key in "ab")
    n = min(one.size, other.size)
    assert not np.allclose(one[:n], other[:n], atol=1e-3)


def test_sentences_of_a_request_do_not_share_their_noise(engine):
    twice = say(engine, "Go. Go.").samples
    half = twice.size // 2
    assert not np.array_equal(twice[:half], twice[-half:])


@pytest.mark.prove
def test_without_noise_it_is_what_the_package_says_before_it_normalises(folder, quiet):
    """The package's own voice, on the whole graph, is the reference."""
    file = read_voice_file(next(folder.rglob(f"{VOICE}.onnx")))
    reference = PiperVoice.load(file.model).synthesize(
        FOX, SynthesisConfig(noise_scale=0, noise_w_scale=0, normalize_audio=False)
    )
    expected = np.concatenate([chunk.audio_float_array for chunk in reference])
    assert np.allclose(say(quiet, FOX).samples, expected, atol=1e-6)
    assert np.abs(expected).max() < 0.9  # normalised, it would be 1


def test_levels_are_the_models_own(engine):
    """A loud and a quiet sentence keep their distance: nothing is normalised by sentence."""
    peaks = {round(float(np.abs(say(engine, text).samples).max()), 4) for text in TEXTS}
    assert len(peaks) == len(TEXTS)
    assert max(peaks) < 0.9


@pytest.mark.prove
@pytest.mark.parametrize("speed", [0.5, 2.0])
def test_speed_divides_the_duration(quiet, speed):
    normal, changed = say(quiet, FOX), say(quiet, FOX, speed=speed)
    assert normal.samples.size / changed.samples.size == pytest.approx(speed, rel=0.25)


@pytest.mark.parametrize("speed", [0.0, 0.24, 4.01, float("nan")])
def test_a_speed_out_of_range_is_refused(engine, speed):
    with pytest.raises(EngineFailed, match=r"0\.25 to 4\.0"):
        say(engine, FOX, speed=speed)


def test_speakers_differ_and_may_be_named_or_numbered(engine, alone):
    voices = [one.samples for one in alone[len(TEXTS) : len(TEXTS) + 3]]
    assert not any(np.array_equal(voices[0], other) for other in voices[1:])
    assert engine.known_voice(MANY) == SPEAKERS[0]  # the config's default
    assert engine.known_voice(f"{MANY}#2") == SPEAKERS[2]
    with pytest.raises(UnknownVoice, match=r"no speaker 'p22'.*Did you mean p22"):
        engine.known_voice(f"{MANY}#p22")
    with pytest.raises(UnknownVoice, match="has one speaker"):
        engine.known_voice(f"{VOICE}#1")


@pytest.mark.prove
def test_a_voice_of_another_rate_is_resampled_exactly(folder, engine):
    """16,000 Hz becomes 22,050: the same duration, and the same spectrum below 7 kHz."""
    file = read_voice_file(next(folder.rglob(f"{LOW}.onnx")))
    one = request("Zwölf Boxkämpfer.", LOW)
    native = open_piper(folder, sample_rate=16_000).render(Batch((one,)))[0]
    resampled = engine.render(Batch((one,)))[0]
    assert engine.sample_rate == 22_050 != file.sample_rate
    assert resampled.samples.size == round(native.samples.size * 22_050 / 16_000)
    assert resampled.timings == native.timings
    low, high = (
        np.fft.rfft(one.samples * np.hanning(one.samples.size)) for one in (native, resampled)
    )
    kept = low.size * 7 // 8
    error = high[:kept] * 16_000 / 22_050 - low[:kept]
    assert np.sum(np.abs(error) ** 2) < 1e-3 * np.sum(np.abs(low[:kept]) ** 2)
    assert np.sum(np.abs(high[low.size :]) ** 2) < 1e-4 * np.sum(np.abs(high) ** 2)


def test_the_rate_does_not_depend_on_which_voices_are_there(tmp_path, folder):
    add_voice(tmp_path, LOW, sample_rate=16_000)
    engine = open_piper(tmp_path)
    assert engine.sample_rate == 22_050
    assert engine.fingerprint(LOW) == open_piper(folder).fingerprint(LOW)


def test_what_a_voice_of_a_higher_rate_loses_is_said(tmp_path):
    add_voice(tmp_path, "fr_FR-high-medium", sample_rate=44_100, licence="CC BY-NC-SA 4.0")
    add_voice(tmp_path, "en_US-free-medium", licence="CC0")
    warnings = open_piper(tmp_path).warnings(["fr_FR-high-medium", "en_US-free-medium"])
    assert [warning.split(" ", 1)[0] for warning in warnings] == ["fr_FR-high-medium"] * 2
    assert "Set piper.sample_rate = 44100 to keep all" in warnings[0]
    assert "may not be used commercially: CC BY-NC-SA 4.0" in warnings[1]
    assert not open_piper(tmp_path, sample_rate=44_100).warnings(["en_US-free-medium"])


def test_every_word_is_timed_by_the_models_durations(engine):
    text = "She paid $3.50 for 42 of the apples, didn't she? It was 10:30 — right."
    rendered = say(engine, text)
    words = [text[one.start : one.end] for one in rendered.timings]
    expected = "She paid 3.50 for 42 of the apples didn't she It was 10:30 right"
    assert words == expected.split(" ")
    ends_s = [one.end_s for one in rendered.timings]
    starts_s = [one.start_s for one in rendered.timings]
    assert all(end_s <= start_s for end_s, start_s in zip(ends_s, starts_s[1:], strict=False))
    assert ends_s[-1] <= rendered.samples.size / engine.sample_rate


@given(st.text(st.sampled_from("abc zé.,;!?—“”'3$\n[]<&☠한"), max_size=60))
def test_any_text_is_spoken_with_timings_in_order(engine, text):
    rendered = say(engine, text)
    duration_s = rendered.samples.size / engine.sample_rate
    assert rendered.samples.size > 0
    assert np.isfinite(rendered.samples).all()
    places = [(one.start, one.end, one.start_s, one.end_s) for one in rendered.timings]
    assert places == sorted(places)
    assert all(a < b <= len(text) and 0 <= s <= e <= duration_s for a, b, s, e in places)


@pytest.mark.parametrize("text", ["", " ", "…?!", "\x00", "\ud800"])
def test_text_without_phonemes_becomes_a_short_silence(engine, text):
    rendered = say(engine, text)
    assert rendered.timings == ()
    assert 0 < rendered.samples.size < engine.sample_rate


def test_brackets_in_a_text_are_no_phonemes(engine):
    assert engine.model_input(request("a [[b]] c")) == engine.model_input(request("a ((b)) c"))


def test_phonemes_of_a_lexicon_are_said_and_timed_in_their_place(engine):
    text = "I saw Worcester, again."
    own = engine.own_phonemes("ˈwʊstər", VOICE)
    one = make_request(text, VOICE, engine, 1.0, (Pronunciation(6, 15, "ˈwʊstər"),))
    assert own == "ˈwʊstər"
    assert engine.model_input(one) == "aɪ sˈɔː ˈwʊstər, ɐɡˈɛn."
    rendered = engine.render(Batch((one,)))[0]
    assert [text[time.start : time.end] for time in rendered.timings] == [
        "I",
        "saw",
        "Worcester",
        "again",
    ]
    with pytest.raises(UnknownPhoneme, match="文"):
        engine.own_phonemes("文", VOICE)


def test_ids_are_those_of_the_package():
    phonemes = ("h", "ə", "l", "文", "ˈ", "oʊ", ".")
    assert list(phoneme_ids(phonemes, DEFAULT_PHONEME_ID_MAP).ids) == phonemes_to_ids(
        list(phonemes), DEFAULT_PHONEME_ID_MAP
    )


def test_durations_are_the_samples_of_each_id(folder):
    model = PiperModel(read_voice_file(next(folder.rglob(f"{VOICE}.onnx"))))
    ids = model.ids(tuple("həlˈoʊ"))
    speech = model.speak(ids, PiperScales(0.667, 3.0, 0.8), None, 1)
    assert speech.durations is not None
    assert len(speech.durations) == len(ids.ids)
    assert sum(speech.durations) == speech.samples.size


def test_a_voice_speaks_its_own_language_only(engine):
    assert engine.in_language(VOICE, "en-AU") == VOICE
    with pytest.raises(UnknownVoice, match="speaks en-US only"):
        engine.in_language(VOICE, "de")


def test_the_fingerprint_tells_files_and_options_apart(folder, engine):
    prints = {
        engine.fingerprint(VOICE),
        engine.fingerprint(SPEAKERS[0]),
        engine.fingerprint(LOW),
        open_piper(folder, noise_scale=0.5).fingerprint(VOICE),
        open_piper(folder, sample_rate=44_100).fingerprint(VOICE),
    }
    assert len(prints) == 5


def read(text):
    """A reader as Piper's: letters are their own phonemes, and each sentence keeps its end."""
    for sentence in re.findall(r"[^.!?]+[.!?]?", text):
        words = re.findall(r"\w+[,;:]?", sentence)
        if words:
            yield list(" ".join(words) + sentence[-1:].strip("".join(words) + " "))


@each_row
def test_phonemes_stand_in_their_place_and_keep_the_marks_around_them(text, sentences):
    assert ["".join(one) for one in phonemes_of(text, lambda part: [*read(part)])] == sentences


@given(st.text("ab .,!?[]", max_size=30))
def test_no_letter_is_lost_and_no_sentence_is_empty(text):
    sentences = phonemes_of(text, lambda part: [*read(part)])
    assert all(sentences)
    joined = "".join("".join(one) for one in sentences)
    assert re.sub(r"[^ab]", "", joined) == re.sub(r"[^ab]", "", text)
