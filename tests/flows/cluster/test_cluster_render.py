"""Books rendered by a real scheduler and real workers, also by some that fail."""

from pathlib import Path

import dask.config
import psutil
import pytest
from distributed import Client

from support import patient_http
from support.cluster import (
    BRIEF,
    BROKEN,
    DEADLY,
    HANGING,
    ON_CLUSTER,
    own_book,
    refusal,
    running_cluster,
)
from support.home import Home
from support.stopped_runs import decoded

pytestmark = pytest.mark.prove


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """Two workers, whose processes end when a window hangs for two seconds."""
    path = tmp_path_factory.mktemp("cluster")
    variables = BRIEF | {
        "AUDIOMILL_STALLED_AFTER_S": "2",
        "AUDIOMILL_TEST_HANGS": str(path / "hangs"),
        "AUDIOMILL_WINDOW_S": "8",
    }
    with running_cluster(Home(path, variables), "one", "two") as cluster:
        yield cluster


def test_the_samples_are_those_of_a_run_without_a_cluster(cluster):
    source = own_book(cluster, "Same")
    far = cluster.home.render(source, *ON_CLUSTER)
    elsewhere = cluster.home.with_variables(AUDIOMILL_STORE=cluster.home.path / "other")
    out = cluster.home.path / "near"
    near = elsewhere.render(source, "--no-prefect", "--format", "flac", "--out", out)
    assert decoded(far) == decoded(near)
    assert far["rendered"] == near["rendered"] > 20
    again = cluster.home.render(source, *ON_CLUSTER, "--format", "mp3")
    assert again["rendered"] == 0


def test_word_times_come_back_for_transcripts(cluster):
    report = cluster.home.render(own_book(cluster, "Timed"), *ON_CLUSTER, "--transcript", "vtt")
    (transcript,) = (file for file in report["files"] if file["path"].endswith(".vtt"))
    elsewhere = cluster.home.with_variables(AUDIOMILL_STORE=cluster.home.path / "other")
    words = ("--transcript", "vtt", "--no-prefect", "--out", cluster.home.path / "near")
    near = elsewhere.render(cluster.home.path / "Timed.md", "--format", "flac", *words)
    (expected,) = (file for file in near["files"] if file["path"].endswith(".vtt"))
    assert text_of(transcript) == text_of(expected)


def test_workers_are_not_profiled(cluster):
    """Dask's profiler can lock up a process of Python 3.11.8."""
    with Client(cluster.address, set_as_default=False) as client:
        told = client.run(dask.config.get, "distributed.worker.profile.enabled")
    assert [*told.values()] == [False, False]


def test_workers_of_a_local_cluster_listen_on_loopback_and_have_no_pages(cluster):
    for name, nanny in cluster.workers.items():
        for process in (psutil.Process(nanny.pid), *cluster.processes(name)):
            listening = [
                one.laddr.ip
                for one in process.net_connections()
                if one.status == psutil.CONN_LISTEN
            ]
            assert {*listening} == {"127.0.0.1"}
    with Client(cluster.address, set_as_default=False) as client:
        ports = client.run(lambda dask_worker: dask_worker.http_server.port)
    for port in ports.values():
        for path in ("/", "/health", "/metrics", "/statics/css/base.css"):
            assert patient_http.get(f"http://127.0.0.1:{port}{path}").status_code == 404


def text_of(file) -> str:
    return Path(file["path"]).read_text("utf-8")


def test_a_segment_that_no_machine_can_render_is_told(cluster):
    source = own_book(cluster, "Broken", f"This is the {BROKEN} of it.")
    run = cluster.home.run("render", source, *ON_CLUSTER)
    message = refusal(run)
    assert f"No machine can render “This is the {BROKEN} of it.”" in message
    assert "The card is broken" in message


def test_a_segment_that_ends_processes_is_told_and_the_workers_live_on(cluster):
    source = own_book(cluster, "Deadly", f"This is the {DEADLY} of it.")
    run = cluster.home.run("render", source, *ON_CLUSTER)
    message = refusal(run)
    assert f"No machine can render “This is the {DEADLY} of it.”" in message
    assert "ended 4 worker processes" in message
    assert cluster.home.render(own_book(cluster, "After"), *ON_CLUSTER)["rendered"] > 20


def test_a_window_that_hangs_is_rendered_by_another_process(cluster):
    (cluster.home.path / "hangs").touch()
    source = own_book(cluster, "Hanging", f"A {HANGING} is here.")
    assert cluster.home.render(source, *ON_CLUSTER)["rendered"] > 20
    assert not (cluster.home.path / "hangs").exists()
    logs = [cluster.log_of(name).read_text() for name in cluster.workers]
    assert sum("has ended no batch" in log for log in logs) == 1
