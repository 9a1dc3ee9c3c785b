"""Piper's voices by name and by language. A speaker of a file comes after a hash: `NAME#p225`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from shlex import quote

from audiomill.inputs.languages.codes import two_letter_code
from audiomill.inputs.messages import did_you_mean
from audiomill.renderers.engine.errors import EngineMissing, UnknownVoice, WeightsUnfit
from audiomill.renderers.engine.protocol import Voice
from audiomill.renderers.host.installation import this_installation
from audiomill.renderers.piper.voice_files import (
    PiperVoiceFile,
    find_voice_files,
    read_voice_file,
    speaker_name,
)

QUALITIES = ("high", "medium", "low", "x_low")  # from the best on
# The language's own country first, where no region is asked for.
HOME_REGIONS = {"en": "US", "pt": "BR", "zh": "CN", "sv": "SE", "da": "DK", "cs": "CZ", "uk": "UA"}
MOST_LISTED = 12  # voices in a message


@dataclass(frozen=True, slots=True)
class PiperSpeaker:
    """A speaker of a voice file, whose name is canonical: it goes into keys."""

    name: str
    file: PiperVoiceFile
    number: int | None  # None if the file has one speaker


class PiperVoices:
    """The voices of a folder. Files that cannot be used are kept with the reason."""

    def __init__(self, folder: Path) -> None:
        """Raises EngineMissing if there is no voice in the folder at all."""
        self.folder = folder
        self.unfit: dict[str, WeightsUnfit] = {}
        self._files: dict[str, PiperVoiceFile] = {}
        try:
            models = find_voice_files(folder)
        except OSError as error:
            raise EngineMissing(
                f"{folder}, which piper.voices names, cannot be read ({error.strerror})."
            ) from error
        for model in models:
            try:
                self._files[model.stem] = read_voice_file(model)
            except WeightsUnfit as error:
                self.unfit[model.stem] = error
        if not self._files and not self.unfit:
            raise EngineMissing(_no_voices(folder))
        self.voices: Sequence[Voice] = sorted(self._listed(), key=lambda voice: voice.name)

    def resolve(self, name: str) -> PiperSpeaker:
        """The speaker of this name; a number names one, too. Raises UnknownVoice, WeightsUnfit."""
        base, _, speaker = name.partition("#")
        if base in self.unfit:
            raise self.unfit[base]
        file = self._files.get(base)
        if file is None:
            raise UnknownVoice(self._unknown(name, base))
        if not file.speakers:
            if speaker:
                raise UnknownVoice(f"The Piper voice {base} has one speaker. Choose {base}.")
            return PiperSpeaker(base, file, None)
        known = _speaker_name(file, speaker or file.default_speaker)
        if known is None:
            raise UnknownVoice(
                f"The Piper voice {base} has no speaker {speaker!r}."
                f"{did_you_mean(speaker, file.speakers)} {_listed_speakers(file)}"
            )
        return PiperSpeaker(f"{base}#{known}", file, file.speakers[known])

    def for_language(self, language: str) -> str:
        """The best voice for `language` (BCP 47). Raises UnknownVoice."""
        primary, region = _parts(language)
        fit = [file for file in self._files.values() if _parts(file.language)[0] == primary]
        if not fit:
            known = sorted({file.language for file in self._files.values()})
            raise UnknownVoice(
                f"No Piper voice in {self.folder} speaks {language!r}, only {', '.join(known)}."
                f" {_how_to_add(self.folder)}"
            )
        wanted = region or HOME_REGIONS.get(primary, primary.upper())
        best = min(fit, key=lambda file: _rank(file, wanted))
        return self.resolve(best.name).name

    def _listed(self) -> Iterator[Voice]:
        for file in self._files.values():
            facts = [file.quality, f"{file.sample_rate:,} Hz"]
            licence = f"licence: {file.licence or 'not known, see its model card'}"
            if not file.speakers:
                yield _voice(file.name, file, [*facts, licence])
            for name, number in file.speakers.items():
                own = [*facts, f"speaker {number} of {len(file.speakers)}", licence]
                yield _voice(f"{file.name}#{name}", file, own)

    def _unknown(self, name: str, base: str) -> str:
        known = sorted(self._files)
        listed = (
            f"Choose one of: {', '.join(known)}."
            if len(known) <= MOST_LISTED
            else "audiomill voices --engine piper lists them."
        )
        hint = did_you_mean(base, known)
        return f"There is no Piper voice {name!r} in {self.folder}.{hint} {listed}"


def _voice(name: str, file: PiperVoiceFile, facts: Sequence[str]) -> Voice:
    return Voice(name, file.language, "", ", ".join(facts), speaker_name(name))


def _speaker_name(file: PiperVoiceFile, speaker: str) -> str | None:
    if speaker in file.speakers:
        return speaker
    return next((name for name, one in file.speakers.items() if str(one) == speaker), None)


def _listed_speakers(file: PiperVoiceFile) -> str:
    names: Mapping[str, int] = file.speakers
    if len(names) <= MOST_LISTED:
        return f"Choose one of: {', '.join(names)}."
    return f"audiomill voices --engine piper lists its {len(names)} speakers."


def _rank(file: PiperVoiceFile, region: str) -> tuple[bool, int, str]:
    quality = QUALITIES.index(file.quality) if file.quality in QUALITIES else len(QUALITIES)
    return _parts(file.language)[1] != region, quality, file.name


def _parts(tag: str) -> tuple[str, str]:
    """The language and the region of a tag; "" if it has none."""
    primary, *rest = tag.replace("_", "-").split("-")
    region = next((part.upper() for part in rest if len(part) == 2), "")
    return two_letter_code(primary.lower()), region


def _no_voices(folder: Path) -> str:
    return f"There is no Piper voice in {folder}. {_how_to_add(folder)}"


def _how_to_add(folder: Path) -> str:
    if find_spec("piper") is None:
        return f"Piper is not installed either. {this_installation().hint('piper')}"
    # This very Python has the package, which another one on the PATH may lack.
    return (
        f"Add one, for example: {quote(sys.executable)} -m piper.download_voices"
        f" en_US-ljspeech-high --download-dir {quote(str(folder))}"
    )
