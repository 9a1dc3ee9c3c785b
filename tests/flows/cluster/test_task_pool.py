"""Workers measure and encode parts of a book. The files are the same; what they cannot is done."""

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import imageio_ffmpeg
import psutil
import pytest
from distributed import Client

from audiomill.flows.cluster.cluster import Cluster
from audiomill.flows.cluster.connection import SchedulerConnection
from audiomill.flows.cluster.task_pool import MAX_REFUSED, ClusterPool, RemoteTasks
from audiomill.flows.execution.executor import ThreadExecutor
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.make_job import make_job
from audiomill.flows.pipeline.pipeline import run_pipeline
from audiomill.flows.settings import Settings
from audiomill.renderers.host.child_process import RunLocally
from audiomill.renderers.host.process_pool import ProcessPool
from support import pool_tasks
from support.book_data import rendered, short_regions, write_book
from support.cluster import done_by_workers, running_cluster
from support.home import Home
from support.process_data import wait_until

THIS_PROCESS = os.getpid()


class Unwanted(Exception):
    """The task is not wanted any more."""


def never() -> None:
    """A check that stops nothing."""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with running_cluster(Home(tmp_path_factory.mktemp("cluster"), {})) as cluster:
        cluster.start_worker("encoding", "--engine", "tone", "--encoders", "1")
        cluster.wait_for("encoding")
        yield cluster


@contextmanager
def connected(cluster):
    with SchedulerConnection(cluster.address, print) as connection:
        yield RemoteTasks(connection, 0)


@pytest.fixture
def remote(cluster):
    with connected(cluster) as remote:
        wait_until(lambda: remote.n_places == 1)
        yield remote


def test_the_files_are_those_of_a_run_without_a_cluster(cluster, tmp_path, monkeypatch):
    short_regions(monkeypatch, n_cores=1)
    book = write_book(tmp_path / "book.md", 3, 8)
    near, far = (
        make_job(
            Settings(library=tmp_path / name, store=str(tmp_path / name / "store")),
            book,
            engine="tone",
            formats=["m4b", "flac"],
        )
        for name in ("near", "far")
    )
    with Cluster(cluster.address, 60.0, print) as place, ThreadExecutor() as threads:
        report = run_pipeline(far, place.executor(threads), RunContext())
    expected = rendered(near)
    for ours, theirs in zip(report.files, expected.files, strict=True):
        assert ours.path.read_bytes() == theirs.path.read_bytes()
    with Client(cluster.address, set_as_default=False) as client:
        n_done = client.run_on_scheduler(done_by_workers)
    assert n_done["encode-region"] >= 1


def test_a_task_runs_here_first_and_at_a_worker_while_this_machine_is_busy(remote, tmp_path):
    has_begun = tmp_path / "begun"

    def stop():
        if is_over:
            raise Unwanted

    is_over = []
    with ClusterPool(ProcessPool(1), remote) as pool, ThreadPoolExecutor() as threads:
        assert pool.n_elsewhere == 1
        here = parent_of(pool.do(pool_tasks.where, None, never)[0])
        busy = threads.submit(pool.do, pool_tasks.run_forever, has_begun, stop)
        wait_until(has_begun.exists)
        there = parent_of(pool.do(pool_tasks.where, None, never)[0])
        is_over.append(True)
        with pytest.raises(Unwanted):
            busy.result()
        again = parent_of(pool.do(pool_tasks.where, None, never)[0])
    assert (here, again) == (THIS_PROCESS, THIS_PROCESS)
    assert there not in (None, THIS_PROCESS)


def parent_of(pid):
    """The process that had started a child which may still run."""
    return psutil.Process(pid).ppid()


def test_what_a_worker_cannot_do_is_done_here(remote):
    with ClusterPool(ProcessPool(1), remote) as pool, ThreadPoolExecutor(2) as threads:
        done = threads.map(
            lambda _: pool.do(pool_tasks.only_in_parent, THIS_PROCESS, never), range(2)
        )
        assert [pid for pid, *_ in done] == [THIS_PROCESS] * 2


def test_workers_that_refuse_everything_get_no_more(remote):
    for n_refused in range(MAX_REFUSED):
        assert remote.n_places == 1, n_refused
        with pytest.raises(RunLocally):
            remote.do(pool_tasks.fail, "ffmpeg gave up", never)
    assert remote.n_places == 0


def test_one_success_forgives_what_was_refused(remote):
    for _ in range(MAX_REFUSED):
        with pytest.raises(RunLocally):
            remote.do(pool_tasks.only_in_parent, THIS_PROCESS, never)
        assert remote.do(pool_tasks.where, None, never)[2] == 45
    assert remote.n_places == 1


def test_a_task_that_is_not_wanted_any_more_frees_the_worker(remote, tmp_path):
    has_begun = tmp_path / "begun"

    def check():
        if has_begun.exists():
            raise Unwanted

    with pytest.raises(Unwanted):
        remote.do(pool_tasks.run_forever, has_begun, check)
    assert remote.do(pool_tasks.where, None, never)[2] == 45


def test_a_task_whose_last_worker_leaves_is_done_here(cluster, tmp_path):
    cluster.start_worker("leaving", "--engine", "tone", "--encoders", "1")
    cluster.wait_for("leaving")
    has_begun = tmp_path / "begun"
    with connected(cluster) as remote:
        wait_until(lambda: remote.n_places == 2)
        with ThreadPoolExecutor() as threads:
            running = threads.submit(remote.do, pool_tasks.run_forever, has_begun, never)
            wait_until(has_begun.exists)
            cluster.stop_workers()
            assert isinstance(running.exception(), RunLocally)


def test_workers_with_another_ffmpeg_get_no_tasks(cluster, tmp_path):
    cluster.stop_workers()
    other = tmp_path / "ffmpeg"
    real = imageio_ffmpeg.get_ffmpeg_exe()
    other.write_text(f'#!/bin/sh\n[ "$1" = -version ] && echo another\nexec {real} "$@"\n')
    other.chmod(0o755)
    home = cluster.home.with_variables(IMAGEIO_FFMPEG_EXE=other)
    cluster.start_worker("other", "--engine", "tone", home=home)
    cluster.wait_for("other")
    with connected(cluster) as remote:
        assert remote.n_places == 0
    found = cluster.home.run("doctor", "--cluster")
    assert "encoders (of no use here: their ffmpeg is another one)" in found.stdout
