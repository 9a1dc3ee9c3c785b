"""At least 95 % of the frames that a GPU computes are speech, over a whole text, for any memory.

The plans are those of a render, from the source file on. The durations of the corpus's rows come
from a model that reads them. The novel has too many rows for that: its durations are drawn, and
scatter as much as the corpus's. With random weights they scatter by a fifth about the mean, more
than those of a voice that reads evenly.
"""

import random
import re
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
import torch

from audiomill.flows.bench.corpus import CORPUS, prepared_corpus
from audiomill.flows.job import Job
from audiomill.flows.pipeline.planning.manuscript import read_manuscript
from audiomill.flows.pipeline.planning.plan import Plan, make_plan
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.engine.planning import plan_windows
from audiomill.renderers.engine.protocol import Request
from audiomill.renderers.engine.registry import open_renderer
from audiomill.renderers.kokoro.bench_model import PREPARED
from audiomill.renderers.kokoro.benchmark import limits_of_rows
from audiomill.renderers.kokoro.inference.batching import batches, computed
from audiomill.renderers.kokoro.model.model import Utterance
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.renderer import ROWS_ALONE
from audiomill.renderers.kokoro.weights.checkpoint import load_voice
from audiomill.renderers.kokoro.weights.voices import KokoroVoices
from support.kokoro_reference import folder, ours

pytestmark = pytest.mark.prove

# Frames of a batch: a small setting, and what fits on GPUs of 8, 24 and 80 GiB.
BUDGETS = (4_096, 7_000, 23_000, 78_000)
MIN_FILL = 0.95
LINES = prepared_corpus(PREPARED).lines("planned")
CHAPTER_WORDS = 4_000
DIALOGUE_SHARE = 0.65  # of all paragraphs
MAX_SENTENCE_WORDS = 60


@dataclass(frozen=True)
class Text:
    """A plan, and the frames of each of its segments, by key."""

    job: Job
    plan: Plan
    frames: dict[str, int]


def options(**changes):
    return KokoroOptions(weights=folder("narrow"), **({"device": "cuda"} | changes))


def planned(job):
    return make_plan(read_manuscript(job), job, open_renderer(job.engine, job.options))


def requests_of(plan):
    return [part.request for chapter in plan.chapters for part in chapter.segments]


@pytest.fixture(scope="module")
def job(tmp_path_factory):
    place = tmp_path_factory.mktemp("fill")
    return Job(CORPUS, place, str(place), "kokoro", options=EngineOptions((options(),)))


@pytest.fixture(scope="module")
def corpus_frames():
    """The frames of each line of the corpus, from a model that reads it."""
    model = ours("narrow", torch.float32)
    styles = load_voice(KokoroVoices(folder("narrow")), "af_heart")[:, 0]
    rows = [
        Utterance(
            (0, *(model.config.vocab[one] for one in line.text), 0), styles[len(line.text) - 1], 1
        )
        for line in LINES
    ]
    frames = np.zeros(len(rows), int)
    for batch in batches([len(row.tokens) for row in rows], 8_000):
        frames[list(batch)] = [one.n_frames for one in model.encode_text([rows[n] for n in batch])]
    return frames


@pytest.fixture(scope="module")
def corpus(job, corpus_frames):
    plan = planned(job)
    frames = zip(requests_of(plan), corpus_frames.tolist(), strict=True)
    return Text(job, plan, {request.key: n_frames for request, n_frames in frames})


@pytest.fixture(scope="module")
def novel(job, corpus_frames, tmp_path_factory):
    """50,000 words. Estimates of phonemes are off by 7 %, as they are for the corpus."""
    source = write_novel(tmp_path_factory.mktemp("novel") / "novel.md", 50_000)
    job = replace(job, source=source)
    plan, rng = planned(job), np.random.default_rng(1)
    requests = requests_of(plan)
    length = open_renderer(job.engine, job.options).limits.length
    tokens = 2 + np.array([length(one.spoken, one.voice) for one in requests])
    pace = rng.choice(corpus_frames / [2 + len(line.text) for line in LINES], len(requests))
    frames = tokens * pace * np.exp(rng.normal(0, 0.07, len(requests)))
    pairs = zip(requests, np.ceil(frames).astype(int).tolist(), strict=True)
    return Text(job, plan, {request.key: n_frames for request, n_frames in pairs})


def fill_of(windows, frames, budget):
    batches_of_requests = [batch.requests for window in windows for batch in window.batches]
    groups = [[frames[request.key] for request in requests] for requests in batches_of_requests]
    return sum(map(sum, groups)) / sum(computed(group, budget) for group in groups)


