"""A process that runs a podcast in forks, each of which is killed at some moment of its work.

`python -m support.killed_show SHOW` reads numbers, one in a line. For each it runs the podcast of
the file SHOW until before the operation of that number, and writes "killed", or how many operations
there were if the run has ended before.

An operation is what Python's audit events tell of: a file opened, renamed or removed, a connection
made, a process started, in any thread. So the moments are spread over the work, however fast the
machine is. Between two of them a run may write into a file that is open; that it is cut off there
is what the later moment finds.
"""

import os
import signal
import socket
import sys
from importlib import import_module

from audiomill.flows.__main__ import main as audiomill

# What a run imports. Each fork has it already.
_IMPORTS = (
    *("flows.cli.parser", "flows.cli.podcast", "flows.podcast.run"),
    *("inputs.articles.fetching", "inputs.articles.reader", "renderers.tone"),
)
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


def _run(show: str, last: int, told: socket.socket) -> None:
    """Run the podcast, and tell how many operations that took."""
    operations = _Operations(last)
    os.dup2(2, 1)
    sys.argv = ["audiomill", "podcast", "run", show]
    sys.addaudithook(operations)
    code = audiomill()
    told.send(b"%d" % operations.n_seen)
    os._exit(code)


def main() -> None:
    for module in _IMPORTS:
        import_module(f"audiomill.{module}")
    for line in sys.stdin:
        ours, theirs = socket.socketpair()
        fork = os.fork()
        if not fork:
            _run(sys.argv[1], int(line), theirs)
        theirs.close()
        _, status = os.waitpid(fork, 0)
        code = os.waitstatus_to_exitcode(status)
        assert code in (0, -signal.SIGKILL), code
        with ours:
            sys.stdout.write("killed\n" if code else f"{ours.recv(64).decode()}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
