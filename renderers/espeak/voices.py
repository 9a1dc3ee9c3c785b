"""espeak-ng's voices: their names, and which voice speaks a language. Pure.

A voice is named after its language ("de", "pt-br"); a suffix selects a variant ("de+f3").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from audiomill.inputs.languages.codes import (
    BRITISH_REGIONS,
    LATIN_AMERICAN_REGIONS,
    canonical_case,
    two_letter_code,
)
from audiomill.inputs.messages import did_you_mean
from audiomill.renderers.engine.errors import UnknownVoice
from audiomill.renderers.engine.protocol import Voice
from audiomill.renderers.espeak.libespeak import ListedVoice

GENDERS = {1: "male", 2: "female"}

# The voice of a language, where the library's priorities give another one or none.
PREFERRED = {
    "en": "en-us",
    "nn": "nb",
    "sh": "hr",
    "zh-hk": "yue",
    "zh-mo": "yue",
    # Deprecated codes, from RFC 5646.
    "iw": "he",
    "in": "id",
    "mo": "ro",
}


@dataclass(frozen=True, slots=True)
class ChosenVoice:
    """A voice and its variant ("" for none), as the library takes them."""

    identifier: str
    variant: str


class EspeakVoices:
    """Looks up voices by name and by language; `variants` are the names of all variants."""

    def __init__(self, listed: Sequence[ListedVoice], variants: Sequence[str]) -> None:
        self._variants = {variant.lower(): variant for variant in variants}
        self._by_name = MappingProxyType(_voices_by_name(listed))
        self._by_language = _names_by_language(self._by_name)
        self.voices = tuple(_voice(name, self._by_name[name]) for name in sorted(self._by_name))

    def choose(self, name: str) -> ChosenVoice:
        """The voice with this name or language; "_" equals "-". Raises UnknownVoice."""
        base, plus, variant = name.partition("+")
        tag = _normalised(base)
        voice = self._by_name.get(tag) or self._by_name.get(self._voice_name(tag) or "")
        if voice is None:
            raise _unknown_voice(name, base, tag, self._by_name)
        if plus and variant.lower() not in self._variants:
            raise _unknown_voice(name, f"+{variant}", variant.lower(), self._variants)
        return ChosenVoice(voice.identifier, self._variants.get(variant.lower(), ""))

    def display_name(self, name: str) -> str:
        """The language and its region, with the variant: "English America f3".

        Raises UnknownVoice.
        """
        chosen = self.choose(name)
        voice = next(one for one in self._by_name.values() if one.identifier == chosen.identifier)
        return f"{_display_name(voice)} {chosen.variant}".strip()

    def for_language(self, language: str) -> str:
        """The name of the best voice for `language` (BCP 47). Raises UnknownVoice."""
        for tag in _fallback_tags(_normalised(language)):
            if name := self._voice_name(tag):
                return name
        raise UnknownVoice(
            f"espeak does not speak {language!r}. Choose a voice: audiomill voices --engine espeak"
        )

    def in_language(self, name: str, language: str) -> str:
        """The voice of `language` with the variant of `name`: "de+f3" of "en-us+f3".

        It is `name` itself if that voice speaks the language. Raises UnknownVoice.
        """
        base, plus, variant = name.partition("+")
        tag = _normalised(base)
        own = tag if tag in self._by_name else self._voice_name(tag) or tag
        voice = self.for_language(language)
        is_same = _primary(own) in (_primary(voice), _primary(_normalised(language)))
        return name if is_same else f"{voice}{plus}{variant}"

    def _voice_name(self, tag: str) -> str | None:
        """The name of the voice for exactly this normalised tag."""
        if tag in PREFERRED:
            return PREFERRED[tag]
        language, _, region = tag.rpartition("-")
        if language == "en" and region in BRITISH_REGIONS:
            return "en-gb"
        if language == "es" and region in LATIN_AMERICAN_REGIONS:
            return "es-419"
        return self._by_language.get(tag)


def _unknown_voice(
    name: str, part: str, normalised: str, known: Mapping[str, object]
) -> UnknownVoice:
    """An error about `part` of the name, with names in `known` that are close to it."""
    hint = did_you_mean(normalised, known)
    of = f" (in {name!r})" if part != name else ""
    return UnknownVoice(
        f"espeak has no voice {part!r}{of}.{hint} All: audiomill voices --engine espeak"
    )


def _voices_by_name(listed: Sequence[ListedVoice]) -> dict[str, ListedVoice]:
    """Each voice under its first language, or under its file name if that is taken."""
    by_name: dict[str, ListedVoice] = {}
    for voice in sorted(listed, key=lambda voice: voice.identifier):
        name = _normalised(voice.languages[0][1])
        if name in by_name:
            name = _normalised(voice.identifier.rpartition("/")[2])
        by_name[name] = voice
    return by_name


def _names_by_language(by_name: Mapping[str, ListedVoice]) -> dict[str, str]:
    """For each language tag, the name of the voice that gives it the best priority."""
    best: dict[str, tuple[int, str]] = {}
    for name, voice in by_name.items():
        for priority, tag in voice.languages:
            normalised = _normalised(tag)
            best[normalised] = min(best.get(normalised, (256, "")), (priority, name))
    # A voice of a region or dialect speaks the language itself if no other voice does.
    for name in by_name:
        best.setdefault(name.split("-")[0], (256, name))
    return {tag: name for tag, (_, name) in best.items()}


def _fallback_tags(tag: str) -> Iterator[str]:
    """The tag and its fallbacks, for example zh-hant-hk, zh-hk, zh-hant, zh.

    Drops subtags from the end, and tries each tag without its script too.
    """
    first, *rest = tag.split("-")
    first = two_letter_code(first)
    if rest and rest[0] == "cmn":
        first, rest = "cmn", rest[1:]
    while rest:
        yield "-".join([first, *rest])
        if len(rest) > 1 and len(rest[0]) == 4:
            yield "-".join([first, *rest[1:]])
        rest.pop()
    yield first


def _voice(name: str, voice: ListedVoice) -> Voice:
    return Voice(
        name=name,
        language=canonical_case(voice.languages[0][1]),
        gender=GENDERS.get(voice.gender, ""),
        description=voice.description,
        display_name=_display_name(voice),
    )


def _display_name(voice: ListedVoice) -> str:
    """The language and its region: "English America" of "English (America, New York City)"."""
    return " ".join(voice.description.partition(",")[0].replace("(", " ").strip(")").split())


def _primary(tag: str) -> str:
    return two_letter_code(tag.split("-")[0])


def _normalised(tag: str) -> str:
    return tag.strip().lower().replace("_", "-")
