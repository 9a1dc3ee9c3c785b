"""What a run reports of itself: takes and billed characters, and the seconds of its stages."""

import json
import threading
from dataclasses import asdict, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.flows.cli.render import _say_outcome
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.execution.stage_times import busy_s, compute_stage_times
from audiomill.flows.execution.windows import joined_results, render_window, window_tasks
from audiomill.flows.job import Job
from audiomill.flows.pipeline import render_book
from audiomill.renderers.engine import registry
from audiomill.renderers.engine.declaration import Engine
from audiomill.renderers.engine.planning import make_request, plan_windows
from audiomill.renderers.engine.protocol import NO_USAGE, Batch, Rendered, Usage, total_usage
from audiomill.renderers.engine.registry import ENGINES, open_renderer
from audiomill.renderers.host.waiting import UNATTENDED, Waiter
from audiomill.renderers.store.store import open_store
from audiomill.renderers.tone.renderer import ToneRenderer
from support.book_data import rendered, write_book
from support.process_data import TIMEOUT_S

TEXTS = (
    "One short line.",
    "Another, which is a little longer.",
    "A third.",
    "And a last one here.",
)
N_LETTERS = sum(map(len, TEXTS))


class BillingTone(ToneRenderer):
    """Bills each character, and takes the lines that begin with A twice."""

    def render(self, batch: Batch, waiter: Waiter = UNATTENDED) -> list[Rendered]:
        return [
            replace(one, usage=usage_of(request.spoken))
            for request, one in zip(batch.requests, super().render(batch, waiter), strict=True)
        ]


def usage_of(spoken: str) -> Usage:
    n_takes = 2 if spoken.startswith("A") else 1
    return Usage(n_takes, n_takes * len(spoken))


ALL_USAGE = total_usage(map(usage_of, TEXTS))


@pytest.fixture(autouse=True)
def engine():
    ENGINES["billing"] = Engine("billing", lambda _options: BillingTone())
    yield
    del ENGINES["billing"]


def job_in(folder) -> Job:
    source = folder / "book.txt"
    source.write_text("\n\n".join(TEXTS))
    return Job(
        source, folder / "library", str(folder / "store"), engine="billing", formats=("flac",)
    )


def test_a_request_takes_once_unless_its_engine_says_more():
    assert total_usage([Usage(), Usage(3, 7), Usage()]) == Usage(5, 7)
    assert total_usage([]) == NO_USAGE


def test_the_report_has_the_sum_and_a_second_run_needs_nothing(tmp_path, capsys):
    report = rendered(job_in(tmp_path))
    assert report.usage == ALL_USAGE == Usage(7, N_LETTERS + sum(map(len, TEXTS[1:])))
    assert report.extra_takes == 3
    saved = json.loads(report.path.read_text())
    assert (saved["extra_takes"], saved["characters_billed"]) == (3, ALL_USAGE.n_characters_billed)
    _say_outcome(report)
    assert "4 segments rendered with 3 extra takes, 0 from" in capsys.readouterr().err
    again = rendered(replace(job_in(tmp_path), formats=("mp3",)))
    assert (again.usage, again.extra_takes) == (NO_USAGE, 0)
    _say_outcome(again)
    assert "0 segments rendered, 4 from" in capsys.readouterr().err
    assert rendered(job_in(tmp_path)).usage == NO_USAGE  # without a result


def test_a_segment_that_is_damaged_during_a_run_is_counted_too(tmp_path, monkeypatch):
    measure = render_book.measure_chapter

    def measure_after_damage(job, store, chapter, *others):
        for segment in chapter.segments:
            if segment.request.spoken == TEXTS[0]:
                (shard,) = (tmp_path / "store").rglob(f"{segment.request.key}.shard")
                shard.write_bytes(shard.read_bytes()[:-100])
        return measure(job, store, chapter, *others)

    monkeypatch.setattr(render_book, "measure_chapter", measure_after_damage)
    report = rendered(job_in(tmp_path))
    again = usage_of(TEXTS[0])
    assert report.usage == total_usage((ALL_USAGE, again))
    assert report.extra_takes == 3  # it was not rendered again for its sound


