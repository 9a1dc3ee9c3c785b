"""Hardware, commit, load and peak memory of the machine that a benchmark runs on."""

import math
import sys
from dataclasses import replace

import numpy as np
import pytest

from audiomill.renderers.host import hardware
from audiomill.renderers.host.hardware import (
    commit,
    has_fast_bfloat16,
    ranges,
    this_machine,
    versions,
)
from support.case_files import each_row_apart
from support.process_data import printed_by

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def git(tmp_path):
    (tmp_path / ".git").mkdir()
    return tmp_path / ".git"


@each_row_apart
def test_the_commit_of_a_checkout(git, files):
    (git / "refs/heads").mkdir(parents=True)
    for name, content in files.items():
        (git / name).write_text(content)
    assert commit(git.parent) == COMMIT


def test_the_commit_of_a_worktree(git, tmp_path):
    (git / "refs/heads").mkdir(parents=True)
    (git / "refs/heads/other").write_text(COMMIT)
    own = git / "worktrees" / "other"
    own.mkdir(parents=True)
    (own / "HEAD").write_text("ref: refs/heads/other\n")
    (own / "commondir").write_text("../..\n")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / ".git").write_text(f"gitdir: {own}\n")
    assert commit(elsewhere) == COMMIT


def test_a_folder_that_is_no_checkout_has_no_commit(tmp_path):
    assert commit(tmp_path) is None


@each_row_apart
def test_bfloat16_is_fast_with_amx_or_on_amd(monkeypatch, tmp_path, vendor, flags, is_fast):
    info = tmp_path / "cpuinfo"
    info.write_text(f"processor\t: 0\nvendor_id\t: {vendor}\nflags\t\t: fpu {flags}\n\n" * 2)
    monkeypatch.setattr(hardware, "CPU_INFO", info)
    assert has_fast_bfloat16() == is_fast


def test_this_machine_has_cores_and_packages():
    machine = this_machine()
    assert machine.cpu
    assert 1 <= machine.usable_cores <= machine.cores
    assert len(machine.affinity) >= 1
    assert versions()["numpy"] == np.__version__


@pytest.mark.parametrize(("load", "is_busy"), [(None, False), (0.9, False), (1.1, True)])
def test_a_machine_is_busy_above_half_a_process_per_core(load, is_busy):
    assert replace(this_machine(), usable_cores=2, load_before=load).is_busy == is_busy


@pytest.mark.parametrize(
    ("numbers", "text"), [({0, 1, 2, 3, 8}, "0-3,8"), ({5}, "5"), ({3, 1}, "1,3"), (set(), "")]
)
def test_cores_are_written_as_runs(numbers, text):
    assert ranges(numbers) == text


@pytest.mark.parametrize(("quota", "expected"), [(1.5, 1.5), (math.inf, None)])
def test_a_machine_has_a_quota_only_where_one_is_set(monkeypatch, quota, expected):
    monkeypatch.setattr(hardware, "quota_cores", lambda: quota)
    assert this_machine().quota_cores == expected


# Pages of the kernel's: `malloc` may keep freed memory.
PEAKS = """
import mmap
from audiomill.flows.bench.measure import reset_peak, peak_bytes

n_bytes = 96 << 20

def touched():
    pages = mmap.mmap(-1, n_bytes)
    for place in range(0, n_bytes, mmap.PAGESIZE):
        pages[place] = 1
    return pages

touched().close()
high = peak_bytes()
reset_peak()
low = peak_bytes()
again = touched()
print(high - low > n_bytes / 2, peak_bytes() - low > n_bytes / 2)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can reset a peak")
def test_a_peak_counts_from_its_last_reset():
    """In a process without children, whose peaks would be part of its own."""
    assert printed_by(PEAKS).split() == ["True", "True"]
