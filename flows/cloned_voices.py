"""Adds cloned voices, and judges the recordings that voices are cloned from."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import mutagen
import numpy as np

from audiomill.flows.errors import UsageError
from audiomill.flows.file_lock import held_alone
from audiomill.inputs.files import require_regular
from audiomill.inputs.messages import did_you_mean
from audiomill.outputs.ffmpeg.decoding import decode
from audiomill.outputs.files import unwritable_errors, write_atomically
from audiomill.outputs.types import EncoderFailed
from audiomill.renderers.engine.clone_needs import CloneNeeds
from audiomill.renderers.engine.errors import UnknownEngine, UnknownVoice
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.engine.registry import engines
from audiomill.renderers.host.durable import sync
from audiomill.renderers.reference_voices.clones import cloning_engines, read_voices
from audiomill.renderers.reference_voices.judging import Flaw, judge, n_said_letters
from audiomill.renderers.reference_voices.recording import (
    MAX_BYTES,
    MAX_S,
    Measures,
    VoiceRecording,
    measured,
    read_recording,
)
from audiomill.renderers.reference_voices.voice import (
    AUDIO_STEM,
    AUDIO_SUFFIXES,
    TEXT_FILE,
    VOICE_FILE,
    ReferenceVoice,
    VoiceUnfit,
    one_line,
    read_voice,
    unfit_name,
)
from audiomill.renderers.speech.wav import SUFFIX, exact_wav_bytes

MAKING, OLD = ".part", ".old"  # ends of hidden folders while a voice is added
UNKNOWN_RATE = 48_000  # Hz, of a file that does not tell its own
DEFAULTS = EngineOptions()


@dataclass(frozen=True, slots=True)
class NewVoice:
    """A voice as the user describes it."""

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
        tags = mutagen.File(path)  # pyright: ignore[reportPrivateImportUsage]
    except mutagen.MutagenError:  # pyright: ignore[reportPrivateImportUsage]
        tags = None
    return int(getattr(getattr(tags, "info", None), "sample_rate", 0)) or UNKNOWN_RATE


def _write(place: Path, new: NewVoice, recording: VoiceRecording) -> None:
    """Put the voice at `place`, whole. Raises OSError, OutputError."""
    making = place.with_name(f".{place.name}{MAKING}")
    making.mkdir()
    try:
        sound = exact_wav_bytes(recording.channels, recording.sample_rate)
        write_atomically(making / f"{AUDIO_STEM}{SUFFIX}", sound)
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


def _toml(new: NewVoice) -> str:
    values = {
        "name": new.name,
        "language": new.language,
        "speaker": new.speaker,
        "consent": new.consent,
    }
    lines = [f"{key} = {_quoted(value)}" for key, value in values.items() if value]
    return "\n".join((*lines, *_hints(), ""))


def _hints() -> Iterator[str]:
    """What else the file may say, with the first setting of the first engine that has any."""
    yield ""
    yield (
        '# licence = "…" and source = "…" may stand above.'
        " Settings of an engine for this voice only:"
    )
    engine = next(one for one in cloning_engines() if one.settings)
    name, value = engine.settings[0]
    yield f"# [{engine.engine}]"
    yield f"# {name} = {json.dumps(value)}"


def _quoted(value: str) -> str:
    """A text as TOML has it: as JSON does, but for DEL."""
    return json.dumps(one_line(value), ensure_ascii=False).replace("\x7f", "\\u007f")


@dataclass(frozen=True, slots=True)
class VoiceReport:
    """The check of one cloned voice. Scripts rely on the names."""

    name: str
    path: str  # of its folder
    is_good: bool
    flaws: tuple[str, ...]  # sentences
    engines: tuple[str, ...] = ()  # that can clone it
    unfit_engines: tuple[tuple[str, str], ...] = ()  # those that cannot, and why
    measures: Measures | None = None
    letters_per_s: float | None = None  # of its text; None without one

    def lines(self) -> tuple[str, ...]:
        """The report for people, its name and folder first."""
        found = [f"{self.name}  {self.path}"]
        if self.measures is not None:
            found.append(f"  {_measures_line(self.measures, self.letters_per_s)}")
        found += [f"  WRONG  {flaw}" for flaw in self.flaws]
        if self.engines:
            found.append(f"  can be cloned by {', '.join(self.engines)}")
        found += [f"  not by {engine}: {reason}" for engine, reason in self.unfit_engines]
        return tuple(found)


def check_voices(
    folder: Path, name: str = "", engine: str = "", options: EngineOptions = DEFAULTS
) -> tuple[VoiceReport, ...]:
    """A report for each voice, or for the one of this name, for all engines or only this one.

    `options` name the server, of an engine that has several. Raises UnknownVoice, UnknownEngine.
    """
    cloning = cloning_engines()
    declared = engines().get(engine)
    own = declared.clone_needs_here(options) if declared else None
    wanted = [own] if own else _named_engines(cloning, engine)
    found = read_voices(folder, cloning)
    reports = (
        *(_broken(folder / one, fault) for one, fault in found.faults),
        *(check_voice(voice, wanted) for voice in found.voices),
    )
    if not name:
        return tuple(sorted(reports, key=lambda report: report.name))
    chosen = tuple(report for report in reports if report.name == name)
    if not chosen:
        names = [report.name for report in reports]
        raise UnknownVoice(
            f"There is no cloned voice {name!r} in {folder}.{did_you_mean(name, names)}"
        )
    return chosen


def check_voice(voice: ReferenceVoice, engines: Sequence[CloneNeeds]) -> VoiceReport:
    """The report on a voice whose folder is whole."""
    try:
        measures = measured(read_recording(voice.audio))
    except VoiceUnfit as fault:
        return _broken(voice.audio.parent, fault, voice.name)
    flaws = judge(measures, voice.text)
    kept_s = measures.kept_s if measures else 0.0
    reasons = [(one.engine, one.misfit(kept_s, voice.text)) for one in engines]
    if any(flaw.is_fatal for flaw in flaws):
        reasons = []
    fit = tuple(name for name, reason in reasons if not reason)
    return VoiceReport(
        name=voice.name,
        path=str(voice.audio.parent),
        is_good=bool(fit) and not flaws,
        flaws=tuple(flaw.words for flaw in flaws),
        engines=fit,
        unfit_engines=tuple((name, reason) for name, reason in reasons if reason),
        measures=measures,
        letters_per_s=_letters_per_s(voice.text, measures),
    )


def _named_engines(engines: Sequence[CloneNeeds], engine: str) -> Sequence[CloneNeeds]:
    """The engine of this name; all of them for "". Raises UnknownEngine."""
    chosen = [one for one in engines if engine in ("", one.engine)]
    if not chosen:
        names = [one.engine for one in engines]
        raise UnknownEngine(
            f"{engine} does not clone voices.{did_you_mean(engine, names)} These do:"
            f" {', '.join(names)}."
        )
    return chosen


def _broken(folder: Path, fault: VoiceUnfit, name: str = "") -> VoiceReport:
    return VoiceReport(name or folder.name, str(folder), is_good=False, flaws=(str(fault),))


def _letters_per_s(text: str, measures: Measures | None) -> float | None:
    if not text or measures is None or not measures.speech_s:
        return None
    return n_said_letters(text) / measures.speech_s


def _measures_line(measures: Measures, letters_per_s: float | None) -> str:
    pace = "no text" if letters_per_s is None else f"{letters_per_s:.1f} letters in a second"
    channels = "mono" if measures.n_channels == 1 else f"{measures.n_channels} channels, mixed"
    return (
        f"{measures.speech_s:.1f} s of voice, after {measures.leading_s:.1f} and before"
        f" {measures.trailing_s:.1f} s of silence; {measures.sample_rate} Hz, {channels}; voice at"
        f" {measures.level_dbfs:.0f} dBFS, noise {measures.over_noise_db:.0f} dB below it; {pace}"
    )
