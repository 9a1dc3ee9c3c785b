"""A worker whose reader dies natively of some texts, as a library in C may."""

import os
import signal
from dataclasses import dataclass
from unittest import mock

from audiomill.renderers.kokoro.g2p import workers as g2p_worker
from audiomill.renderers.kokoro.g2p.g2p import G2P, open_g2p

DEADLY = "Muere"  # what it dies of


@dataclass(frozen=True)
class Mortal:
    reader: G2P

    def phonemes(self, text):
        if DEADLY in text:
            os.kill(os.getpid(), signal.SIGKILL)
        return self.reader.phonemes(text)


def work(pipe, alphabet, folder):
    with mock.patch.object(g2p_worker, "open_g2p", lambda *which: Mortal(open_g2p(*which))):
        g2p_worker.work(pipe, alphabet, folder)
