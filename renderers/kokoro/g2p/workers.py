"""Converts text to phonemes ahead of the model, in child processes.

    prefetch ─▶ G2PQueue ─▶ G2PWorkerThread ── texts ─▶ child: misaki
                                    │      ◀─ phonemes ─
    phonemes ◀──────────────── PhonemeCache

misaki would hold up the model in this process. A child that dies is replaced, and what it dies of
is left out, with a remark: see `engine/text_process.py`. A text that no child has read is read in
this process when it is needed.
"""

from __future__ import annotations

import multiprocessing
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from threading import Condition, Lock, Thread

from audiomill.renderers.engine.errors import RenderError
from audiomill.renderers.engine.text_process import NoChild, Part, TextProcess, left_out
from audiomill.renderers.host.threads import WorkerPool
from audiomill.renderers.kokoro.g2p.cache import PhonemeCache
from audiomill.renderers.kokoro.g2p.child import G2PProcess
from audiomill.renderers.kokoro.g2p.g2p import G2P, open_g2p
from audiomill.renderers.kokoro.g2p.languages import LANGUAGES, Language
from audiomill.renderers.kokoro.g2p.phonemes import Phonemes, join, unpack
from audiomill.renderers.kokoro.g2p.requirements import Alphabet, fingerprint_of

# Texts that a worker gets at once: enough that it seldom waits, few enough that the first phonemes
# come soon.
TEXTS_AT_ONCE = 16

# A text's packed phonemes: in one part, unless children died of it.
G2PAnswer = Sequence[Part[bytes]]


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
            requests = list(islice(same_language, TEXTS_AT_ONCE))
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


class _Closed(Exception):
    """The queue is closed: nobody waits for phonemes any more."""


class G2PWorkerThread:
    """Serves one child, until the queue is closed or no child becomes ready."""

    def __init__(
        self,
        queue: G2PQueue,
        alphabet: Alphabet,
        has: Callable[[G2PRequest], bool],
        keep: Callable[[G2PRequest, G2PAnswer], None],
    ) -> None:
        """`has` is true for what need not be read again. `keep` gets each text's answer."""
        self._queue = queue
        self._has = has
        self._keep = keep
        self._process: TextProcess[str, bytes] = TextProcess(lambda: G2PProcess(alphabet))
        self._thread = Thread(target=self._serve, name="g2p", daemon=True)
        queue.add_worker()
        self._thread.start()

    def join(self) -> None:
        """Wait until the child has ended; the queue must be closed."""
        self._thread.join()

    def _serve(self) -> None:
        try:
            while requests := self._queue.take():
                try:
                    self._read([one for one in requests if not self._has(one)])
                finally:
                    self._queue.settle(requests)
        except (NoChild, _Closed):
            pass  # what was not read is read in the process that needs it
        finally:
            self._process.close()
            self._queue.remove_worker()

    def _read(self, requests: Sequence[G2PRequest]) -> None:
        """Have `requests` read in turn. Raises NoChild, _Closed."""
        tasks = [(request.code, request.text) for request in requests]
        answers = self._process.answers(tasks, self._check)
        try:
            for request, parts in zip(requests, answers, strict=True):
                self._keep(request, parts)
        except RenderError:
            pass  # the process that needs the text meets the same error

    def _check(self) -> None:
        if self._queue.is_closed:
            raise _Closed


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
        self._in_parts: dict[G2PRequest, Phonemes] = {}  # of texts that children died of
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
        if request in self._in_parts:
            return self._in_parts[request]
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
                    G2PWorkerThread(self._queue, self._alphabet, self._has, self._keep)
                )

    def _has(self, request: G2PRequest) -> bool:
        fingerprint = self._fingerprint(request)
        return request in self._in_parts or self._cache.has(fingerprint, request.text)

    def _keep(self, request: G2PRequest, parts: G2PAnswer) -> None:
        if len(parts) == 1 and (packed := parts[0].answer) is not None:
            self._cache.put_packed(self._fingerprint(request), request.text, packed)
        else:  # not cached: the cause may have been a lack of memory
            read = [(part.start, unpack(part.answer)) for part in parts if part.answer is not None]
            self._in_parts[request] = join(read, left_out(parts))

    def _fingerprint(self, request: G2PRequest) -> str:
        return self.fingerprint(LANGUAGES[request.code])

    def _reader(self, language: Language) -> G2P:
        if language.code not in self._readers:
            self._readers[language.code] = open_g2p(language, self._alphabet)
        return self._readers[language.code]
