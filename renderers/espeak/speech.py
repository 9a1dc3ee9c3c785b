"""Speaks texts in child processes: some texts make libespeak-ng overwrite the stack.

A text is spoken by a library that has spoken nothing else, so it sounds the same in any of them.
Knows no requests.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from pathlib import Path

from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.engine.text_process import NoChild, Part, TextPool, TextProcess
from audiomill.renderers.espeak.child import read_texts, speak_texts
from audiomill.renderers.espeak.libespeak import EspeakUtterance, SpeechSetting
from audiomill.renderers.host.child_process import ChildProcess

SpeechTask = tuple[SpeechSetting, str]


class SpeechPool:
    """Up to `n` processes: as many as threads ask at the same time. Any thread may use it."""

    def __init__(self, n: int, library: Path, data: Path) -> None:
        self._pool = TextPool[SpeechSetting, EspeakUtterance](
            n, lambda: ChildProcess(speak_texts, library, data)
        )

    def speak(self, tasks: Sequence[SpeechTask]) -> Generator[tuple[Part[EspeakUtterance], ...]]:
        """The parts of each text, in order: see `TextProcess.answers`. To be closed.

        Raises EngineFailed.
        """
        try:
            yield from self._pool.answers(tasks)
        except NoChild as error:
            raise EngineFailed(
                f"espeak-ng cannot speak on this machine: {error}. Use another engine."
            ) from error


def ipa_of(tasks: Sequence[SpeechTask], library: Path, data: Path) -> list[str]:
    """The IPA of each text, by a child process; "" for one that kills it. Raises EngineFailed."""
    process = TextProcess[SpeechSetting, str](lambda: ChildProcess(read_texts, library, data))
    try:
        answers = [*process.answers(tasks)]
    except NoChild as error:
        raise EngineFailed(f"espeak-ng cannot read on this machine: {error}.") from error
    finally:
        process.close()
    return [" ".join(part.answer or "" for part in parts).strip() for parts in answers]
