"""Files of cached phonemes, written by this process or by a child that must import this module."""

from unittest import mock

from audiomill.renderers.engine.protocol import Remark
from audiomill.renderers.kokoro.g2p.cache import PhonemeCache
from audiomill.renderers.kokoro.g2p.phonemes import Phonemes, PhonemeWord
from support.process_data import TIMEOUT_S

PHONEMES = Phonemes("hˌi ɡˈOz", (PhonemeWord(0, 2, 0, 3),), (Remark(3, 9, "left out"),))
N_TEXTS = 200


def texts(name="text"):
    return [f"{name} {number}" for number in range(N_TEXTS)]


def fill(path, name):
    """Put all texts, however long another process holds the file."""
    with (
        mock.patch("audiomill.renderers.kokoro.g2p.cache.BUSY_S", TIMEOUT_S),
        PhonemeCache(path) as cache,
    ):
        for text in texts(name):
            cache.put("one", text, PHONEMES)


def fill_forever(path, ready):
    cache = PhonemeCache(path)
    number = 0
    while True:
        cache.put("one", f"text {number}", PHONEMES)
        number += 1
        if number == N_TEXTS:
            ready.set()