@pytest.mark.parametrize("budget", BUDGETS)
def test_the_corpus_needs_hardly_any_padding(corpus, budget):
    assert fill_of(corpus.plan.windows, corpus.frames, budget) >= MIN_FILL


@pytest.mark.parametrize("budget", BUDGETS)
def test_a_novel_needs_hardly_any_padding(novel, budget):
    assert fill_of(novel.plan.windows, novel.frames, budget) >= MIN_FILL


def test_the_novel_has_the_segments_of_a_novel(novel):
    lengths = np.array([len(one.spoken) for one in requests_of(novel.plan)])
    assert 45_000 < sum(len(one.spoken.split()) for one in requests_of(novel.plan)) < 55_000
    assert 0.1 < np.mean(lengths < 60) < 0.4  # dialogue
    assert 0.4 < np.mean(lengths > 120) < 0.8


def test_the_first_windows_are_short_on_a_gpu_too(novel):
    planned_s = [window.estimated_s for window in novel.plan.windows]
    assert planned_s[0] == pytest.approx(600, abs=20)
    assert max(planned_s) == pytest.approx(4800, abs=20)


def test_a_window_that_is_set_overrides_the_engines(corpus):
    short = planned(replace(corpus.job, window_s=300.0)).windows
    assert max(window.estimated_s for window in short) < 330


def test_on_a_cpu_batches_are_small_and_not_padded(corpus):
    job = replace(corpus.job, options=EngineOptions((options(device="cpu"),)))
    windows = planned(job).windows
    assert max(window.estimated_s for window in windows) < 630
    assert max(len(batch.requests) for window in windows for batch in window.batches) == ROWS_ALONE
    assert fill_of(windows, corpus.frames, 0) == 1


@pytest.mark.parametrize("changes", [{"device": "cuda"}, {"device": "cpu", "batch_frames": 4_096}])
def test_a_benchmark_plans_as_a_render_does(corpus, corpus_frames, changes):
    """It plans by phonemes, which a render only estimates from the text."""
    requests = [Request(str(n), line.text, "", 1.0) for n, line in enumerate(LINES)]
    windows = plan_windows(requests, limits_of_rows(options(**changes), 510))
    assert len(windows) == len(corpus.plan.windows)
    for window, rendered in zip(windows, corpus.plan.windows, strict=True):
        assert window.estimated_s == pytest.approx(rendered.estimated_s, rel=0.15)
    frames = {request.key: n for request, n in zip(requests, corpus_frames.tolist(), strict=True)}
    rendered = fill_of(corpus.plan.windows, corpus.frames, 4_096)
    assert fill_of(windows, frames, 4_096) == pytest.approx(rendered, abs=0.01)


def write_novel(path: Path, n_words: int, seed: int = 1) -> Path:
    """Markdown of about `n_words` words of the corpus in the shape of a novel: paragraphs of
    narrative, with sentences up to sixty words, and short lines of dialogue between them.
    """
    generator = random.Random(seed)
    words = re.findall(r"[A-Za-z]+", CORPUS.read_text("utf-8"))
    lines, n_written = ["# A Novel"], 0
    while n_written < n_words:
        if n_written >= CHAPTER_WORDS * (sum(line.startswith("## ") for line in lines)):
            lines.append(f"## {' '.join(generator.choices(words, k=generator.randint(1, 6)))}")
        lines.append(_paragraph(generator, words))
        n_written += len(lines[-1].split())
    path.write_text("\n\n".join(lines), "utf-8")
    return path


def _paragraph(generator: random.Random, words: list[str]) -> str:
    if generator.random() >= DIALOGUE_SHARE:
        n_sentences = 1 + round(generator.gammavariate(2, 2))
        return " ".join(_sentence(generator, words, 15) for _ in range(n_sentences))
    speech = " ".join(
        _sentence(generator, words, 6) for _ in range(generator.choice((1, 1, 1, 2, 3)))
    )
    narration = ["", f" {_sentence(generator, words, 4)}", f" {_sentence(generator, words, 15)}"]
    return f"“{speech}”{generator.choices(narration, (5, 3, 2))[0]}"


def _sentence(generator: random.Random, words: list[str], typical: int) -> str:
    """A sentence of about `typical` words; lengths vary by a factor of two, as in prose."""
    n_words = min(MAX_SENTENCE_WORDS, max(1, round(typical * generator.lognormvariate(0, 0.65))))
    words_drawn = [word.lower() for word in generator.choices(words, k=n_words)]
    for index in range(generator.randint(6, 12), n_words - 3, 9):
        words_drawn[index] += ","
    return f"{' '.join(words_drawn).capitalize()}{generator.choices('.?!', (8, 1, 1))[0]}"
