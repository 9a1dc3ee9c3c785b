"""One worker process as its owner has it: what is sent there and heard from it, and its end."""

from __future__ import annotations

import multiprocessing
import signal
from multiprocessing.reduction import recv_handle

from renderers.deaf import start_deaf
from renderers.kokoro.card_memory import read
from renderers.kokoro.card_worker import Answer, Make, Told, work
from renderers.shard import RenderError

# A fork would copy locks that other threads hold, and CUDA does not survive it.
_PROCESSES = multiprocessing.get_context("spawn")
PATIENCE_S = 5.0  # with a process that has been killed, or has closed its pipe, until it is gone


class CardFailed(Exception):
    """The process is of no more use. Says why, in a part of a sentence."""


class CardProcess:
    """A process that speaks with what `make` makes there. One thread at a time."""

    def __init__(self, make: Make) -> None:
        """Raises CardFailed."""
        self._pipe, theirs = _PROCESSES.Pipe()
        self._process = _PROCESSES.Process(target=work, args=(theirs, make), daemon=True)
        try:
            with theirs:
                start_deaf(self._process)
        except OSError as error:
            self._pipe.close()
            raise CardFailed(f"no process can be started ({error})") from error

    def send(self, order: object) -> None:
        """Have rows spoken after those that were sent before. Raises CardFailed."""
        try:
            self._pipe.send(order)
        except OSError as error:
            raise CardFailed(self._end()) from error

    def hear(self, patience_s: float) -> list[Told] | None:
        """What the first of the rows that are under way came to; None if that takes longer.

        Raises CardFailed; and RenderError for what any card would fail at, when this one is of no
        more use either.
        """
        try:
            if not self._pipe.poll(patience_s):
                return None
            answer: Answer = self._pipe.recv()
            if isinstance(answer, list):
                samples = read(recv_handle(self._pipe), [size for size, _, _ in answer])
                pairs = zip(samples, answer, strict=True)
                return [(one, durations, frame_s) for one, (_, durations, frame_s) in pairs]
        # A process that dies between an answer and its memory sends a message without one.
        except (EOFError, OSError, RuntimeError) as error:
            raise CardFailed(self._end()) from error
        if isinstance(answer, RenderError):
            raise answer
        raise CardFailed(answer)

    def kill(self) -> None:
        """End it at once: it has nothing to lose. One that hangs in a driver is left there."""
        self._process.kill()
        self._process.join(PATIENCE_S)
        if self._process.exitcode is not None:
            self._process.close()
        self._pipe.close()

    def _end(self) -> str:
        self._process.join(PATIENCE_S)
        code = self._process.exitcode
        if code is None or code >= 0:
            return f"its process ended ({code})"
        memory = ", perhaps for want of memory" if -code == signal.SIGKILL else ""
        return f"its process was ended by signal {-code} ({signal.strsignal(-code)}){memory}"
