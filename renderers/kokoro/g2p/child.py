"""A child process that converts texts to phonemes: its side, and its handle in the parent."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import sys
import tempfile
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Never, cast

from audiomill.renderers.engine.text_child import serve_texts
from audiomill.renderers.host.child_process import ChildProcess
from audiomill.renderers.kokoro.g2p.g2p import G2P, open_g2p
from audiomill.renderers.kokoro.g2p.languages import LANGUAGES
from audiomill.renderers.kokoro.g2p.phonemes import pack
from audiomill.renderers.kokoro.g2p.requirements import Alphabet, has_english_model


def read_texts(pipe: Connection, alphabet: Alphabet, folder: str) -> None:
    """In the child: answer every `(code, text)`. Temporary files go to `folder`, made here.

    A child whose parent is dead removes the folder itself.
    """

    def leave(*_: object) -> Never:
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(0)

    signal.signal(signal.SIGTERM, leave)
    try:
        Path(folder).mkdir(0o700)
    except OSError:
        return  # no temporary files, no misaki: the parent reads the texts itself
    tempfile.tempdir = folder
    if not has_english_model():
        # spaCy loads PyTorch if it is installed: two seconds and 200 MB that only models need.
        cast(dict[str, object], sys.modules)["torch"] = None
    readers: dict[str, G2P] = {}

    def prepare(tasks: Sequence[tuple[str, str]]) -> None:
        for code, _ in tasks:
            if code not in readers:
                readers[code] = open_g2p(LANGUAGES[code], alphabet)

    try:
        serve_texts(pipe, prepare, lambda code, text: pack(readers[code].phonemes(text)))
    except (EOFError, OSError):
        leave()


class G2PProcess(ChildProcess):
    """A child that reads texts, and its folder for temporary files."""

    def __init__(self, alphabet: Alphabet) -> None:
        """Raises OSError if no process can be started."""
        # Named here, so that it can be removed after the child. Not a TemporaryDirectory: at the
        # interpreter's end that is removed, with a warning, before the child has ended.
        self._folder = Path(tempfile.gettempdir()) / f"audiomill-{secrets.token_hex(8)}"
        super().__init__(read_texts, alphabet, str(self._folder))

    def kill(self) -> int | None:
        """End the child at once and remove its folder."""
        # First while the child lives, which would remove it if this process died just now; and
        # again, because it may have made a file in between.
        shutil.rmtree(self._folder, ignore_errors=True)
        code = super().kill()
        shutil.rmtree(self._folder, ignore_errors=True)
        return code
