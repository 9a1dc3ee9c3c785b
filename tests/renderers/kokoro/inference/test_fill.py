"""Of what a GPU computes, 95 % at least is speech: over a whole text, at any size of its memory.

The plans are those of a render, from the file on. How long rows sound comes from a model that reads
them; the novel's rows, of which there are too many, scatter as much as the corpus's. With random
weights that is by a fifth about the mean, more than a voice that reads evenly.
"""

from dataclasses import dataclass, replace

import numpy as np
import pytest
import torch

from audiomill.flows.bench.corpus import CORPUS, prepared_corpus
from audiomill.flows.job import Job
from audiomill.flows.pipeline.plan import Plan, make_plan
from audiomill.flows.pipeline.stages import read_manuscript
from audiomill.renderers.base import Request
from audiomill.renderers.kokoro.bench.ours import limits_of_rows
from audiomill.renderers.kokoro.inference.batching import batches, computed
from audiomill.renderers.kokoro.model.model import Utterance
from audiomill.renderers.kokoro.renderer import ROWS_ALONE
from audiomill.renderers.kokoro.weights.checkpoint import load_voice
from audiomill.renderers.kokoro.weights.voices import KokoroVoices
from audiomill.renderers.options import EngineOptions, KokoroOptions
from audiomill.renderers.planning import plan_windows
from audiomill.renderers.registry import open_renderer
from support.kokoro_reference import folder, ours
from support.novel_data import write_novel

# Frames that there is room for: what is asked for at times, and on cards of 8, 24 and 80 GiB.
BUDGETS = (4_096, 7_000, 23_000, 78_000)
LEAST_FILL = 0.95
LINES = prepared_corpus().lines("planned")


@dataclass(frozen=True)
class Text:
    """A plan, and how many frames each of its segments lasts, by key."""

    job: Job
    plan: Plan
    frames: dict[str, int]


def options(**changes):
    return KokoroOptions(weights=folder("narrow"), **({"device": "cuda"} | changes))


def planned(job):
    return make_plan(read_manuscript(job), job, open_renderer(job.engine, job.options))


def requests_of(plan):
    return [part.request for chapter in plan.chapters for part in chapter.parts]


@pytest.fixture(scope="module")
def job(tmp_path_factory):
    place = tmp_path_factory.mktemp("fill")
    return Job(CORPUS, place, str(place), "kokoro", options=EngineOptions(options()))


@pytest.fixture(scope="module")
def lasting():
    """Frames of each line of the corpus, as a model reads it."""
    model = ours("narrow", torch.float32)
    styles = load_voice(KokoroVoices(folder("narrow")), "af_heart")[:, 0]
    rows = [
        Utterance(
            (0, *(model.config.vocab[one] for one in line.said), 0), styles[len(line.said) - 1], 1
        )
        for line in LINES
    ]
    frames = np.zeros(len(rows), int)
    for batch in batches([len(row.tokens) for row in rows], 8_000):
        frames[list(batch)] = [one.n_frames for one in model.encode_text([rows[n] for n in batch])]
    return frames


@pytest.fixture(scope="module")
def corpus(job, lasting):
    plan = planned(job)
    frames = zip(requests_of(plan), lasting.tolist(), strict=True)
    return Text(job, plan, {request.key: n_frames for request, n_frames in frames})


@pytest.fixture(scope="module")
def novel(job, lasting, tmp_path_factory):
    """50,000 words. Estimates of phonemes are off by 7 %, as they are for the corpus."""
    source = write_novel(tmp_path_factory.mktemp("novel") / "novel.md", 50_000)
    job = replace(job, source=source)
    plan, dice = planned(job), np.random.default_rng(1)
    requests = requests_of(plan)
    length = open_renderer(job.engine, job.options).limits.length
    tokens = 2 + np.array([length(one.spoken, one.voice) for one in requests])
    pace = dice.choice(lasting / [2 + len(line.said) for line in LINES], len(requests))
    frames = tokens * pace * np.exp(dice.normal(0, 0.07, len(requests)))
    pairs = zip(requests, np.ceil(frames).astype(int).tolist(), strict=True)
    return Text(job, plan, {request.key: n_frames for request, n_frames in pairs})


def fill_of(windows, frames, budget):
    given = [batch.requests for window in windows for batch in window.batches]
    groups = [[frames[request.key] for request in requests] for requests in given]
    return sum(map(sum, groups)) / sum(computed(group, budget) for group in groups)


@pytest.mark.parametrize("budget", BUDGETS)
def test_the_corpus_is_hardly_padded(corpus, budget):
    assert fill_of(corpus.plan.windows, corpus.frames, budget) >= LEAST_FILL


@pytest.mark.parametrize("budget", BUDGETS)
def test_a_novel_is_hardly_padded(novel, budget):
    assert fill_of(novel.plan.windows, novel.frames, budget) >= LEAST_FILL


def test_a_novel_is_shaped_like_one(novel):
    lengths = np.array([len(one.spoken) for one in requests_of(novel.plan)])
    assert 45_000 < sum(len(one.spoken.split()) for one in requests_of(novel.plan)) < 55_000
    assert 0.1 < np.mean(lengths < 60) < 0.4  # dialogue
    assert 0.4 < np.mean(lengths > 120) < 0.8


def test_the_first_windows_are_short_on_a_gpu_too(novel):
    planned_s = [window.estimated_s for window in novel.plan.windows]
    assert planned_s[0] == pytest.approx(600, abs=20)
    assert max(planned_s) == pytest.approx(4800, abs=20)


def test_a_window_that_is_set_beats_the_engines(corpus):
    short = planned(replace(corpus.job, window_s=300.0)).windows
    assert max(window.estimated_s for window in short) < 330


def test_on_a_cpu_rows_are_few_and_not_padded(corpus):
    job = replace(corpus.job, options=EngineOptions(options(device="cpu")))
    windows = planned(job).windows
    assert max(window.estimated_s for window in windows) < 630
    assert max(len(batch.requests) for window in windows for batch in window.batches) == ROWS_ALONE
    assert fill_of(windows, corpus.frames, 0) == 1


@pytest.mark.parametrize("asked", [{"device": "cuda"}, {"device": "cpu", "batch_frames": 4_096}])
def test_a_benchmark_takes_the_plan_of_a_render(corpus, lasting, asked):
    """It plans with phonemes where a render has text to estimate by."""
    requests = [Request(str(n), line.said, "", 1.0) for n, line in enumerate(LINES)]
    windows = plan_windows(requests, limits_of_rows(options(**asked), 510))
    assert len(windows) == len(corpus.plan.windows)
    for window, rendered in zip(windows, corpus.plan.windows, strict=True):
        assert window.estimated_s == pytest.approx(rendered.estimated_s, rel=0.1)
    frames = {request.key: n for request, n in zip(requests, lasting.tolist(), strict=True)}
    rendered = fill_of(corpus.plan.windows, corpus.frames, 4_096)
    assert fill_of(windows, frames, 4_096) == pytest.approx(rendered, abs=0.01)
