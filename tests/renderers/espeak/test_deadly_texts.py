"""Texts that make libespeak-ng overwrite the stack: all that can be said of them is said."""

import json

import pytest

from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.engine.protocol import Batch, Remark
from audiomill.renderers.espeak import speech
from support import child_functions
from support.espeak_data import ESPEAK, FOX, digest, request, say, timed_words
from support.process_data import children, printed_by

LETTERS = "é." * 101  # more than its buffer for initials holds
BRAILLE = "\u28fc"  # in Tigrinya


def test_initials_without_end_are_said(capfd):
    """They killed the library as one word; as several they do not."""
    text = "A." * 200
    rendered = say(text)
    assert rendered.remarks == ()
    assert rendered.timings[-1].end == len(text) - 1
    assert rendered.samples.size > 15 * ESPEAK.sample_rate
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("voice", ["de", "fr-fr"])
def test_a_text_that_kills_is_said_in_halves(voice, capfd):
    text = LETTERS
    rendered = say(text, voice)
    half = len(text) // 2
    halves = [say(text[:half], voice, key="a"), say(text[half:], voice, key="a")]
    assert rendered.remarks == ()
    assert rendered.samples.size == sum(one.samples.size for one in halves)
    assert rendered.timings[-1].end == len(text) - 1
    n_first = halves[0].samples.size / ESPEAK.sample_rate
    assert rendered.timings[-1].start_s >= n_first
    assert capfd.readouterr() == ("", "")


def test_a_character_that_kills_is_left_out_and_the_rest_of_its_text_is_said():
    text = f"Abc def {BRAILLE} ghi jkl."
    rendered = say(text, "ti")
    assert rendered.remarks == (Remark(8, 9, "left out"),)
    assert timed_words(rendered, text) == ["Abc", "def", "ghi", "jkl"]
    alone = say(BRAILLE, "ti")
    assert alone.remarks == (Remark(0, 1, "left out"),)
    assert alone.timings == ()
    assert alone.samples.size > 0
    assert not alone.samples.any()


def test_neighbours_of_a_text_that_kills_sound_as_ever():
    before, after = request(FOX), request(FOX, "de")
    batch = Batch((before, request(BRAILLE, "ti"), request(LETTERS, "de"), after))
    first, *_, last = ESPEAK.render(batch)
    assert [digest(first), digest(last)] == [digest(say(FOX)), digest(say(FOX, "de"))]


def test_a_library_that_dies_of_every_text_is_an_error(monkeypatch):
    monkeypatch.setattr(speech, "speak_texts", child_functions.never_ready)
    with pytest.raises(EngineFailed, match="cannot speak on this machine: its process ended"):
        type(ESPEAK)().render(Batch((request(FOX),)))


def test_a_fork_speaks_with_processes_of_its_own():
    code = (
        "from support.espeak_data import *; import json, os;"
        "say(FOX); pid = os.fork();"
        "print(json.dumps([digest(say(f'Sentence {n}.')) for n in range(12)]), flush=True);"
        "pid or os._exit(0); os.waitpid(pid, 0)"
    )
    expected = [digest(say(f"Sentence {n}.")) for n in range(12)]
    lines = printed_by(code).splitlines()
    assert [json.loads(line) for line in lines] == [expected, expected]


def test_an_engine_that_is_dropped_leaves_no_process():
    before = {child.pid for child in children()}
    engine = type(ESPEAK)()
    say(FOX, engine=engine)
    assert {child.pid for child in children()} > before
    del engine
    assert {child.pid for child in children()} == before
