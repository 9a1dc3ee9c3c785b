"""A process that runs a podcast in forks, each of which is killed at some moment of its work.

`python -m support.killed_show SHOW` first runs the podcast of the file SHOW itself, so that all is
imported that a fork needs. Then it reads numbers, one in a line. For each, a fork runs the podcast
until before the operation of that number. It writes "killed", or how many operations there were if
the run has ended before.

An operation is what Python's audit events tell of: a file opened, renamed or removed, a connection
made, a process started, in any thread. So the moments are spread over the work, however fast the
machine is. Between two of them a run may write into a file that is open; that it is cut off there
is what the later moment finds.
"""

import os
import signal
import socket
import sys

from audiomill.flows.__main__ import main as audiomill

_OPERATIONS = ("open", "os.", "shutil.", "socket.", "sqlite3.", "subprocess.", "fcntl.")


class _Operations:
    """Counts operations, and kills this process before the one of a number."""

    def __init__(self, last: int) -> None:
        self.n_seen, self._last = 0, last

    def __call__(self, event: str, _arguments: tuple) -> None:
        if event.startswith(_OPERATIONS):
            self.n_seen += 1
            if self.n_seen == self._last:
                os.kill(os.getpid(), signal.SIGKILL)


def _run_until(last: int, told: socket.socket) -> None:
    """Run the podcast, and tell how many operations that took."""
    operations = _Operations(last)
    sys.addaudithook(operations)
    code = audiomill()
    told.send(b"%d" % operations.n_seen)
    os._exit(code)


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what the podcast's runs write is none
    sys.argv = ["audiomill", "podcast", "run", sys.argv[1]]
    assert audiomill() == 0
    for line in sys.stdin:
        ours, theirs = socket.socketpair()
        fork = os.fork()
        if not fork:
            _run_until(int(line), theirs)
        theirs.close()
        _, status = os.waitpid(fork, 0)
        code = os.waitstatus_to_exitcode(status)
        assert code in (0, -signal.SIGKILL), code
        with ours:
            answers.write("killed\n" if code else f"{ours.recv(64).decode()}\n")


if __name__ == "__main__":
    main()
