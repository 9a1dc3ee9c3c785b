"""A child process that runs one function and talks with its parent through a pipe.

    parent                                        child
    ChildProcess(function, *arguments) ─────────▶ function(pipe, *arguments)
    send(message) ──────────────────────────────▶ pipe.recv()
    receive() ◀────────────────────────────────── pipe.send(message)

Knows nothing of what the messages mean.
"""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from multiprocessing.reduction import recv_handle
from pathlib import Path
from threading import Thread
from typing import Any, NoReturn, Protocol, TypeVar

T = TypeVar("T")

POLL_S = 0.2  # between two cancel checks while a message is awaited
END_TIMEOUT_S = 5.0  # until a child that was killed, or whose pipe is closed, has ended
# Imported, not run as a module: what the child pickles would belong to its `__main__`, which the
# parent cannot import.
BOOTSTRAP = "from audiomill.renderers.host.child_process import main; main()"


class ChildDied(Exception):
    """The child has ended. The message says how, as a part of a sentence."""

    def __init__(self, exit_code: int | None) -> None:
        """`exit_code` is negative for a signal, and None if the child hangs and was left."""
        super().__init__(_ending(exit_code))
        self.exit_code = exit_code


class RunLocally(Exception):
    """Raised in a child that lacks something: the parent must do the work itself."""


class CancellableIter(Protocol):
    """Passes on the items of a loop, and can stop the loop between two of them."""

    def __call__(self, items: Iterable[T], /) -> Iterator[T]:
        """The items."""
        ...


def do_nothing() -> None:
    """Cancel nothing."""


class ChildProcess:
    """Runs `function(pipe, *arguments)` in a child process. One thread at a time may use it.

    The child is a new interpreter with this process's `sys.path`. `multiprocessing` is not used:
    its "spawn" imports the parent's main module, which may take seconds or start a render of its
    own; its "fork" copies locks that other threads hold, and CUDA does not survive it.

    The function and its arguments are pickled, so the child must be able to import them. Nothing
    that the child prints reaches our standard output. It has a process group of its own, so that a
    terminal's Ctrl-C reaches only the parent. When the parent closes the pipe or dies, even by
    SIGKILL, the child gets SIGTERM. On Linux the kernel sends it, whatever the child is doing;
    elsewhere a thread does, once native code lets it.
    """

    def __init__(
        self,
        function: Callable[..., object],
        *arguments: object,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """The child's environment variables are ours and `environment`.

        Raises OSError if no process can be started.
        """
        self._pipe, childs_end = Pipe()
        # Nothing is written to this one: its hang-up tells the child that nobody needs it any more.
        hang_up, self._held_end = Pipe(duplex=False)
        try:
            with childs_end, hang_up:
                self._process = _start(childs_end, hang_up, environment or {})
        except BaseException:
            self.close_pipe()
            raise
        try:
            self._pipe.send((function, arguments))
        except OSError:
            pass  # it has died already, which the next call reports
        except BaseException:
            self.kill()
            raise

    def send(self, message: object) -> None:
        """Send `message` to the child. Raises ChildDied."""
        try:
            self._pipe.send(message)
        except OSError as error:
            raise ChildDied(self.stop()) from error

    def poll(self, timeout_s: float) -> bool:
        """True if `receive` would not wait, because of a message or of the child's death."""
        return self._pipe.closed or self._pipe.poll(timeout_s)

    def receive(self, check: Callable[[], None] = do_nothing) -> Any:
        """Wait for the child's next message and return it.

        Calls `check` while it waits. Raises ChildDied, and what `check` raises.
        """
        while not self.poll(POLL_S):
            check()
        try:
            return self._pipe.recv()
        except (EOFError, OSError) as error:
            raise ChildDied(self.stop()) from error

    def receive_descriptor(self) -> int:
        """The file descriptor that the child has sent with `send_handle`. Raises ChildDied."""
        try:
            return recv_handle(self._pipe)
        # A child that dies before it sends the descriptor leaves a message without one, which is a
        # RuntimeError.
        except (EOFError, OSError, RuntimeError) as error:
            raise ChildDied(self.stop()) from error

    def close_pipe(self) -> None:
        """Have the child end; does not wait for it."""
        self._pipe.close()
        self._held_end.close()

    def stop(self) -> int | None:
        """Have the child end and wait until it has; kill it if that takes too long.

        Returns its exit code, as `kill` does.
        """
        self.close_pipe()
        code = self._wait()
        return self.kill() if code is None else code

    def kill(self) -> int | None:
        """End the child at once.

        Returns its exit code, which is negative for a signal, or None if it hangs in a driver. Then
        it is left there.
        """
        self._process.kill()
        self.close_pipe()
        return self._wait()

    def _wait(self) -> int | None:
        with suppress(subprocess.TimeoutExpired):
            return self._process.wait(END_TIMEOUT_S)
        return None


def _start(
    pipe: Connection, hang_up: Connection, environment: Mapping[str, str]
) -> subprocess.Popen[bytes]:
    path = os.pathsep.join(str(Path(folder).resolve()) for folder in sys.path)
    descriptors = [pipe.fileno(), hang_up.fileno()]
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", BOOTSTRAP, *map(str, descriptors)],
        env=os.environ | environment | {"PYTHONPATH": path},
        pass_fds=descriptors,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        process_group=0,
    )
    signal_at_hang_up(hang_up.fileno(), process.pid)
    return process


