"""A process that has imported the command line already, and runs it in forks.

A fork differs from `python -m audiomill` in nothing but the second that imports, patterns and
tables of words take: it is a process of its own, with its own environment, folder, output and exit
code.
"""

import atexit
import gc
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path

from audiomill.flows.cli.parser import build_parser
from audiomill.flows.settings import Settings
from audiomill.inputs.metadata.credits import Credits, with_credits
from audiomill.inputs.model.book import Limits
from audiomill.inputs.readers.sources import read_book
from audiomill.inputs.segmentation.segments import SegmentRules, segment_book
from audiomill.outputs.ffmpeg.find_ffmpeg import ffmpeg_build, find_ffmpeg
from audiomill.renderers.engine.registry import engine_names, open_renderer
from support.no_power_cuts import wait_for_no_disk
from support.paths import SAMPLES, TESTS_PATH
from support.process_data import TIMEOUT_S

_TOLD = tomllib.loads(Path(__file__).with_name("forked_imports.toml").read_text("utf-8"))
IMPORTS = (
    *(f"audiomill.{name}" for name in _TOLD["ours"]),
    *_TOLD["others"],
    *(f"mutagen.{name}" for name in _TOLD["mutagen"]),
)
DASK = ("distributed",)  # more of them, for what runs on a cluster
SAMPLE = SAMPLES / "the-lighthouse-mill.epub"
RUNNING = "running"  # the answer for a process that has not ended
LONGEST_REQUEST = 1 << 20  # bytes
PROGRAM = """
import sys
from audiomill.flows.cli.main import main
sys.exit(main())
"""


def program_of(module: str) -> str:
    """The program that `python -m MODULE` runs."""
    return f"import runpy\nrunpy.run_module({module!r}, run_name='__main__', alter_sys=True)"


class ForkedProcess:
    """`audiomill WORDS` in `folder`, running. It is used like a `subprocess.Popen`.

    `source` is the program, where it is another one than the command line itself, and `imports`
    are packages that are imported before it is forked. It is in this session, or in its own.
    """

    def __init__(
        self,
        words: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        files: tuple[int, int],
        source: str = PROGRAM,
        imports: tuple[str, ...] = (),
        *,
        start_new_session: bool = False,
    ) -> None:
        told = {"words": [*words], "folder": str(folder), "environment": {**environment}}
        self._server = _server(imports)
        self.pid = int(
            self._server.ask("start", files, source=source, in_own=start_new_session, **told)
        )
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """The exit code, as `subprocess` gives it: negative for a signal. None while it runs."""
        return self._ended("poll")

    def wait(self) -> int:
        code = self._ended("wait")
        assert code is not None
        return code

    def send_signal(self, number: int) -> None:
        """Nothing if it has ended; its number is not given away before that is asked for."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def _ended(self, verb: str) -> int | None:
        if self.returncode is None:
            answer = self._server.ask(verb, pid=self.pid)
            self.returncode = None if answer == RUNNING else int(answer)
        return self.returncode


def run_forked(
    words: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    source: str = PROGRAM,
    imports: tuple[str, ...] = (),
) -> subprocess.CompletedProcess:
    """`audiomill WORDS` in `folder`, done."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        files = (out.fileno(), err.fileno())
        code = ForkedProcess(words, folder, environment, files, source, imports).wait()
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(
            ["audiomill", *words], code, out.read().decode(), err.read().decode()
        )


class _Server:
    """The process that forks. It ends with the one that has started it.

    One with more imports is a fork of the one without, and need not import all of it again.
    """

    def __init__(self, imports: tuple[str, ...]) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket.settimeout(TIMEOUT_S)
        with theirs:
            if imports:
                base = _server(())
                pid = int(base.ask("serve", [theirs.fileno()], packages=imports))
                self._wait: Callable[[], object] = lambda: base.ask("wait", pid=pid)
            else:
                self._wait = _started(theirs).wait

    def ask(self, verb: str, files: Sequence[int] = (), **told: object) -> str:
        socket.send_fds(self._socket, [json.dumps({"verb": verb, **told}).encode()], files)
        try:
            return self._socket.recv(64).decode()
        except TimeoutError:
            _server.cache_clear()  # its late answer would be taken for that to the next question
            raise

    def close(self) -> None:
        self._socket.close()
        self._wait()


