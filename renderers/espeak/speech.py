"""Speaks texts in child processes: some texts make libespeak-ng overwrite the stack.

One process per core at most, started when it is needed. A text is spoken by a library that has
spoken nothing else, so it sounds the same in any of them. Knows no requests and no NumPy.
"""

from __future__ import annotations

import os
import sys
import weakref
from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from queue import Empty, LifoQueue

from audiomill.renderers.base import EngineFailed
from audiomill.renderers.espeak.libespeak import EspeakUtterance, Library
from audiomill.renderers.host.child_process import ChildProcess
from audiomill.renderers.text_process import NoChild, Part, TextProcess, serve_texts


@dataclass(frozen=True, slots=True)
class SpeechSetting:
    """All that decides the sound of a text besides the text: see `Library.speak`."""

    identifier: str
    variant: str
    words_per_minute: int
    seed: int


SpeechTask = tuple[SpeechSetting, str]
SpeechProcess = TextProcess[SpeechSetting, EspeakUtterance]


class SpeechPool:
    """Up to `n` processes: as many as threads ask at the same time. Any thread may use it."""

    def __init__(self, n: int, library: Path, data: Path) -> None:
        # The process that was busy last gets the next texts: the others need not even be started.
        self._free: LifoQueue[SpeechProcess] = LifoQueue()
        for _ in range(n):
            self._free.put(TextProcess(lambda: ChildProcess(serve, library, data)))
        weakref.finalize(self, _close_all, self._free)

    def speak(self, tasks: Sequence[SpeechTask]) -> Generator[tuple[Part[EspeakUtterance], ...]]:
        """The parts of each text, in order: see `TextProcess.answers`. To be closed.

        Raises EngineFailed.
        """
        process = self._free.get()
        try:
            yield from process.answers(tasks)
        except NoChild as error:
            raise EngineFailed(
                f"espeak-ng cannot speak on this machine: {error}. Use another engine."
            ) from error
        finally:
            self._free.put(process)


def _close_all(free: LifoQueue[SpeechProcess]) -> None:
    with suppress(Empty):
        while True:
            free.get_nowait().close()


def serve(pipe: Connection, library_file: Path, data: Path) -> None:
    """In the child: speak every text that comes."""
    _silence_c_library()
    library = Library(library_file, data)
    is_proved = False

    def prepare(tasks: Sequence[SpeechTask]) -> None:
        """Speak a letter, once: a library that dies of that dies of no text."""
        nonlocal is_proved
        is_proved = is_proved or bool(speak(tasks[0][0], "a"))

    def speak(setting: SpeechSetting, text: str) -> EspeakUtterance:
        return library.speak(
            text,
            setting.identifier,
            setting.variant,
            words_per_minute=setting.words_per_minute,
            seed=setting.seed,
        )

    serve_texts(pipe, prepare, speak)


def _silence_c_library() -> None:
    """Drop what C code prints while it dies; the tracebacks of Python code are still shown."""
    sys.stderr = os.fdopen(os.dup(2), "w")
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 2)
