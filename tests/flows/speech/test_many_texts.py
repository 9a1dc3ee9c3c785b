"""Thousands of texts at once while a book is rendered and processes of the engine are killed.

Clients leave, some before anything is rendered for them, and some read slowly. Each text is exact
as far as its client has heard it. No figure depends on how fast the machine is: what waits for
others waits for their number, not for a time.
"""

import gc
import hashlib
import random
import socket
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass

import httpx
import psutil
import pytest

from audiomill.flows.cluster.choice import ServerChoice, place_of_windows
from audiomill.flows.execution.executor import ThreadExecutor
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.make_job import make_job
from audiomill.flows.pipeline.pipeline import run_pipeline
from audiomill.flows.settings import Settings
from audiomill.flows.speech import scheduler, server
from audiomill.flows.speech.row_queue import RowQueue
from audiomill.flows.speech.server import SpeechLimits, speech_app
from audiomill.flows.speech.speaking import TextSpeaker
from audiomill.flows.web_server.connections import ConnectionLimits
from audiomill.flows.web_server.listening import serving
from support import patient_http
from support.book_data import WORDS, write_book
from support.process_data import TIMEOUT_S, children, wait_until

N_TEXTS, N_CLIENTS = 2000, 24
ENGINE, VOICE = "espeak", "en-us"  # whose texts are said in processes of their own
TEXTS_PER_KILL = 25
N_LEAVE_FIRST = 5  # before anything is rendered for them
# Of so many texts one is read slowly: part by part, and between two parts others are heard.
TEXTS_PER_SLOW, N_HEARD_BETWEEN, N_SLOW_PARTS = 16, 3, 4
SLOW_SOCKET = [(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)]
WHOLE, LEFT = "whole", "left"
RETRY_S = 0.05
# Of which an idle server keeps some; 2,000 texts have 150 MB of samples.
MAX_GROWTH_BYTES = 96 << 20


def text_of(draw: random.Random) -> str:
    """A text of one to eight sentences; some are said by several clients."""
    sentences = (
        " ".join(draw.choices(WORDS, k=draw.randint(2, 14))).capitalize() + "."
        for _ in range(draw.randint(1, 8))
    )
    return " ".join(sentences)


@dataclass(frozen=True)
class Heard:
    """What a client has heard of a text: its bytes, by their number and digest."""

    became: str
    text: str
    n_bytes: int = 0
    digest: bytes = b""


class Crowd:
    """Clients, who know how many texts have been heard.

    Each time that so many have been, a process of the engine is killed.
    """

    def __init__(self, url: str) -> None:
        self._url, self._changed = url, threading.Condition()
        self._n_heard, self.n_owed, self.n_killed = 0, 0, 0

    def hear(self, numbers: range) -> list[Heard]:
        """What becomes of the texts of these numbers."""
        with ThreadPoolExecutor(N_CLIENTS) as clients:
            return list(clients.map(lambda number: self._hear(number, numbers), numbers))

    def _hear(self, number: int, numbers: range) -> Heard:
        """What becomes of a text. While the server has too many, its client asks again."""
        draw = random.Random(number)
        text = text_of(draw)
        n_bytes = draw.randint(0, 200_000) if draw.random() < 0.2 else 1 << 40
        # The last ones have nobody to wait for.
        is_slow = number % TEXTS_PER_SLOW == 0 and number + 2 * N_CLIENTS < numbers.stop
        while not (found := self._heard(text, n_bytes, is_slow=is_slow)):
            time.sleep(RETRY_S)
        self._note(number)
        return found

    def _heard(self, text: str, n_bytes: int, *, is_slow: bool) -> Heard | None:
        """A text is heard whole, or its client leaves after so many bytes; None: too many wait."""
        body = {"input": text, "response_format": "pcm", "voice": VOICE}
        n_heard, digest = 0, hashlib.sha256()
        transport = httpx.HTTPTransport(socket_options=SLOW_SOCKET if is_slow else None)
        with (
            httpx.Client(timeout=TIMEOUT_S, transport=transport) as client,
            client.stream("POST", f"{self._url}/v1/audio/speech", json=body) as answer,
        ):
            if answer.status_code == 429:
                return None
            assert answer.status_code == 200, answer.read()
            for n_parts, part in enumerate(answer.iter_raw(512 if is_slow else 65_536)):
                digest.update(part)
                n_heard += len(part)
                if n_heard > n_bytes:
                    return Heard(LEFT, text, n_heard, digest.digest())
                if is_slow and n_parts < N_SLOW_PARTS:
                    self._wait_for_others()
        return Heard(WHOLE, text, n_heard, digest.digest())

    def _wait_for_others(self) -> None:
        with self._changed:
            n = self._n_heard + N_HEARD_BETWEEN
            assert self._changed.wait_for(lambda: self._n_heard >= n, TIMEOUT_S)

    def _note(self, number: int) -> None:
        """One more has been heard, and perhaps a process is killed."""
        with self._changed:
            self._n_heard += 1
            self._changed.notify_all()
            self.n_owed += self._n_heard % TEXTS_PER_KILL == 0
            # There may be none in the moment in which another one takes its place.
            if self.n_owed and (processes := engine_processes()):
                random.Random(number).choice(processes).kill()
                self.n_owed -= 1
                self.n_killed += 1


def engine_processes() -> list[psutil.Process]:
    """Those that run. Others are of ffmpeg, which encodes the book once it is rendered."""
    return [one for one in children() if (name := name_of(one)) and "ffmpeg" not in name]


def name_of(process: psutil.Process) -> str:
    """Its name; "" if it has ended."""
    with suppress(psutil.NoSuchProcess):
        return process.name()
    return ""


