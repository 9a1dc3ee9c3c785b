"""The process that makes phonemes ahead of the model. Knows a pipe and the readers, no queue.

It loads what a language needs when its first text comes, and ends when the pipe is closed: by its
owner, or by the kernel once the owner is dead.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from multiprocessing.connection import Connection
from typing import Never, cast

from renderers.kokoro.g2p import G2P, open_g2p
from renderers.kokoro.g2p_versions import Alphabet, is_tagged
from renderers.kokoro.languages import LANGUAGES
from renderers.kokoro.phoneme_packing import pack
from renderers.shard import EngineMissing

Request = tuple[str, list[str]]  # a language's code, and texts
Answer = bool | bytes  # first whether the language can be read, then each text's packed phonemes


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
) -> Iterator[Answer]:
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
