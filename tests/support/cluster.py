"""A cluster on loopback: a scheduler and workers as their users start them."""

import json
import signal
import subprocess
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from zlib import crc32

import psutil

from audiomill.renderers.engine.planning import make_request
from audiomill.renderers.tone.renderer import ToneRenderer
from support.book_data import write_book
from support.forked_run import DASK, ForkedProcess, program_of
from support.home import Home
from support.prefect_api import free_port
from support.process_data import wait_until

CARD_PROGRAM = "support.cluster_engines"
# The words of a run on a cluster whose samples and report a test reads.
ON_CLUSTER = ("--executor", "dask", "--no-prefect", "--format", "flac", "--json")
# As many segments with a quarter of the sound, which is made, encoded and decoded.
BRIEF = {"AUDIOMILL_SPEED": "4"}
# Words that make the card fail.
DEADLY, BROKEN, HANGING = "Deadlyword", "Brokenword", "Hangingword"
# What each worker renders before it joins.
WARM_UP = make_request("One.", "sine", ToneRenderer(), 1.0).key


class LoopbackCluster:
    """The processes of a cluster; `home` is the machine of all of them."""

    def __init__(self, home: Home) -> None:
        self.port = free_port()
        variables = {
            "AUDIOMILL_DASK_SCHEDULER": self.address,
            "AUDIOMILL_ENGINE": "card",
            "AUDIOMILL_TEST_LOG": str(home.path / "rendered.log"),
        }
        self.home = Home(home.path, home.variables | variables, ("-m", CARD_PROGRAM), DASK)
        self.workers: dict[str, ForkedProcess] = {}
        self._joined: dict[str, set[int]] = {}  # the processes that a worker has joined with
        self.scheduler: ForkedProcess | None = None

    @property
    def address(self) -> str:
        return f"tcp://127.0.0.1:{self.port}"

    def start_scheduler(self) -> None:
        words = ("--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard", "--no-show")
        self.scheduler = self._start("scheduler", "distributed.cli.dask_scheduler", words)

    def _start(
        self, name: str, module: str, words: tuple[str, ...], home: Home | None = None
    ) -> ForkedProcess:
        """`python -m MODULE WORDS` in a process group of its own, so that all can be killed."""
        home = home or self.home
        with self.log_of(name).open("a") as log:
            return ForkedProcess(
                words,
                home.path,
                home.environment,
                (log.fileno(), log.fileno()),
                program_of(module),
                DASK,
                start_new_session=True,
            )

    def stop_scheduler(self) -> None:
        assert self.scheduler is not None
        self.scheduler.send_signal(signal.SIGKILL)
        self.scheduler.wait()

    def start_worker(self, name: str, *words: str, home: Home | None = None) -> None:
        words = ("worker", "--name", name, *words)
        self.workers[name] = self._start(name, CARD_PROGRAM, words, home)

    def log_of(self, name: str) -> Path:
        return self.home.path / f"{name}.log"

    def wait_for(self, *names: str) -> None:
        """Until these workers have joined."""
        for name in names:
            wait_until(lambda name=name: "has joined" in self.log_of(name).read_text())

    def processes(self, name: str) -> list[psutil.Process]:
        """The worker processes of a nanny, which load the engine."""
        found = psutil.Process(self.workers[name].pid).children(recursive=True)
        return [child for child in found if "spawn_main" in " ".join(_command(child))]

    def logged(self, verb: str) -> list[tuple[int, str]]:
        """The process and the key of all segments that cards have begun or ended, in order."""
        if not self.rendered_log.exists():
            return []
        whole = self.rendered_log.read_text().rpartition("\n")[0]  # a worker may just be writing
        lines = (line.split() for line in whole.splitlines())
        return [(int(pid), key) for found, pid, key in lines if found == verb and key != WARM_UP]

    def rendered_keys(self) -> list[str]:
        """The keys of all segments that cards have rendered, as often as they have."""
        return [key for _, key in self.logged("ends")]

    @property
    def rendered_log(self) -> Path:
        return self.home.path / "rendered.log"

    def have_workers(self, *names: str) -> None:
        """These workers and no others. Those whose processes are not those of before are new."""
        kept = {name for name in names if self._pids(name) == self._joined.get(name)}
        self._stop(self.workers.keys() - kept)
        for name in names:
            self.log_of(name).write_text("")
        started = [name for name in names if name not in kept]
        for name in started:
            self.start_worker(name)
        self.wait_for(*started)
        self._joined = {name: self._pids(name) for name in names}

    def _pids(self, name: str) -> set[int]:
        """The processes of a worker; none if it has ended."""
        worker = self.workers.get(name)
        has_ended = worker is None or worker.poll() is not None
        return set() if has_ended else {one.pid for one in self.processes(name)}

    @contextmanager
    def serving_speech(self, *words: str) -> Iterator[str]:
        """The address of a server of speech that `audiomill WORDS` starts for this cluster."""
        self.log_of("speech").write_text("")
        place = f"127.0.0.1:{free_port()}"
        process = self._start("speech", CARD_PROGRAM, (*words, "--listen", place))
        wait_until(lambda: "Serving speech" in self.log_of("speech").read_text(), process)
        try:
            yield f"http://{place}"
        finally:
            process.send_signal(signal.SIGINT)
            status = process.wait()
        assert status == 0, self.log_of("speech").read_text()

    def kill_at_work(self) -> None:
        """Kill a process of a worker while it renders."""

        def at_work() -> set[int]:
            return {pid for pid, _ in {*self.logged("begins")} - {*self.logged("ends")}}

        def is_killed() -> bool:
            for process in map(psutil.Process, at_work()):
                process.suspend()  # or it may be done meanwhile
                if process.pid in at_work():
                    process.kill()
                    return True
                process.resume()
            return False

        wait_until(is_killed)

    def stop_workers(self) -> None:
        self._stop(self.workers.keys())

    def _stop(self, names: Collection[str]) -> None:
        stopped = [self.workers.pop(name) for name in [*names]]
        for worker in stopped:
            if worker.poll() is None:
                worker.send_signal(signal.SIGTERM)
        for worker in stopped:
            worker.wait()

    def close(self) -> None:
        self.stop_workers()
        if self.scheduler is not None:
            self.stop_scheduler()