def test_the_parts_of_a_window_take_together_what_the_window_takes(tmp_path):
    renderer = open_renderer("billing")
    requests = [make_request(text, "sine", renderer, 1.0) for text in TEXTS]
    parts = [plan_windows(some, renderer.limits)[0] for some in (requests[:1], requests[1:])]
    with open_store(str(tmp_path / "store")).session() as store:
        results = [
            render_window(task, store, RunContext())
            for task in window_tasks(job_in(tmp_path), parts, "a book")
        ]
    assert [one.usage for one in results] == [
        usage_of(TEXTS[0]),
        total_usage(map(usage_of, TEXTS[1:])),
    ]
    assert joined_results(results).usage == ALL_USAGE


INTERVALS = st.lists(
    st.tuples(st.integers(0, 50), st.integers(0, 20)).map(lambda pair: (pair[0], sum(pair)))
)


@given(INTERVALS)
def test_a_second_is_busy_if_any_batch_was_being_rendered(intervals):
    seconds = {second for start, end in intervals for second in range(start, end)}
    assert busy_s(intervals) == len(seconds)


def test_waiting_for_an_engine_that_takes_one_batch_at_a_time_is_not_counted():
    """The second batch is submitted at 1 s and waits until 4 s."""
    assert busy_s([(0.0, 4.0), (1.0, 8.0)]) == 8.0


@given(INTERVALS, st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))
def test_the_stages_add_up_to_the_run(intervals, before, after, encoding):
    measured = max((end for _, end in intervals), default=0) + after
    times = compute_stage_times(-before, 0, intervals, measured, measured + encoding)
    assert times.wall_s == before + measured + encoding
    assert min(asdict(times).values()) >= 0
    assert 0 <= times.busy_share <= 1


class OneBatchRenderer(ToneRenderer):
    """Takes one batch at a time. The first ends only once another one waits."""

    def __init__(self):
        self.lock, self.n_calls, self.two_called = threading.Lock(), 0, threading.Event()

    def render(self, batch, waiter=UNATTENDED):
        self.n_calls += 1
        if self.n_calls == 2:
            self.two_called.set()
        with self.lock:
            assert self.two_called.wait(TIMEOUT_S)
            return super().render(batch, waiter)


class ParallelRenderer(OneBatchRenderer):
    """Takes several batches at a time, as espeak does. The first ends only once there are two."""

    def render(self, batch, waiter=UNATTENDED):
        self.n_calls += 1
        if self.n_calls == 2:
            self.two_called.set()
        assert self.two_called.wait(TIMEOUT_S)
        return ToneRenderer.render(self, batch, waiter)


@pytest.mark.prove
@pytest.mark.parametrize("renderer_class", [OneBatchRenderer, ParallelRenderer])
def test_two_windows_at_a_time_count_once(tmp_path, monkeypatch, renderer_class):
    engine = renderer_class()
    monkeypatch.setitem(registry.ENGINES, "patient", Engine("patient", lambda _options: engine))
    registry._loaded.cache_clear()
    book = write_book(tmp_path / "book.md", 2, 8)
    store = str(tmp_path / "store")
    job = Job(book, tmp_path / "library", store, "patient", formats=("flac",), window_s=20)
    report = rendered(job)
    registry._loaded.cache_clear()
    assert report.result
    intervals = [pair for window in report.result.windows for pair in window.render_intervals]
    times = report.result.stage_times
    assert sum(end - start for start, end in intervals) > times.synthesis_s > 0
    assert times.synthesis_s == busy_s(intervals)
    assert times.synthesis_s < times.wall_s <= report.wall_s
    saved = json.loads(report.path.read_text())["work"]
    assert saved["engine_busy_share"] == pytest.approx(times.busy_share, abs=1e-3)
    assert sum(saved["spent"].values()) == pytest.approx(times.wall_s, abs=0.01)


def test_segments_in_the_store_take_no_engine_time(tmp_path):
    book = write_book(tmp_path / "book.md", 1, 4)
    jobs = [
        Job(book, tmp_path / library, str(tmp_path / "store"), "tone", formats=("flac",))
        for library in ("one", "two")
    ]
    reports = [rendered(job) for job in jobs]
    assert [report.result.stage_times.synthesis_s > 0 for report in reports] == [True, False]
    assert reports[1].result.stage_times.waiting_s == 0
