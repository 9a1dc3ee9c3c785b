"""The samples of a text as it is streamed, and the times of its words, as clients ask for them."""

import base64
import json

import numpy as np
import pytest

from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.execution.shard_source import ShardSource
from audiomill.flows.make_job import make_job
from audiomill.flows.pipeline.chapter_audio import (
    ChapterTask,
    EncodeRegion,
    SegmentRange,
    measure_chapter_audio,
    stream_audio,
)
from audiomill.flows.pipeline.planning.manuscript import read_manuscript
from audiomill.flows.pipeline.planning.plan import make_plan
from audiomill.flows.speech.scheduler import SpeechScheduler
from audiomill.flows.speech.speech_audio import speech_pcm, speech_samples
from audiomill.flows.speech.text_plan import SpeechPlanner, TextToSpeak
from audiomill.inputs.model.book import SourceEmpty
from audiomill.inputs.segmentation.pauses import CHAPTER_LEAD_S
from audiomill.outputs.transcripts.cues import recording_cues
from audiomill.outputs.transcripts.word_formats import json_text
from audiomill.renderers.store.shard_reader import ShardReader
from audiomill.renderers.store.store import open_store
from support import patient_http

TEXT = """The mill stood by the water. It cost £2.5m, or so they said!

Dr. Ode read "The Wheel" on 3 May 1897; nobody asked why. He had a lamp — a good one."""


def captioned(url, text=TEXT, **fields):
    body = {"model": "held", "voice": "sine", "input": text, "response_format": "pcm"} | fields
    return patient_http.post(f"{url}/dev/captioned_speech", json=body)


def lines(answer):
    assert answer.headers["content-type"] == "application/json"
    return [json.loads(line) for line in answer.text.splitlines()]


def audio_of(parts):
    return b"".join(base64.b64decode(part["audio"], validate=True) for part in parts)


def words_of(parts):
    return [word for part in parts for word in part["timestamps"]]


def transcript_of_book(settings, renderer, source):
    """The words of the transcript of a book, in seconds from its first sound."""
    job = make_job(settings, source, credits=False)
    plan = make_plan(read_manuscript(job), job, renderer)
    (chapter,) = plan.chapters
    reader = ShardReader(open_store(settings.store))
    task = ChapterTask("", 1, chapter.segments, CHAPTER_LEAD_S, reader, plan.sample_rate)
    measured = measure_chapter_audio(task, lambda items: items)
    shards = {one.segment_id: reader.shard(one.request).info for one in chapter.segments}
    cues = recording_cues([measured], {one.id: one for one in plan.segments}, shards)
    words = json.loads(json_text(cues, plan.sample_rate, "", "en"))["segments"]
    return [
        (one["body"], one["startTime"] - CHAPTER_LEAD_S, one["endTime"] - CHAPTER_LEAD_S)
        for one in words
    ]


@pytest.mark.parametrize("form", ["pcm", "mp3"])
def test_words_rise_within_the_audio_and_agree_with_a_book(url, settings, renderer, tmp_path, form):
    parts = lines(captioned(url, response_format=form))
    words = words_of(parts)
    edges_s = [edge for one in words for edge in (one["start_time"], one["end_time"])]
    assert edges_s == sorted(edges_s)
    assert edges_s[0] >= 0
    plain = patient_http.post(
        f"{url}/v1/audio/speech", json={"input": TEXT, "response_format": form}
    )
    assert audio_of(parts) == plain.content
    if form == "pcm":
        assert edges_s[-1] <= len(plain.content) / 48_000
    source = tmp_path / "text.txt"
    source.write_text(TEXT)
    of_book = transcript_of_book(settings, renderer, source)
    assert [one["word"] for one in words] == [word for word, _, _ in of_book]
    assert " ".join(one["word"] for one in words) == " ".join(TEXT.split())
    for one, (_, start_s, end_s) in zip(words, of_book, strict=True):
        assert (one["start_time"], one["end_time"]) == pytest.approx((start_s, end_s), abs=0.0011)


