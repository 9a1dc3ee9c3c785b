"""The child's side of `text_process.py`. Imports little, so that a child is soon replaced."""

from __future__ import annotations

import math
import resource
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeVar

from audiomill.renderers.engine.errors import RenderError

Setting = TypeVar("Setting")
Answer = TypeVar("Answer")
# Processor time for a text, so that a busy machine ends none. The slowest of 12,000 random texts
# took nine seconds of the clock, an ordinary one takes milliseconds.
LIMIT_S = 30.0
_STATM = Path("/proc/self/statm")


def serve_texts(
    pipe: Connection,
    prepare: Callable[[Sequence[tuple[Setting, str]]], None],
    answer: Callable[[Setting, str], Answer],
    max_growth_bytes: float = math.inf,
) -> None:
    """Answer the texts that come through the pipe until it is closed.

    If `prepare` dies, the texts are not to blame. What `answer` returns must not be None. Where
    `answer` loses memory, the process ends between two requests once it has grown by so much:
    another one is started for the next.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # ends this process, native code or not
    first_bytes = 0
    while not first_bytes or memory_bytes() - first_bytes <= max_growth_bytes:
        tasks: Sequence[tuple[Setting, str]] = pipe.recv()
        try:
            prepare(tasks)
            pipe.send(None)
            for setting, text in tasks:
                signal.setitimer(signal.ITIMER_PROF, LIMIT_S)
                pipe.send(answer(setting, text))
            signal.setitimer(signal.ITIMER_PROF, 0.0)
            first_bytes = first_bytes or memory_bytes()
        except RenderError as error:
            pipe.send(error)


def memory_bytes() -> int:
    """The resident memory of this process; where /proc does not tell, the most that it ever was."""
    with suppress(OSError):
        return int(_STATM.read_text().split()[1]) * resource.getpagesize()
    unit_bytes = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit_bytes
