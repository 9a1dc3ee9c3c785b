"""Converts text to phonemes ahead of the model, in child processes.

    prefetch ─▶ G2PQueue ─▶ G2PWorkerThread ── texts ─▶ child: misaki
                                    │      ◀─ phonemes ─
    phonemes ◀──────────────── PhonemeCache

misaki would hold up the model in this process. A child that dies is replaced. A text that no child
has read is read in this process when it is needed. Only a text that two children have died of is
left out, with a remark.
"""

from __future__ import annotations

import multiprocessing
import os
import secrets
import shutil
import signal
import sys
import tempfile
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Condition, Lock, Thread
from typing import Never, cast

from audiomill.renderers.base import EngineMissing
from audiomill.renderers.host.child_process import POLL_S, ChildDied, ChildProcess
from audiomill.renderers.host.threads import WorkerPool
from audiomill.renderers.kokoro.g2p.cache import PhonemeCache
from audiomill.renderers.kokoro.g2p.g2p import G2P, open_g2p
from audiomill.renderers.kokoro.g2p.phonemes import Phonemes, pack
from audiomill.renderers.kokoro.g2p.pieces import PhonemeBuilder
from audiomill.renderers.kokoro.g2p.requirements import Alphabet, fingerprint_of, has_english_model
from audiomill.renderers.kokoro.languages import LANGUAGES, Language

# Texts that a worker gets at once: enough that it seldom waits, few enough that the first phonemes
# come soon.
CHUNK = 16
MAX_DEATHS = 6  # of children in a row, without phonemes between: then the texts are not the cause

G2PAnswer = bool | bytes  # first True if the language can be read, then each text's packed phonemes


@dataclass(frozen=True, slots=True)
class G2PRequest:
    """A text to be read, and the code of its language."""

    code: str
    text: str