def _started(theirs: socket.socket) -> subprocess.Popen:
    words = [sys.executable, "-m", "support.forked_run", str(theirs.fileno())]
    environment = os.environ | {
        "PYTHONPATH": TESTS_PATH,
        "PYTHONUNBUFFERED": "1",
        "PYTHONWARNINGS": "default",
    }
    return subprocess.Popen(
        words, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, env=environment
    )


@cache
def _server(imports: tuple[str, ...]) -> _Server:
    server = _Server(imports)
    atexit.register(server.close)
    return server


def _serve(connection: socket.socket, imported: dict) -> str:
    """Return the program in each fork; end where no more requests can come."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends with its parent
    while True:
        content, files, _, _ = socket.recv_fds(connection, LONGEST_REQUEST, 2)
        if not content:
            connection.close()
            sys.exit()
        request = json.loads(content)
        if (verb := request.pop("verb")) in ("poll", "wait"):
            connection.send(_exit_code(verb=verb, **request).encode())
        elif fork := _fork(files):
            connection.send(str(fork).encode())
        else:
            connection.close()
            if verb == "start":
                return _become(files, **request)
            connection = socket.socket(fileno=files[0])
            _import(imported, **request)


def _fork(files: list[int]) -> int:
    fork = os.fork()
    if fork:
        for file in files:
            os.close(file)
    return fork


def _exit_code(pid: int, verb: str) -> str:
    """RUNNING while it runs, unless its end is waited for."""
    ended, status = os.waitpid(pid, 0 if verb == "wait" else os.WNOHANG)
    return str(os.waitstatus_to_exitcode(status)) if ended else RUNNING


def _become(
    files: list[int], words: list, folder: str, environment: dict, source: str, *, in_own: bool
) -> str:
    if in_own:
        os.setsid()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number, file in enumerate(files, start=1):
        os.dup2(file, number)
        os.close(file)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = ["audiomill", *words]
    return source


def _end(ended: dict) -> None:
    """End a fork without taking apart what was imported before it: that would copy all of it, and
    take longer than most programs run. What a program has imported itself is taken apart as ever,
    and told of where it was left open.
    """
    imported, code = ended.get("imported"), ended.get("code", 0)
    if imported is None or not isinstance(code, int):
        return
    for name in sys.modules.keys() - imported.keys():
        del sys.modules[name]
    gc.collect()
    with suppress(OSError, ValueError):  # of words that nobody reads, Python itself tells
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code & 0xFF)


def _read(book: Path) -> None:
    """Compile the patterns and load the tables that the text of a book needs, in no fork again."""
    read = with_credits(read_book(book, Limits()), Credits())
    segment_book(read, SegmentRules(voice_for=lambda _language: "", max_length=500))


def _import(imported: dict, packages: Sequence[str]) -> None:
    """Import packages, and take down all modules in a dictionary that is never freed."""
    for package in packages:
        import_module(package)
    imported |= sys.modules
    imported["itself"] = imported  # a circle, in what is frozen
    gc.freeze()  # or each fork would look through all of it, and so copy it, when it ends


def _prepare() -> None:
    """What our ffmpeg can do, which engines other packages bring, which options there are and how
    settings are validated is found once, not in each fork.
    """
    Settings.model_rebuild()
    open_renderer("espeak").fingerprint("en-us")  # reads all its files
    ffmpeg_build(find_ffmpeg(encoders=("aac",)))
    engine_names()
    build_parser()
    _read(SAMPLE)


if __name__ == "__main__":
    wait_for_no_disk()
    ended: dict = {}
    atexit.register(_end, ended)  # first, so that it comes last
    imported: dict = {}
    _prepare()
    _import(imported, IMPORTS)
    source = _serve(socket.socket(fileno=int(sys.argv[1])), imported)
    ended["imported"] = imported
    try:
        exec(source)  # noqa: S102
    except SystemExit as end:
        ended["code"] = 0 if end.code is None else end.code
        raise
    except BaseException:
        ended.clear()
        raise