def test_each_sentence_comes_with_its_words(url, renderer):
    body = {"input": "The first takes two seconds or more. This is held.", "response_format": "pcm"}
    path = f"{url}/dev/captioned_speech"
    with patient_http.stream("POST", path, json=body) as answer:
        found = answer.iter_lines()
        first = json.loads(next(found))
        assert not renderer.go.is_set()
        renderer.go.set()
        rest = [json.loads(line) for line in found]
    assert " ".join(one["word"] for one in first["timestamps"]) in body["input"]
    assert first["timestamps"][0]["word"] == "The"
    assert words_of([first, *rest])[-1]["word"] == "held."


def test_without_streaming_it_is_one_object(url):
    (whole,) = lines(captioned(url, stream=False))
    parts = lines(captioned(url))
    assert whole == {
        "audio": base64.b64encode(audio_of(parts)).decode(),
        "audio_format": "audio/pcm",
        "timestamps": words_of(parts),
    }


def test_words_are_left_out_if_they_are_not_wanted(url):
    parts = lines(captioned(url, return_timestamps=False))
    assert words_of(parts) == []
    assert audio_of(parts) == audio_of(lines(captioned(url)))


@pytest.mark.parametrize("stream", [True, False])
def test_a_failure_before_any_audio_has_its_status(url, stream):
    answer = captioned(url, "This is broken.", stream=stream)
    assert answer.status_code == 500
    assert "cannot be said" in answer.json()["error"]["message"]


def test_what_is_wrong_is_told(url):
    answer = captioned(url, stream="perhaps")
    assert answer.status_code == 400
    assert answer.json()["error"]["param"] == "stream"


@pytest.fixture
def planner(settings, renderer):
    return SpeechPlanner(settings)


def streamed(settings, renderer, plan):
    store = open_store(settings.store)
    with SpeechScheduler(ShardSource(renderer, store, RunContext())) as scheduler:
        ticket = scheduler.submit([one.request for one in plan.segments], "ann")
        yield from speech_samples(plan, ticket.stored, scheduler.reader())


def test_a_text_has_the_samples_of_a_book_of_it(settings, renderer, planner, tmp_path):
    spoken = np.concatenate(list(streamed(settings, renderer, planner.plan(TextToSpeak(TEXT)))))
    source = tmp_path / "text.txt"
    source.write_text(TEXT)
    job = make_job(settings, source, credits=False)
    plan = make_plan(read_manuscript(job), job, renderer)
    (chapter,) = plan.chapters
    reader = ShardReader(open_store(settings.store))
    region = EncodeRegion((SegmentRange(chapter.segments, 0.0),), 0)
    of_book = np.concatenate(list(stream_audio(reader, region, plan.sample_rate)))
    assert np.array_equal(spoken, of_book[: spoken.size])
    assert not of_book[spoken.size :].any()  # the pause after the last word


def test_a_sentence_is_there_before_the_next_one_is_rendered(settings, renderer, planner):
    plan = planner.plan(TextToSpeak("One is here. Two is held. Three."))
    blocks = streamed(settings, renderer, plan)
    first = next(blocks)
    assert first.any()
    assert not renderer.go.is_set()
    renderer.go.set()
    assert sum(1 for _ in blocks) == 2


@pytest.mark.parametrize("rate", [8_000, 22_050, 24_000, 48_000])
def test_another_rate_keeps_length_and_pitch(rate):
    tone = np.sin(np.arange(24_000) * (2 * np.pi * 440 / 24_000)).astype(np.float32) / 2
    blocks = np.array_split(tone, 7)
    pcm = np.frombuffer(b"".join(speech_pcm(iter(blocks), 24_000, rate)), "<i2") / 32768
    assert abs(pcm.size - rate) <= 1
    wave = np.sin(np.arange(pcm.size) * (2 * np.pi * 440 / rate)) / 2
    assert np.abs(pcm - wave)[300:-300].max() < 0.001


@pytest.mark.parametrize("text", ["…", "* * *", "\n\n—\n"])
def test_a_text_without_words_is_told(planner, text):
    with pytest.raises(SourceEmpty, match="no words"):
        planner.plan(TextToSpeak(text))
