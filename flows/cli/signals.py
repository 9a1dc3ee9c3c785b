"""Ctrl-C and SIGTERM: stop at the next batch, and in any case within two seconds."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType

from audiomill.flows.console import EXIT_INTERRUPTED, say
from audiomill.flows.pipeline.run_context import RunContext

# A batch on a slow machine takes longer than anybody waits after Ctrl-C. It is given up then;
# whatever was stored before it is whole, and the kernel lets go of the locks.
GRACE_S = 1.0
SHOW_CURSOR = "\x1b[?25h"


@contextmanager
def stops_on_signals(watch: RunContext) -> Generator[RunContext]:
    """`watch`, told to stop by SIGINT and SIGTERM while the block runs; by a second one at once."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        if watch.stop.is_set():
            _exit()
        watch.stop.set()
        say("Stopping. What is finished is kept; the same command goes on from there.")
        deadline = threading.Timer(GRACE_S, _exit)
        deadline.daemon = True
        deadline.start()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield watch
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _exit() -> None:
    if sys.stderr is not None and sys.stderr.isatty():
        sys.stderr.write(SHOW_CURSOR)
        sys.stderr.flush()
    os._exit(EXIT_INTERRUPTED)
