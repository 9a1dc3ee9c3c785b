"""Only usable cores count: a container may be bound to a few of many."""

import os
import subprocess
import sys

import pytest

from support.home import ROOT

BOUND = """
import os
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
from audiomill.renderers.host.hardware import this_machine
from audiomill.flows.execution.executor import N_THREADS
from audiomill.outputs.encoding.thread_group import ThreadGroup
from audiomill.renderers.kokoro.front_end import default_workers
from audiomill.renderers.kokoro.renderer import ROWS_ALONE
with ThreadGroup() as group:
    print(group.n, N_THREADS, default_workers(), ROWS_ALONE, this_machine().usable_cores)
"""


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="needs sched_setaffinity")
def test_a_process_bound_to_one_core_starts_the_threads_of_one_core():
    run = subprocess.run([sys.executable, "-c", BOUND], cwd=ROOT, capture_output=True, text=True)
    assert run.stdout.split() == ["1", "3", "1", "2", "1"], run.stderr
