"""espeak-ng: what a request sounds like depends on it alone; every voice speaks; text is text."""

import hashlib
import json
import random
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from renderers import espeak, espeak_library
from renderers.espeak import SAMPLE_RATE, EspeakRenderer
from renderers.espeak_abi import Event, EventType, Utterance
from renderers.espeak_library import Library
from renderers.espeak_words import word_timings
from renderers.registry import open_renderer
from renderers.shard import Batch, EngineFailed, EngineMissing, Request, UnknownVoice

ROOT = Path(__file__).parent.parent
ESPEAK = open_renderer("espeak")
FOX = "The quick brown fox jumps over the lazy dog, and then it slept."


def request(text, voice="en-us", speed=1.0, key=None):
    key = key or hashlib.sha256(f"{text}{voice}{speed}".encode("utf-8", "replace")).hexdigest()
    return Request(key, text, voice, "en", speed)


def say(text, voice="en-us", speed=1.0, key=None, engine=ESPEAK):
    (rendered,) = engine.render(Batch((request(text, voice, speed, key),), 512))
    return rendered


def digest(rendered):
    return hashlib.sha256(rendered.samples.tobytes()).hexdigest()


def said(rendered, text):
    return [text[one.start : one.end] for one in rendered.timings]


# The same request always sounds the same.

REQUESTS = [
    request(FOX),
    request(FOX, "en-us+f3"),
    request(FOX, "en-us+whisper"),  # noise
    request(FOX, "en-gb+klatt4"),  # the other synthesiser, with a noise of its own
    request(FOX, "en-gb", 2.0),
    request(FOX, "en-us", 3.5),  # sped up by the library's second stage
    request("Zwölf Boxkämpfer jagen Viktor über den Sylter Deich.", "de", 0.8),
    request("Съешь же ещё этих мягких французских булок. Hello!", "ru"),
    request("今天天气很好。", "cmn"),
    request("A"),
    request("…"),
    request("Wait; stop! Who? Me — 1,234 times."),
]


@pytest.fixture(scope="module")
def alone():
    """Each request's sound from an engine that has said nothing else."""
    return {one.key: digest(EspeakRenderer().render(Batch((one,), 99))[0]) for one in REQUESTS}


def test_different_requests_sound_different(alone):
    assert len(set(alone.values())) == len(REQUESTS)


@pytest.mark.parametrize("seed", range(4))
def test_order_and_neighbours_change_no_sample(alone, seed):
    shuffled = random.Random(seed)
    order = shuffled.choices(REQUESTS, k=25)
    rendered = ESPEAK.render(Batch(tuple(order), 99))
    assert [digest(one) for one in rendered] == [alone[one.key] for one in order]


