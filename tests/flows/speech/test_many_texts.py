"""Thousands of texts at once while a book is rendered and processes of the engine are killed.

Each is exact, or ends unfinished.
"""

import gc
import hashlib
import random
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
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
WHOLE, LEFT = "whole", "left"
RETRY_S = 0.05
MAX_GROWTH_BYTES = (
    96 << 20
)  # of which an idle server keeps some; 2,000 texts have 150 MB of samples


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


def asked(url: str, number: int) -> Heard:
    """What becomes of a text. While the server has too many, its client asks again."""
    draw = random.Random(number)
    text = text_of(draw)
    n_bytes = draw.randint(0, 200_000) if draw.random() < 0.2 else 1 << 40
    chunk_bytes = draw.choice((512, 65_536))
    while True:
        if heard := heard_of(url, text, n_bytes, chunk_bytes):
            return heard
        time.sleep(RETRY_S)


def heard_of(url: str, text: str, n_bytes: int, chunk_bytes: int) -> Heard | None:
    """A text is heard whole, or its client leaves after so many bytes; None: too many wait."""
    body = {"input": text, "response_format": "pcm", "voice": VOICE}
    n_heard, digest = 0, hashlib.sha256()
    with (
        httpx.Client(timeout=TIMEOUT_S) as client,
        client.stream("POST", f"{url}/v1/audio/speech", json=body) as answer,
    ):
        if answer.status_code == 429:
            return None
        assert answer.status_code == 200
        for chunk in answer.iter_raw(chunk_bytes):
            digest.update(chunk)
            n_heard += len(chunk)
            if n_heard > n_bytes:
                return Heard(LEFT, text, n_heard, digest.digest())
    return Heard(WHOLE, text, n_heard, digest.digest())


class Killer:
    """Kills a process of the engine each time that so many texts have been heard."""

    def __init__(self):
        self._lock, self._n_texts, self.n_killed = threading.Lock(), 0, 0

    def hear(self, url, number):
        """`asked`, and perhaps a process is killed."""
        found = asked(url, number)
        with self._lock:
            self._n_texts += 1
            if self._n_texts % TEXTS_PER_KILL == 0 and (processes := children()):
                random.Random(number).choice(processes).kill()
                self.n_killed += 1
        return found


@pytest.fixture
def served(tmp_path):
    """Makes a function that serves speech with a store of its own: (address, speaker, settings)."""
    with ExitStack() as stack:

        def served(name):
            settings = Settings(engine=ENGINE, store=str(tmp_path / name), library=tmp_path / "l")
            limits = SpeechLimits(n_at_once=16)
            speaker = stack.enter_context(TextSpeaker(settings, RunContext(), limits.n_at_once))
            app = speech_app(speaker, "", limits)
            port = stack.enter_context(
                serving(app, "127.0.0.1", 0, ConnectionLimits(stalled_s=600))
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


@pytest.mark.prove_long
def test_each_text_is_exact_whatever_others_do(served, tmp_path):
    url, speaker, settings = served("store")
    process, killer = psutil.Process(), Killer()
    with ThreadPoolExecutor(N_CLIENTS + 1) as clients:
        of_book = clients.submit(book, tmp_path, settings, url)
        answers = list(clients.map(lambda number: killer.hear(url, number), range(N_TEXTS // 2)))
        there = of_book.result()
        gc.collect()
        before, n_threads = process.memory_info().rss, threading.active_count()
        others = range(N_TEXTS // 2, N_TEXTS)
        answers += list(clients.map(lambda number: killer.hear(url, number), others))
    wait_until(lambda: patient_http.get(f"{url}/health").json()["texts"] == 0)
    assert speaker.n_waiting == 0
    gc.collect()
    growth = process.memory_info().rss - before
    assert growth < MAX_GROWTH_BYTES
    assert threading.active_count() <= n_threads + 1

    quiet, _, quiet_settings = served("quiet")
    for one in answers:
        body = {"input": one.text, "response_format": "pcm", "voice": VOICE}
        answer = patient_http.post(f"{quiet}/v1/audio/speech", json=body).content
        assert one.n_bytes == len(answer) or one.became == LEFT
        assert hashlib.sha256(answer[: one.n_bytes]).digest() == one.digest
    became = Counter(one.became for one in answers)
    assert became[WHOLE] + became[LEFT] == N_TEXTS
    assert became[LEFT] > N_TEXTS / 10
    killed = f"{killer.n_killed} killed, {growth / 2**20:.0f} MiB more"
    print(became, speaker.row_counts[ENGINE], killed)  # noqa: T201
    assert killer.n_killed > N_TEXTS / TEXTS_PER_KILL / 2
    assert there == book(tmp_path, quiet_settings, "")
    assert speaker.row_counts[ENGINE].n_dropped > 0
