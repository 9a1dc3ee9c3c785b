"""The cloned voices that one engine can speak with, and what it gets of each.

    voices/  ─▶ ReferenceVoice ─▶ Clone: the recording judged, and a digest for the key
                                    └─▶ cleaned_wav(rate): its recording

Folders are read when the voices are first asked for, recordings only of the voices that are used.

Engines get a recording mono, without silence at its ends, at one loudness and rate. The same
samples give the same result, to the last bit: engines listen to it, so it decides their sound.
`CLEANING` is part of each voice's digest.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from audiomill.renderers.engine.clone_needs import CloneNeeds
from audiomill.renderers.engine.declaration import Engine, Runs
from audiomill.renderers.engine.errors import reason_of
from audiomill.renderers.engine.protocol import Samples, Voice
from audiomill.renderers.engine.registry import engines
from audiomill.renderers.host.threads import MadeOnce
from audiomill.renderers.reference_voices.judging import Flaw, judge
from audiomill.renderers.reference_voices.recording import (
    Measures,
    VoiceRecording,
    centred,
    measured,
    read_recording,
)
from audiomill.renderers.reference_voices.voice import (
    ReferenceVoice,
    VoiceSetting,
    VoiceUnfit,
    read_voice,
)
from audiomill.renderers.speech.resampling import resampled
from audiomill.renderers.speech.wav import wav_bytes
from audiomill.renderers.takes.traits import measured_traits

# Incremented by hand when the result changes.
CLEANING = 1
LEVEL_DBFS = -20.0  # of the voice, about -20 LUFS
HIGHEST_PEAK = 0.95  # if need be, the voice is left quieter
FADE_S = 0.005  # at both ends, so that the noise does not begin with a click


def cleaned(recording: VoiceRecording, measures: Measures, sample_rate: int) -> Samples:
    """The voice at `sample_rate`, [n_samples]. Raises EngineMissing without soxr."""
    start, end = measures.kept
    mono = centred(recording.mono)[start:end]
    samples = _faded(resampled(mono, recording.sample_rate, sample_rate), sample_rate)
    traits = measured_traits(samples, sample_rate)
    level_dbfs = traits.level_dbfs if traits else LEVEL_DBFS
    peak = float(np.abs(samples).max(initial=0.0)) or 1.0
    gain = min(10 ** ((LEVEL_DBFS - level_dbfs) / 20), HIGHEST_PEAK / peak)
    return samples * np.float32(gain)


def _faded(samples: Samples, sample_rate: int) -> Samples:
    n = min(round(FADE_S * sample_rate), samples.size // 2)
    ramp = np.linspace(0.0, 1.0, n, dtype=np.float32)
    faded = samples.copy()
    faded[:n] *= ramp
    faded[samples.size - n :] *= ramp[::-1]
    return faded


@dataclass(frozen=True, slots=True, eq=False)
class Clone:
    """A cloned voice that an engine can speak with."""

    voice: Voice  # as it is listed
    text: str  # of the recording; "" if there is none, or if the engine has no use for it
    settings: tuple[tuple[str, VoiceSetting], ...]  # of this voice, for the engine
    digest: str  # of all that the engine gets, in hexadecimal
    flaws: tuple[Flaw, ...]  # that are not fatal
    recording: VoiceRecording
    measures: Measures

    def cleaned_wav(self, sample_rate: int) -> bytes:
        """The cleaned recording as a WAV file. Raises EngineMissing."""
        return wav_bytes(cleaned(self.recording, self.measures, sample_rate), sample_rate)


@dataclass(frozen=True, slots=True)
class VoiceFolders:
    """What the folder of voices has: those that could be read, and why others could not."""

    voices: tuple[ReferenceVoice, ...]  # by name
    faults: tuple[tuple[str, VoiceUnfit], ...]  # by the name of the folder


def read_voices(folder: Path | None, engines: Sequence[CloneNeeds]) -> VoiceFolders:
    """All voices in a folder; none if it is not there. Raises VoiceUnfit if it cannot be read."""
    voices: dict[str, ReferenceVoice] = {}
    faults: list[tuple[str, VoiceUnfit]] = []
    for one in _folders(folder):
        try:
            voice = read_voice(one, engines)
            if voice.name in voices:
                raise VoiceUnfit(  # noqa: TRY301 - it is a fault of this folder, as any other
                    f"{one} has a voice {voice.name}, and so has"
                    f" {voices[voice.name].audio.parent}. Change the name in its voice.toml."
                )
        except VoiceUnfit as fault:
            faults.append((one.name, fault))
        else:
            voices[voice.name] = voice
    return VoiceFolders(tuple(voices[name] for name in sorted(voices)), tuple(faults))


def _folders(folder: Path | None) -> list[Path]:
    """Its folders, but for those of a voice that is just being made."""
    if folder is None:
        return []
    try:
        return sorted(
            path for path in folder.iterdir() if path.is_dir() and not path.name.startswith(".")
        )
    except FileNotFoundError:
        return []
    except OSError as error:
        raise VoiceUnfit(f"{folder} cannot be read ({error.strerror}).") from error


class ClonedVoices:
    """The voices in a folder, for one engine. Any thread may use it."""

    def __init__(self, folder: Path | None, needs: CloneNeeds | None) -> None:
        """Reads nothing. `needs` None: the engine cannot clone; then it has none."""
        self._folder = folder if needs else None
        self._needs = needs
        self._clones = MadeOnce(self._made)

    def listed(self) -> tuple[Voice, ...]:
        """Those whose folders are whole, by name. Their recordings are not read for this."""
        return tuple(map(_listed, self._found.voices))

    def check(self, name: str) -> None:
        """Raise VoiceUnfit if `name` is that of a folder that could not be read."""
        for folder, fault in self._found.faults:
            if folder == name:
                raise fault

    def clone(self, name: str) -> Clone | None:
        """The voice of this name, read and judged; None if there is none. Raises VoiceUnfit."""
        voice = next((one for one in self._found.voices if one.name == name), None)
        return self._clones.of(voice) if voice else None

    def _made(self, voice: ReferenceVoice) -> Clone | None:
        return make_clone(voice, self._needs) if self._needs else None

    @cached_property
    def _found(self) -> VoiceFolders:
        own = (self._needs,) if self._needs else ()
        return read_voices(self._folder, (*cloning_engines(), *own))


def make_clone(voice: ReferenceVoice, needs: CloneNeeds) -> Clone:
    """The voice as an engine gets it. Raises VoiceUnfit."""
    recording = read_recording(voice.audio)
    measures = measured(recording)
    flaws = judge(measures, voice.text)
    for flaw in flaws:
        if flaw.is_fatal or measures is None:
            raise VoiceUnfit(f"The voice {voice.name} ({voice.audio}) cannot be used. {flaw.words}")
    assert measures is not None  # noqa: S101 - silence is fatal
    if reason := needs.misfit(measures.kept_s, voice.text):
        raise VoiceUnfit(
            f"{needs.title} cannot clone {voice.name} ({voice.audio.parent}): {reason}."
            f" audiomill voices --check {_quoted(voice.name)} names the engines that can."
        )
    text = "" if needs.text == "unused" else voice.text
    settings = voice.settings_of(needs.engine)
    content = [CLEANING, recording.digest(), text, dict(settings)]
    digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode("ascii")).hexdigest()[:32]
    return Clone(_listed(voice), text, settings, digest, flaws, recording, measures)


def clone_warnings(clones: Sequence[Clone]) -> tuple[str, ...]:
    """What is not good about the recordings of these voices, for people."""
    return tuple(
        f"The recording of {clone.voice.name} is not good: {reason_of(VoiceUnfit(flaw.words))}."
        for clone in clones
        for flaw in clone.flaws
    )


def _listed(voice: ReferenceVoice) -> Voice:
    of_whom = f" of {voice.speaker}" if voice.speaker else ""
    return Voice(voice.name, voice.language, description=f"cloned from a recording{of_whom}")


def _quoted(name: str) -> str:
    return f'"{name}"' if " " in name else name


def cloning_engines() -> tuple[CloneNeeds, ...]:
    """What engines need that clone voices: those with an environment first, then servers.

    Loads none of them.
    """
    ordered = sorted(engines().values(), key=_is_elsewhere)
    return tuple(needs for engine in ordered for needs in engine.clone_needs())


def _is_elsewhere(engine: Engine) -> bool:
    return engine.runs is not Runs.ENVIRONMENT
