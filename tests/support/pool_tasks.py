"""Tasks for a process pool, in a module that its children can import."""

import importlib
import os
import signal
import sys
import time
from pathlib import Path

import psutil

from audiomill.outputs.ffmpeg.ffmpeg import Encoder
from audiomill.outputs.types import EncoderFailed
from audiomill.renderers.host.child_process import RunLocally
from support.process_data import TIMEOUT_S


def where(_argument, through):
    """The process that runs the task, its process group, and a sum over the loop's items."""
    return os.getpid(), os.getpgid(0), sum(through(range(10)))


def fail(message, _through):
    raise EncoderFailed(message)


def only_in_parent(parent, through):
    """A task that only the pool's own process can do."""
    if os.getpid() != parent:
        raise RunLocally
    return where(None, through)


def die_in_child(parent, through):
    if os.getpid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)
    return where(None, through)


def ticks():
    """An item every hundredth of a second, for longer than any test should last."""
    deadline = time.monotonic() + TIMEOUT_S
    while time.monotonic() < deadline:
        yield time.sleep(0.01)
    raise TimeoutError


def run_forever(started: Path, through):
    started.touch()
    for _ in through(ticks()):
        pass


def run_until_gone(started: Path, through):
    """Run until nobody needs the file any more."""
    started.touch()
    for _ in through(ticks()):
        if not started.exists():
            return


def encode_forever(started: Path, through):
    """Write the encoder's process id to `started`, then encode."""
    with Encoder(["cat"], started) as encoder:
        (child,) = psutil.Process().children()
        new = started.with_suffix(".new")
        new.write_text(str(child.pid))
        new.rename(started)
        for _ in through(ticks()):
            encoder.write(bytes(1000))


class UnpickledElsewhere(Exception):
    """Raised when an argument is unpickled in the wrong process."""


class OnlyIn:
    """An argument that can be unpickled in one process only."""

    def __init__(self, pid: int) -> None:
        if os.getpid() != pid:
            raise UnpickledElsewhere("not in here")
        self._pid = pid

    def __reduce__(self):
        return (OnlyIn, (self._pid,))


class UnpicklableError(Exception):
    """An error that cannot be unpickled: its message is not its arguments."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(f"{first} and {second}")


def raise_unpicklable(_argument, _through):
    raise UnpicklableError("a", "b")


def wait_for_others(argument: tuple[Path, int], _through):
    """Return this process's id once the folder has so many files, one of them ours."""
    folder, n = argument
    (folder / str(os.getpid())).touch()
    for _ in ticks():
        if len(list(folder.iterdir())) == n:
            return os.getpid()
    raise TimeoutError


def modules(_argument, _through):
    """The modules that are loaded where chapters are joined, mastered and encoded."""
    for name in (
        "audiomill.flows.pipeline.chapter_audio",
        "audiomill.outputs.formats.encoder",
    ):
        importlib.import_module(name)
    return sorted(sys.modules)


def has_imported(module: str, _through):
    return module in sys.modules


def hang(_argument, _through):
    """Do not even look whether anybody waits."""
    time.sleep(TIMEOUT_S)


def nothing(_argument, _through):
    """Return None."""
