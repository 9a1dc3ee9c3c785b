"""Times of words from Kokoro-FastAPI and vLLM-Omni: as they sound, or none and one line why."""

import base64
import json
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.openai.word_times import HeardWord, captioned, words_in_header
from audiomill.renderers.servers.replies import Reply, ServerFailing
from support.case_files import each_row
from support.hasty_waiter import HastyWaiter
from support.server_rendering import TEXT, assert_spoken, speak
from support.speech_audio import word_timings
from support.speech_server import speech_server

WORDS = ["The", "mill", "stands", "by", "the", "sea"]


def words_of(rendered, text=TEXT):
    return [text[one.start : one.end] for one in rendered.timings]


@pytest.mark.parametrize(
    ("kind", "voice", "tolerance_s"),
    [("kokoro-fastapi", "af_sky", 1e-6), ("vllm-omni", "ryan", 0.041)],
)
def test_words_have_the_times_at_which_they_sound(voice, tolerance_s, renderer_of, server):
    rendered = speak(renderer_of(server), voice=voice)
    assert_spoken(rendered.samples, voice=voice)
    assert words_of(rendered) == WORDS
    truth = word_timings(TEXT, voice)
    for one, true in zip(rendered.timings, truth, strict=True):
        assert one.start_s == pytest.approx(true.start_s, abs=tolerance_s)
    # The sign after the last word is no part of it.
    for one, true in zip(rendered.timings[:-1], truth[:-1], strict=True):
        assert one.end_s == pytest.approx(true.end_s, abs=tolerance_s)


def test_faster_speech_has_earlier_words(renderer_of):
    with speech_server("kokoro-fastapi") as server:
        renderer = renderer_of(server)
        slow, fast = (speak(renderer, speed=speed).timings[-1].end_s for speed in (1.0, 2.0))
        assert fast < 0.6 * slow


@pytest.mark.parametrize("lie", ["null", "cut short", "other words", "late"])
def test_times_that_are_not_those_of_the_words_are_dropped(lie, renderer_of):
    with speech_server("kokoro-fastapi", words_lie=lie) as server:
        rendered = speak(renderer_of(server), voice="af_sky")
        assert rendered.timings == ()
        assert_spoken(rendered.samples, voice="af_sky")


def test_an_older_server_speaks_without_times_and_that_is_said_once(renderer_of):
    waiter = HastyWaiter()
    with speech_server("kokoro-fastapi", is_older=True) as server:
        renderer = renderer_of(server)
        for _ in range(3):
            rendered = speak(renderer, voice="af_sky", waiter=waiter)
            assert_spoken(rendered.samples, voice="af_sky")
            assert rendered.timings == ()
        assert waiter.told == [
            "Kokoro-FastAPI tells no times of words (it is an older one), so none are kept."
        ]
        paths = [one.path for one in server.requests]
        assert paths == ["/dev/captioned_speech", *["/v1/audio/speech"] * 3]


def test_vllm_without_an_aligner_is_asked_for_times_once(renderer_of):
    waiter = HastyWaiter()
    with speech_server("vllm-omni", has_aligner=False) as server:
        renderer = renderer_of(server)
        for _ in range(2):
            assert_spoken(speak(renderer, voice="ryan", waiter=waiter).samples, voice="ryan")
        asked = [one.body.get("word_timestamps") for one in server.requests]
        assert asked == [True, None, None]
        assert len({one.body["seed"] for one in server.requests}) == 1
        assert waiter.told == [
            "vLLM-Omni tells no times of words (start it with --forced-aligner), so none are kept."
        ]


def test_an_older_vllm_ignores_the_question(renderer_of):
    waiter = HastyWaiter()
    with speech_server("vllm-omni", is_older=True, has_aligner=False) as server:
        assert speak(renderer_of(server), voice="ryan", waiter=waiter).timings == ()
        assert (len(server.requests), waiter.told) == (1, [])


def test_more_words_than_a_header_holds_have_no_times(renderer_of):
    text = "word " * 90
    with speech_server("vllm-omni") as server:
        assert speak(renderer_of(server), text, voice="ryan").timings == ()


def test_a_text_whose_captions_fail_is_spoken_without_them(renderer_of):
    with speech_server("kokoro-fastapi", no_captions_of=(TEXT,)) as server:
        renderer = renderer_of(server)
        done = Event()

        def others():
            while not done.is_set():
                speak(renderer, "Another one.", "af_sky")

        with ThreadPoolExecutor(1) as threads:  # the server answers others meanwhile
            future = threads.submit(others)
            try:
                rendered = speak(renderer, voice="af_sky")
            finally:
                done.set()
            future.result()
        assert_spoken(rendered.samples, voice="af_sky")
        assert rendered.timings == ()


def reply_of(*objects, line_end="\n"):
    text = "".join(json.dumps(one, ensure_ascii=False) + line_end for one in objects)
    return Reply(200, {"content-type": "application/json"}, text.encode())


def piece(audio, *words):
    coded = base64.b64encode(audio).decode()
    told = [{"word": word, "start_time": 0, "end_time": 1} for word in words]
    return {"audio": coded, "audio_format": "audio/wav", "timestamps": told}


def test_lines_of_a_stream_are_pieces_of_one_file():
    # A line separator of Unicode ends no line of JSON.
    found = captioned(reply_of(piece(b"RIFF", "a\u2028b"), piece(b"WAVE", "c")), "Server")
    assert found.audio.content == b"RIFFWAVE"
    assert found.audio.media_type == "audio/wav"
    assert [word.text for word in found.words] == ["a\u2028b", "c"]


@pytest.mark.parametrize(
    "content", [b"", b"\n", b'{"audio": "UklG', b"[1]\n", b'{"audio": "???", "timestamps": []}']
)
def test_a_damaged_answer_is_asked_for_again(content):
    with pytest.raises(ServerFailing):
        captioned(Reply(200, {}, content), "Server")


def test_an_error_instead_of_audio_is_told():
    with pytest.raises(EngineFailed, match="Server answers with out of memory instead"):
        captioned(reply_of({"error": "out of memory"}), "Server")


@each_row
def test_the_header_of_vllm(header, words):
    told = words_in_header({"x-word-timestamps": header})
    assert list(told) == [HeardWord(*one) for one in words]
    assert words_in_header({}) == ()
