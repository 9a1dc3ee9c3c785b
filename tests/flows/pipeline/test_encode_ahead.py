"""Long books are encoded while they are rendered. The files are those of a run that waits."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from audiomill.flows.execution.run_context import Interrupted, RunContext
from audiomill.flows.job import Job
from audiomill.flows.pipeline import (
    encode_ahead,
    levelling,
    pipeline,
    predicted_levels,
    render_book,
)
from audiomill.flows.pipeline.planning.plan import ChapterPlan
from audiomill.outputs.formats import region_tasks
from audiomill.outputs.targets import Mastering
from audiomill.outputs.types import EncodedRegion
from audiomill.renderers.store.store import ShardStore
from support.book_data import contents, rendered, short_regions, source_job, write_book
from support.process_data import TIMEOUT_S

N_CHAPTERS = 4
Regions = dict[Path, int]  # when each cached region was written, by its path


@pytest.fixture(autouse=True)
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every book is long, but needs no child processes."""
    short_regions(monkeypatch, n_cores=2, region_s=6.0)
    monkeypatch.setattr(pipeline, "PROCESSES_FROM_S", float("inf"))
    monkeypatch.setattr(predicted_levels, "LEAST_BOOK_S", 0.0)
    monkeypatch.setattr(region_tasks, "LEAST_FREE_BYTES", 0)


class LastChapter:
    """Lets a run measure the last chapter only once so many regions are cached, if any are to be.

    Then it takes note of them, and fails if it is told to.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.n_awaited = 0
        self.error: Exception | None = None
        self.regions: Regions = {}
        self.n_kept = 0  # regions that were cached, at any time
        self._measure = render_book.measure_chapter
        put_region = region_tasks.RegionCache.put
        self._written = threading.Condition()
        monkeypatch.setattr(render_book, "measure_chapter", self.measure)

        def put(cache: region_tasks.RegionCache, key: str, region: EncodedRegion) -> None:
            put_region(cache, key, region)
            with self._written:
                self.n_kept += any(cache.folder.iterdir())
                self._written.notify_all()

        monkeypatch.setattr(region_tasks.RegionCache, "put", put)

    def measure(self, job: Job, store: ShardStore, chapter: ChapterPlan, *others):
        if chapter.number == N_CHAPTERS:
            with self._written:
                are_there = self._written.wait_for(lambda: self.has_all(job), TIMEOUT_S)
            assert are_there
            self.regions = {path: path.stat().st_mtime_ns for path in cached(job.out)}
            if self.error:
                raise self.error
        return self._measure(job, store, chapter, *others)

    def has_all(self, job: Job) -> bool:
        return len(list(cached(job.out))) >= self.n_awaited


@pytest.fixture
def last_chapter(monkeypatch: pytest.MonkeyPatch) -> LastChapter:
    return LastChapter(monkeypatch)


def cached(library: Path) -> Iterator[Path]:
    return library.rglob("*.region")


def job_in(folder: Path, **choices) -> Job:
    folder.mkdir(exist_ok=True)
    book = write_book(folder / "book.md", N_CHAPTERS, 4)
    mastering = choices.pop("mastering", None)
    job = source_job(book, **{"formats": None} | choices)
    return replace(job, window_s=20.0, mastering=mastering or job.mastering)


def waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on nothing is encoded before all is rendered."""
    monkeypatch.setattr(encode_ahead, "_is_predictable", lambda _run: False)


PER_FILE = {"split": True, "mastering": Mastering(per_file=True)}


@pytest.mark.prove
@pytest.mark.parametrize(
    ("formats", "choices"),
    [
        (["m4b"], {}),
        (["mp3", "opus", "m4a", "flac"], {}),
        (["mp3", "m4b"], {"split": True}),
        (["mp3"], PER_FILE),
        (["opus"], {"profile": "acx"}),
    ],
)
def test_files_are_those_of_a_run_that_waits_or_can_keep_nothing(
    tmp_path: Path, monkeypatch, last_chapter: LastChapter, formats, choices
) -> None:
    jobs = [job_in(tmp_path / name, formats=formats, **choices) for name in ("ahead", "full")]
    last_chapter.n_awaited = 3
    ahead = contents(rendered(jobs[0]))
    assert len(last_chapter.regions) >= 3
    last_chapter.n_awaited = 0
    last_chapter.n_kept = 0
    with monkeypatch.context() as full:  # where regions cannot be kept
        full.setattr(region_tasks, "LEAST_FREE_BYTES", 1 << 62)
        assert contents(rendered(jobs[1])) == ahead
    assert last_chapter.n_kept == 0
    waiting(monkeypatch)
    assert contents(rendered(replace(jobs[1], out=tmp_path / "again"))) == ahead
    assert not last_chapter.regions
    assert not list(cached(tmp_path))


@pytest.mark.prove
def test_a_run_that_goes_on_encodes_nothing_twice(tmp_path: Path, last_chapter: LastChapter):
    job = job_in(tmp_path / "stopped", formats=["m4b"])
    last_chapter.n_awaited, last_chapter.error = 3, Interrupted()
    with pytest.raises(Interrupted):
        rendered(job)
    before = last_chapter.regions
    assert len(before) >= 3
    last_chapter.n_awaited, last_chapter.error = 0, None
    stopped = contents(rendered(job))
    assert before.items() <= last_chapter.regions.items()
    assert contents(rendered(job_in(tmp_path / "whole", formats=["m4b"]))) == stopped


@pytest.mark.prove
def test_a_book_that_is_not_as_predicted_has_its_exact_gain(
    tmp_path: Path, monkeypatch, last_chapter: LastChapter
) -> None:
    last_chapter.n_awaited = 1
    predicted = rendered(job_in(tmp_path / "predicted", formats=["m4b"]))
    monkeypatch.setattr(levelling, "CLOSE_DB", 0.0)
    other = rendered(job_in(tmp_path / "other", formats=["m4b"]))
    assert last_chapter.regions
    last_chapter.n_awaited = 0
    monkeypatch.setattr(predicted_levels, "LEAST_BOOK_S", float("inf"))
    exact = rendered(job_in(tmp_path / "exact", formats=["m4b"]))
    assert contents(other) == contents(exact) != contents(predicted)
    gains = [one.full()["work"]["levels"][0]["gain_db"] for one in (predicted, exact)]
    assert gains[0] == pytest.approx(gains[1], abs=0.16)


def test_a_failing_encoder_fails_the_run(tmp_path: Path, monkeypatch) -> None:
    def fail(*_args: object) -> None:
        raise region_tasks.OutputUnwritable("no")

    monkeypatch.setattr(region_tasks, "encode_region", fail)
    with pytest.raises(region_tasks.OutputUnwritable):
        rendered(job_in(tmp_path, formats=["m4b"]), RunContext())
