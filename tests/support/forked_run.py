"""A process that has imported the command line already, and runs it in forks.

A fork differs from `python -m audiomill` in nothing but the half second that imports take: it is a
process of its own, with its own environment, folder, output and exit code.
"""

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path

from support.process_data import TIMEOUT_S

# What is imported before a fork: nothing that reads the environment meanwhile, as Prefect does.
IMPORTS = (
    *("flows.cli.exit_codes", "flows.cli.parser", "flows.cli.inspect", "flows.cli.render"),
    *("inputs.epub.reader", "inputs.markdown.reader", "renderers.espeak.renderer"),
)
LONGEST_REQUEST = 1 << 20  # bytes
# What a test starts can import `support`, and the same audiomill as the test.
TESTS_PATH = os.pathsep.join(
    filter(None, (str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH")))
)


def run_forked(
    words: Sequence[str], folder: Path, environment: Mapping[str, str]
) -> subprocess.CompletedProcess:
    """`audiomill WORDS` in `folder`, done."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        code = _server().run([*words], str(folder), {**environment}, [out.fileno(), err.fileno()])
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(
            ["audiomill", *words], code, out.read().decode(), err.read().decode()
        )


class _Server:
    """The process that forks. It ends with the one that has started it."""

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket.settimeout(TIMEOUT_S)
        words = [sys.executable, "-m", "support.forked_run", str(theirs.fileno())]
        environment = os.environ | {
            "PYTHONPATH": TESTS_PATH,
            "PYTHONUNBUFFERED": "1",
            "PYTHONWARNINGS": "default",
        }
        with theirs:
            self._process = subprocess.Popen(
                words, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, env=environment
            )

    def run(self, words: list, folder: str, environment: dict, files: list[int]) -> int:
        """The exit code, as `subprocess` gives it: negative for a signal."""
        request = json.dumps({"words": words, "folder": folder, "environment": environment})
        socket.send_fds(self._socket, [request.encode()], files)
        return int(self._socket.recv(64))

    def close(self) -> None:
        self._socket.close()
        self._process.wait()


@cache
def _server() -> _Server:
    server = _Server()
    atexit.register(server.close)
    return server


def _serve(connection: socket.socket) -> None:
    """Return in each fork; end where no more requests can come."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends with its parent
    while True:
        request, files, _, _ = socket.recv_fds(connection, LONGEST_REQUEST, 2)
        if not request:
            sys.exit()
        fork = os.fork()
        if not fork:
            connection.close()
            signal.signal(signal.SIGINT, signal.default_int_handler)
            return _become(files, **json.loads(request))
        for file in files:
            os.close(file)
        _, status = os.waitpid(fork, 0)
        connection.send(str(os.waitstatus_to_exitcode(status)).encode())


def _become(files: list[int], words: list, folder: str, environment: dict) -> None:
    for number, file in enumerate(files, start=1):
        os.dup2(file, number)
        os.close(file)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = ["audiomill", *words]


if __name__ == "__main__":
    from audiomill.flows.__main__ import main

    for module in IMPORTS:
        import_module(f"audiomill.{module}")
    _serve(socket.socket(fileno=int(sys.argv[1])))
    sys.exit(main())
