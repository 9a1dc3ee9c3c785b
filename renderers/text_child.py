"""The child's side of `text_process.py`. Imports little, so that a child is soon replaced."""

from __future__ import annotations

import resource
import signal
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from typing import TypeVar

from audiomill.renderers.base import RenderError

Setting = TypeVar("Setting")
Answer = TypeVar("Answer")

# Processor time for a text, so that a busy machine ends none. The slowest of 12,000 random texts
# took nine seconds of the clock, an ordinary one takes milliseconds.
LIMIT_S = 30.0


def serve_texts(
    pipe: Connection,
    prepare: Callable[[Sequence[tuple[Setting, str]]], None],
    answer: Callable[[Setting, str], Answer],
) -> None:
    """Answer the texts that come through the pipe until it is closed.

    If `prepare` dies, the texts are not to blame. What `answer` returns must not be None.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # ends this process, native code or not
    while True:
        tasks: Sequence[tuple[Setting, str]] = pipe.recv()
        try:
            prepare(tasks)
            pipe.send(None)
            for setting, text in tasks:
                signal.setitimer(signal.ITIMER_PROF, LIMIT_S)
                pipe.send(answer(setting, text))
            signal.setitimer(signal.ITIMER_PROF, 0.0)
        except RenderError as error:
            pipe.send(error)
