"""Runs on stores that fail, cannot be written, or were poisoned; and `audiomill doctor --store`."""

import errno
import os
import stat
from pathlib import Path

import pytest

from audiomill.flows.execution.run_context import Interrupted, RunContext
from audiomill.flows.job import Job
from audiomill.flows.pipeline import encode_book
from audiomill.flows.pipeline.report import Report
from audiomill.renderers.engine.errors import StoreError
from audiomill.renderers.host.waiting import OUTAGE_S
from audiomill.renderers.store.local import OsFileSystem
from audiomill.renderers.tone.renderer import ToneRenderer
from support.book_data import book_job, rendered
from support.cloud import serving_cloud
from support.documents import documented
from support.store_faults import with_header

TEXT = "# Book\n\n" + " ".join(f"Sentence {n} is here." for n in range(30)) + "\n\n# End\n\nDone.\n"


@pytest.fixture
def cloud():
    with serving_cloud() as cloud:
        yield cloud


@pytest.fixture
def waiter(cloud, monkeypatch):
    """The waiter of every run, which waits for nothing real."""
    waiter = cloud.waiter

    def take(check, _tell, outage_s):
        waiter._check = check
        waiter.outage_s = outage_s
        return waiter

    monkeypatch.setattr(encode_book, "RunWaiter", take)
    return waiter


@pytest.fixture
def batches(monkeypatch):
    """The batches that the engine was asked for."""
    asked = []
    render = ToneRenderer.render
    monkeypatch.setattr(
        ToneRenderer,
        "render",
        lambda self, batch, _: asked.append(batch) or render(self, batch),
    )
    return asked


def job_for(folder: Path, store: object, library: str = "library", text: str = TEXT) -> Job:
    return book_job(folder, text, settings={"library": folder / library, "store": str(store)})


def audio(report: Report) -> bytes:
    return report.files[0].path.read_bytes()


def test_an_outage_of_minutes_in_a_run_loses_nothing(tmp_path, cloud, waiter, batches):
    expected = audio(rendered(job_for(tmp_path, tmp_path / "store", "other")))
    batches.clear()

    def fault(call, _path):
        n_puts = sum(call == "put" for call, _ in cloud.calls)
        if n_puts > 8 and waiter.time_s < 200:
            raise ConnectionResetError(errno.ECONNRESET, "reset")

    cloud.fault = fault
    report = rendered(job_for(tmp_path, cloud.url))
    assert waiter.time_s >= 200
    assert audio(report) == expected
    assert sum(len(batch.requests) for batch in batches) == report.rendered  # none of them twice
    assert not any("rendered anew" in warning for warning in report.warnings)


def test_an_outage_without_end_ends_the_run_in_one_line(tmp_path, cloud, waiter):
    def fault(_call, path):
        if not path.endswith("probe"):
            raise ConnectionResetError(errno.ECONNRESET, "reset")

    cloud.fault = fault
    with pytest.raises(StoreError, match="5 minutes") as error:
        rendered(job_for(tmp_path, cloud.url))
    assert "\n" not in str(error.value)
    assert waiter.time_s >= OUTAGE_S


def test_ctrl_c_ends_the_wait_for_a_store_that_hangs(tmp_path, cloud, waiter):
    context = RunContext()

    def fault(_call, path):
        if not path.endswith("probe"):
            context.stop.set()
            cloud.hang()

    cloud.fault = fault
    with pytest.raises(Interrupted):
        rendered(job_for(tmp_path, cloud.url), context)
    assert waiter.time_s == 0


class NoCredentialsError(Exception):
    """Named as S3's client names it."""


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (NoCredentialsError("none"), "credentials"),
        (PermissionError("Access Denied"), "Access Denied"),
        (None, "“bokos”"),
    ],
)
def test_a_store_that_cannot_be_used_is_told_before_rendering(
    tmp_path, cloud, waiter, batches, error, words
):
    def fault(_call, _path):
        if error:
            raise error

    cloud.fault = fault
    url = cloud.url if error else cloud.url.replace("books", "bokos")
    with pytest.raises(StoreError, match=words):
        rendered(job_for(tmp_path, url))
    assert batches == waiter.slept_s == []
    assert cloud.buckets == {"books"}


def read_only(monkeypatch, root: Path) -> None:
    """Have the system refuse all changes below `root`, as where it is mounted read-only."""
    real_open, is_below = OsFileSystem.open, lambda path: path.is_relative_to(root)

    def refuse(path: Path) -> None:
        if is_below(path):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    def open_file(self, path, flags):
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            refuse(path)
        return real_open(self, path, flags)

    monkeypatch.setattr(OsFileSystem, "open", open_file)
    for name in ("rename", "unlink", "remove_folder", "require_writable"):
        monkeypatch.setattr(OsFileSystem, name, lambda _self, path, *_: refuse(path))


