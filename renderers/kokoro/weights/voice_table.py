"""The voices of a model by name: which there are, mixes of them, and the default of a language."""

from __future__ import annotations

from collections.abc import Iterable

from audiomill.inputs.suggestions import did_you_mean
from audiomill.renderers.base import UnknownVoice, Voice
from audiomill.renderers.kokoro.languages import language_of, speaker_name
from audiomill.renderers.kokoro.weights.mixes import Mix, codes_of, has_language, parse_mix
from audiomill.renderers.kokoro.weights.releases import DEFAULT_VOICES

GENDERS = {"f": "female", "m": "male"}


class VoiceTable:
    """The names of a model's voices. `engine` is named in errors, with where to find them all."""

    def __init__(self, names: Iterable[str], engine: str) -> None:
        self._names = tuple(sorted(names))
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
                f"Kokoro has no voice here that speaks {language!r}. Choose one. {self._hint}"
            )
        return candidates[0]

    def unknown(self, name: str, expression: str) -> UnknownVoice:
        """The error for a name in `expression` that is none of these voices."""
        hint = did_you_mean(name, self._names)
        context = f" (in {expression!r})" if name != expression else ""
        return UnknownVoice(f"Kokoro has no voice {name!r}{context}.{hint} {self._hint}")


def _described(name: str) -> Voice:
    language = language_of(name)
    return Voice(name, language.tag, GENDERS[name[1]], language.name, speaker_name(name))
