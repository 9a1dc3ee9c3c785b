"""espeak-ng's voices: their names, and which of them speaks a language. Pure.

A voice is called by its language ("de", "pt-br"), and may have a variant of its tone ("de+f3").
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from audiomill.inputs.languages import cased, shortest
from audiomill.renderers.base import UnknownVoice, Voice
from audiomill.renderers.espeak.library import ListedVoice

GENDERS = {1: "male", 2: "female"}

# Where the list's own priorities would say something else, or nothing.
PREFERRED = {
    "en": "en-us",
    "nn": "nb",
    "sh": "hr",
    "zh-hk": "yue",
    "zh-mo": "yue",
    # RFC 5646 retired these.
    "iw": "he",
    "in": "id",
    "mo": "ro",
}
BRITISH = "au bw gb gh hk ie in ke mt my ng nz pk sg za zw"  # regions that write and speak so
LATIN_AMERICAN = "ar bo cl co cr cu do ec gt hn mx ni pa pe pr py sv us uy ve"


@dataclass(frozen=True, slots=True)
class ChosenVoice:
    """A voice and its tone, ready for the library."""

    identifier: str
    variant: str


class EspeakVoices:
    """Names and languages of all voices; `variants` are names of tones."""

    def __init__(self, listed: Sequence[ListedVoice], variants: Sequence[str]) -> None:
        self._variants = {variant.lower(): variant for variant in variants}
        self._by_name = MappingProxyType(_named(listed))
        self._by_language = _spoken(self._by_name)
        self.voices = tuple(_described(name, self._by_name[name]) for name in sorted(self._by_name))

    def choose(self, name: str) -> ChosenVoice:
        """The voice of that name or language, "_" being "-". Raises UnknownVoice."""
        base, plus, variant = name.partition("+")
        tag = _plain(base)
        voice = self._by_name.get(tag) or self._by_name.get(self._speaking(tag) or "")
        if voice is None:
            raise self._unknown(name, base, tag, self._by_name)
        if plus and variant.lower() not in self._variants:
            raise self._unknown(name, f"+{variant}", variant.lower(), self._variants)
        return ChosenVoice(voice.identifier, self._variants.get(variant.lower(), ""))

    def for_language(self, language: str) -> str:
        """The name of the voice that speaks `language` (BCP 47) best. Raises UnknownVoice."""
        for tag in _ever_shorter(_plain(language)):
            if name := self._speaking(tag):
                return name
        raise UnknownVoice(
            f"espeak does not speak {language!r}. Choose a voice: audiomill voices --engine espeak"
        )

    def _speaking(self, tag: str) -> str | None:
        if tag in PREFERRED:
            return PREFERRED[tag]
        language, _, region = tag.rpartition("-")
        if language == "en" and region in BRITISH.split():
            return "en-gb"
        if language == "es" and region in LATIN_AMERICAN.split():
            return "es-419"
        return self._by_language.get(tag)

    @staticmethod
    def _unknown(name: str, part: str, wanted: str, known: Mapping[str, object]) -> UnknownVoice:
        close = difflib.get_close_matches(wanted, known, n=4, cutoff=0.5)
        hint = f" Did you mean {', '.join(close)}?" if close else ""
        of = f" (in {name!r})" if part != name else ""
        return UnknownVoice(
            f"espeak has no voice {part!r}{of}.{hint} All: audiomill voices --engine espeak"
        )


def _named(listed: Sequence[ListedVoice]) -> dict[str, ListedVoice]:
    """Each voice under its first language; under its file's name where that is taken."""
    named: dict[str, ListedVoice] = {}
    for voice in sorted(listed, key=lambda one: one.identifier):
        name = _plain(voice.languages[0][1])
        named[name if name not in named else _plain(voice.identifier.rpartition("/")[2])] = voice
    return named


def _spoken(by_name: Mapping[str, ListedVoice]) -> dict[str, str]:
    """For each language tag, the name of the voice that puts it first."""
    best: dict[str, tuple[int, str]] = {}
    for name, voice in by_name.items():
        for priority, tag in voice.languages:
            plain = _plain(tag)
            best[plain] = min(best.get(plain, (256, "")), (priority, name))
    # A voice for one region or dialect speaks the language, if no other does.
    for name in by_name:
        best.setdefault(name.split("-")[0], (256, name))
    return {tag: name for tag, (_, name) in best.items()}


def _ever_shorter(tag: str) -> Iterator[str]:
    """Drop subtags from the end, and a script before a region: zh-hant-hk, zh-hk, zh-hant, zh."""
    first, *rest = tag.split("-")
    first = shortest(first)
    if rest and rest[0] == "cmn":
        first, rest = "cmn", rest[1:]
    while rest:
        yield "-".join([first, *rest])
        if len(rest) > 1 and len(rest[0]) == 4:
            yield "-".join([first, *rest[1:]])
        rest.pop()
    yield first


def _described(name: str, voice: ListedVoice) -> Voice:
    return Voice(
        name=name,
        language=cased(voice.languages[0][1]),
        gender=GENDERS.get(voice.gender, ""),
        description=voice.description,
    )


def _plain(tag: str) -> str:
    return tag.strip().lower().replace("_", "-")
