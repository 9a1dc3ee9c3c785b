"""Work for the annex: what a process of it does must be in a module that it can import."""

import importlib
import os
import signal
import sys
import time
from pathlib import Path

import psutil

from audiomill.outputs.encoding.ffmpeg import Encoder
from audiomill.outputs.types import EncoderFailed
from audiomill.renderers.host.child_process import RunLocally
from support.process_data import PATIENCE_S


def where(_order, through):
    """The process that does it, its group, and the sum of what it went over."""
    return os.getpid(), os.getpgid(0), sum(through(range(10)))


def fail(order, _through):
    raise EncoderFailed(order)


def lack_there(owner, through):
    """What only the process that owns the annex can do."""
    if os.getpid() != owner:
        raise RunLocally
    return where(None, through)


def die_there(owner, through):
    if os.getpid() != owner:
        os.kill(os.getpid(), signal.SIGKILL)
    return where(None, through)


def ticks():
    """Some every hundredth of a second, for longer than any test should last."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        yield time.sleep(0.01)
    raise TimeoutError


def go_on_for_ever(started: Path, through):
    started.touch()
    for _ in through(ticks()):
        pass


def encode_for_ever(started: Path, through):
    with Encoder(["cat"], started) as encoder:
        (child,) = psutil.Process().children()
        new = started.with_suffix(".new")
        new.write_text(str(child.pid))
        new.rename(started)
        for _ in through(ticks()):
            encoder.write(bytes(1000))


class Unreadable(Exception):
    """Raised where something is unpickled in the wrong process."""


class OnlyAt:
    """What can be unpickled in one process only."""

    def __init__(self, pid: int) -> None:
        if os.getpid() != pid:
            raise Unreadable("not in here")
        self._pid = pid

    def __reduce__(self):
        return (OnlyAt, (self._pid,))


class Wordy(Exception):
    """An error that cannot be unpickled: its message is not what it is made of."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(f"{one} and {other}")


def fail_in_two_words(_order, _through):
    raise Wordy("a", "b")


def wait_for_the_others(order: tuple[Path, int], _through):
    """Return once the folder has so many files, one of them ours."""
    folder, n = order
    (folder / str(os.getpid())).touch()
    for _ in ticks():
        if len(list(folder.iterdir())) == n:
            return os.getpid()
    raise TimeoutError


def modules(_order, _through):
    """What is loaded where chapters are joined, mastered and encoded."""
    for name in (
        "audiomill.flows.pipeline.chapter_audio",
        "audiomill.outputs.encoding.encoder",
    ):
        importlib.import_module(name)
    return sorted(sys.modules)


def has_imported(module: str, _through):
    return module in sys.modules
