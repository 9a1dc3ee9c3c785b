"""Processes that write and read one store at the same time, as the machines of a cluster do.

    ask(job), one JSON line ─▶ process ─▶ answer, one JSON line

A job's `role` is a function of this module, named in ROLES. The process opens the store as a worker
of a cluster does: by its URL, with a waiter that really waits.
"""

import json
import os
import queue
import subprocess
import sys
import threading
import traceback
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial

from audiomill.renderers.host.waiting import RunWaiter
from audiomill.renderers.store.store import open_store
from support.paths import TESTS_PATH
from support.store_faults import holds, put

STOP = "stop"


class Client:
    """A process that uses the store. One job at a time."""

    def __init__(self, variables: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", "from support.shared_store import serve; serve()"],
            env=os.environ | variables | {"PYTHONPATH": TESTS_PATH},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def begin(self, **job) -> None:
        self._send(json.dumps(job))

    def stop(self) -> None:
        """Have a job that goes on until then end."""
        self._send(STOP)

    def answer(self) -> dict:
        line = self.process.stdout.readline()
        assert line, "the client has ended"
        return json.loads(line)

    def _send(self, line: str) -> None:
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()


@contextmanager
def clients(n_clients: int, variables: dict[str, str]) -> Iterator[list[Client]]:
    """So many processes, which end with the block."""
    with ExitStack() as stack:
        started = [Client(variables) for _ in range(n_clients)]
        for client in started:
            stack.enter_context(client.process)
            stack.callback(client.process.kill)
        yield started


def shared_out(n_keys: int, n_writers: int) -> list[list[int]]:
    """The keys of each writer: each key has one writer, each second key two."""
    owned: list[list[int]] = [[] for _ in range(n_writers)]
    for number in range(n_keys):
        for n_more in range(2 - number % 2):
            owned[(number + n_more) % n_writers].append(number)
    return owned


def all_at_once(
    writers: Sequence[Client], readers: Sequence[Client], n_keys: int, **job
) -> tuple[list[dict], list[dict]]:
    """Write the keys while others read them. The answers of the writers and of the readers."""
    for reader in readers:
        reader.begin(role="read_on", numbers=[*range(n_keys)], **job)
    for writer, numbers in zip(writers, shared_out(n_keys, len(writers)), strict=True):
        writer.begin(role="write", numbers=numbers, **job)
    written = [writer.answer() for writer in writers]
    for reader in readers:
        reader.stop()
    answers = written, [reader.answer() for reader in readers]
    for one in (*answers[0], *answers[1]):
        assert "error" not in one, one["error"]
    return answers


# What follows runs in the processes.


def serve() -> None:
    jobs: queue.Queue[str] = queue.Queue()
    stopped = threading.Event()

    def listen() -> None:
        for line in sys.stdin:
            if line.strip() == STOP:
                stopped.set()
            else:
                jobs.put(line)
        jobs.put("")

    threading.Thread(target=listen, daemon=True).start()
    while line := jobs.get():
        try:
            answer = _Work(json.loads(line), stopped).answer()
        except BaseException:  # noqa: BLE001  the test shows it
            answer = {"error": traceback.format_exc()}
        stopped.clear()
        print(json.dumps(answer), flush=True)  # noqa: T201  a line for who asked


class _Work:
    """A job and its store."""

    def __init__(self, job: dict, stopped: threading.Event) -> None:
        self._job = job
        self._stopped = stopped
        self._store = open_store(job["url"], RunWaiter(lambda: None, lambda _line: None))

    def answer(self) -> dict:
        if "identity" in self._job:  # as a worker does before it uses a store
            assert self._store.identity() == self._job["identity"], "this is another store"
        return getattr(self, self._job["role"])()

    def identify(self) -> dict:
        """Give a new store its identity."""
        return {"identity": self._store.give_identity()}

    def write(self) -> dict:
        """Put the keys."""
        self._each(put)
        return {}

    def read_on(self) -> dict:
        """Get the keys again and again until it is stopped, all of them at least once.

        Of each, the audio is right, or it is missing.
        """
        n_read = len(self._each(holds))
        while not self._stopped.is_set():
            n_read += len(self._each(holds))
        return {"n_read": n_read}

    def _each(self, operation) -> list:
        with ThreadPoolExecutor(self._job["n_threads"]) as threads:
            return [*threads.map(partial(operation, self._store), self._job["numbers"])]
