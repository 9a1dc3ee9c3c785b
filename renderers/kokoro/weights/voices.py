"""The voices of a model by name, of a folder or a release; mixes of them, the files of their packs.

Knows no torch; `checkpoint.py` reads the packs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from audiomill.inputs.messages import did_you_mean
from audiomill.renderers.engine.display_names import speaker_name
from audiomill.renderers.engine.errors import UnknownVoice
from audiomill.renderers.engine.protocol import Voice
from audiomill.renderers.kokoro.g2p.languages import language_of
from audiomill.renderers.kokoro.weights import hub
from audiomill.renderers.kokoro.weights.files import Location, packs_in
from audiomill.renderers.kokoro.weights.hub import check_intact, verified_sha256
from audiomill.renderers.kokoro.weights.mixes import Mix, codes_of, has_language, parse_mix
from audiomill.renderers.kokoro.weights.releases import DEFAULT_VOICES, V1_0, Release, voice_file

GENDERS = {"f": "female", "m": "male"}


class VoiceTable:
    """The names of a model's voices. `engine` is named in errors, with where to find them all."""

    def __init__(self, names: Iterable[str], engine: str, title: str = "Kokoro") -> None:
        self._names, self._title = tuple(sorted(names)), title
        self._hint = f"All: audiomill voices --engine {engine}"
        self.voices = tuple(_described(name) for name in self._names if has_language(name))

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def resolve(self, expression: str) -> Mix:
        """Parse an expression and check its voices. Raises UnknownVoice, with similar names."""
        mix = parse_mix(expression)
        unknown = [name for name, _ in mix.weights if name not in self._names]
        if len(unknown) == len(mix.weights):  # not a mix: "en-gb" has a hyphen for another reason
            raise self.unknown(expression, expression)
        if unknown:
            raise self.unknown(unknown[0], expression)
        return mix

    def display_name(self, expression: str) -> str:
        """The names of the voices in a mix: "Bella + Sky". Raises UnknownVoice."""
        return " + ".join(speaker_name(name) for name, _ in self.resolve(expression).weights)

    def for_language(self, language: str) -> str:
        """The default voice for text in `language` (BCP 47). Raises UnknownVoice."""
        candidates = [
            name
            for code in codes_of(language)
            for name in (*DEFAULT_VOICES, *self._names)
            if name in self._names and name.startswith(code) and has_language(name)
        ]
        if not candidates:
            raise UnknownVoice(
                f"{self._title} has no voice here that speaks {language!r}. Choose one."
                f" {self._hint}"
            )
        return candidates[0]

    def unknown(self, name: str, expression: str) -> UnknownVoice:
        """The error for a name in `expression` that is none of these voices."""
        hint = did_you_mean(name, self._names)
        context = f" (in {expression!r})" if name != expression else ""
        return UnknownVoice(f"{self._title} has no voice {name!r}{context}.{hint} {self._hint}")


def _described(name: str) -> Voice:
    language = language_of(name)
    return Voice(name, language.tag, GENDERS[name[1]], language.name, speaker_name(name))


@dataclass(frozen=True, slots=True)
class PackFile:
    """The file of a voice's pack."""

    path: Path
    sha256: str  # of the whole file, in hexadecimal


class KokoroVoices:
    """The voices in the folder `location`, or those of `release` if it is None.

    A pack of a release is downloaded on first use.
    """

    def __init__(self, location: Location, release: Release = V1_0) -> None:
        """Raises EngineMissing if the folder has no voices."""
        self._release = release
        self._paths = {} if location is None else packs_in(Path(location))
        self._packs: dict[str, PackFile] = {}
        self.table = VoiceTable(release.voices if location is None else self._paths, "kokoro")

    def resolve(self, expression: str) -> Mix:
        """Parse an expression and check its voices. Raises UnknownVoice, with similar names."""
        return self.table.resolve(expression)

    def pack(self, name: str) -> PackFile:
        """The pack file of one voice, downloaded if necessary.

        Raises UnknownVoice, EngineMissing, WeightsUnfit.
        """
        if name not in self.table:
            raise self.table.unknown(name, name)
        if name not in self._packs:
            self._packs[name] = self._locate(name)
        return self._packs[name]

    def fingerprint(self, expression: str) -> str:
        """The language, packs and weights of an expression. Names of voices do not matter.

        Raises UnknownVoice, EngineMissing, WeightsUnfit.
        """
        mix = self.resolve(expression)
        return mix.fingerprint(lambda name: self.pack(name).sha256)

    def _locate(self, name: str) -> PackFile:
        if path := self._paths.get(name):
            published = ""  # a pack in a folder may be unofficial
        else:
            path = hub.fetch(self._release, voice_file(name))
            published = self._release.voices[name]
        sha256 = verified_sha256(path, published)
        check_intact(path)
        return PackFile(path, sha256)
