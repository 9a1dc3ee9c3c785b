"""The engine of `isolated_engine.py`: its workers, and it as an engine of the command line."""

import os
import sys
import threading
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path

import psutil

from audiomill.renderers.host.waiting import RunWaiter
from audiomill.renderers.isolated.catalogue import EngineSpec, _spec_of
from audiomill.renderers.isolated.engine_process import Launch
from audiomill.renderers.isolated.options import IsolatedOptions
from audiomill.renderers.isolated.protocol import SpokenRow
from audiomill.renderers.isolated.renderer import IsolatedRenderer
from audiomill.renderers.isolated.workers import Workers

SCRIPT = Path(__file__).with_name("isolated_engine.py")


@dataclass(frozen=True, slots=True)
class ScriptSpec(EngineSpec):
    """An engine whose script and lock are anywhere."""

    lock_file: Path = Path(os.devnull)

    @property
    def script(self) -> Path:
        return SCRIPT

    @property
    def lock(self) -> Path:
        return self.lock_file


def tones_spec(**choices) -> ScriptSpec:
    """The engine "tones", told as those of the catalogue."""
    told = _spec_of("tones", tomllib.loads(SCRIPT.with_suffix(".toml").read_text("utf-8")))
    values = {one.name: getattr(told, one.name) for one in fields(told)}
    return ScriptSpec(**(values | choices))


def tones_options(model: Path, **choices) -> IsolatedOptions:
    """Options with which it needs no environment: this interpreter has what it needs."""
    settings = tuple(choices.pop("settings", {}).items())
    values = {"model": str(model), "python": Path(sys.executable), "device": "cpu"}
    return IsolatedOptions("tones", **(values | choices), settings=settings)


def tones_model(folder: Path) -> Path:
    """A folder with a file, which stands for weights."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.bin").write_bytes(b"weights")
    return folder


def tones_renderer(folder: Path, spec: EngineSpec | None = None, **choices) -> IsolatedRenderer:
    """The engine, with its model and its environments in `folder`."""
    voices = choices.pop("cloned_voices", None)
    options = tones_options(tones_model(folder / "model"), **choices)
    return IsolatedRenderer(spec or tones_spec(), options, folder / "environments", voices)


def tones_workers(rows_per_call: int = 1, devices: tuple[str, ...] = ("cpu",), **settings):
    """Its workers, without a renderer."""
    settings = {"rows_per_call": rows_per_call} | settings
    launch = Launch(Path(sys.executable), SCRIPT, "", "cpu", tuple(settings.items()), rows_per_call)
    return Workers("tones", launch, devices)


def row(text: str, voice: str = "sine", seed: int = 7, speed: float = 1.0) -> SpokenRow:
    return SpokenRow(text, voice, "", speed, seed)


def calls(log: Path) -> list[list[str]]:
    """The texts of each call of the engine, in order."""
    return [[row.partition(":")[2] for row in rows] for rows in _noted(log)]


def seeds(log: Path) -> list[int]:
    """The seed of each row that the engine was asked for, in order."""
    return [int(row.partition(":")[0]) for rows in _noted(log) for row in rows]


def _noted(log: Path) -> list[list[str]]:
    lines = log.read_text().splitlines() if log.exists() else []
    words = (line.partition(" ")[2] for line in lines)
    return [one.split("\t") for one in words if one != "HANGING"]


def last_pid(log: Path) -> int:
    """The process that was called last."""
    return int(log.read_text().splitlines()[-1].split()[0])


class WatchingWaiter(RunWaiter):
    """A run's waiter whose clock runs away while an engine hangs that has written to `log`.

    But only once it `is_due`: what others do meanwhile is not timed by that clock.
    """

    def __init__(self, log: Path, is_due: Callable[[], bool] = lambda: True) -> None:
        super().__init__(lambda: None, print)
        self._log = log
        self._is_due = is_due
        self._now_s = 0.0
        self._lock = threading.Lock()

    def now_s(self) -> float:
        with self._lock:
            if self._is_due() and self.is_hanging():
                self._now_s += 50.0
            return self._now_s

    def is_hanging(self) -> bool:
        """Whether a text that hangs was begun by a process that still lives."""
        words = self._log.read_text().split("\n") if self._log.exists() else []
        pids = [int(line.split()[0]) for line in words if line.endswith(" HANGING")]
        return any(map(psutil.pid_exists, pids))


# `audiomill …` with the engine "tones", which no list has.
PROGRAM = """
import sys
from functools import partial
from pathlib import Path
from audiomill.flows.cli.main import main
from audiomill.renderers.engine.declaration import Engine
from audiomill.renderers.engine import registry
from support.isolated_data import tones_renderer

folder = Path(sys.argv.pop(1))

def tones(options):
    settings = {"log": str(folder / "log"), "faulty": str(folder / "faulty")}
    return tones_renderer(folder, cloned_voices=options.cloned_voices, settings=settings)

registry.ENGINES["tones"] = Engine("tones", tones)
sys.exit(main())
"""