def test_a_complete_read_only_store_is_enough(place, first_run, monkeypatch, batches):
    store = place / "store"
    first = first_run(job_for(place, store, "one"))
    content = sorted(store.rglob("*"))
    batches.clear()
    read_only(monkeypatch, store)
    again = rendered(job_for(place, store, "two"))
    assert audio(again) == audio(first)
    assert (again.rendered, batches) == (0, [])
    assert sorted(store.rglob("*")) == content


@pytest.mark.parametrize("lacks", ["a segment", "everything", "a whole segment"])
def test_a_read_only_store_that_lacks_a_segment_says_so(
    place, first_run, monkeypatch, batches, lacks
):
    store = place / "store"
    store.mkdir()
    if lacks != "everything":
        first_run(job_for(place, store, "one"))
        (shard, *_) = store.rglob("*.shard")
        shard.unlink() if lacks == "a segment" else shard.write_bytes(shard.read_bytes()[:-1])
    batches.clear()
    read_only(monkeypatch, store)
    with pytest.raises(StoreError, match=rf"Cannot write.*{store}.*Read-only file system") as error:
        rendered(job_for(place, store, "two"))
    assert "\n" not in str(error.value)
    assert batches == []


@pytest.mark.prove
def test_a_complete_bucket_that_may_only_be_read_is_enough(tmp_path, cloud, waiter, batches):
    first = rendered(job_for(tmp_path, cloud.url, "one"))
    batches.clear()

    def fault(call, _path):
        if call == "put":
            raise PermissionError("Access Denied")

    cloud.fault = fault
    again = rendered(job_for(tmp_path, cloud.url, "two"))
    assert (audio(again), batches) == (audio(first), [])
    with pytest.raises(StoreError, match="Access Denied"):
        rendered(job_for(tmp_path, cloud.url, "two", TEXT + "\n\nAnd more.\n"))
    assert (batches, waiter.slept_s) == ([], [])


def test_a_complete_store_without_permission_to_write_is_enough(tmp_path):
    store = tmp_path / "store"
    store.mkdir(mode=0o555)
    if os.access(store, os.W_OK):
        pytest.skip("permission bits do not stop this user")
    store.chmod(0o755)
    first = rendered(job_for(tmp_path, store, "one"))
    paths = [store, *store.rglob("*")]
    for path in paths:
        path.chmod(path.stat().st_mode & ~(stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH))
    try:
        again = rendered(job_for(tmp_path, store, "two"))
        with pytest.raises(StoreError, match=r"Cannot write.*Permission denied"):
            rendered(job_for(tmp_path, store, "two", TEXT + "\n\nAnd more.\n"))
    finally:
        for path in paths:
            path.chmod(path.stat().st_mode | stat.S_IWUSR)
    assert (audio(again), again.rendered) == (audio(first), 0)


def exponent_too_low(path):
    """Played as silence, if it is believed."""
    path.write_bytes(with_header(path.read_bytes(), {"exponent": -5000}))


def exponent_too_high(path):
    path.write_bytes(with_header(path.read_bytes(), {"exponent": 5000}))


def length_that_is_no_number(path):
    path.write_bytes(with_header(path.read_bytes(), {"n_samples": "x"}))


def link_to_zeros(path):
    path.unlink()
    path.symlink_to("/dev/zero")


def huge(path):
    os.truncate(path, 1 << 30)


def test_a_poisoned_store_makes_the_same_book(place, first_run):
    store = place / "store"
    first = first_run(job_for(place, store, "one"))
    shards = sorted(store.rglob("*.shard"))
    forgeries = [exponent_too_low, exponent_too_high, length_that_is_no_number, link_to_zeros, huge]
    for number, shard in enumerate(shards):
        forgeries[number % len(forgeries)](shard)
    again = rendered(job_for(place, store, "two"))
    assert audio(again) == audio(first)
    assert again.rendered == len(shards)
    assert sum("rendered anew" in warning for warning in again.warnings) == len(shards)


def test_doctor_checks_a_store(home, tmp_path):
    (tmp_path / "file").write_text("a file")
    *words, _ = documented("audiomill doctor --store URL")[1:]
    good = home.run(*words, tmp_path / "new")
    assert (good.returncode, good.stderr) == (0, "")
    assert good.stdout == f"ok       store       {tmp_path}/new: reachable, readable, writable\n"
    bad = home.run("doctor", "--store", tmp_path / "file")
    assert (bad.returncode, bad.stdout.count("\n")) == (5, 1)
    assert bad.stdout.startswith("MISSING")
    assert str(tmp_path / "file") in bad.stdout
    unknown = home.run("doctor", "--store", "nothing://x")
    assert (unknown.returncode, unknown.stdout.count("\n")) == (5, 1)
    assert "nothing://x" in unknown.stdout


def test_doctor_says_of_a_read_only_store_that_it_can_be_read(tmp_path, monkeypatch):
    from audiomill.flows.cli import doctor

    store = tmp_path / "store"
    store.mkdir()
    read_only(monkeypatch, store)
    result = doctor._store_at(str(store))
    assert result.exit_code == 5
    assert "Read-only file system" in result.words
    assert "It can be read" in result.words
