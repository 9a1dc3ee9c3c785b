"""Phonemes made ahead of the model, in processes of their own: misaki would hold the model up.

Each worker has a thread here that brings it orders and takes its answers to the cache. Whatever
becomes of a worker, nothing is lost: it is replaced, and who asks for a text that no worker will
read reads it himself. Only what two workers have died of is not said, and is listed as left out.
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
from collections import OrderedDict, deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing.connection import Connection
from threading import Condition, Lock, Thread
from typing import Never, cast

from audiomill.renderers.base import EngineMissing
from audiomill.renderers.host.child_process import start_ignoring_sigint
from audiomill.renderers.host.threads import WorkerPool
from audiomill.renderers.kokoro.g2p.cache import PhonemeCache
from audiomill.renderers.kokoro.g2p.g2p import G2P, open_g2p
from audiomill.renderers.kokoro.g2p.phonemes import Phonemes, pack
from audiomill.renderers.kokoro.g2p.pieces import Assembly
from audiomill.renderers.kokoro.g2p.requirements import Alphabet, fingerprint_of, is_tagged
from audiomill.renderers.kokoro.languages import LANGUAGES, Language

# Which texts are waiting for a worker and which are being read.

# Texts that a worker is given at once: enough that it seldom waits, few enough that the first are
# soon there.
CHUNK = 16


@dataclass(frozen=True, slots=True)
class G2PRequest:
    """A text to be read, and the code of its language."""

    code: str
    text: str


@dataclass(slots=True)
class G2PQueue:
    """Any thread may use it."""

    _waiting: OrderedDict[G2PRequest, None] = field(default_factory=OrderedDict[G2PRequest, None])
    _taken: set[G2PRequest] = field(default_factory=set[G2PRequest])
    _n_hands: int = 0
    _is_closed: bool = False
    _changed: Condition = field(default_factory=Condition)

    @property
    def is_closed(self) -> bool:
        """Whether nothing more is taken."""
        return self._is_closed

    def prefetch(self, orders: Iterable[G2PRequest]) -> None:
        """Add what is not there yet, in order."""
        with self._changed:
            for order in () if self._is_closed else orders:
                if order not in self._taken:
                    self._waiting.setdefault(order)
            self._changed.notify_all()

    def hire(self) -> None:
        """Count one more hand that takes orders."""
        with self._changed:
            self._n_hands += 1

    def dismiss(self) -> None:
        """One hand takes no more."""
        with self._changed:
            self._n_hands -= 1
            self._changed.notify_all()

    def take(self) -> list[G2PRequest]:
        """The next few of one language, once there are any; none when it is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._is_closed)
            if self._is_closed:
                return []
            code = next(iter(self._waiting)).code
            same = (order for order in self._waiting if order.code == code)
            orders = list(islice(same, CHUNK))
            for order in orders:
                del self._waiting[order]
            self._taken.update(orders)
            return orders

    def settle(self, orders: Iterable[G2PRequest]) -> None:
        """A worker is done with `orders`, or dead."""
        with self._changed:
            self._taken.difference_update(orders)
            self._changed.notify_all()

    def wait(self, order: G2PRequest) -> None:
        """Return when no worker has `order` or will take it. What is asked for comes first."""
        with self._changed:
            if order in self._waiting:
                self._waiting.move_to_end(order, last=False)
            self._changed.wait_for(lambda: not self._is_coming(order))
            self._waiting.pop(order, None)

    def close(self) -> None:
        """Nothing more is taken."""
        with self._changed:
            self._is_closed = True
            self._waiting.clear()
            self._changed.notify_all()

    def _is_coming(self, order: G2PRequest) -> bool:
        return order in self._taken or (order in self._waiting and self._n_hands > 0)


# The process that makes phonemes ahead of the model.

WorkerRequest = tuple[str, list[str]]  # a language's code, and texts
G2PAnswer = bool | bytes  # first whether the language can be read, then each text's packed phonemes