class WatchedQueue(RowQueue):
    """Notes rows that begin though all who waited for them had left. Held, it begins none."""

    def __init__(self) -> None:
        super().__init__()
        self.is_held, self.begun_for_nobody = False, list[str]()

    def take(self, n, now_s):
        """As `RowQueue.take`."""
        if self.is_held:
            return []
        left = {key for key, row in self._rows.items() if not (row.has_begun or row.is_wanted)}
        rows = super().take(n, now_s)
        self.begun_for_nobody += [row.request.key for row in rows if row.request.key in left]
        return rows


@pytest.fixture
def queues(monkeypatch):
    """The queues of all engines of all servers, in the order in which they are made."""
    made = list[WatchedQueue]()

    def make():
        made.append(WatchedQueue())
        return made[-1]

    monkeypatch.setattr(scheduler, "RowQueue", make)
    return made


@pytest.fixture
def served(tmp_path, monkeypatch):
    """Makes a function that serves speech with a store of its own: (address, speaker, settings)."""
    monkeypatch.setattr(server, "SEND_S", TIMEOUT_S)  # or a slow machine ends slow readers
    with ExitStack() as stack:

        def served(name):
            settings = Settings(engine=ENGINE, store=str(tmp_path / name), library=tmp_path / "l")
            limits = SpeechLimits(n_at_once=16)
            speaker = stack.enter_context(TextSpeaker(settings, RunContext(), limits.n_at_once))
            app = speech_app(speaker, "", limits)
            port = stack.enter_context(
                serving(app, "127.0.0.1", 0, ConnectionLimits(stalled_s=TIMEOUT_S))
            )
            return f"http://127.0.0.1:{port}", speaker, settings

        yield served


def book(folder, settings, url):
    """The bytes of a book that is rendered by a server, or here."""
    path = write_book(folder / "book.md", n_chapters=6, n_sentences=80)
    out = folder / ("there" if url else "here")
    job = make_job(settings, path, out=out, formats=["wav"], credits=False)
    with (
        place_of_windows(ServerChoice(url) if url else None) as place,
        ThreadExecutor() as threads,
    ):
        return run_pipeline(job, place.executor(threads), RunContext()).files[0].path.read_bytes()


def leave_before_anything_is_rendered(url, speaker, queues, asking):
    """Texts are asked for, and their clients leave; the number of sentences that nobody heard."""
    patient_http.post(f"{url}/v1/audio/speech", json={"input": "First.", "voice": VOICE})
    queues[0].is_held = True
    connections = [
        asking(url, f"Nobody waits for number {one}. Nor for this, {one}.")
        for one in range(N_LEAVE_FIRST)
    ]
    wait_until(lambda: speaker.n_waiting == 2 * N_LEAVE_FIRST)
    for one in connections:
        one.close()
    wait_until(lambda: n_texts(url) == 0)
    queues[0].is_held = False  # the next text that comes has it look again
    return 2 * N_LEAVE_FIRST


def n_texts(url):
    """The texts that a server is saying."""
    return patient_http.get(f"{url}/health").json()["texts"]


@dataclass(frozen=True)
class Held:
    """What this process holds, with the server and its clients in it."""

    n_threads: int
    n_files: int
    n_processes: int

    @classmethod
    def now(cls) -> "Held":
        """Without the threads that asyncio starts when it likes, a bounded number."""
        threads = [one for one in threading.enumerate() if not one.name.startswith("asyncio_")]
        return cls(len(threads), psutil.Process().num_fds(), len(children()))

    def is_within(self, other: "Held") -> bool:
        """Whether this is no more than `other` in any respect."""
        return (
            self.n_threads <= other.n_threads
            and self.n_files <= other.n_files
            and self.n_processes <= other.n_processes
        )


@pytest.mark.prove_long
def test_each_text_is_exact_whatever_others_do(served, queues, asking, tmp_path):
    url, speaker, settings = served("store")
    n_unheard = leave_before_anything_is_rendered(url, speaker, queues, asking)
    process, crowd = psutil.Process(), Crowd(url)
    with ThreadPoolExecutor(1) as books:
        of_book = books.submit(book, tmp_path, settings, url)
        answers = crowd.hear(range(N_TEXTS // 2))
        there = of_book.result()
    gc.collect()
    before, held = process.memory_info().rss, Held.now()
    answers += crowd.hear(range(N_TEXTS // 2, N_TEXTS))
    wait_until(lambda: n_texts(url) == 0)
    assert speaker.n_waiting == 0
    gc.collect()
    growth = process.memory_info().rss - before
    assert growth < MAX_GROWTH_BYTES
    wait_until(lambda: Held.now().is_within(held))

    counts = speaker.row_counts[ENGINE]
    assert counts.n_dropped >= n_unheard
    assert not queues[0].begun_for_nobody
    quiet, _, quiet_settings = served("quiet")
    for one in answers:
        body = {"input": one.text, "response_format": "pcm", "voice": VOICE}
        answer = patient_http.post(f"{quiet}/v1/audio/speech", json=body).content
        assert one.n_bytes == len(answer) or one.became == LEFT
        assert hashlib.sha256(answer[: one.n_bytes]).digest() == one.digest
    became = Counter(one.became for one in answers)
    assert became[WHOLE] + became[LEFT] == N_TEXTS
    assert became[LEFT] > N_TEXTS / 10  # by the lengths of texts alone
    assert crowd.n_killed + crowd.n_owed == N_TEXTS / TEXTS_PER_KILL
    assert crowd.n_owed <= 1
    print(became, counts, f"{crowd.n_killed} killed, {growth / 2**20:.0f} MiB more")  # noqa: T201
    assert there == book(tmp_path, quiet_settings, "")
