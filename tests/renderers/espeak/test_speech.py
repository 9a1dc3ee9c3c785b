"""espeak-ng's speech: pace, level, silence, literal text, and word timings."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.engine.protocol import Batch
from audiomill.renderers.engine.text_process import Part
from audiomill.renderers.espeak.libespeak import EspeakEvent, EspeakUtterance, EventType
from audiomill.renderers.espeak.renderer import SAMPLE_RATE, EspeakRenderer
from audiomill.renderers.espeak.speech import SpeechPool
from audiomill.renderers.espeak.word_timing import word_timings
from support.espeak_data import ESPEAK, FOX, digest, request, say, timed_words
from support.examples import many_examples
from support.process_data import children


def test_speech_is_sound_at_a_sensible_pace_and_level():
    rendered = say(FOX)
    assert 3 < rendered.samples.size / SAMPLE_RATE < 5
    assert 0.3 < np.abs(rendered.samples).max() < 1
    assert rendered.samples.dtype == np.float32


@pytest.mark.prove
def test_foreign_words_do_not_fill_the_memory():
    """The library keeps 160 KB for each such text: 190 MB for these, if nothing is done."""
    others = {child.pid for child in children()}
    engine = EspeakRenderer()
    batch = Batch(tuple(request(f"Le weather {number}", "fr") for number in range(8)))
    held = []
    for _ in range(150):
        engine.render(batch)
        held += [child.memory_info().rss for child in children() if child.pid not in others]
    assert 0 < max(held) < 130 << 20


@pytest.mark.parametrize("speed", [0.5, 0.75, 1.5, 2.0, 3.0, 4.0])
def test_speed_divides_the_duration(speed):
    text = "It was the age of wisdom and it was the age of foolishness, as they say " * 3
    slow, fast = say(text).samples.size, say(text, speed=speed).samples.size
    assert slow / fast == pytest.approx(speed, rel=0.15)


def test_it_speaks_at_its_speed_limits():
    slowest, fastest = ESPEAK.limits.speeds
    assert (slowest, fastest) == (0.46, 5.1)
    assert say(FOX, speed=slowest).samples.size > 5 * say(FOX, speed=fastest).samples.size > 0


@pytest.mark.parametrize("speed", [0.0, 0.45, 5.11, float("nan"), float("inf")])
def test_a_speed_out_of_range_is_refused(speed):
    with pytest.raises(EngineFailed, match=r"speed.*0\.46 to 5\.1"):
        say(FOX, speed=speed)


def test_markup_and_phoneme_brackets_are_not_interpreted():
    plain = say("one four")
    for marked in ("one <b> four", "one [[two]] four", "one & four", "one </speak> four"):
        assert say(marked).samples.size > plain.samples.size + 2000, marked


def test_control_characters_are_not_interpreted():
    """U+0001 starts an embedded command, U+0000 ends the text."""
    plain = say("one two three", key="k")
    for text in (
        "one\x01two three",
        "one\x00two three",
        "one\x7ftwo\x01three",
        "one\ud800two three",
    ):
        assert digest(say(text, key="k")) == digest(plain), repr(text)
    assert say("one \x01400S two").samples.size > say("one two").samples.size


anything = st.text(st.characters(codec=None), max_size=40)


@many_examples(150)
@given(anything, st.sampled_from(["en-us", "de", "cmn", "ja", "ar", "en-us+klatt"]))
@example("| 0", "cmn")  # two words announced at one sample
def test_any_text_gives_sound_and_ordered_timings(text, voice):
    rendered = say(text, voice)
    assert rendered.samples.size > 0
    end, end_s = 0, 0.0
    for one in rendered.timings:
        assert end <= one.start < one.end <= len(text)
        assert end_s <= one.start_s <= one.end_s <= rendered.samples.size / SAMPLE_RATE
        end, end_s = one.end, one.end_s


UNSPOKEN = {
    "en-us": ["ꦲꦤ", "①", "ʻ", "ᏣᎳᎩ", "٣", "…", "—", "?!", ""],
    "cmn": ["ꦲꦤ"],
}


@pytest.mark.parametrize("voice", UNSPOKEN)
def test_text_that_a_voice_cannot_speak_becomes_a_short_silence(voice):
    for text in UNSPOKEN[voice]:
        rendered = say(text, voice)
        assert rendered.samples.size == round(0.050 * SAMPLE_RATE), text
        assert not rendered.samples.any()
        assert rendered.timings == ()


def test_no_samples_become_silence_too(monkeypatch):
    nothing = (Part(0, 12, EspeakUtterance(b"", ())),)
    monkeypatch.setattr(SpeechPool, "speak", lambda *_: (parts for parts in [nothing]))
    assert say("Hello there.").samples.size == round(0.050 * SAMPLE_RATE)


def test_a_long_text_is_spoken_to_its_end():
    text = " ".join(f"Sentence {number} of many, said in full." for number in range(60))
    rendered = say(text)
    assert timed_words(rendered, text)[-1] == "full"
    assert rendered.timings[-1].end_s > 0.98 * rendered.samples.size / SAMPLE_RATE


def test_every_word_is_timed():
    text = "He said: “It cost $3.50 in 1984, at the naïve café—well-known 50% of the time.”"
    words = "He said It cost $3.50 in 1984 at the naïve café well-known 50% of the time"
    assert timed_words(say(text), text) == words.split(" ")


def test_chinese_is_timed_by_characters():
    text = "你好,世界。今天很好。"
    assert timed_words(say(text, "cmn"), text) == list("你好世界今天很好")


def test_words_are_loud_and_pauses_belong_to_no_word():
    """The long pause after a full stop is in no word's timing."""
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


def test_words_without_an_event_share_the_time_of_the_previous_word():
    events = [
        EspeakEvent(EventType.WORD, 0, 0),
        EspeakEvent(EventType.WORD, 12, 6000),
        EspeakEvent(EventType.CLAUSE_END, 15, 9000),
    ]
    timings = word_timings("one twofour last.", events, np.full(9000, 0.5, np.float32), 1000)
    assert [(one.start, one.end) for one in timings] == [(0, 3), (4, 11), (12, 16)]
    assert [one.start_s for one in timings] == [0.0, 1.8, 6.0]
    assert [one.end_s for one in timings] == [1.8, 6.0, 9.0]


def test_two_words_announced_at_one_sample_share_the_time():
    events = [EspeakEvent(EventType.WORD, 0, 0), EspeakEvent(EventType.WORD, 4, 0)]
    timings = word_timings("one four", events, np.full(7000, 0.5, np.float32), 1000)
    assert [(one.start_s, one.end_s) for one in timings] == [(0.0, 3.0), (3.0, 7.0)]
