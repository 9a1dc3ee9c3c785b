"""How many cores and threads there are, and who may use them."""

import math
import os

import pytest

from audiomill.renderers.host import cores
from audiomill.renderers.host.cores import quota_cores, usable_cores
from support.case_files import each_row_apart
from support.process_data import printed_by

BOUND = """
import os
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
from audiomill.renderers.host.hardware import this_machine
from audiomill.flows.execution.executor import N_THREADS
from audiomill.outputs.formats.thread_group import ThreadGroup
from audiomill.renderers.kokoro.front_end import default_workers
from audiomill.renderers.kokoro.renderer import ROWS_ALONE
with ThreadGroup() as group:
    print(group.n, N_THREADS, default_workers(), ROWS_ALONE, this_machine().usable_cores)
"""


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="needs sched_setaffinity")
def test_a_process_bound_to_one_core_starts_the_threads_of_one_core():
    assert printed_by(BOUND).split() == ["1", "3", "1", "2", "1"]


def set_groups(monkeypatch, folder, own: str, quotas: dict[str, str]):
    """Have the files of a process whose groups are `own`."""
    (folder / "own").write_text(own)
    for path, content in quotas.items():
        (folder / "cgroup" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "cgroup" / path).write_text(content)
    monkeypatch.setattr(cores, "OWN_GROUPS", folder / "own")
    monkeypatch.setattr(cores, "GROUPS", folder / "cgroup")


@each_row_apart
def test_the_smallest_quota_counts(monkeypatch, tmp_path, own, quotas, expected):
    set_groups(monkeypatch, tmp_path, own, quotas)
    assert quota_cores() == float(expected)


def test_where_there_are_no_groups_there_is_no_quota(monkeypatch, tmp_path):
    monkeypatch.setattr(cores, "OWN_GROUPS", tmp_path / "none")
    assert quota_cores() == math.inf


@pytest.mark.parametrize(("quota", "expected"), [("50000", 1), ("max", 8), ("250000", 3)])
def test_the_cores_are_those_of_affinity_and_quota(tmp_path, monkeypatch, quota, expected):
    set_groups(monkeypatch, tmp_path, "0::/\n", {"cpu.max": f"{quota} 100000"})
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))
    assert usable_cores() == expected
