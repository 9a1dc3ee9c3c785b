"""What many tests share: a home of their own, and the command line as a user runs it."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import settings

# The same examples every time, so that only a change can turn a test red; `make explore` looks
# for new ones.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")

# Nobody outside this machine is asked for weights, whatever a test starts.
os.environ["HF_HUB_OFFLINE"] = "1"
# GPU kernels are interpreted where there is no GPU: it must be said before they are defined.
if os.environ.get("AUDIOMILL_TEST_DEVICE", "cpu") == "cpu":
    os.environ["TRITON_INTERPRET"] = "1"

# A shell that runs us in the background has us ignore Ctrl-C, and so would all that a test starts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).parent.parent
SAMPLES = ROOT / "inputs" / "samples"


def pytest_collection_modifyitems(items):
    """What takes minutes comes first: begun last, it would keep one core waiting for another."""
    items.sort(key=lambda item: item.get_closest_marker("longest") is None)


def pytest_make_parametrize_id(config, val, argname):
    """Long bytes are named by their number: workers must agree on a name, and a file that was
    made for a test may hold the time.
    """
    return f"{argname}_of_{len(val)}" if isinstance(val, bytes) and len(val) > 40 else None


@dataclass(frozen=True)
class Home:
    """A user's machine: library, store and settings in one folder, nothing of the real one."""

    path: Path
    variables: dict[str, str]
    program: tuple[str, ...] = ("-m", "flows")

    @property
    def library(self) -> Path:
        return self.path / "library"

    @property
    def store(self) -> Path:
        return self.path / "store"

    @property
    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT")}
        return kept | {
            "HOME": str(self.path),
            "XDG_CACHE_HOME": str(self.path / "cache"),
            "XDG_CONFIG_HOME": str(self.path / "config"),
            "AUDIOMILL_LIBRARY": str(self.library),
            "AUDIOMILL_STORE": str(self.store),
            "PREFECT_HOME": str(self.path / "prefect"),
            "PYTHONWARNINGS": "default",
            "PYTHONUNBUFFERED": "1",
            **self.variables,
        }

    def start(self, *arguments: object, **options) -> subprocess.Popen:
        """`audiomill …`, running."""
        return subprocess.Popen(
            [sys.executable, *self.program, *map(str, arguments)],
            cwd=options.pop("cwd", self.path),
            env=self.environment | {"PYTHONPATH": str(ROOT)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **options,
        )

    def run(self, *arguments: object, **options) -> subprocess.CompletedProcess:
        """`audiomill …`, done."""
        with self.start(*arguments, **options) as process:
            try:
                out, err = process.communicate(timeout=300)
            finally:
                process.kill()  # leaving waits for it, however long
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def render(self, *arguments: object) -> dict:
        """`audiomill render … --json`, which must succeed; its JSON object."""
        run = self.run("render", *arguments, "--json")
        assert run.returncode == 0, run.stderr
        return json.loads(run.stdout.splitlines()[-1])

    def with_variables(self, **variables: object) -> "Home":
        added = {key: str(value) for key, value in variables.items()}
        return replace(self, variables=self.variables | added)


@pytest.fixture
def home(tmp_path) -> Home:
    return Home(tmp_path, {})


@pytest.fixture
def sample_epub() -> Path:
    return SAMPLES / "the-lighthouse-mill.epub"
