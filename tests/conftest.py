"""What many tests share: a home of their own, and the command line as a user runs it."""

import gc
import os
import signal
import ssl
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import psutil
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

from support.home import Home
from support.late_files import collect_late
from support.no_power_cuts import wait_for_no_disk
from support.only_proofs import holds_only_proofs
from support.paths import SAMPLES
from support.process_data import children

# No test fails because the machine is busy: nothing is said of how long an example takes.
settings.register_profile("explore", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# The same examples every time, so that only a change can turn a test red; `make explore` looks
# for new ones, a hundred of each test.
settings.register_profile(
    "repeatable", settings.get_profile("explore"), derandomize=True, max_examples=60
)
# `make test` takes fewer of them, and `make prove` all.
settings.register_profile("quick", settings.get_profile("repeatable"), max_examples=15)
settings.load_profile("repeatable")

# Nobody outside this machine is asked for weights, whatever a test starts.
os.environ["HF_HUB_OFFLINE"] = "1"
# Nor a cloud for credentials, which S3's client does where it finds none.
os.environ["AWS_EC2_METADATA_DISABLED"] = "true"
# GPU kernels are interpreted where there is no GPU: it must be said before they are defined.
if os.environ.get("AUDIOMILL_TEST_DEVICE", "cpu") == "cpu":
    os.environ["TRITON_INTERPRET"] = "1"

wait_for_no_disk()

# Each client of HTTP would read all authorities' certificates anew, which takes 25 ms.
ssl.create_default_context = cache(ssl.create_default_context)

# A shell that runs us in the background has us ignore Ctrl-C, and so would all that a test starts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items):
    """Long tests come first: begun last, they would keep one core waiting for another."""
    items.sort(key=lambda item: item.get_closest_marker("longest") is None)


def pytest_configure(config):
    collect_late(config)
    if config.getoption("hypothesis_profile") == "quick":
        # Nor does it hang on which modules a worker has imported before: their constants are no
        # examples. To look for them in all modules takes seconds, in each worker.
        providers._get_local_constants = Constants


def pytest_ignore_collect(collection_path, config):
    """Files that hold nothing but proofs are not even imported where no proofs are asked for."""
    if config.option.markexpr.startswith("not prove") and collection_path.suffix == ".py":
        return holds_only_proofs(collection_path.read_bytes()) or None
    return None


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """What is imported and collected stays until the end: garbage is not looked for in it, neither
    meanwhile, which takes an eighth of the time, nor later.
    """
    gc.disable()
    result = yield
    gc.freeze()
    gc.enable()
    return result


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_handlecrashitem(crashitem):
    """The test that hung, or killed its process, is named at once: the run may have no end."""
    sys.__stderr__.write(f"\nThe process of this test ended: {crashitem}\n")


def pytest_make_parametrize_id(config, val, argname):
    """Long bytes are named by their number: workers must agree on a name, and a file that was
    made for a test may hold the time.
    """
    return f"{argname}_of_{len(val)}" if isinstance(val, bytes) and len(val) > 40 else None


@pytest.fixture(scope="module", autouse=True)
def _children_end():
    """Engines live as long as this process, and so would their idle children: in later modules
    they would be taken for what a test has left.
    """
    yield
    for child in children():
        with suppress(psutil.NoSuchProcess):
            if any("host.child_process" in word for word in child.cmdline()):
                child.kill()


@pytest.fixture
def home(tmp_path) -> Home:
    return Home(tmp_path, {})


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """A folder for sockets, whose paths have 104 bytes at most."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


@pytest.fixture
def sample_epub() -> Path:
    return SAMPLES / "the-lighthouse-mill.epub"
