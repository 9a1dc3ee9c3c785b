"""Starting a process that Ctrl-C does not meet. Knows nothing of what processes do.

Ctrl-C reaches every process of a terminal. Ours are ended by who started them, in order, and until
a new one can say that it will not listen, it must not hear either.
"""

from __future__ import annotations

import signal
from multiprocessing import resource_tracker
from multiprocessing.process import BaseProcess


def start_deaf(process: BaseProcess) -> None:
    """Start a process that Ctrl-C cannot meet before it knows what to do about it.

    It inherits what this thread blocks meanwhile. Python's own helper for processes must be there
    by then: starting it unblocks the signal.
    """
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
