"""Judges the cloned voices in a folder: what is measured, what is wrong, and who can clone them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from audiomill.inputs.suggestions import did_you_mean
from audiomill.renderers.base import UnknownEngine, UnknownVoice
from audiomill.renderers.openai.options import ServerOptions
from audiomill.renderers.reference_voices.clones import read_voices
from audiomill.renderers.reference_voices.engines import cloning_engines, needs_of_server
from audiomill.renderers.reference_voices.judging import judge, n_said_letters
from audiomill.renderers.reference_voices.measures import Measures, measured
from audiomill.renderers.reference_voices.needs import CloneNeeds
from audiomill.renderers.reference_voices.recording import read_recording
from audiomill.renderers.reference_voices.voice import ReferenceVoice, VoiceUnfit

ANY_SERVER = ServerOptions()


@dataclass(frozen=True, slots=True)
class VoiceReport:
    """What was found of one cloned voice. Scripts rely on the names."""

    name: str
    path: str  # of its folder
    is_good: bool
    flaws: tuple[str, ...]  # sentences
    engines: tuple[str, ...] = ()  # that can clone it
    unfit_engines: tuple[tuple[str, str], ...] = ()  # those that cannot, and why
    measures: Measures | None = None
    letters_per_s: float | None = None  # of its text; None without one

    def lines(self) -> tuple[str, ...]:
        """For people."""
        found = [f"{self.name}  {self.path}"]
        if self.measures is not None:
            found.append(f"  {_shown(self.measures, self.letters_per_s)}")
        found += [f"  WRONG  {flaw}" for flaw in self.flaws]
        if self.engines:
            found.append(f"  can be cloned by {', '.join(self.engines)}")
        found += [f"  not by {engine}: {reason}" for engine, reason in self.unfit_engines]
        return tuple(found)


def check_voices(
    folder: Path, name: str = "", engine: str = "", server: ServerOptions = ANY_SERVER
) -> tuple[VoiceReport, ...]:
    """A report for each voice, or for the one of this name, for all engines or only this one.

    `server` is that of the engine `openai`. Raises UnknownVoice, UnknownEngine.
    """
    engines = cloning_engines()
    own = needs_of_server(server) if engine == "openai" else None
    wanted = [own] if own else _wanted(engines, engine)
    found = read_voices(folder, engines)
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
    """What is found of a voice whose folder is whole."""
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


def _wanted(engines: Sequence[CloneNeeds], engine: str) -> Sequence[CloneNeeds]:
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


def _shown(measures: Measures, letters_per_s: float | None) -> str:
    pace = "no text" if letters_per_s is None else f"{letters_per_s:.1f} letters in a second"
    channels = "mono" if measures.n_channels == 1 else f"{measures.n_channels} channels, mixed"
    return (
        f"{measures.speech_s:.1f} s of voice, after {measures.leading_s:.1f} and before"
        f" {measures.trailing_s:.1f} s of silence; {measures.sample_rate} Hz, {channels}; voice at"
        f" {measures.level_dbfs:.0f} dBFS, noise {measures.over_noise_db:.0f} dB below it; {pace}"
    )
