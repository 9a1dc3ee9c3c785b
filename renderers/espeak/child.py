"""The child that speaks texts. It needs no NumPy, which would double the time to its start."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path

from audiomill.renderers.engine.text_child import serve_texts
from audiomill.renderers.espeak.libespeak import Library, SpeechSetting

# The library never frees the dictionary of a second language, of foreign words in a text: 160 KB
# for each text with one.
MAX_GROWTH_BYTES = 64 << 20


def speak_texts(pipe: Connection, library_file: Path, data: Path) -> None:
    """In the child: speak every `(setting, text)` that comes."""
    silence_c_library()
    library = Library(library_file, data)
    is_proved = False

    def prepare(tasks: Sequence[tuple[SpeechSetting, str]]) -> None:
        """Speak a letter, once: a library that dies of that would die of any text."""
        nonlocal is_proved
        is_proved = is_proved or bool(library.speak(tasks[0][0], "a"))

    serve_texts(pipe, prepare, library.speak, MAX_GROWTH_BYTES)


def read_texts(pipe: Connection, library_file: Path, data: Path) -> None:
    """In the child: answer every `(setting, text)` that comes with its IPA."""
    silence_c_library()
    library = Library(library_file, data)
    serve_texts(pipe, lambda _tasks: None, library.phonemes, MAX_GROWTH_BYTES)


def silence_c_library() -> None:
    """Drop what C code prints when it ends the process; Python's tracebacks are still shown."""
    sys.stderr = os.fdopen(os.dup(2), "w")
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 2)
