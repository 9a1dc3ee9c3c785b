"""The samples of a text as it is streamed: those that a book of it has."""

import numpy as np
import pytest

from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.make_job import make_job
from audiomill.flows.pipeline.chapter_audio import (
    EncodeRegion,
    SegmentRange,
    stream_audio,
)
from audiomill.flows.pipeline.planning.manuscript import read_manuscript
from audiomill.flows.pipeline.planning.plan import make_plan
from audiomill.flows.speech.scheduler import SpeechScheduler
from audiomill.flows.speech.speech_audio import speech_pcm, speech_samples
from audiomill.flows.speech.text_plan import SpeechPlanner, TextToSpeak
from audiomill.inputs.model.book import SourceEmpty
from audiomill.renderers.store.shard_reader import ShardReader
from audiomill.renderers.store.store import open_store

TEXT = """The mill stood by the water. It cost £2.5m, or so they said!

Dr. Ode read "The Wheel" on 3 May 1897; nobody asked why. He had a lamp — a good one."""


@pytest.fixture
def planner(settings, renderer):
    return SpeechPlanner(settings)


def streamed(settings, renderer, plan):
    store = open_store(settings.store)
    with SpeechScheduler(renderer, store, RunContext()) as scheduler:
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
