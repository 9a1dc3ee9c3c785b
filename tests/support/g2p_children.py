"""What children of G2P run, and the cached phonemes that they share."""

import os
import signal
from dataclasses import dataclass
from unittest import mock

from audiomill.renderers.engine.protocol import Remark
from audiomill.renderers.kokoro.g2p import child
from audiomill.renderers.kokoro.g2p.cache import PhonemeCache
from audiomill.renderers.kokoro.g2p.g2p import G2P, open_g2p
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


DEADLY = "☠"  # a text with this character kills the child


@dataclass(frozen=True)
class MortalReader:
    reader: G2P

    def phonemes(self, text):
        if DEADLY in text:
            os.kill(os.getpid(), signal.SIGKILL)
        return self.reader.phonemes(text)


def read_texts(pipe, alphabet, folder):
    """`child.read_texts`, with a mortal reader."""
    with mock.patch.object(child, "open_g2p", lambda *args: MortalReader(open_g2p(*args))):
        child.read_texts(pipe, alphabet, folder)
