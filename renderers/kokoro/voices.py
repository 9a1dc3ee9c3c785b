"""The voices of a model: which there are, which one speaks a language, where each one's pack lies.

Knows no torch: see `packs.py` for what is in a pack.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import Path

from inputs.languages import shortest
from renderers.base import Voice
from renderers.espeak_voices import BRITISH
from renderers.kokoro import hub
from renderers.kokoro.digests import published_sha256, refuse_damaged
from renderers.kokoro.files import Place
from renderers.kokoro.folder import packs_in
from renderers.kokoro.languages import LANGUAGES, language_of
from renderers.kokoro.mixing import Mix, parse_mix
from renderers.kokoro.official import FIRST_CHOICES, V1_0, Release, voice_file
from renderers.shard import UnknownVoice

GENDERS = {"f": "female", "m": "male"}
ALL = "All: audiomill voices --engine kokoro"


@dataclass(frozen=True, slots=True)
class PackFile:
    """A voice at rest."""

    path: Path
    sha256: str  # of the whole file, in hexadecimal


class VoiceTable:
    """The voices in the folder `place`, and no others; without one, all those of `release`.

    Raises EngineMissing if the folder has none. A voice of a release is fetched when its pack is
    first asked for.
    """

    def __init__(self, place: Place, release: Release = V1_0) -> None:
        self._release = release
        self._paths = {} if place is None else packs_in(Path(place))
        self._names = tuple(sorted(release.voices if place is None else self._paths))
        self._packs: dict[str, PackFile] = {}
        self.voices = tuple(_described(name) for name in self._names if _speaks(name))

    def choose(self, expression: str) -> Mix:
        """What a voice expression means. Raises UnknownVoice, with names that are close."""
        mix = parse_mix(expression)
        for name, _ in mix.weights:
            if name not in self._names:
                raise self._unknown(name, expression)
        return mix

    def for_language(self, language: str) -> str:
        """The voice for text in `language` (BCP 47) when none is asked for. Raises UnknownVoice."""
        speaking = [
            name
            for code in _codes(language)
            for name in (*FIRST_CHOICES, *self._names)
            if name in self._names and name.startswith(code) and _speaks(name)
        ]
        if not speaking:
            raise UnknownVoice(
                f"Kokoro has no voice here that speaks {language!r}. Choose one. {ALL}"
            )
        return speaking[0]

    def pack(self, name: str) -> PackFile:
        """Where the pack of one voice is, fetched if need be.

        Raises UnknownVoice, EngineMissing, WeightsUnfit.
        """
        if name not in self._names:
            raise self._unknown(name, name)
        if name not in self._packs:
            self._packs[name] = self._found(name)
        return self._packs[name]

    def fingerprint(self, expression: str) -> str:
        """What decides the sound of a voice expression, whatever its packs are called.

        Raises UnknownVoice, EngineMissing, WeightsUnfit.
        """
        mix = self.choose(expression)
        packs = sorted((self.pack(name).sha256, weight) for name, weight in mix.weights)
        return " ".join((mix.language.code, *(f"{weight}*{sha256}" for sha256, weight in packs)))

    def _found(self, name: str) -> PackFile:
        if path := self._paths.get(name):
            published = ""  # somebody's own
        else:
            path = hub.fetch(self._release, voice_file(name))
            published = self._release.voices[name]
        sha256 = published_sha256(path, published)
        refuse_damaged(path)
        return PackFile(path, sha256)

    def _unknown(self, name: str, expression: str) -> UnknownVoice:
        close = difflib.get_close_matches(name, self._names, n=4, cutoff=0.5)
        hint = f" Did you mean {', '.join(close)}?" if close else ""
        of = f" (in {expression!r})" if name != expression else ""
        return UnknownVoice(f"Kokoro has no voice {name!r}{of}.{hint} {ALL}")


def _described(name: str) -> Voice:
    language = language_of(name)
    return Voice(name, language.tag, GENDERS[name[1]], language.name)


def _speaks(name: str) -> bool:
    """Whether the name says which language: somebody's own pack may be called anything."""
    try:
        language_of(name)
    except UnknownVoice:
        return False
    return True


def _codes(language: str) -> list[str]:
    """Kokoro's letters for a language, the one that fits its region best first."""
    primary, *rest = language.lower().replace("_", "-").split("-")
    primary = {"cmn": "zh"}.get(primary, shortest(primary))
    codes = [code for code, one in LANGUAGES.items() if one.tag.split("-")[0] == primary]
    return codes[::-1] if set(rest) & set(BRITISH.split()) else codes
