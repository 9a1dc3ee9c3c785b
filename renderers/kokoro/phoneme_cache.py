"""Phonemes that were made before, in memory and in a file. Knows no language.

What a text is found by is the fingerprint of whatever made its phonemes, and the text itself.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Self

from renderers.kokoro.phoneme_file import PhonemeFile
from renderers.kokoro.phoneme_packing import Damaged, pack, unpack
from renderers.kokoro.phonemes import Phonemes

# Some 500 bytes each, for a passage of thirty words: a few books.
N_KEPT = 50_000


class PhonemeCache:
    """The last `n_kept` in memory, and all at `path` if one is given. Any thread may use it."""

    def __init__(self, path: Path | None = None, n_kept: int = N_KEPT) -> None:
        self._file = PhonemeFile(path) if path else None
        self._n_kept = n_kept
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()
        self._lock = Lock()

    def get(self, fingerprint: str, text: str) -> Phonemes | None:
        """The phonemes of `text`, if they are here and whole."""
        key = _key(fingerprint, text)
        packed = self._kept.get(key) or (self._file.get(key) if self._file else None)
        if packed is None:
            return None
        try:
            phonemes = unpack(packed)
        except Damaged:
            return None
        self._keep(key, packed)
        return phonemes

    def put(self, fingerprint: str, text: str, phonemes: Phonemes) -> None:
        """Keep the phonemes of `text`."""
        self.put_packed(fingerprint, text, pack(phonemes))

    def put_packed(self, fingerprint: str, text: str, packed: bytes) -> None:
        """Keep what `pack` made of the phonemes of `text`."""
        key = _key(fingerprint, text)
        self._keep(key, packed)
        if self._file:
            self._file.put(key, packed)

    def close(self) -> None:
        """Give the file back."""
        if self._file:
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _keep(self, key: bytes, packed: bytes) -> None:
        with self._lock:
            self._kept[key] = packed
            self._kept.move_to_end(key)
            while len(self._kept) > self._n_kept:
                self._kept.popitem(last=False)


def _key(fingerprint: str, text: str) -> bytes:
    # Neither a lone surrogate nor a text that begins like a fingerprint may end or confuse it.
    digest = hashlib.sha256(fingerprint.encode("utf-8", "surrogatepass"))
    digest.update(b"\xff" + text.encode("utf-8", "surrogatepass"))
    return digest.digest()[:20]