def work(pipe: Connection, alphabet: Alphabet, folder: str) -> Never:
    """Give the answers to every `Request`. Temporary files go to `folder`, and go with it.

    Never returns: the interpreter's own end would take a second.
    """
    # Ctrl-C goes to the whole group of processes; the owner decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    tempfile.tempdir = folder
    if not is_tagged():
        # spaCy loads PyTorch where it finds it: two seconds and 200 MB that only models need.
        cast(dict[str, object], sys.modules)["torch"] = None
    readers: dict[str, G2P] = {}
    while True:
        try:
            code, texts = pipe.recv()
            for answer in _answers(readers, code, texts, alphabet):
                pipe.send(answer)
        except (EOFError, OSError):
            shutil.rmtree(folder, ignore_errors=True)
            os._exit(0)


def _answers(
    readers: dict[str, G2P], code: str, texts: list[str], alphabet: Alphabet
) -> Iterator[G2PAnswer]:
    try:
        if code not in readers:
            readers[code] = open_g2p(LANGUAGES[code], alphabet)
    except EngineMissing:
        yield False  # whoever asks will meet it, and its words
        return
    yield True
    # One by one: the text that ends this process is then the first without an answer.
    for text in texts:
        yield pack(readers[code].phonemes(text))


# One worker process and the thread that serves it:

# A fork would copy locks that other threads hold.
_PROCESSES = multiprocessing.get_context("spawn")
LISTEN_S = 0.2  # between two looks at whether it is still wanted
MOST_DEATHS = 6  # of workers in a row, without an answer between: not the texts are to blame then


class G2PWorkerThread:
    """Takes orders until they are closed, or too many workers have died in a row."""

    def __init__(
        self,
        orders: G2PQueue,
        alphabet: Alphabet,
        has: Callable[[G2PRequest], bool],
        keep: Callable[[G2PRequest, bytes], None],
        lose: Callable[[G2PRequest], None],
    ) -> None:
        """`has` says what is not to be read again; `keep` is given each answer.

        `lose` is given what two workers have died of.
        """
        self._orders = orders
        self._alphabet = alphabet
        self._has = has
        self._keep = keep
        self._lose = lose
        self._worker = ExitStack()
        self._pipe: Connection | None = None
        self._n_deaths = 0  # since the last answer
        self._thread = Thread(target=self._serve, name="g2p", daemon=True)
        orders.hire()
        self._thread.start()

    def join(self) -> None:
        """Wait until the worker has ended; orders must be closed."""
        self._thread.join()

    def _serve(self) -> None:
        try:
            while self._n_deaths < MOST_DEATHS and (orders := self._orders.take()):
                try:
                    self._see_to(deque(one for one in orders if not self._has(one)))
                finally:
                    self._orders.settle(orders)
        finally:
            self._worker.close()
            self._orders.dismiss()

    def _see_to(self, orders: deque[G2PRequest]) -> None:
        """Have `orders` read in turn. What is left when too many workers died stays unread."""
        is_suspect = False  # the first one: a worker died while it was to read that
        while (
            orders and not self._orders.is_closed and (is_suspect or self._n_deaths < MOST_DEATHS)
        ):
            asked = 1 if is_suspect else len(orders)
            is_reading = False
            try:
                if (pipe := self._ask(list(islice(orders, asked)))) is None:
                    return
                is_reading = True
                self._listen(pipe, orders, asked)
                is_suspect = False
            except (EOFError, OSError):  # it is dead, or could not be started
                self._bury()
                if is_suspect:
                    self._lose(orders.popleft())
                is_suspect = is_reading and not is_suspect

    def _ask(self, orders: list[G2PRequest]) -> Connection | None:
        """Bring `orders` to a worker; None if it cannot read them. Raises EOFError, OSError."""
        if self._pipe is None:
            self._pipe = self._worker.enter_context(_worker(self._alphabet))
        self._pipe.send((orders[0].code, [order.text for order in orders]))
        return self._pipe if self._hear(self._pipe) else None

    def _listen(self, pipe: Connection, orders: deque[G2PRequest], n_asked: int) -> None:
        """Keep the answers to the first of `orders`, and take these away. Raises as above."""
        for _ in range(n_asked):
            if not isinstance(packed := self._hear(pipe), bytes):
                return
            self._keep(orders.popleft(), packed)
            self._n_deaths = 0

    def _hear(self, pipe: Connection) -> G2PAnswer | None:
        """The next answer, or None once nothing is wanted any more. Raises as above."""
        while not pipe.poll(LISTEN_S):
            if self._orders.is_closed:
                return None
        return pipe.recv()

    def _bury(self) -> None:
        self._worker.close()
        self._pipe = None
        self._n_deaths += 1


