"""Adds a cloned voice to the user's folder: checked, copied, and there at once or not at all.

FILE ─ libsndfile or ffmpeg ─▶ judged ─▶ voices/.NAME.part/ ─ rename ─▶ voices/NAME/
"""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import mutagen
import numpy as np
import soundfile

from audiomill.flows.file_lock import held_alone
from audiomill.flows.job import UsageError
from audiomill.inputs.files import require_regular
from audiomill.outputs.encoding.ffmpeg import decode
from audiomill.outputs.files import unwritable_errors, write_atomically
from audiomill.outputs.types import EncoderFailed
from audiomill.renderers.host.durable import sync
from audiomill.renderers.reference_voices.engines import cloning_engines
from audiomill.renderers.reference_voices.judging import Flaw, judge
from audiomill.renderers.reference_voices.measures import measured
from audiomill.renderers.reference_voices.recording import (
    MAX_BYTES,
    MAX_S,
    VoiceRecording,
    read_recording,
)
from audiomill.renderers.reference_voices.voice import (
    AUDIO_SUFFIXES,
    TEXT_FILE,
    VOICE_FILE,
    ReferenceVoice,
    VoiceUnfit,
    one_line,
    read_voice,
    unfit_name,
)

MAKING, OLD = ".part", ".old"  # ends of hidden folders while a voice is added
UNKNOWN_RATE = 48_000  # Hz, of a file that does not tell its own


@dataclass(frozen=True, slots=True)
class NewVoice:
    """What the user tells of a voice."""

    name: str
    audio: Path
    consent: str
    language: str
    text: str = ""
    speaker: str = ""


def add_voice(
    folder: Path, new: NewVoice, *, replace: bool
) -> tuple[ReferenceVoice, tuple[Flaw, ...]]:
    """The voice as it is now in `folder`, and what is not good about it but does not forbid it.

    Raises UsageError, VoiceUnfit, OutputError; then nothing has changed.
    """
    if problem := unfit_name(new.name):
        raise UsageError(f"--add: {problem}")
    recording = decoded(new.audio)
    flaws = judge(measured(recording), new.text)
    if fatal := [flaw.words for flaw in flaws if flaw.is_fatal]:
        raise VoiceUnfit(f"{new.audio} cannot be cloned. {' '.join(fatal)}")
    place = folder / new.name
    busy = "Another process adds a voice. Wait for it."
    with held_alone(folder / ".lock", busy), unwritable_errors(place):
        _clear_up(folder)
        if not replace and place.exists():
            raise UsageError(f"There is a voice {new.name}: {place}. Add --replace to replace it.")
        _write(place, new, recording)
    return read_voice(place, cloning_engines()), flaws


def decoded(path: Path) -> VoiceRecording:
    """The audio of a file of any kind. Raises UsageError, VoiceUnfit, EncoderMissing."""
    try:
        require_regular(path, MAX_BYTES)
    except FileNotFoundError:
        raise UsageError(f"--audio {path}: there is no such file.") from None
    except OSError as error:
        raise UsageError(f"--audio {path} cannot be read: {error.strerror or error}.") from error
    if path.suffix.lower() in AUDIO_SUFFIXES:
        return read_recording(path)
    sample_rate = _rate_of(path)
    try:
        blocks = list(decode(path, sample_rate=sample_rate, max_s=MAX_S))
    except EncoderFailed as error:
        raise VoiceUnfit(f"{path} is no audio that can be read. {error}") from error
    samples = np.concatenate([np.zeros(0, np.float32), *blocks])
    if not samples.size:
        raise VoiceUnfit(f"{path} has no audio in it.")
    return VoiceRecording(samples[:, None], sample_rate)


def _rate_of(path: Path) -> int:
    try:
        told = mutagen.File(path)  # pyright: ignore[reportPrivateImportUsage]
    except mutagen.MutagenError:  # pyright: ignore[reportPrivateImportUsage]
        told = None
    return int(getattr(getattr(told, "info", None), "sample_rate", 0)) or UNKNOWN_RATE


def _write(place: Path, new: NewVoice, recording: VoiceRecording) -> None:
    """Put the voice at `place`, whole. Raises OSError, OutputError."""
    making = place.with_name(f".{place.name}{MAKING}")
    making.mkdir()
    try:
        write_atomically(making / "reference.wav", _wav(recording))
        write_atomically(making / VOICE_FILE, _toml(new).encode("utf-8", "replace"))
        if new.text:
            write_atomically(making / TEXT_FILE, f"{new.text}\n".encode("utf-8", "replace"))
        _swap(making, place)
    finally:
        shutil.rmtree(making, ignore_errors=True)


def _swap(making: Path, place: Path) -> None:
    """Rename the new folder to its place; what was there stays if that fails."""
    old = place.with_name(f".{place.name}{OLD}")
    if not place.exists():
        making.rename(place)
    else:
        place.rename(old)
        try:
            making.rename(place)
        except BaseException:
            old.rename(place)
            raise
        shutil.rmtree(old, ignore_errors=True)
    sync(place.parent)


def _clear_up(folder: Path) -> None:
    """Remove what a killed process has left; what it was about to replace comes back."""
    for old in folder.glob(f".*{OLD}"):
        place = folder / old.name[1 : -len(OLD)]
        if place.exists():
            shutil.rmtree(old, ignore_errors=True)
        else:
            old.rename(place)
    for making in folder.glob(f".*{MAKING}"):
        shutil.rmtree(making, ignore_errors=True)


def _wav(recording: VoiceRecording) -> bytes:
    """As WAV of 24 bits, which loses nothing that a recording has."""
    file = io.BytesIO()
    channels = np.clip(recording.channels, -1.0, 1.0)
    soundfile.write(file, channels, recording.sample_rate, "PCM_24", format="WAV")
    return file.getvalue()


def _toml(new: NewVoice) -> str:
    values = {
        "name": new.name,
        "language": new.language,
        "speaker": new.speaker,
        "consent": new.consent,
    }
    lines = [f"{key} = {_quoted(value)}" for key, value in values.items() if value]
    return "\n".join((*lines, *_HINTS, ""))


_HINTS: Sequence[str] = (
    "",
    '# licence = "…" and source = "…" may stand above. Settings of an engine for this voice only:',
    "# [chatterbox]",
    "# exaggeration = 0.5",
)


def _quoted(value: str) -> str:
    """A text as TOML has it: as JSON does, but for DEL."""
    return json.dumps(one_line(value), ensure_ascii=False).replace("\x7f", "\\u007f")
