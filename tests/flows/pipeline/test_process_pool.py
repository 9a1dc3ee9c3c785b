"""Child processes join and encode a long book. The files are the same as without them."""

import logging
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from audiomill.flows.execution.run_context import Interrupted, RunContext, Step
from audiomill.flows.job import Job
from audiomill.flows.pipeline import pipeline, render_book
from audiomill.flows.pipeline.planning.plan import ChapterPlan
from audiomill.flows.pipeline.report import Report
from audiomill.outputs.formats import region_ends, region_tasks
from audiomill.renderers.host.process_pool import TaskProcess
from audiomill.renderers.store.store import ShardStore
from support.book_data import Recorder, rendered, short_regions, source_job, write_book
from support.process_data import children

pytestmark = pytest.mark.prove

PROCESSES_FROM_S = pipeline.PROCESSES_FROM_S
REGION_S = 10.0


@pytest.fixture(autouse=True)
def small_limits(monkeypatch):
    short_regions(monkeypatch, n_cores=2, region_s=REGION_S)


@pytest.fixture
def child_tasks(monkeypatch):
    """The names of the tasks that child processes were given."""
    names = []
    do = TaskProcess.do

    def recorded(self, task, argument, check):
        names.append(task.__name__)
        return do(self, task, argument, check)

    monkeypatch.setattr(TaskProcess, "do", recorded)
    return names


def job_in(folder: Path, **choices) -> Job:
    book = write_book(folder / "book.md", 3, 8)
    return source_job(book, **{"formats": ["m4b", "flac"], "speed": 2.0} | choices)


@pytest.fixture(scope="module")
def one_process(tmp_path_factory):
    """The outcome of the same book without child processes."""
    folder = tmp_path_factory.mktemp("alone")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "PROCESSES_FROM_S", float("inf"))
        patch.setattr(region_ends, "REGION_S", REGION_S)
        return outcome(rendered(job_in(folder)))


def outcome(report: Report) -> tuple[list[bytes], list[object]]:
    """The bytes of a run's files, and how they measured."""
    work = report.full()["work"]
    levels = [work[name] for name in ("loudness_before_lufs", "loudness_lufs", "true_peak_dbtp")]
    return [file.path.read_bytes() for file in report.files], [*levels, work["chapters"]]


def test_the_book_is_the_same(tmp_path, one_process, child_tasks, caplog):
    assert outcome(rendered(job_in(tmp_path))) == one_process
    assert child_tasks.count("measure_chapter_audio") == 3
    assert child_tasks.count("encode_region") > 3
    assert not caplog.text
    assert not children()


def test_a_short_book_uses_no_child_processes(tmp_path, child_tasks, monkeypatch):
    monkeypatch.setattr(pipeline, "PROCESSES_FROM_S", PROCESSES_FROM_S)
    report = rendered(job_in(tmp_path, formats=["flac"]))
    assert 0 < report.audio_s < PROCESSES_FROM_S
    assert not child_tasks


@pytest.mark.parametrize("n_cores", [1, 64])
def test_there_are_at_most_as_many_processes_as_regions(tmp_path, monkeypatch, n_cores):
    monkeypatch.setattr(pipeline, "usable_cores", lambda: n_cores)
    sizes = []
    pool = pipeline.ProcessPool
    monkeypatch.setattr(pipeline, "ProcessPool", lambda n, *_: sizes.append(n) or pool(n))
    report = rendered(job_in(tmp_path))
    n_regions = report.audio_s / REGION_S
    assert n_cores == 1 or 1 < sizes[0] < n_regions < 12
    assert sizes[0] <= n_cores


