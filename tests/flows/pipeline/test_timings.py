"""Where a run's time went: each second once, however many windows ask the engine."""

import json
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.flows.job import Job
from audiomill.flows.pipeline.pipeline import run_pipeline
from audiomill.flows.pipeline.run_context import RunContext, ThreadExecutor
from audiomill.flows.pipeline.timings import busy_s, timings
from audiomill.renderers import registry
from audiomill.renderers.tone import ToneRenderer
from support.book_data import write_book
from support.process_data import PATIENCE_S

INTERVALS = st.lists(
    st.tuples(st.integers(0, 50), st.integers(0, 20)).map(lambda one: (one[0], one[0] + one[1]))
)


@given(INTERVALS)
def test_a_second_is_busy_if_any_batch_was_under_way(intervals):
    seconds = {second for start, end in intervals for second in range(start, end)}
    assert busy_s(intervals) == len(seconds)


def test_of_an_engine_that_takes_one_batch_at_a_time_waiting_is_no_work():
    """The second is asked at 1, and waits until 4."""
    assert busy_s([(0.0, 4.0), (1.0, 8.0)]) == 8.0


@given(INTERVALS, st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))
def test_all_parts_together_are_the_run(intervals, before, after, encoding):
    measured = max((end for _, end in intervals), default=0) + after
    took = timings(-before, 0, intervals, measured, measured + encoding)
    assert took.wall_s == before + measured + encoding
    parts = (took.reading_s, took.synthesis_s, took.waiting_s, took.measuring_s, took.encoding_s)
    assert min(parts) >= 0
    assert 0 <= took.busy_share <= 1


class Locked(ToneRenderer):
    """Takes one batch at a time. The first is not finished before another one waits."""

    def __init__(self):
        self.lock, self.asked, self.two_asked = threading.Lock(), 0, threading.Event()

    def render(self, batch):
        self.asked += 1
        if self.asked == 2:
            self.two_asked.set()
        with self.lock:
            assert self.two_asked.wait(PATIENCE_S)
            return super().render(batch)


class Parallel(Locked):
    """Takes several at once, as espeak does."""

    def render(self, batch):
        self.asked += 1
        if self.asked == 2:
            self.two_asked.set()
        assert self.two_asked.wait(PATIENCE_S)
        return ToneRenderer.render(self, batch)


@pytest.mark.parametrize("kind", [Locked, Parallel])
def test_two_windows_that_ask_at_once_are_busy_once(tmp_path, monkeypatch, kind):
    engine = kind()
    monkeypatch.setitem(registry.LOADERS, "patient", lambda _options: engine)
    registry._loaded.cache_clear()
    book = write_book(tmp_path / "book.md", 2, 40)
    store = str(tmp_path / "store")
    job = Job(book, tmp_path / "library", store, "patient", formats=("flac",), window_s=60)
    with ThreadExecutor() as crew:
        report = run_pipeline(job, crew, RunContext())
    registry._loaded.cache_clear()
    assert report.work
    asked = [interval for tally in report.work.tallies for interval in tally.spoken]
    took = report.work.spent
    assert sum(end - start for start, end in asked) > took.synthesis_s > 0
    assert took.synthesis_s == busy_s(asked)
    assert took.synthesis_s < took.wall_s <= report.wall_s
    told = json.loads(report.path.read_text())["work"]
    assert told["engine_busy_share"] == pytest.approx(took.busy_share, abs=1e-3)
    assert sum(told["spent"].values()) == pytest.approx(took.wall_s, abs=0.01)


def test_what_was_in_the_store_costs_the_engine_nothing(tmp_path):
    book = write_book(tmp_path / "book.md", 1, 8)
    jobs = [
        Job(book, tmp_path / library, str(tmp_path / "store"), "tone", formats=("flac",))
        for library in ("one", "two")
    ]
    with ThreadExecutor() as crew:
        reports = [run_pipeline(job, crew, RunContext()) for job in jobs]
    assert [report.work.spent.synthesis_s > 0 for report in reports] == [True, False]
    assert reports[1].work.spent.waiting_s == 0