@contextmanager
def running_cluster(home: Home, *names: str) -> Iterator[LoopbackCluster]:
    """A scheduler and workers of these names, which have joined."""
    cluster = LoopbackCluster(home)
    cluster.start_scheduler()
    try:
        for name in names:
            cluster.start_worker(name)
        cluster.wait_for(*names)
        yield cluster
    finally:
        cluster.close()


def own_book(cluster: LoopbackCluster, name: str, more: str = "", n_sentences: int = 40) -> Path:
    """A book that shares no segment with others, so that nothing of it is in the store."""
    path = cluster.home.path / f"{name}.md"
    write_book(path, 3, n_sentences, seed=crc32(name.encode()))
    path.write_text(path.read_text().replace("A Book", name) + f"\n\n{more}")
    return path


def report_of(process: subprocess.Popen) -> tuple[dict, str]:
    """The report of a run that must end well, and what it told."""
    with process:
        out, err = process.communicate()
    assert process.returncode == 0, err
    return json.loads(out.splitlines()[-1]), err


def refusal(run: subprocess.CompletedProcess) -> str:
    """The message of a run that must fail with exit code 4."""
    assert run.returncode == 4, run.stderr
    assert "Traceback" not in run.stderr
    return json.loads(run.stdout)["error"]["message"]


def _command(process: psutil.Process) -> list[str]:
    """The words of a process; none if it has just ended."""
    try:
        return process.cmdline()
    except psutil.NoSuchProcess:  # a zombie is one, too
        return []
