"""Work that forks of one process do, each of which is killed before some operation of it.

An operation is one that Python's audit events tell of: a file opened, renamed or removed, a
connection made, a process started, in any thread. So the moments are spread over the work, however
fast the machine is. Between two of them a fork may write into a file that is open; that it is cut
off there is what the later moment finds.
"""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

# Of files and folders; a file is also changed if it is opened to be written.
CHANGES = (
    *("os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.utime", "os.truncate", "os.link"),
    "shutil.rmtree",
)
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
OPERATIONS = ("open", "os.", "shutil.", "socket.", "sqlite3.", "subprocess.", "fcntl.")


@contextmanager
def killed_forks(source: str, environment: Mapping[str, str]) -> Iterator[Callable[[int], str]]:
    """A function that has `work()` of a source done until before the operation of a number.

    It tells "killed", or how many operations there were; 0 is none. The source runs once, so that
    all is imported that forks need. It may have its own `is_operation(event, arguments)`.
    """
    with subprocess.Popen(
        [sys.executable, "-m", "support.killed_forks", source], env=environment,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    ) as process:  # fmt: skip

        def run_until(number: int) -> str:
            process.stdin.write(f"{number}\n")
            process.stdin.flush()
            return process.stdout.readline().strip()

        yield run_until


def changes_in(folder: str) -> Callable[[str, tuple], bool]:
    """An `is_operation` of a source: what changes a file or a folder in this one."""

    def is_operation(event: str, arguments: tuple) -> bool:
        changes = event in CHANGES or (event == "open" and int(arguments[2] or 0) & WRITES)
        return bool(changes) and folder in str(arguments[0])

    return is_operation


def _is_operation(event: str, _arguments: tuple) -> bool:
    return event.startswith(OPERATIONS)


def _run_until(last: int, told: socket.socket, work, is_operation=_is_operation, **_: object):
    """Work, and tell how many operations that took."""
    n_seen = 0

    def count(event: str, arguments: tuple) -> None:
        nonlocal n_seen
        if is_operation(event, arguments):
            n_seen += 1
            if n_seen == last:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count)
    try:
        work()
        told.send(b"%d" % n_seen)
        os._exit(0)
    finally:
        os._exit(1)


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what the work writes is none
    names: dict = {}
    exec(sys.argv[1], names)  # noqa: S102
    for line in sys.stdin:
        ours, theirs = socket.socketpair()
        fork = os.fork()
        if not fork:
            _run_until(int(line), theirs, **names)
        theirs.close()
        code = os.waitstatus_to_exitcode(os.waitpid(fork, 0)[1])
        assert code in (0, -signal.SIGKILL), code
        with ours:
            answers.write("killed\n" if code else f"{ours.recv(64).decode()}\n")


if __name__ == "__main__":
    main()
