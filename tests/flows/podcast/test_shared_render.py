"""Sources that are rendered together: in full batches, and each finished alone afterwards."""

from dataclasses import replace

import pytest

from audiomill.flows.execution.executor import ThreadExecutor
from audiomill.flows.execution.run_context import Interrupted, RunContext
from audiomill.flows.job import Job
from audiomill.flows.pipeline.pipeline import run_pipeline
from audiomill.flows.podcast.shared_render import render_shared, shared_windows
from audiomill.renderers.engine.declaration import Engine
from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.engine.registry import ENGINES
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.renderer import limits_for
from audiomill.renderers.tone.renderer import ToneRenderer
from support.book_data import book_job
from support.faulty_engine import SPOILED, spoiling_engine


@pytest.fixture
def executor():
    with ThreadExecutor() as threads:
        yield threads


@pytest.fixture
def failing_engine():
    """An engine that fails on the sentence SPOILED."""

    def fail(*_):
        raise EngineFailed("This sentence cannot be said.")

    spoiling_engine().spoil = fail
    yield "spoiling"
    del ENGINES["spoiling"]


class PlannedAsKokoro(ToneRenderer):
    """Tones for Kokoro's voices, within Kokoro's limits."""

    def __init__(self, options: KokoroOptions) -> None:
        self.limits = limits_for(options)

    def default_voice(self, language: str) -> str:  # noqa: ARG002 - the same for all
        return "af_heart"

    def known_voice(self, name: str) -> str:
        return name

    def fingerprint(self, voice: str) -> str:
        return voice


def jobs_for(folder, texts: list[str], **choices) -> list[Job]:
    return [
        book_job(folder, text, name=f"article-{number}.md", **choices)
        for number, text in enumerate(texts)
    ]


def article(number: int, n_sentences: int = 3) -> str:
    sentences = [f"Boat {number} carried {at} sacks of meal." for at in range(n_sentences)]
    return f"# Boat {number}\n\n" + "\n\n".join(sentences)


def n_batches(windows) -> int:
    return sum(len(window.batches) for window in windows)


def test_each_run_finds_all_that_was_rendered_together(tmp_path, executor):
    jobs = jobs_for(tmp_path, [article(number) for number in range(5)])
    shared = render_shared(jobs, executor, RunContext())
    reports = [run_pipeline(job, executor, RunContext()) for job in jobs]
    assert shared.rendered == sum(report.cached for report in reports) > 0
    assert [report.rendered for report in reports] == [0] * 5


def test_the_audio_is_that_of_a_run_alone(tmp_path, executor):
    job, *_ = jobs = jobs_for(tmp_path, [article(number) for number in range(3)])
    alone = replace(job, store=str(tmp_path / "another"), out=tmp_path / "alone")
    render_shared(jobs, executor, RunContext())
    ours, theirs = (run_pipeline(one, executor, RunContext()) for one in (job, alone))
    assert (ours.rendered, theirs.cached) == (0, 0)
    assert [file.sha256 for file in ours.files] == [file.sha256 for file in theirs.files]


def test_sources_share_their_batches(tmp_path, executor):
    jobs = jobs_for(tmp_path, [article(number) for number in range(8)])
    alone = sum(n_batches(shared_windows([job], executor)) for job in jobs)
    assert n_batches(shared_windows(jobs, executor)) < alone


@pytest.mark.prove
@pytest.mark.parametrize("options", [KokoroOptions(device="cpu"), KokoroOptions(batch_frames=4096)])
def test_many_articles_fill_the_batches_of_kokoro(tmp_path, executor, monkeypatch, options):
    """Each row that a batch could have and has not is time of a GPU that is lost."""
    engine = PlannedAsKokoro(options)
    name = f"planned-{options.batch_frames}"  # engines are kept by their names
    monkeypatch.setitem(ENGINES, name, Engine(name, lambda _options: engine))
    texts = [article(number, 12 + number % 30) for number in range(120)]
    jobs = jobs_for(tmp_path, texts, engine=name)
    windows = shared_windows([replace(job, options=EngineOptions()) for job in jobs], executor)
    n_rows = sum(len(batch.requests) for window in windows for batch in window.batches)
    assert n_rows > 3000
    assert n_rows / (n_batches(windows) * engine.limits.max_rows) >= 0.95
    longest_s = max(window.estimated_s for window in windows)
    assert longest_s < 1.5 * engine.limits.window_s


def test_what_two_sources_both_say_is_rendered_once(tmp_path, executor):
    jobs = jobs_for(tmp_path, [article(1), article(1)])
    alone = render_shared(jobs[:1], executor, RunContext())
    both = render_shared(jobs, executor, RunContext())
    assert (both.rendered, both.cached) == (0, alone.rendered)


def test_voices_and_speeds_may_differ_within_a_batch(tmp_path, executor):
    slow, fast = jobs_for(tmp_path, [article(1), article(2)])
    jobs = [slow, replace(fast, speed=1.5)]
    render_shared(jobs, executor, RunContext())
    assert [run_pipeline(job, executor, RunContext()).rendered for job in jobs] == [0, 0]


def test_a_source_that_cannot_be_read_leaves_the_others_alone(tmp_path, executor):
    jobs = jobs_for(tmp_path, [article(1), "", article(2)])
    jobs[1].source.unlink()
    render_shared(jobs, executor, RunContext())
    good = [jobs[0], jobs[2]]
    assert [run_pipeline(job, executor, RunContext()).rendered for job in good] == [0, 0]


def test_a_segment_on_which_the_engine_fails_fails_its_own_source(
    tmp_path, executor, failing_engine
):
    texts = [article(1), f"# The wheel\n\n{SPOILED}", article(2)]
    jobs = jobs_for(tmp_path, texts, engine=failing_engine)
    first, failing, last = jobs = [replace(job, options=EngineOptions()) for job in jobs]
    render_shared(jobs, executor, RunContext())
    assert all(run_pipeline(job, executor, RunContext()).audio_s > 0 for job in (first, last))
    with pytest.raises(EngineFailed):
        run_pipeline(failing, executor, RunContext())


def test_a_stopped_run_renders_nothing_more(tmp_path, executor):
    context = RunContext()
    context.stop.set()
    with pytest.raises(Interrupted):
        render_shared(jobs_for(tmp_path, [article(1)]), executor, context)
