"""`Phonemes` as a few bytes and back, for files and pipes. Pure."""

from __future__ import annotations

import json
import zlib
from typing import Any

from renderers.kokoro.phonemes import Phonemes, PhonemeWord
from renderers.shard import Remark


class Damaged(Exception):
    """The bytes are not what was packed."""


def pack(phonemes: Phonemes) -> bytes:
    """Some 20 bytes a word. zlib adds a checksum (RFC 1950)."""
    words = [number for one in phonemes.words for number in _steps(one)]
    remarks = [[one.start, one.end, one.words] for one in phonemes.remarks]
    written = json.dumps([phonemes.text, words, remarks], separators=(",", ":"))
    return zlib.compress(written.encode("ascii"), 1)


def unpack(packed: bytes) -> Phonemes:
    """Raises Damaged."""
    try:
        text, words, remarks = json.loads(zlib.decompress(packed))
        return Phonemes(
            text,
            tuple(_word(*words[at : at + 4]) for at in range(0, len(words), 4)),
            tuple(Remark(*remark) for remark in remarks),
        )
    except (zlib.error, ValueError, TypeError) as error:
        raise Damaged(str(error)) from error


def _steps(word: PhonemeWord) -> tuple[int, int, int, int]:
    """Lengths rather than ends: they are small and alike."""
    return word.start, word.end - word.start, word.first, word.last - word.first


def _word(start: Any, n_chars: Any, first: Any, n_phonemes: Any) -> PhonemeWord:
    return PhonemeWord(start, start + n_chars, first, first + n_phonemes)
