"""Ctrl-C and SIGTERM: stop what runs in order, and in any case soon."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from multiprocessing import resource_tracker
from types import FrameType

from audiomill.flows.console import EXIT_INTERRUPTED, INTERRUPTED, say
from audiomill.flows.execution.run_context import RunContext

# On a slow machine a batch takes longer than users wait after Ctrl-C. It is dropped after this
# time. Everything stored before is whole, and the kernel releases the locks.
GRACE_S = 1.0
STOPPING = "Stopping. What is finished is kept; the same command goes on from there."
SHOW_CURSOR = b"\x1b[?25h"


@contextmanager
def stop_on_signals(
    context: RunContext,
    grace_s: float | None = None,
    stopping: str = STOPPING,
    last_word: Callable[[], None] | None = None,
) -> Generator[RunContext]:
    """While the block runs, SIGINT and SIGTERM stop `context`. A second one exits at once.

    So does the first one if this process has not ended after `grace_s` seconds (GRACE_S); it calls
    `last_word` before. The user reads `stopping`.
    """

    def leave() -> None:
        if last_word:
            last_word()
        _exit()

    def stop(_signal: int, _frame: FrameType | None) -> None:
        if context.stop.is_set():
            _exit()
        context.stop.set()
        say(stopping)
        deadline = threading.Timer(GRACE_S if grace_s is None else grace_s, leave)
        deadline.daemon = True
        deadline.start()

    previous = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield context
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


@contextmanager
def uninterrupted_children() -> Generator[None]:
    """Processes that are started in the block never get Ctrl-C: this one decides what it means.

    A child of Dask's, or of multiprocessing, begins in our process group and with Python's own
    handler, which prints a traceback. The mask of a thread is inherited by what it starts; here
    another thread, which starts nothing, takes the signal for this process.
    """
    resource_tracker.ensure_running()  # starting it later would end the mask
    is_over = threading.Event()
    threading.Thread(target=is_over.wait, name="signals", daemon=True).start()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        is_over.set()


def stop_where_signals_come(
    context: RunContext, last_word: Callable[[], None] | None = None
) -> AbstractContextManager[RunContext]:
    """`stop_on_signals` in the main thread, which alone gets signals; in others, nothing."""
    if threading.current_thread() is threading.main_thread():
        return stop_on_signals(context, last_word=last_word)
    return nullcontext(context)


def _exit() -> None:
    """Exit now, with the cursor that progress bars hide visible again.

    Past `sys.stderr`: a progress bar replaces it, and its lock may be held by the main thread.
    """
    with suppress(OSError):  # a closed terminal
        shown = SHOW_CURSOR + b"\r\n" if os.isatty(2) else b""
        os.write(2, shown + f"audiomill: {INTERRUPTED}\n".encode())
    os._exit(EXIT_INTERRUPTED)
