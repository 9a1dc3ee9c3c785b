"""A G2P child that some texts kill, as a crash in a C library may."""

import os
import signal
from dataclasses import dataclass
from unittest import mock

from audiomill.renderers.kokoro.g2p import child
from audiomill.renderers.kokoro.g2p.g2p import G2P, open_g2p

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