@contextmanager
def _worker(alphabet: Alphabet) -> Generator[Connection]:
    """A new process at the other end of a pipe, and a folder for it. Raises OSError."""
    # No TemporaryDirectory: at the interpreter's end that goes, with a warning, before workers do.
    folder = tempfile.mkdtemp(prefix="audiomill-")
    try:
        with _started(alphabet, folder) as pipe:
            yield pipe
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _started(alphabet: Alphabet, folder: str) -> Generator[Connection]:
    ours, theirs = _PROCESSES.Pipe()
    process = _PROCESSES.Process(target=work, args=(theirs, alphabet, folder), daemon=True)
    with theirs:
        start_ignoring_sigint(process)
    try:
        with ours:
            yield ours
    finally:
        process.kill()  # it has nothing to lose, and its folder is ours
        process.join()
        process.close()


class G2PPool(WorkerPool[G2PWorkerThread]):
    """Reads texts of any language for one model. Any thread may use it.

    With no workers it reads in this process, when asked. What is not closed is closed when the
    interpreter ends. It does not close `cache`.
    """

    def __init__(
        self, n_workers: int, alphabet: Alphabet, cache: PhonemeCache | None = None
    ) -> None:
        super().__init__()
        self._alphabet = alphabet
        self._cache = cache or PhonemeCache()
        self._orders = G2PQueue()
        # A worker of somebody else's pool may have no children.
        is_child = multiprocessing.current_process().daemon
        self._n_workers = 0 if is_child else n_workers
        self._lost: set[G2PRequest] = set()
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
        self.fingerprint(language)  # what is not installed is told here
        self._orders.prefetch(G2PRequest(language.code, text) for text in texts)
        self._hire()

    def phonemes(self, language: Language, text: str) -> Phonemes:
        """How `text` is said: read before, or by a worker soon, or here. Raises EngineMissing."""
        fingerprint, order = self.fingerprint(language), G2PRequest(language.code, text)
        self._orders.wait(order)
        if order in self._lost:
            # Not for the cache: it may have been memory that ran out.
            return Assembly(text, self._alphabet.vocab).finished()
        if (found := self._cache.get(fingerprint, text)) is not None:
            return found
        with self._reading:
            made = self._reader(language).phonemes(text)
        self._cache.put(fingerprint, text, made)
        return made

    def _stop(self) -> None:
        """It reads here from then on."""
        self._orders.close()

    def _hire(self) -> None:
        with self._lock:
            while len(self._hands) < self._n_workers and not self._orders.is_closed:
                self._hands.append(self._hand())

    def _hand(self) -> G2PWorkerThread:
        return G2PWorkerThread(self._orders, self._alphabet, self._has, self._keep, self._lost.add)

    def _has(self, order: G2PRequest) -> bool:
        return (
            order in self._lost or self._cache.get(self._fingerprint(order), order.text) is not None
        )

    def _keep(self, order: G2PRequest, packed: bytes) -> None:
        self._cache.put_packed(self._fingerprint(order), order.text, packed)

    def _fingerprint(self, order: G2PRequest) -> str:
        return self.fingerprint(LANGUAGES[order.code])

    def _reader(self, language: Language) -> G2P:
        if language.code not in self._readers:
            self._readers[language.code] = open_g2p(language, self._alphabet)
        return self._readers[language.code]
