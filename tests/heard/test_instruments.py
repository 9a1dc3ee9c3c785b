"""What `make prove-heard` measures with finds what is wrong, and nothing where all is right."""

from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from audiomill.outputs.audio.joining import Clip
from audiomill.outputs.audio.trimming import Break
from audiomill.renderers.engine.protocol import ShardInfo, WordTiming
from audiomill.renderers.speech.transcript_comparison import words_of
from heard.breaks import heard_breaks
from heard.listening import HeardWord, Listener, differences
from heard.word_times import begun_with_sound, compared, onsets_after_quiet_s, words_at

RATE = 24_000


def heard(text: str) -> list[HeardWord]:
    return [HeardWord(word, float(at)) for at, word in enumerate(words_of(text, "en"))]


def differing(expected: str, text: str) -> list[tuple[str, str, float]]:
    found = differences(words_of(expected, "en"), heard(text))
    return [(one.expected, one.heard, one.at_s) for one in found]


def test_numbers_and_marks_are_no_difference():
    said = "In eighteen ninety-seven Doctor Hale’s mill had 14 sails; every one turned."
    assert differing(said, "In 1897 Dr. Hales mill had fourteen sails. Everyone turned.") == []


def test_a_word_that_is_missing_doubled_or_another_is_found_at_its_time():
    assert differing("The mill stood still.", "The stood still.") == [("mill", "", 1.0)]
    assert differing("The mill stood.", "The mill mill stood.") == [("", "mill", 2.0)]
    assert differing("The mill stood.", "The bill stood.") == [("mill", "bill", 1.0)]
    assert differing("The mill stood.", "") == [("the mill stood", "", 0.0)]


def test_i_is_no_numeral(tmp_path):
    audio = tmp_path / "audio.flac"
    audio.write_bytes(b"sound")
    kept = tmp_path / f"{sha256(b'sound').hexdigest()[:16]}.json"
    kept.write_text('[["I", 0.0, 0.2], ["see.", 0.2, 0.5]]')
    words = Listener(Path(), Path(), tmp_path).words(audio, "en")
    assert words == [HeardWord("i", 0.0), HeardWord("see", 0.2)]


def tone(seconds: float, level: float = 0.3) -> np.ndarray:
    return level * np.sin(np.arange(round(seconds * RATE)) * 0.2).astype(np.float32)


def clip(quiet_s: float, asked_s: float) -> Clip:
    samples = np.concatenate([tone(1), tone(quiet_s, 1e-5), tone(1)])
    return Clip("s1", samples, 0.0, (Break(0.8, 1 + quiet_s, asked_s),))


@pytest.mark.parametrize("quiet_s", [0.1, 0.3, 0.9])
def test_a_pause_is_as_long_as_it_is_heard(quiet_s):
    (found,) = heard_breaks(clip(quiet_s, 0.5), RATE)
    assert found.asked_s == 0.5
    assert found.heard_s == pytest.approx(0.5, abs=0.011)
    assert found.cut_db is not None
    assert found.cut_db < -60


def test_where_the_voice_runs_on_nothing_is_cut():
    (found,) = heard_breaks(clip(0.0, 0.5), RATE)
    assert (found.heard_s, found.cut_db) == (None, None)


def test_after_a_mark_a_word_begins_with_its_sound():
    samples = np.concatenate([tone(0.3, 1e-5), tone(0.5), tone(0.4, 1e-5), tone(0.6)])
    onsets_s = onsets_after_quiet_s(samples, RATE)
    assert onsets_s == pytest.approx([0.3, 1.2], abs=0.011)
    spoken = "Anna: that depends on"
    aligned = [(0.42, 0.8), (0.85, 1.4), (1.4, 1.6), (1.6, 1.8)]
    found = begun_with_sound(aligned, spoken, words_at(spoken), onsets_s)
    assert [one for one, _ in found] == pytest.approx([0.3, 1.2, 1.4, 1.6], abs=0.011)


def test_a_word_is_compared_where_both_have_it():
    ours = (WordTiming(0, 6, 0.10, 0.40), WordTiming(7, 14, 0.4, 0.5), WordTiming(15, 19, 0.5, 0.9))
    words = words_at("Hale’s old-new mill")
    assert [*words.values()] == ["hale's", "old", "new", "mill"]
    aligned = [(0.08, 0.4), (0.4, 0.5), (0.5, 0.55), (0.65, 0.9)]
    found = compared(clip(0.1, 0.5), words, aligned, ShardInfo("key", RATE, RATE, ours))
    assert [(one.word, round(one.late_s, 3), one.is_far_off) for one in found] == [
        ("hale's", 0.02, False),
        ("old", 0.0, False),
        ("mill", -0.15, True),
    ]
