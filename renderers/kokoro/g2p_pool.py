"""Phonemes made ahead of the model, in processes of their own: misaki would hold the model up.

Each worker has a thread here that brings it orders and takes its answers to the cache. Whatever
becomes of a worker, nothing is lost: it is replaced, and who asks for a text that no worker will
read reads it himself. Only what two workers have died of is not said, and is listed as left out.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterable
from threading import Lock

from renderers.kokoro.g2p import G2P, open_g2p
from renderers.kokoro.g2p_hand import Hand
from renderers.kokoro.g2p_orders import Order, Orders
from renderers.kokoro.g2p_pieces import Assembly
from renderers.kokoro.g2p_versions import Alphabet, fingerprint_of
from renderers.kokoro.languages import LANGUAGES, Language
from renderers.kokoro.phoneme_cache import PhonemeCache
from renderers.kokoro.phonemes import Phonemes
from renderers.kokoro.staff import Staff


class G2PPool(Staff[Hand]):
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
        self._orders = Orders()
        # A worker of somebody else's pool may have no children.
        is_child = multiprocessing.current_process().daemon
        self._n_workers = 0 if is_child else n_workers
        self._lost: set[Order] = set()
        self._readers: dict[str, G2P] = {}
        self._fingerprints: dict[str, str] = {}
        self._reading = Lock()

    def fingerprint(self, language: Language) -> str:
        """All that decides the phonemes of a text; loads nothing. Raises EngineMissing."""
        if language.code not in self._fingerprints:
            self._fingerprints[language.code] = fingerprint_of(language, self._alphabet)
        return self._fingerprints[language.code]

    def expect(self, language: Language, texts: Iterable[str]) -> None:
        """Have `texts` read ahead, in their order. Returns at once. Raises EngineMissing."""
        if self._n_workers == 0:
            return
        self.fingerprint(language)  # what is not installed is told here
        self._orders.expect(Order(language.code, text) for text in texts)
        self._hire()

    def phonemes(self, language: Language, text: str) -> Phonemes:
        """How `text` is said: read before, or by a worker soon, or here. Raises EngineMissing."""
        fingerprint, order = self.fingerprint(language), Order(language.code, text)
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

    def _hand(self) -> Hand:
        return Hand(self._orders, self._alphabet, self._has, self._keep, self._lost.add)

    def _has(self, order: Order) -> bool:
        return (
            order in self._lost or self._cache.get(self._fingerprint(order), order.text) is not None
        )

    def _keep(self, order: Order, packed: bytes) -> None:
        self._cache.put_packed(self._fingerprint(order), order.text, packed)

    def _fingerprint(self, order: Order) -> str:
        return self.fingerprint(LANGUAGES[order.code])

    def _reader(self, language: Language) -> G2P:
        if language.code not in self._readers:
            self._readers[language.code] = open_g2p(language, self._alphabet)
        return self._readers[language.code]
