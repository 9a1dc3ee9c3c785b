"""Whisper by faster-whisper: speech to text on the processor. Both are under the MIT licence.

    base       the model of that size, from the Hugging Face Hub or its cache
    a folder   model.bin, config.json, tokenizer.json and vocabulary of CTranslate2

The hub is asked once, for what is not in its cache; HF_HUB_OFFLINE and HF_HOME are heeded.
Source: https://github.com/SYSTRAN/faster-whisper, 1.2.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

from audiomill.inputs.languages.codes import primary_subtag
from audiomill.inputs.languages.writing import shows_sound_of_words
from audiomill.renderers.engine.errors import EngineFailed, EngineMissing, first_line, reason_of
from audiomill.renderers.engine.protocol import Samples
from audiomill.renderers.host.cores import usable_cores
from audiomill.renderers.host.installation import this_installation
from audiomill.renderers.speech.resampling import resampled

EXTRA = "check-speech"
SAMPLE_RATE = 16_000  # in Hz, that the model takes
WEIGHTS = "model.bin"
VERSION = 1  # of how the model is used; raise it when other transcripts come of the same samples


class Whisper:
    """A model, loaded when it first listens. Thread-safe: it listens to one at a time."""

    def __init__(self, folder: Path, n_bytes: int) -> None:
        """`n_bytes`: of its weights."""
        self._folder = folder
        self.identity = f"whisper {VERSION} {n_bytes}"
        self._lock = Lock()
        self._model: Any = None

    def knows(self, language: str) -> bool:
        """Implement `Recogniser.knows`."""
        if not shows_sound_of_words(language):
            return False
        return primary_subtag(language) in self._loaded().supported_languages

    def transcript(
        self, samples: Samples, sample_rate: int, language: str, n_guesses: int = 1
    ) -> str:
        """Implement `Recogniser.transcript`."""
        audio = resampled(samples, sample_rate, SAMPLE_RATE)
        with self._lock:
            try:
                # Without a temperature nothing is drawn: the same is heard each time. What it has
                # heard before is no reason to hear it again.
                parts, _ = self._loaded().transcribe(
                    audio,
                    language=primary_subtag(language),
                    beam_size=n_guesses,
                    temperature=0.0,
                    condition_on_previous_text=False,
                    without_timestamps=True,
                )
                return " ".join(part.text.strip() for part in parts)
            except (RuntimeError, ValueError) as error:
                raise EngineFailed(f"Whisper does not listen: {first_line(error)}.") from error

    def _loaded(self) -> Any:
        if self._model is None:
            try:
                self._model = _package("faster_whisper").WhisperModel(
                    str(self._folder),
                    device="cpu",
                    compute_type="int8",
                    cpu_threads=usable_cores(),
                    local_files_only=True,
                )
            except (OSError, RuntimeError, ValueError) as error:
                raise EngineMissing(
                    f"Whisper's model in {self._folder} does not load: {first_line(error)}."
                ) from error
        return self._model


def open_whisper(model: str) -> Whisper:
    """The model of a size, or in a folder; fetched if it is not here. Loads nothing.

    Raises EngineMissing, with the remedy.
    """
    lacking = [name for name in ("faster_whisper", "rapidfuzz") if find_spec(name) is None]
    if lacking:
        raise EngineMissing(
            f"--check-speech needs {' and '.join(lacking)}. {this_installation().hint(EXTRA)}"
        )
    folder = Path(model).expanduser()
    if not folder.is_dir():
        return _whisper_in(_fetched(model))
    if not (folder / WEIGHTS).is_file():
        raise EngineMissing(
            f"{folder} has no {WEIGHTS}, so it is no model of faster-whisper. Name another in the"
            " setting speech_model."
        )
    return _whisper_in(folder)


def _whisper_in(folder: Path) -> Whisper:
    """One for all books of a process, such as a podcast's articles: loading takes a second."""
    return _opened(folder, (folder / WEIGHTS).stat().st_size)


_opened = cache(Whisper)


def _fetched(model: str) -> Path:
    """The folder of a model in the hub's cache. Raises EngineMissing."""
    errors = _package("huggingface_hub.errors")
    download = _package("faster_whisper").download_model
    # The client derives its errors from those of its HTTP library, which has been several.
    http_errors: tuple[type[Exception], ...] = errors.HfHubHTTPError.__bases__
    try:
        return Path(download(model, local_files_only=True))
    except (OSError, ValueError, *http_errors):
        pass  # it is not in the cache
    try:
        return Path(download(model))
    except (OSError, ValueError, RuntimeError, *http_errors) as error:
        raise EngineMissing(
            f"Whisper's model {model} is not here and cannot be fetched ({reason_of(error)}). Fetch"
            " it where the hub can be reached, and name its folder in the setting speech_model."
        ) from error


def _package(name: str) -> Any:
    """A package of the extra, which is imported late: it takes a second. Raises EngineMissing."""
    try:
        return import_module(name)
    except (ImportError, OSError, ValueError) as error:  # ValueError: HF_ENDPOINT is invalid
        raise EngineMissing(
            f"{name} does not load: {first_line(error)}. {this_installation().hint(EXTRA)}"
        ) from error