def test_another_process_gives_the_same_samples(alone):
    code = (
        "import sys, json; sys.path[:0] = ['tests'];"
        "from test_espeak import *;"
        "print(json.dumps([digest(one) for one in ESPEAK.render(Batch(tuple(REQUESTS), 9))]))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert json.loads(run.stdout) == [alone[one.key] for one in REQUESTS]


def test_threads_do_not_disturb_each_other(alone):
    wrong = []

    def work(seed):
        order = random.Random(seed).sample(REQUESTS, len(REQUESTS))
        for one, rendered in zip(order, ESPEAK.render(Batch(tuple(order), 99)), strict=True):
            if digest(rendered) != alone[one.key]:
                wrong.append(one)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_the_library_open_elsewhere_in_the_process_changes_nothing(alone):
    """As by a phonemizer for another engine: it would keep the state of a shared copy alive."""
    code = (
        "import sys, json, espeakng_loader; sys.path[:0] = ['tests'];"
        "other = espeakng_loader.load_library();"
        "other.espeak_Initialize(2, 0, espeakng_loader.get_data_path().encode(), 0x8000);"
        "from test_espeak import *;"
        "print(json.dumps([digest(one) for one in ESPEAK.render(Batch(tuple(REQUESTS), 9))]))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert json.loads(run.stdout) == [alone[one.key] for one in REQUESTS]


def test_without_reopened_descriptors_the_sound_is_the_same(alone, monkeypatch):
    """As on macOS: the library's copy is a file, and voices are chosen by name."""
    monkeypatch.setattr(espeak_library, "DESCRIPTORS", Path("/nowhere"))
    rendered = EspeakRenderer().render(Batch(tuple(REQUESTS), 99))
    assert [digest(one) for one in rendered] == [alone[one.key] for one in REQUESTS]


def test_a_library_that_stays_loaded_is_refused(monkeypatch):
    monkeypatch.setattr(espeak_library, "_unload", lambda _loaded: None)
    with pytest.raises(EngineFailed, match="does not unload"):
        EspeakRenderer()


def test_noise_is_drawn_from_the_key():
    assert digest(say(FOX, "en-us+whisper", key="a")) != digest(say(FOX, "en-us+whisper", key="b"))


def test_speaking_leaves_the_process_as_it_was():
    code = (
        "import sys, os, signal, locale, threading; sys.path[:0] = ['tests'];"
        "look = lambda: (os.getcwd(), [signal.getsignal(s) for s in signal.valid_signals()],"
        " locale.setlocale(locale.LC_NUMERIC), dict(os.environ),"
        " len(os.listdir('/proc/self/task')));"
        "import numpy; before = look();"
        "from renderers.registry import open_renderer; espeak = open_renderer('espeak');"
        "from renderers.shard import *;"
        "espeak.render(Batch((Request('k', 'Hello.', 'de', 'de', 1.0),), 9));"
        "opened = len(os.listdir('/proc/self/fd'));"
        "[espeak.render(Batch((Request('k', 'Hello.', 'de', 'de', 1.0),), 9)) for _ in range(50)];"
        "assert len(os.listdir('/proc/self/fd')) == opened, 'descriptors';"
        "assert look() == before, (before, look());"
        "print(locale.setlocale(locale.LC_CTYPE))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert "UTF-8" in run.stdout
    assert run.stderr == ""


# Speech.


def test_speech_is_sound_at_a_sensible_pace_and_level():
    rendered = say(FOX)
    assert 3 < rendered.samples.size / SAMPLE_RATE < 5
    assert 0.3 < np.abs(rendered.samples).max() < 1
    assert rendered.samples.dtype == np.float32


@pytest.mark.parametrize("speed", [0.5, 0.75, 1.5, 2.0, 3.0, 4.0])
def test_speed_divides_the_duration(speed):
    text = "It was the age of wisdom and it was the age of foolishness, as they say " * 3
    slow, fast = say(text).samples.size, say(text, speed=speed).samples.size
    assert slow / fast == pytest.approx(speed, rel=0.15)


@pytest.mark.parametrize("speed", [0.0, 0.2, 9.0])
def test_a_speed_it_cannot_speak_is_told(speed):
    with pytest.raises(EngineFailed, match=r"speed.*0\.46 to 5\.1"):
        say(FOX, speed=speed)


def test_every_voice_speaks_its_own_name():
    for voice in ESPEAK.voices():
        rendered = say("kala mata 12", voice.name)
        assert np.abs(rendered.samples).max() > 0.05, voice.name


def test_voices_are_many_sorted_and_in_bcp47():
    voices = ESPEAK.voices()
    names = [voice.name for voice in voices]
    assert len(names) == len(set(names)) > 130
    assert names == sorted(names)
    by_name = {voice.name: voice for voice in voices}
    assert by_name["pt-br"].language == "pt-BR"
    assert by_name["en-gb-x-rp"].language == "en-GB-x-rp"
    assert by_name["de"].description == "German"
    assert not {"fo", "kaa", "xex"} & set(names)  # listed by the library, without a dictionary


LANGUAGES = {
    "en": "en-us",
    "en-GB": "en-gb",
    "en_AU": "en-gb",
    "en-US-x-private": "en-us",
    "eng": "en-us",
    "de-Latn-DE-1996": "de",
    "ger": "de",
    "pt": "pt",
    "pt-BR": "pt-br",
    "pt-PT": "pt",
    "fr": "fr-fr",
    "fr-CA": "fr-fr",
    "fr-CH": "fr-ch",
    "es": "es",
    "es-MX": "es-419",
    "es-AR": "es-419",
    "es-ES": "es",
    "zh": "cmn",
    "zh-Hans-CN": "cmn",
    "zh-Hant-TW": "cmn",
    "zh-cmn-Hans": "cmn",
    "zh-Hant-HK": "yue",
    "zh-yue": "yue",
    "nb": "nb",
    "nn-NO": "nb",
    "no": "nb",
    "vi-VN": "vi",
    "sr-Latn-RS": "sr",
    "chr": "chr-us-qaaa-x-west",
    "JA-jp": "ja",
}


@pytest.mark.parametrize(("language", "voice"), LANGUAGES.items())
def test_the_default_voice_speaks_the_language(language, voice):
    assert ESPEAK.default_voice(language) == voice


@pytest.mark.parametrize("language", ["", "und", "x-private", "i-klingon", "zxx", "fil"])
def test_a_language_without_a_voice_is_told(language):
    with pytest.raises(UnknownVoice, match="does not speak"):
        ESPEAK.default_voice(language)


@pytest.mark.parametrize(
    ("alias", "name"), [("EN_us", "en-us"), ("en", "en-us"), ("fr", "fr-fr"), ("no", "nb")]
)
def test_voices_have_other_names_too(alias, name):
    assert digest(say(FOX, alias, key="k")) == digest(say(FOX, name, key="k"))


@pytest.mark.parametrize(
    ("voice", "close"),
    [("en-uss", "en-us"), ("germn", ""), ("de+f33", "f3"), ("de+", ""), ("", ""), ("../af", "")],
)
def test_an_unknown_voice_names_close_ones(voice, close):
    with pytest.raises(UnknownVoice, match=f"no voice .*{close}.*audiomill voices") as told:
        say(FOX, voice)
    assert "\n" not in str(told.value)
    with pytest.raises(UnknownVoice):
        ESPEAK.fingerprint(voice)


def test_the_fingerprint_holds_version_and_data(monkeypatch, tmp_path):
    before = ESPEAK.fingerprint("en-us")
    assert "1.5" in before
    assert ESPEAK.fingerprint("de") == before == EspeakRenderer().fingerprint("en-us")
    other = EspeakRenderer()
    (tmp_path / "en_dict").write_bytes(b"other words")
    monkeypatch.setattr(other, "_data", tmp_path)
    assert other.fingerprint("en-us") != before


# Text is text.


def test_markup_and_phoneme_brackets_are_spoken_not_obeyed():
    silent = say("one four")
    for marked in ("one <b> four", "one [[two]] four", "one & four", "one </speak> four"):
        assert say(marked).samples.size > silent.samples.size + 2000, marked


def test_control_characters_are_not_obeyed():
    """U+0001 begins an embedded command, U+0000 would end the text."""
    plain = say("one two three", key="k")
    for mean in (
        "one\x01two three",
        "one\x00two three",
        "one\x7ftwo\x01three",
        "one\ud800two three",
    ):
        assert digest(say(mean, key="k")) == digest(plain), repr(mean)
    assert say("one \x01400S two").samples.size > say("one two").samples.size


anything = st.text(st.characters(codec=None), max_size=40)


@settings(max_examples=150, deadline=None)
@given(anything, st.sampled_from(["en-us", "de", "cmn", "ja", "ar", "en-us+klatt"]))
def test_any_text_gives_sound_and_ordered_timings(text, voice):
    try:
        rendered = say(text, voice)
    except EngineFailed as told:
        assert "says nothing" in str(told)  # letters that this voice does not know
        return
    assert rendered.samples.size > 0
    end, end_s = 0, 0.0
    for one in rendered.timings:
        assert end <= one.start < one.end <= len(text)
        assert end_s <= one.start_s <= one.end_s <= rendered.samples.size / SAMPLE_RATE
        end, end_s = one.end, one.end_s


def test_punctuation_alone_is_a_moment_of_silence():
    for text in ("…", "—", "?!", ""):
        rendered = say(text)
        assert rendered.samples.size > 0
        assert not rendered.samples.any()
        assert rendered.timings == ()


def test_silence_for_letters_is_an_error(monkeypatch):
    mute = Utterance(bytes(2000), ())
    monkeypatch.setattr(Library, "speak", lambda *_, **__: mute)
    with pytest.raises(EngineFailed, match="says nothing for 'Hello"):
        say("Hello there.")


def test_a_long_text_is_spoken_to_its_end():
    text = " ".join(f"Sentence {number} of many, said in full." for number in range(60))
    rendered = say(text)
    assert said(rendered, text)[-1] == "full"
    assert rendered.timings[-1].end_s > 0.98 * rendered.samples.size / SAMPLE_RATE


# Word timings.


def test_every_word_has_its_time():
    text = "He said: “It cost $3.50 in 1984, at the naïve café—well-known 50% of the time.”"
    words = "He said It cost $3.50 in 1984 at the naïve café well-known 50% of the time"
    assert said(say(text), text) == words.split(" ")


def test_chinese_is_timed_by_characters():
    text = "你好,世界。今天很好。"
    assert said(say(text, "cmn"), text) == list("你好世界今天很好")


def test_a_word_sounds_when_its_timing_says_so():
    """The long pause after a full stop belongs to no word, and each word is loud."""
    text = "Stop. Go. Stay."
    rendered = say(text)
    envelope = np.abs(rendered.samples)
    for one in rendered.timings:
        first, end = round(one.start_s * SAMPLE_RATE), round(one.end_s * SAMPLE_RATE)
        assert envelope[first:end].max() > 0.1
    gaps = [
        after.start_s - before.end_s
        for before, after in zip(rendered.timings, rendered.timings[1:], strict=False)
    ]
    assert min(gaps) > 0.15


def test_words_without_an_event_share_the_time_of_the_one_before():
    events = [
        Event(EventType.WORD, 0, 0),
        Event(EventType.WORD, 12, 6000),
        Event(EventType.CLAUSE_END, 15, 9000),
    ]
    timings = word_timings("one twofour last.", events, np.full(9000, 0.5, np.float32), 1000)
    assert [(one.start, one.end) for one in timings] == [(0, 3), (4, 11), (12, 16)]
    assert [one.start_s for one in timings] == [0.0, 1.8, 6.0]
    assert [one.end_s for one in timings] == [1.8, 6.0, 9.0]


# What is missing is told.


def test_a_missing_wheel_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "espeakng_loader", None)
    with pytest.raises(EngineMissing, match="pip install"):
        EspeakRenderer()


@pytest.mark.parametrize("missing", ["library", "data"])
def test_missing_files_are_told(monkeypatch, tmp_path, missing):
    library, data = espeak._wheel_paths()
    paths = (tmp_path / "none.so", data) if missing == "library" else (library, tmp_path / "none")
    monkeypatch.setattr(espeak, "_wheel_paths", lambda: paths)
    with pytest.raises(EngineMissing, match=r"none.*pip install"):
        EspeakRenderer()


def test_a_library_that_is_none_is_told(monkeypatch, tmp_path):
    (tmp_path / "libespeak-ng.so").write_bytes(b"not a library")
    data = espeak._wheel_paths()[1]
    monkeypatch.setattr(espeak, "_wheel_paths", lambda: (tmp_path / "libespeak-ng.so", data))
    with pytest.raises(EngineMissing, match="cannot be loaded"):
        EspeakRenderer()