@dataclass(slots=True)
class G2PQueue:
    """The texts that wait for a worker, and those that a worker reads. Any thread may use it."""

    _pending: OrderedDict[G2PRequest, None] = field(default_factory=OrderedDict[G2PRequest, None])
    _in_progress: set[G2PRequest] = field(default_factory=set[G2PRequest])
    _n_workers: int = 0
    _is_closed: bool = False
    _changed: Condition = field(default_factory=Condition)

    @property
    def is_closed(self) -> bool:
        """True once the queue takes no more requests."""
        return self._is_closed

    def prefetch(self, requests: Iterable[G2PRequest]) -> None:
        """Add the requests that the queue lacks, in their order."""
        with self._changed:
            for request in () if self._is_closed else requests:
                if request not in self._in_progress:
                    self._pending.setdefault(request)
            self._changed.notify_all()

    def add_worker(self) -> None:
        """Count one more worker that takes requests."""
        with self._changed:
            self._n_workers += 1

    def remove_worker(self) -> None:
        """Count one worker less."""
        with self._changed:
            self._n_workers -= 1
            self._changed.notify_all()

    def take(self) -> list[G2PRequest]:
        """Wait for requests and return the next few of one language; none once closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._pending or self._is_closed)
            if self._is_closed:
                return []
            code = next(iter(self._pending)).code
            same_language = (request for request in self._pending if request.code == code)
            requests = list(islice(same_language, CHUNK))
            for request in requests:
                del self._pending[request]
            self._in_progress.update(requests)
            return requests

    def settle(self, requests: Iterable[G2PRequest]) -> None:
        """Mark `requests` as no longer in progress: they are read, or given up."""
        with self._changed:
            self._in_progress.difference_update(requests)
            self._changed.notify_all()

    def wait(self, request: G2PRequest) -> None:
        """Wait until no worker reads `request` or will read it. Moves it to the front."""
        with self._changed:
            if request in self._pending:
                self._pending.move_to_end(request, last=False)
            self._changed.wait_for(lambda: not self._is_expected(request))
            self._pending.pop(request, None)

    def close(self) -> None:
        """Drop pending requests, and take no more."""
        with self._changed:
            self._is_closed = True
            self._pending.clear()
            self._changed.notify_all()

    def _is_expected(self, request: G2PRequest) -> bool:
        return request in self._in_progress or (request in self._pending and self._n_workers > 0)


def work(pipe: Connection, alphabet: Alphabet, folder: str) -> None:
    """In the child: answer every `(code, texts)`. Temporary files go to `folder`, made here.

    A child whose parent is dead removes the folder itself.
    """

    def leave(*_: object) -> Never:
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(0)

    signal.signal(signal.SIGTERM, leave)
    try:
        Path(folder).mkdir(0o700)
    except OSError:
        return  # no temporary files, no misaki: the parent reads the texts itself
    tempfile.tempdir = folder
    if not has_english_model():
        # spaCy loads PyTorch if it is installed: two seconds and 200 MB that only models need.
        cast(dict[str, object], sys.modules)["torch"] = None
    readers: dict[str, G2P] = {}
    try:
        while True:
            code, texts = pipe.recv()
            for answer in _answers(readers, code, texts, alphabet):
                pipe.send(answer)
    except (EOFError, OSError):
        leave()


def _answers(
    readers: dict[str, G2P], code: str, texts: list[str], alphabet: Alphabet
) -> Iterator[G2PAnswer]:
    try:
        if code not in readers:
            readers[code] = open_g2p(LANGUAGES[code], alphabet)
    except EngineMissing:
        yield False  # the parent meets the same error when it needs the text
        return
    yield True
    # One by one: if a text ends this process, it is the first without an answer.
    for text in texts:
        yield pack(readers[code].phonemes(text))


class G2PProcess:
    """A child that reads texts, and its folder for temporary files. One thread at a time."""

    def __init__(self, alphabet: Alphabet, is_cancelled: Callable[[], bool]) -> None:
        """Raises OSError if no process can be started."""
        # Named here, so that it can be removed after the child. Not a TemporaryDirectory: at the
        # interpreter's end that is removed, with a warning, before the child has ended.
        self._folder = Path(tempfile.gettempdir()) / f"audiomill-{secrets.token_hex(8)}"
        self._is_cancelled = is_cancelled
        self._child = ChildProcess(work, alphabet, str(self._folder))

    def send(self, requests: list[G2PRequest]) -> None:
        """Have texts of one language read. Raises ChildDied."""
        self._child.send((requests[0].code, [request.text for request in requests]))

    def receive(self) -> G2PAnswer | None:
        """The next answer, or None once cancelled. Raises ChildDied."""
        while not self._child.poll(POLL_S):
            if self._is_cancelled():
                return None
        return self._child.receive()

    def close(self) -> None:
        """End the child at once: it has nothing to lose."""
        self._child.kill()
        shutil.rmtree(self._folder, ignore_errors=True)


class G2PWorkerThread:
    """Serves one child, until the queue is closed or too many children have died in a row."""

    def __init__(
        self,
        queue: G2PQueue,
        alphabet: Alphabet,
        has: Callable[[G2PRequest], bool],
        keep: Callable[[G2PRequest, bytes], None],
        leave_out: Callable[[G2PRequest], None],
    ) -> None:
        """`has` is true for what need not be read again. `keep` gets each text's packed phonemes.

        `leave_out` gets each text that two children have died of.
        """
        self._queue = queue
        self._alphabet = alphabet
        self._has = has
        self._keep = keep
        self._leave_out = leave_out
        self._process: G2PProcess | None = None
        self._n_deaths = 0  # since the last phonemes
        self._thread = Thread(target=self._serve, name="g2p", daemon=True)
        queue.add_worker()
        self._thread.start()

    def join(self) -> None:
        """Wait until the child has ended; the queue must be closed."""
        self._thread.join()

    def _serve(self) -> None:
        try:
            while self._n_deaths < MAX_DEATHS and (requests := self._queue.take()):
                try:
                    self._read(deque(one for one in requests if not self._has(one)))
                finally:
                    self._queue.settle(requests)
        finally:
            self._close_process()
            self._queue.remove_worker()

    def _read(self, requests: deque[G2PRequest]) -> None:
        """Have `requests` read in turn. When too many children died, the rest stays unread."""
        is_suspect = False  # the first request: a child died when it was to read that
        while (
            requests and not self._queue.is_closed and (is_suspect or self._n_deaths < MAX_DEATHS)
        ):
            n_sent = 1 if is_suspect else len(requests)
            is_reading = False
            try:
                if (process := self._send(list(islice(requests, n_sent)))) is None:
                    return
                is_reading = True
                self._receive(process, requests, n_sent)
                is_suspect = False
            except (OSError, ChildDied):  # the child could not be started, or has died
                self._close_process()
                self._n_deaths += 1
                if is_suspect:
                    self._leave_out(requests.popleft())
                is_suspect = is_reading and not is_suspect

    def _send(self, requests: list[G2PRequest]) -> G2PProcess | None:
        """Send `requests` to a child; None if it cannot read them. Raises OSError, ChildDied."""
        if self._process is None:
            self._process = G2PProcess(self._alphabet, lambda: self._queue.is_closed)
        self._process.send(requests)
        return self._process if self._process.receive() else None

    def _receive(self, process: G2PProcess, requests: deque[G2PRequest], n_sent: int) -> None:
        """Keep the phonemes of the first of `requests`, and remove these. Raises ChildDied."""
        for _ in range(n_sent):
            if not isinstance(packed := process.receive(), bytes):
                return
            self._keep(requests.popleft(), packed)
            self._n_deaths = 0

    def _close_process(self) -> None:
        if self._process is not None:
            self._process.close()
        self._process = None


class G2PPool(WorkerPool[G2PWorkerThread]):
    """Reads texts of any language for one model. Any thread may use it.

    With no workers it reads in this process, when phonemes are needed. If it is not closed, it is
    closed when the interpreter ends. It does not close `cache`.
    """

    def __init__(
        self, n_workers: int, alphabet: Alphabet, cache: PhonemeCache | None = None
    ) -> None:
        super().__init__()
        self._alphabet = alphabet
        self._cache = cache or PhonemeCache()
        self._queue = G2PQueue()
        # A worker of somebody else's pool must not start processes.
        is_pool_worker = multiprocessing.current_process().daemon
        self._n_workers = 0 if is_pool_worker else n_workers
        self._left_out: set[G2PRequest] = set()
        self._readers: dict[str, G2P] = {}
        self._fingerprints: dict[str, str] = {}
        self._reading = Lock()

    def fingerprint(self, language: Language) -> str:
        """All that decides the phonemes of a text; loads nothing. Raises EngineMissing."""
        if language.code not in self._fingerprints:
            self._fingerprints[language.code] = fingerprint_of(language, self._alphabet)
        return self._fingerprints[language.code]

    def prefetch(self, language: Language, texts: Iterable[str]) -> None:
        """Have `texts` read ahead, in their order. Returns at once. Raises EngineMissing."""
        if self._n_workers == 0:
            return
        self.fingerprint(language)  # raises now, not in a worker, if something is not installed
        self._queue.prefetch(G2PRequest(language.code, text) for text in texts)
        self._start_workers()

    def phonemes(self, language: Language, text: str) -> Phonemes:
        """The phonemes of `text`, from the cache, a worker or this process. Raises EngineMissing.

        Waits for a worker that reads the text or is going to.
        """
        fingerprint, request = self.fingerprint(language), G2PRequest(language.code, text)
        self._queue.wait(request)
        if request in self._left_out:
            # Not cached: the cause may have been a lack of memory.
            return PhonemeBuilder(text, self._alphabet.vocab).build()
        if (cached := self._cache.get(fingerprint, text)) is not None:
            return cached
        with self._reading:
            phonemes = self._reader(language).phonemes(text)
        self._cache.put(fingerprint, text, phonemes)
        return phonemes

    def _stop(self) -> None:
        """Texts are read in this process from now on."""
        self._queue.close()

    def _start_workers(self) -> None:
        with self._lock:
            while len(self._workers) < self._n_workers and not self._queue.is_closed:
                self._workers.append(
                    G2PWorkerThread(
                        self._queue, self._alphabet, self._has, self._keep, self._left_out.add
                    )
                )

    def _has(self, request: G2PRequest) -> bool:
        fingerprint = self._fingerprint(request)
        return request in self._left_out or self._cache.get(fingerprint, request.text) is not None

    def _keep(self, request: G2PRequest, packed: bytes) -> None:
        self._cache.put_packed(self._fingerprint(request), request.text, packed)

    def _fingerprint(self, request: G2PRequest) -> str:
        return self.fingerprint(LANGUAGES[request.code])

    def _reader(self, language: Language) -> G2P:
        if language.code not in self._readers:
            self._readers[language.code] = open_g2p(language, self._alphabet)
        return self._readers[language.code]