def signal_at_hang_up(pipe: int, pid: int) -> None:
    """Have the kernel send SIGTERM to `pid` once the pipe's other end is closed. Linux only.

    A negative `pid` is that of a process group, all of which gets it.

    PR_SET_PDEATHSIG is not used: it would end the child with the thread that has started it. And
    this is in force from the child's first instruction on.
    """
    if hasattr(fcntl, "F_SETSIG"):
        with suppress(ProcessLookupError):  # it has ended already
            fcntl.fcntl(pipe, fcntl.F_SETOWN, pid)
        fcntl.fcntl(pipe, fcntl.F_SETSIG, signal.SIGTERM)
        fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)


def _ending(exit_code: int | None) -> str:
    if exit_code is None or exit_code >= 0:
        return f"its process ended ({exit_code})"
    return f"its process was ended by signal {-exit_code} ({signal.strsignal(-exit_code)})"


def main() -> NoReturn:
    """In the child: run the function that the parent sends through the pipe.

    The descriptors of both pipes are the arguments on the command line.
    """
    descriptors = [int(word) for word in sys.argv[1:]]
    for descriptor in descriptors:
        os.set_inheritable(descriptor, False)  # noqa: FBT003 - a grandchild would keep it open
    pipe, hang_up = map(Connection, descriptors)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interrupt means
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    Thread(target=_end_with_parent, args=[hang_up], daemon=True).start()
    with suppress(EOFError, ConnectionError):  # the parent is gone: nobody waits for an answer
        function, arguments = pipe.recv()
        function(pipe, *arguments)
    # The interpreter's own end would wait for threads, and takes a second with spaCy loaded.
    os._exit(0)


def _end_with_parent(hang_up: Connection) -> None:
    """Send this process SIGTERM once the other end is closed, if the kernel has not done so.

    It does so on Linux only, and not if the parent died before it could ask the kernel to.
    """
    with suppress(EOFError):
        hang_up.recv_bytes()
    os.kill(os.getpid(), signal.SIGTERM)


def exit_on_sigterm() -> None:
    """In a child: end in order on SIGTERM, so that context managers end what they have started."""
    signal.signal(signal.SIGTERM, _exit)


def _exit(number: int, _frame: object) -> NoReturn:
    signal.signal(number, signal.SIG_IGN)  # a second one must not interrupt the clean-up
    sys.exit(128 + number)
