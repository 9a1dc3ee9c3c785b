"""A G2P child that some texts kill, as a crash in a C library may."""

import os
import signal
from dataclasses import dataclass
from unittest import mock

from audiomill.renderers.kokoro.g2p import workers
from audiomill.renderers.kokoro.g2p.g2p import G2P, open_g2p

DEADLY = "Muere"  # a text with this word kills the child


@dataclass(frozen=True)
class MortalReader:
    reader: G2P

    def phonemes(self, text):
        if DEADLY in text:
            os.kill(os.getpid(), signal.SIGKILL)
        return self.reader.phonemes(text)


def work(pipe, alphabet, folder):
    """`workers.work`, with a mortal reader."""
    with mock.patch.object(workers, "open_g2p", lambda *args: MortalReader(open_g2p(*args))):
        workers.work(pipe, alphabet, folder)