def test_a_shard_that_is_damaged_during_a_run_is_rendered_again(tmp_path, one_process, monkeypatch):
    """The child process that finds it has no engine, so this process repeats the task."""
    measure = render_book.measure_chapter

    def measure_after_damage(job: Job, store: ShardStore, chapter: ChapterPlan, *others):
        key = chapter.segments[3].request.key
        (shard,) = (tmp_path / "store").rglob(f"{key}.shard")
        shard.write_bytes(shard.read_bytes()[:-100])
        return measure(job, store, chapter, *others)

    monkeypatch.setattr(render_book, "measure_chapter", measure_after_damage)
    report = rendered(job_in(tmp_path))
    assert outcome(report) == one_process
    assert len([words for words in report.warnings if "rendered anew" in words]) >= 1


def test_a_store_that_only_this_process_can_read_works(tmp_path, one_process, request):
    job = replace(job_in(tmp_path), store=f"memory://{request.node.name}")
    assert outcome(rendered(job)) == one_process


class AtFirstEncoding(Recorder):
    """Calls `action` when the first audio is encoded."""

    def __init__(self, action) -> None:
        super().__init__()
        self._action = action

    def advance(self, step: Step, _audio_s: float) -> None:
        if step is Step.ENCODE and self._action:
            action, self._action = self._action, None
            action()


def kill_child_processes() -> None:
    for child in psutil.Process().children():
        with suppress(psutil.Error):  # for example an encoder that has just ended
            if "audiomill.renderers.host.child_process" in " ".join(child.cmdline()):
                child.kill()


def test_killed_child_processes_cost_only_time(tmp_path, one_process, caplog):
    caplog.set_level(logging.WARNING)
    report = rendered(
        job_in(tmp_path, formats=["m4b"]), RunContext(AtFirstEncoding(kill_child_processes))
    )
    assert report.files[0].path.read_bytes() == one_process[0][0]
    assert "Its task is done without it" in caplog.text


def test_a_stopped_run_leaves_no_process(tmp_path, one_process):
    context = RunContext()
    with pytest.raises(Interrupted):
        rendered(job_in(tmp_path), context.with_progress(AtFirstEncoding(context.stop.set)))
    assert not children()
    assert not list(tmp_path.rglob("*.part"))
    assert outcome(rendered(job_in(tmp_path))) == one_process


class AfterRegions(AtFirstEncoding):
    """Calls `action` once so many regions are encoded."""

    def __init__(self, n_regions: int, action) -> None:
        super().__init__(action)
        self._n_left = n_regions

    def advance(self, step: Step, audio_s: float) -> None:
        self._n_left -= step is Step.ENCODE
        if self._n_left <= 0:
            super().advance(step, audio_s)


@pytest.mark.parametrize("name", ["m4b", "mp3"])  # files of their own, a stream of packets
def test_an_interrupted_encoding_goes_on_where_it_was(tmp_path, child_tasks, monkeypatch, name):
    """What is kept is used if it is whole, and gone when the file is finished."""
    monkeypatch.setattr(region_tasks, "LEAST_FREE_BYTES", 0)
    context, job = RunContext(), job_in(tmp_path, formats=[name])
    with pytest.raises(Interrupted):
        rendered(job, context.with_progress(AfterRegions(2, context.stop.set)))
    kept = sorted((tmp_path / "library" / ".audiomill").rglob("*.region"))
    assert len(kept) >= 2
    kept[0].write_bytes(kept[0].read_bytes()[:-1] + b"?")
    child_tasks.clear()
    (file,) = rendered(job).files
    resumed = file.path.read_bytes()
    n_regions = child_tasks.count("encode_region") + len(kept) - 1
    assert not list((tmp_path / "library" / ".audiomill").rglob("*.region*"))
    child_tasks.clear()
    file.path.unlink()
    assert rendered(job).files[0].path.read_bytes() == resumed
    assert child_tasks.count("encode_region") == n_regions


def test_where_there_is_no_room_nothing_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(region_tasks, "LEAST_FREE_BYTES", 1 << 60)
    context = RunContext()
    with pytest.raises(Interrupted):
        rendered(
            job_in(tmp_path, formats=["m4b"]),
            context.with_progress(AfterRegions(2, context.stop.set)),
        )
    assert not list(tmp_path.rglob("*.region"))
